#include "store/metashrew/read_only_files.h"

namespace blockloom::store {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class ReadOnlyFiles final : public rocksdb::FileSystemWrapper {
public:
    explicit ReadOnlyFiles(const std::filesystem::path& own)
        : FileSystemWrapper(rocksdb::FileSystem::Default()),
          own_(own.empty() ? std::string() : own.string() + '/') {}

    const char* Name() const override { return "ReadOnlyFiles"; }

    IOStatus NewWritableFile(const std::string& file, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSWritableFile>* result,
                             IODebugContext* debug) override {
        if (!is_own(file)) return refused(file);
        return target()->NewWritableFile(file, options, result, debug);
    }
    IOStatus ReopenWritableFile(const std::string& file, const FileOptions& options,
                                std::unique_ptr<rocksdb::FSWritableFile>* result,
                                IODebugContext* debug) override {
        if (!is_own(file)) return refused(file);
        return target()->ReopenWritableFile(file, options, result, debug);
    }
    IOStatus ReuseWritableFile(const std::string& file, const std::string& old,
                               const FileOptions& options,
                               std::unique_ptr<rocksdb::FSWritableFile>* result,
                               IODebugContext* debug) override {
        if (!is_own(file) || !is_own(old)) return refused(file);
        return target()->ReuseWritableFile(file, old, options, result, debug);
    }
    IOStatus NewRandomRWFile(const std::string& file, const FileOptions& options,
                             std::unique_ptr<rocksdb::FSRandomRWFile>* result,
                             IODebugContext* debug) override {
        if (!is_own(file)) return refused(file);
        return target()->NewRandomRWFile(file, options, result, debug);
    }
    IOStatus
    NewMemoryMappedFileBuffer(const std::string& file,
                              std::unique_ptr<rocksdb::MemoryMappedFileBuffer>* result) override {
        if (!is_own(file)) return refused(file);
        return target()->NewMemoryMappedFileBuffer(file, result);
    }
    IOStatus DeleteFile(const std::string& file, const IOOptions& options,
                        IODebugContext* debug) override {
        if (!is_own(file)) return refused(file);
        return target()->DeleteFile(file, options, debug);
    }
    IOStatus Truncate(const std::string& file, std::size_t size, const IOOptions& options,
                      IODebugContext* debug) override {
        if (!is_own(file)) return refused(file);
        return target()->Truncate(file, size, options, debug);
    }
    IOStatus CreateDir(const std::string& folder, const IOOptions& options,
                       IODebugContext* debug) override {
        if (!is_own(folder)) return refused(folder);
        return target()->CreateDir(folder, options, debug);
    }
    IOStatus CreateDirIfMissing(const std::string& folder, const IOOptions& options,
                                IODebugContext* debug) override {
        if (is_own(folder)) return target()->CreateDirIfMissing(folder, options, debug);
        bool is_there = false; // RocksDB asks for folders that it has just read
        const IOStatus asked = target()->IsDirectory(folder, options, &is_there, debug);
        return asked.ok() && is_there ? IOStatus::OK() : refused(folder);
    }
    IOStatus DeleteDir(const std::string& folder, const IOOptions& options,
                       IODebugContext* debug) override {
        if (!is_own(folder)) return refused(folder);
        return target()->DeleteDir(folder, options, debug);
    }
    IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                        IODebugContext* debug) override {
        if (!is_own(from) || !is_own(to)) return refused(from);
        return target()->RenameFile(from, to, options, debug);
    }
    IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
        if (!is_own(from) || !is_own(to)) return refused(to);
        return target()->LinkFile(from, to, options, debug);
    }
    IOStatus LockFile(const std::string& file, const IOOptions& options, rocksdb::FileLock** lock,
                      IODebugContext* debug) override {
        if (!is_own(file)) return refused(file);
        return target()->LockFile(file, options, lock, debug);
    }
    IOStatus NewLogger(const std::string& file, const IOOptions& options,
                       std::shared_ptr<rocksdb::Logger>* result, IODebugContext* debug) override {
        if (!is_own(file)) return refused(file);
        return target()->NewLogger(file, options, result, debug);
    }

private:
    /// The folder itself and everything below it; a path that climbs out of it is not.
    [[nodiscard]] bool is_own(const std::string& path) const {
        if (own_.empty()) return false;
        const std::string plain = std::filesystem::path(path).lexically_normal().string();
        return plain.starts_with(own_) || plain + '/' == own_;
    }
    static IOStatus refused(const std::string& path) {
        return IOStatus::IOError(path, "refused: files of an indexer are only read");
    }

    std::string own_; ///< ends with a slash; empty: nothing
};

} // namespace

std::shared_ptr<rocksdb::FileSystem> read_only_files(const std::filesystem::path& own) {
    return std::make_shared<ReadOnlyFiles>(own.lexically_normal());
}

} // namespace blockloom::store
