#include "store/log_inspection.h"

#include "base/file.h"
#include "store/damage.h"
#include "store/database.h"
#include "store/meta_keys.h"

#include <fmt/format.h>
#include <rocksdb/wal_filter.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace blockloom::store {
namespace {

/// Finds our own counters in a batch.
class FindCounters final : public rocksdb::WriteBatch::Handler {
public:
    explicit FindCounters(LogInspection& found) : found_(&found) {}

    rocksdb::Status PutCF(std::uint32_t family, const rocksdb::Slice& key,
                          const rocksdb::Slice& value) override {
        if (family != 0) return rocksdb::Status::OK();
        if (view(key) == writes_key) {
            if (const auto number = number_from(view(value))) found_->log.push_back(*number);
            counted_ = true;
        } else if (view(key) == tip_key) {
            found_->tip = height_from(view(value));
        }
        return rocksdb::Status::OK();
    }
    rocksdb::Status DeleteCF(std::uint32_t family, const rocksdb::Slice& key) override {
        if (family == 0 && view(key) == tip_key) found_->tip.reset();
        return rocksdb::Status::OK();
    }
    [[nodiscard]] bool counted() const noexcept { return counted_; }

private:
    LogInspection* found_;
    bool counted_ = false;
};

/// Reads each record of the log and applies none. RocksDB is not exception-safe: a failed
/// allocation is kept and reported after the open.
class ReadLog final : public rocksdb::WalFilter {
public:
    explicit ReadLog(LogInspection& found) : found_(&found) {}

    WalProcessingOption LogRecordFound(unsigned long long /*log*/, const std::string& /*name*/,
                                       const rocksdb::WriteBatch& batch,
                                       rocksdb::WriteBatch* /*changed*/,
                                       bool* /*is_changed*/) override {
        try {
            FindCounters find(*found_);
            const rocksdb::Status read = batch.Iterate(&find);
            // Format 1 counted nothing; a record without a number among counted ones is foreign.
            if (!read.ok() || (!find.counted() && !found_->log.empty())) found_->log.push_back(0);
            ++found_->records;
        } catch (const std::exception&) {
            failed_ = true;
        }
        return WalProcessingOption::kIgnoreCurrentRecord;
    }
    [[nodiscard]] const char* Name() const override { return "blockloom.ReadLog"; }
    [[nodiscard]] bool failed() const noexcept { return failed_; }

private:
    LogInspection* found_;
    bool failed_ = false;
};

/// RocksDB's own check of a manifest whose records come twice is an assertion, which ends the
/// program.
Status check_manifest(const std::filesystem::path& folder) {
    const std::filesystem::path database = folder / "db";
    const auto current = FileContent::read(database / "CURRENT");
    if (!current) return current.error();
    std::string name(reinterpret_cast<const char*>(current->bytes().data()),
                     current->bytes().size());
    if (!name.ends_with('\n') || name.find('/') != std::string::npos) return {};
    name.pop_back();
    std::error_code error;
    if (!std::filesystem::is_regular_file(database / name, error)) return {}; // it says so itself
    const auto content = FileContent::read(database / name);
    if (!content) return content.error();
    const ByteView bytes = content->bytes();
    const std::size_t half = bytes.size() / 2;
    if (half == 0 || bytes.size() % 2 != 0 ||
        !std::ranges::equal(bytes.first(half), bytes.last(half)))
        return {};
    return damaged_error(folder, fmt::format("db/{} contains its content twice", name));
}

/// The properties of a table are the one block that RocksDB 7.8 reads before it compares its
/// checksum; a flag in its last byte that no such block has meets an assertion, which ends the
/// program. The block ends where the index of blocks begins, before the five bytes of its own
/// checksum; the footer says where that is (format 5, "BlockBasedTable Format"). A file without the
/// magic number at its end is not whole, such as one that a killed process was writing: RocksDB
/// deletes it if its manifest does not name it, else says so itself.
Status check_table(const std::filesystem::path& folder, const std::filesystem::path& table) {
    constexpr std::size_t footer_bytes = 53, checksum_bytes = 5;
    const auto file = OpenFile::open(table);
    if (!file) return file.error();
    if (file->size() < footer_bytes) return {}; // RocksDB says so itself
    std::array<Byte, footer_bytes> footer{};
    if (Status read = file->read(file->size() - footer_bytes, footer); !read) return read;
    constexpr std::array<Byte, 8> magic{0xF7, 0xCF, 0xF4, 0x85, 0xB7, 0x41, 0xE2, 0x88};
    if (!std::ranges::equal(std::span(footer).last(magic.size()), magic)) return {};
    std::uint64_t index = 0; // a varint behind the kind of checksum
    for (std::size_t at = 1, shift = 0; at <= 9; ++at, shift += 7) {
        index |= std::uint64_t{footer[at] & 0x7FU} << shift;
        if ((footer[at] & 0x80U) == 0) break;
    }
    if (index <= checksum_bytes || index > file->size()) return {};
    std::array<Byte, 1> last{};
    if (Status read = file->read(index - checksum_bytes - 1, last); !read) return read;
    if ((last[0] & 0x80U) == 0) return {};
    return damaged_error(
        folder, fmt::format("the properties of db/{} cannot be read", table.filename().string()));
}

Status check_tables(const std::filesystem::path& folder) {
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder / "db", error), end; !error && it != end;
         it.increment(error)) {
        if (it->path().extension() != ".sst") continue;
        if (Status whole = check_table(folder, it->path()); !whole) return whole;
    }
    return {}; // a folder that cannot be read is RocksDB's to report
}

} // namespace

std::uint64_t LogInspection::writes() const noexcept {
    std::uint64_t last = in_tables;
    for (const std::uint64_t number : log) last = std::max(last, number);
    return last;
}

std::optional<std::uint64_t> LogInspection::hole() const noexcept {
    std::uint64_t before = 0;
    for (const std::uint64_t number : log) {
        // What the tables contain may no longer be in the log. A write that failed may have left
        // its record, and its number is used again.
        const std::uint64_t known = std::max(before, in_tables);
        if (number < before || number > known + 1) return known + 1;
        before = number;
    }
    return std::nullopt;
}

Result<LogInspection> inspect_log(const std::filesystem::path& folder) {
    if (const Status single = check_manifest(folder); !single) return single.error();
    if (const Status readable = check_tables(folder); !readable) return readable.error();
    LogInspection found;
    ReadLog filter(found);
    const auto database = Database::open(folder, {.read_only = true, .filter = &filter});
    if (!database) return database.error();
    if (filter.failed())
        return Error{ErrorCode::system,
                     folder.string() + ": there is not enough memory to read the log"};
    const auto writes = (*database)->get(Family::meta, writes_key);
    if (!writes) return writes.error();
    if (*writes) found.in_tables = number_from(**writes).value_or(0);
    const auto tip = (*database)->get(Family::meta, tip_key);
    if (!tip) return tip.error();
    if (*tip && (!found.tip || found.writes() == found.in_tables)) found.tip = height_from(**tip);
    return found;
}

} // namespace blockloom::store
