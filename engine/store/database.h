// RocksDB as this room uses it: five column families, one atomic batch at a time, errors that name
// the folder. Included by this room's sources only.
#pragma once

#include "base/result.h"
#include "store/workspace.h"

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace blockloom::store {

/// Column families. `meta` is RocksDB's own "default".
enum class Family : std::uint8_t { meta, state, undo, runs, traces };

[[nodiscard]] inline rocksdb::Slice slice(std::string_view bytes) noexcept {
    return {bytes.data(), bytes.size()};
}
[[nodiscard]] inline std::string_view view(const rocksdb::Slice& slice) noexcept {
    return {slice.data(), slice.size()};
}

class Database {
public:
    /// `create`: the database may be absent.
    [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::filesystem::path& folder,
                                                                bool create, bool read_only);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] Result<std::optional<std::string>> get(Family family, std::string_view key) const;
    [[nodiscard]] std::unique_ptr<rocksdb::Iterator> iterate(Family family) const;
    [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Family family) const noexcept {
        return handles_[static_cast<std::size_t>(family)];
    }

    /// One atomic write. `logged`: it survives a kill at once, else from the next flush on.
    Status write(rocksdb::WriteBatch& batch, bool logged);
    /// Everything written so far survives a kill; all families at one point.
    Status flush();

    /// A failure of RocksDB as an error, or success.
    [[nodiscard]] Status checked(const rocksdb::Status& status, const char* action) const;

private:
    explicit Database(std::filesystem::path folder) : folder_(std::move(folder)) {}

    static constexpr std::size_t families = 5;

    std::filesystem::path folder_;
    bool read_only_ = false;
    std::unique_ptr<rocksdb::DB> db_;
    std::array<rocksdb::ColumnFamilyHandle*, families> handles_{}; ///< owned; deleted before db_
};

} // namespace blockloom::store
