#include "store/database.h"

#include "store/damage.h"
#include "store/meta_keys.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdarg>
#include <memory>
#include <vector>

namespace blockloom::store {
namespace {

// All of these are held in memory once a replay is long enough, so they are small. What a replay
// reads again lies in its own memory (PendingState), in a buffer or in the system's page cache.
constexpr std::size_t cache_bytes = std::size_t{4} << 20;
// Inserting costs a search in the buffer: a small one stays in the processor's caches. A committing
// thread takes 1.1 µs for a key with 2 MiB, 1.6 with 8 and 3.2 with 64; more compaction, by other
// threads, costs 0.2 µs of it. Flushed files are small too, hence level_bytes.
constexpr std::size_t state_buffer_bytes = std::size_t{2} << 20;
constexpr std::size_t buffer_bytes = std::size_t{8} << 20;
constexpr std::uint64_t level_bytes = std::uint64_t{64} << 20;
constexpr std::uint64_t file_bytes = std::uint64_t{8} << 20; ///< its filter is built in memory
constexpr std::size_t writer_bytes = std::size_t{256} << 10; ///< of each file being written

/// RocksDB's own log file ends the program, by an assertion, where the disk is full. What fails is
/// reported by every call's status.
class Silence final : public rocksdb::Logger {
public:
    Silence() : Logger(rocksdb::InfoLogLevel::FATAL_LEVEL) {}
    using Logger::Logv;
    void Logv(const char* /*format*/, va_list /*values*/) override {}
};

/// What the library throws, such as for a size that damage made huge, as its status.
template <typename Call> rocksdb::Status caught(const Call& call) noexcept {
    try {
        return call();
    } catch (const std::exception& thrown) {
        return rocksdb::Status::Aborted(thrown.what());
    }
}

rocksdb::DBOptions database_options(bool create) {
    rocksdb::DBOptions options;
    options.create_if_missing = create;
    options.create_missing_column_families = create;
    // Table files of all families always represent one point, whatever happens to the log.
    options.atomic_flush = true;
    // Tables that recovery makes of the log get into the manifest family by family: cut between two
    // of them, it would be whole, and a family's last writes missing. So Database::open makes them.
    options.avoid_flush_during_recovery = true;
    // A kill may cut the last record of the log, which is no damage. Everything after the first bad
    // record is dropped; the number of writes (Workspace::open) distinguishes the two.
    options.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
    options.paranoid_checks = true; // all table files are there, with the sizes that they had
    options.verify_sst_unique_id_in_manifest = true; // and are the ones that were written
    options.max_background_jobs = 2;
    options.max_open_files = 512;
    // If the system starts only some of several threads, they are never joined and the process
    // ends.
    options.max_file_opening_threads = 1;
    options.writable_file_max_buffer_size = writer_bytes;
    options.info_log = std::make_shared<Silence>();
    options.max_total_wal_size = 2 * buffer_bytes;
    return options;
}

std::vector<rocksdb::ColumnFamilyDescriptor> descriptors() {
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = rocksdb::NewLRUCache(cache_bytes);
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    rocksdb::ColumnFamilyOptions options;
    options.max_bytes_for_level_base = level_bytes;
    options.target_file_size_base = file_bytes;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
    for (const char* name : family_names) {
        options.write_buffer_size =
            name == std::string_view("state") ? state_buffer_bytes : buffer_bytes;
        descriptors.emplace_back(name, options);
    }
    return descriptors;
}

} // namespace

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& folder,
                                                 const DatabaseOptions& options) {
    std::unique_ptr<Database> database(new Database(folder, options.bulk_bytes));
    rocksdb::DB* db = nullptr;
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    const std::string path = folder / "db";
    rocksdb::DBOptions how = database_options(options.create);
    if (options.filter != nullptr) {
        how.wal_filter = options.filter;
        how.max_open_files = -1;          // every table is opened now,
        how.max_file_opening_threads = 1; // by this thread: exceptions are caught here
    }
    const rocksdb::Status status = caught([&] {
        return options.read_only
                   ? rocksdb::DB::OpenForReadOnly(how, path, descriptors(), &handles, &db)
                   : rocksdb::DB::Open(how, path, descriptors(), &handles, &db);
    });
    if (const Status opened = database->checked(status, "open"); !opened) return opened.error();
    database->db_.reset(db);
    std::copy(handles.begin(), handles.end(), database->handles_.begin());
    if (!options.read_only) { // what a killed process had not yet saved
        std::error_code ignored;
        std::filesystem::remove_all(database->incoming(), ignored);
    }
    // Tables of all families in one step of the manifest; the log that they were read from ends.
    std::uint64_t entries = 0;
    if (!options.read_only &&
        db->GetAggregatedIntProperty("rocksdb.num-entries-active-mem-table", &entries) &&
        entries > 0)
        if (Status flushed = database->flush(); !flushed) return flushed.error();
    const auto writes = database->get(Family::meta, writes_key);
    if (!writes) return writes.error();
    if (*writes) database->writes_ = number_from(**writes).value_or(0);
    return database;
}

Database::~Database() {
    if (!db_) return;
    if (saved_.valid()) saved_.wait();
    for (rocksdb::ColumnFamilyHandle* handle : handles_)
        (void)db_->DestroyColumnFamilyHandle(handle);
}

Status Database::checked(const rocksdb::Status& status, const char* action) const {
    if (status.ok()) return {};
    const std::string text = status.ToString();
    // A file that could not be opened may reach us as an invalid argument, too.
    const bool by_system =
        text.find("IO error") != std::string::npos || text.find("Direct I/O") != std::string::npos;
    const bool damaged = status.IsCorruption() || (status.IsInvalidArgument() && !by_system) ||
                         status.IsPathNotFound() || status.IsNotFound();
    return Error{damaged ? ErrorCode::bad_input : ErrorCode::system,
                 fmt::format("{}: cannot {} the workspace{}: {}{}", folder_.string(), action,
                             damaged ? ", it is damaged" : "", text, damaged ? way_back : "")};
}

Status Database::verify_tables() const {
    return checked(caught([&] { return db_->VerifyChecksum(); }), "read");
}

Result<std::optional<std::string>> Database::get(Family family, std::string_view key) const {
    {
        const std::shared_lock lock(layers_guard_);
        for (const Unsaved* layer : layers()) {
            if (layer == nullptr) continue;
            const auto found = (*layer)[static_cast<std::size_t>(family)].find(key);
            if (!found) continue;
            return found->value ? std::optional(std::string(*found->value)) : std::nullopt;
        }
    }
    // What leaves the layers is in the files by then.
    rocksdb::PinnableSlice value;
    const rocksdb::Status status = caught(
        [&] { return db_->Get(rocksdb::ReadOptions(), handle(family), slice(key), &value); });
    if (status.IsNotFound()) return std::optional<std::string>();
    if (const Status read = checked(status, "read"); !read) return read.error();
    return std::optional(value.ToString());
}

Status Database::visit(Family family, std::string_view prefix,
                       const std::function<bool(std::string_view, std::string_view)>& visit) const {
    // Entries of memory, the latest of each key, hide those of the files.
    std::vector<UnsavedEntry> newer;
    for (const Unsaved* layer : layers()) {
        if (layer == nullptr) continue;
        std::vector<UnsavedEntry> older = (*layer)[static_cast<std::size_t>(family)].sorted(prefix);
        std::vector<UnsavedEntry> both;
        // Of equal keys it takes the first range's.
        std::set_union(newer.begin(), newer.end(), older.begin(), older.end(),
                       std::back_inserter(both),
                       [](const auto& a, const auto& b) { return a.key < b.key; });
        newer = std::move(both);
    }
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    options.readahead_size = std::size_t{2} << 20;
    const std::unique_ptr<rocksdb::Iterator> files(db_->NewIterator(options, handle(family)));
    files->Seek(slice(prefix));
    for (auto entry = newer.begin();;) {
        const bool in_files = files->Valid() && view(files->key()).starts_with(prefix);
        if (entry == newer.end() && !in_files) break;
        if (entry == newer.end() || (in_files && view(files->key()) < entry->key)) {
            if (!visit(view(files->key()), view(files->value()))) break;
            files->Next();
            continue;
        }
        if (in_files && view(files->key()) == entry->key) files->Next();
        if (entry->value && !visit(entry->key, *entry->value)) break;
        ++entry;
    }
    return checked(files->status(), "read");
}

} // namespace blockloom::store
