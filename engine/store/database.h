// RocksDB as this room uses it: five column families, one atomic batch at a time, errors that name
// the folder. Batches that need not be durable at once are collected in memory and written as table
// files together. Only included by this room's sources.
#pragma once

#include "base/result.h"
#include "store/block_record.h"
#include "store/family.h"
#include "store/progress_file.h"
#include "store/unsaved.h"

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <array>
#include <functional>
#include <future>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>

namespace blockloom::store {

[[nodiscard]] inline rocksdb::Slice slice(std::string_view bytes) noexcept {
    return {bytes.data(), bytes.size()};
}
[[nodiscard]] inline std::string_view view(const rocksdb::Slice& slice) noexcept {
    return {slice.data(), slice.size()};
}

/// How a database is opened.
struct DatabaseOptions {
    bool create = false; ///< create it if absent
    bool read_only = false;
    std::size_t bulk_bytes = 0;
    /// Sees each record of the log before it is applied; if set, every table is opened too.
    rocksdb::WalFilter* filter = nullptr;
};

/// `get` may be called by several threads while one thread writes: it finds a value of before or
/// after the write. All other calls are made by one thread at a time.
class Database {
public:
    [[nodiscard]] static Result<std::unique_ptr<Database>> open(const std::filesystem::path& folder,
                                                                const DatabaseOptions& options);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    [[nodiscard]] Result<std::optional<std::string>> get(Family family, std::string_view key) const;
    /// Calls `visit(key, value)` for every key that starts with `prefix`, in the order of key
    /// bytes, until it returns false.
    Status visit(Family family, std::string_view prefix,
                 const std::function<bool(std::string_view, std::string_view)>& visit) const;
    [[nodiscard]] rocksdb::ColumnFamilyHandle* handle(Family family) const noexcept {
        return handles_[static_cast<std::size_t>(family)];
    }

    /// From now on, records each write in the workspace's progress file.
    Status guard();
    /// The number of atomic writes so far.
    [[nodiscard]] std::uint64_t writes() const noexcept { return writes_; }

    /// One atomic write, which is counted in the database and in the progress file; `tip` is the
    /// last block after it. `logged`: it survives a kill at once, otherwise only after the next
    /// flush, which also happens whenever much has been collected. Either the whole write and all
    /// before it survive, or nothing of it.
    Status write(rocksdb::WriteBatch& batch, bool logged, const std::optional<Tip>& tip);
    /// Makes everything written so far survive a kill, all families at the same point.
    Status flush();

    /// Reads every table file completely and compares its checksums.
    [[nodiscard]] Status verify_tables() const;

    /// A failure of RocksDB as an error, or success.
    [[nodiscard]] Status checked(const rocksdb::Status& status, const char* action) const;

private:
    Database(std::filesystem::path folder, std::size_t most_unsaved)
        : folder_(std::move(folder)), most_unsaved_(most_unsaved) {}

    /// The layers in memory, the newer one first.
    [[nodiscard]] std::array<const Unsaved*, 2> layers() const noexcept {
        return {unsaved_.get(), saving_.get()};
    }
    /// The folder in which table files are built before the database ingests them.
    [[nodiscard]] std::filesystem::path incoming() const;
    /// Hands what was collected to a thread that saves it; waits for the previous one first.
    Status start_saving();
    /// Waits until everything that was handed over is in the database.
    Status finish_saving();
    Status flush_unsaved();
    /// Writes table files and lets the database ingest all of them in one step.
    [[nodiscard]] Status save(const Unsaved& unsaved) const;
    [[nodiscard]] Result<std::string> write_table(Family family, const UnsavedTable& table) const;

    /// Records a write that survives a kill.
    Status note(const Reached& reached);

    std::filesystem::path folder_;
    std::size_t most_unsaved_; ///< bytes
    std::uint64_t writes_ = 0;
    std::optional<ProgressFile> progress_; ///< set after guard()
    std::unique_ptr<rocksdb::DB> db_;
    std::array<rocksdb::ColumnFamilyHandle*, families> handles_{}; ///< owned; deleted before db_

    /// Guards the two layers in memory: held by readers, and while the writing thread changes them.
    mutable std::shared_mutex layers_guard_;
    std::unique_ptr<Unsaved> unsaved_ = std::make_unique<Unsaved>();
    std::unique_ptr<const Unsaved> saving_; ///< older than `unsaved_`; read by the thread too
    Reached gathered_{}, handed_{};         ///< the points that `unsaved_` and `saving_` reach
    std::future<Status> saved_;
};

} // namespace blockloom::store
