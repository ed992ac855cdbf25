#include "store/metashrew/node_files.h"

#include "base/file.h"
#include "store/metashrew/read_only_files.h"
#include "store/metashrew/scratch_folder.h"
#include "store/metashrew/table_format.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/version.h>

#include <algorithm>
#include <cstdarg>
#include <fcntl.h>
#include <sys/resource.h>

namespace blockloom::store {
namespace {

/// Bounds of the cache, which grows with what is read. Of a table of 64 MiB the index alone has 1
/// to 2 MiB, and a read needs those of several tables: with few shards and a sixteenth of the
/// tables' size they stay; with the library's 64 shards of a small cache they evict each other at
/// every read.
constexpr std::uint64_t least_cache = std::uint64_t{256} << 20, most_cache = std::uint64_t{2} << 30;
constexpr int cache_shard_bits = 2;
/// Of the open files that a process may have, those that are left for others.
constexpr rlim_t other_files = 256;

/// Of RocksDB 7.8; 8.6 brought the next one.
constexpr std::uint32_t known_table_format = 5;

/// RocksDB's own log would be a file in the node's folder.
class NoLog final : public rocksdb::Logger {
public:
    NoLog() : Logger(rocksdb::InfoLogLevel::FATAL_LEVEL) {}
    using Logger::Logv;
    void Logv(const char* /*format*/, va_list /*values*/) override {}
};

/// What the library throws, as its status.
template <typename Call> rocksdb::Status status_of(const Call& call) noexcept {
    try {
        return call();
    } catch (const std::exception& thrown) {
        return rocksdb::Status::Aborted(thrown.what());
    }
}

rocksdb::Slice key_slice(std::string_view bytes) noexcept {
    return {bytes.data(), bytes.size()};
}

std::uint64_t cache_bytes_for(const std::filesystem::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code failed;
    for (auto file = std::filesystem::directory_iterator(folder, failed);
         !failed && file != std::filesystem::directory_iterator(); file.increment(failed)) {
        std::error_code gone; // the writer may delete it meanwhile
        const std::uint64_t size = file->path().extension() == ".sst" ? file->file_size(gone) : 0;
        if (!gone) bytes += size;
    }
    return std::clamp(bytes / 16, least_cache, most_cache);
}

/// A folder that is being written to is followed with every table open: raises the limit of open
/// files of this process, as far as the system allows, if there are more tables.
Status allow_open_tables(const std::filesystem::path& folder) {
    rlim_t tables = 0;
    std::error_code failed;
    for (auto file = std::filesystem::directory_iterator(folder, failed);
         !failed && file != std::filesystem::directory_iterator(); file.increment(failed))
        tables += file->path().extension() == ".sst" ? 1 : 0;
    rlimit limit{};
    if (failed || ::getrlimit(RLIMIT_NOFILE, &limit) != 0) return {}; // opening reports it
    const rlim_t wanted = tables + tables / 4 + other_files;
    if (wanted <= limit.rlim_cur) return {};
    if (limit.rlim_max < wanted)
        return Error{
            ErrorCode::system,
            fmt::format("{}: expected a limit of at least {} open files for its {} tables, "
                        "found {}; raise it (ulimit -n), or read a copy of the folder",
                        folder.string(), wanted, tables, limit.rlim_max)};
    limit.rlim_cur = wanted;
    if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return system_error(folder, "raise the limit of open files for it", errno);
    return {};
}

} // namespace

bool is_open_elsewhere(const std::filesystem::path& folder) noexcept {
    const Descriptor lock(
        ::open((folder / "LOCK").c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!lock.valid()) return false;
    struct flock asked {};
    asked.l_type = F_WRLCK; // RocksDB's own; asking does not take it
    asked.l_whence = SEEK_SET;
    return ::fcntl(lock.get(), F_GETLK, &asked) == 0 && asked.l_type != F_UNLCK;
}

/// One folder.
class NodeFiles::Folder {
public:
    static Result<std::unique_ptr<Folder>> open(const std::filesystem::path& path,
                                                const NodeOptions& options) {
        std::error_code unknown;
        if (!std::filesystem::exists(path / "CURRENT", unknown))
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected the RocksDB folder of metashrew (rockshrew-mono "
                                     "--db-path), found no file CURRENT in it",
                                     path.string())};
        std::unique_ptr<Folder> folder(new Folder);
        folder->path_ = path;
        folder->running_ =
            options.access == NodeOptions::Access::running ||
            (options.access == NodeOptions::Access::automatic && is_open_elsewhere(path));
        // The library leaves out tables that it cannot read where it follows a running node: what
        // is in them would be older, or absent.
        if (const auto newest = newest_table_format(path);
            newest && newest->version > known_table_format)
            return Error{
                ErrorCode::bad_input,
                fmt::format("{}: table {} has format version {}, newer than {}, the newest that "
                            "RocksDB {}.{}.{} is known to read: its state can be read by the "
                            "node's URL",
                            path.string(), newest->file, newest->version, known_table_format,
                            ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH)};
        if (folder->running_) {
            if (const Status allowed = allow_open_tables(path); !allowed) return allowed.error();
            auto scratch = ScratchFolder::create(options.scratch, path);
            if (!scratch) return scratch.error();
            folder->scratch_ = *std::move(scratch);
        }
        folder->environment_ = rocksdb::NewCompositeEnv(read_only_files(folder->scratch_.path()));
        const rocksdb::Options how = folder->how();
        rocksdb::DB* db = nullptr;
        const rocksdb::Status opened = status_of([&] {
            return folder->running_ ? rocksdb::DB::OpenAsSecondary(
                                          how, path.string(), folder->scratch_.path().string(), &db)
                                    : rocksdb::DB::OpenForReadOnly(how, path.string(), &db);
        });
        folder->db_.reset(db);
        if (const Status fine = folder->checked(opened, "open"); !fine) return fine.error();
        if (const Status caught_up = folder->catch_up(); !caught_up) return caught_up.error();
        return folder;
    }

    [[nodiscard]] bool running() const noexcept { return running_; }

    Status catch_up() const {
        if (!running_) return {};
        return checked(status_of([&] { return db_->TryCatchUpWithPrimary(); }), "follow");
    }

    Result<std::optional<std::string>> get(std::string_view key) const {
        std::string value;
        const rocksdb::Status read =
            status_of([&] { return db_->Get(rocksdb::ReadOptions(), key_slice(key), &value); });
        if (read.IsNotFound()) return std::optional<std::string>();
        if (const Status fine = checked(read, "read"); !fine) return fine.error();
        return std::optional(std::move(value));
    }

    /// Fills the places of `values` that are empty.
    Status get(std::span<const std::string> keys,
               std::vector<std::optional<std::string>>& values) const {
        std::vector<std::size_t> places;
        std::vector<rocksdb::Slice> wanted;
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (!values[i]) {
                places.push_back(i);
                wanted.push_back(key_slice(keys[i]));
            }
        if (wanted.empty()) return {};
        std::vector<rocksdb::PinnableSlice> found(wanted.size());
        std::vector<rocksdb::Status> statuses(wanted.size());
        const rocksdb::Status read = status_of([&] {
            db_->MultiGet(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), wanted.size(),
                          wanted.data(), found.data(), statuses.data());
            return rocksdb::Status::OK();
        });
        if (const Status fine = checked(read, "read"); !fine) return fine;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            if (statuses[i].IsNotFound()) continue;
            if (const Status fine = checked(statuses[i], "read"); !fine) return fine;
            values[places[i]] = found[i].ToString();
        }
        return {};
    }

    Result<std::optional<std::string>> first_from(std::string_view key) const {
        std::optional<std::string> first;
        const rocksdb::Status read = status_of([&] {
            const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(rocksdb::ReadOptions()));
            at->Seek(key_slice(key));
            if (at->Valid()) first = at->key().ToString();
            return at->status();
        });
        if (const Status fine = checked(read, "read"); !fine) return fine.error();
        return first;
    }

private:
    Folder() = default;

    [[nodiscard]] rocksdb::Options how() const {
        rocksdb::Options options;
        options.env = environment_.get();
        options.create_if_missing = false;
        options.info_log = std::make_shared<NoLog>();
        // A secondary keeps every table open, so that one the writer deletes stays readable.
        options.max_open_files = running_ ? -1 : 512;
        options.max_file_opening_threads = 1; // threads that cannot start end the process
        options.skip_stats_update_on_db_open = true;
        options.skip_checking_sst_file_sizes_on_db_open = true;
        options.avoid_flush_during_recovery = true;
        options.stats_dump_period_sec = 0;
        options.stats_persist_period_sec = 0;
        rocksdb::BlockBasedTableOptions table;
        table.block_cache = rocksdb::NewLRUCache(cache_bytes_for(path_), cache_shard_bits);
        table.cache_index_and_filter_blocks = true; // a database of 400 GB has gigabytes of them
        options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
        return options;
    }

    [[nodiscard]] Status checked(const rocksdb::Status& status, const char* action) const {
        if (status.ok()) return {};
        const std::string text = status.ToString();
        const bool by_system = status.IsIOError();
        std::string advice;
        if (status.IsCorruption() || status.IsNotSupported() || status.IsInvalidArgument())
            advice = fmt::format("; the folder is damaged, or its tables were written by a version "
                                 "of RocksDB that this one ({}.{}.{}) cannot read",
                                 ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH);
        else if (by_system && !running_)
            advice = "; if a node is running, even on another machine, say so (--state-access "
                     "running)";
        return Error{by_system ? ErrorCode::system : ErrorCode::bad_input,
                     fmt::format("{}: cannot {} the indexer's database: {}{}", path_.string(),
                                 action, text, advice)};
    }

    std::filesystem::path path_;
    bool running_ = false;
    ScratchFolder scratch_; ///< of a running node; outlives the database
    std::unique_ptr<rocksdb::Env> environment_;
    std::unique_ptr<rocksdb::DB> db_;
};

NodeFiles::~NodeFiles() = default;

Result<std::unique_ptr<NodeFiles>> NodeFiles::open(const NodeOptions& options) {
    std::unique_ptr<NodeFiles> files(new NodeFiles);
    for (const std::filesystem::path& path : {options.folder, options.fork}) {
        if (path.empty()) continue;
        auto folder = Folder::open(path, options);
        if (!folder) return folder.error();
        files->folders_.push_back(*std::move(folder));
    }
    if (files->folders_.empty())
        return Error{ErrorCode::wrong_usage, "expected the folder of an indexer, found none"};
    return files;
}

bool NodeFiles::running() const noexcept {
    return folders_.front()->running();
}

Status NodeFiles::catch_up() const {
    for (const auto& folder : folders_)
        if (const Status caught_up = folder->catch_up(); !caught_up) return caught_up;
    return {};
}

Result<std::optional<std::string>> NodeFiles::get(std::string_view key) const {
    for (const auto& folder : folders_) {
        auto value = folder->get(key);
        if (!value || *value) return value;
    }
    return std::optional<std::string>();
}

Result<std::vector<std::optional<std::string>>>
NodeFiles::get(std::span<const std::string> keys) const {
    std::vector<std::optional<std::string>> values(keys.size());
    for (const auto& folder : folders_)
        if (const Status read = folder->get(keys, values); !read) return read.error();
    return values;
}

Result<std::optional<std::string>> NodeFiles::first_from(std::string_view key) const {
    std::optional<std::string> first;
    for (const auto& folder : folders_) {
        auto found = folder->first_from(key);
        if (!found) return found;
        if (*found && (!first || **found < *first)) first = *std::move(found);
    }
    return first;
}

} // namespace blockloom::store
