// A file of blocks, read piece by piece, and Bitcoin Core's obfuscation of it.
#pragma once

#include "base/file.h"
#include "chain/block.h"

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace blockloom::chain {

/// A repeating 8-byte key that file bytes are XORed with, by offset within the file (Bitcoin Core ≥
/// 28, `blocks/xor.dat`). Eight zeros change nothing.
class XorKey {
public:
    XorKey() = default;
    explicit XorKey(std::array<Byte, 8> bytes) noexcept : bytes_(bytes) {}

    [[nodiscard]] bool is_zero() const noexcept { return bytes_ == std::array<Byte, 8>{}; }

    /// Writes the plain bytes of `stored`, which begins at `offset` of its file, to `plain`.
    void apply(ByteView stored, std::uint64_t offset, Byte* plain) const noexcept;

private:
    std::array<Byte, 8> bytes_{};
};

/// Keeps bytes of a file or a buffer alive.
class FileBytes final : public BlockStorage {
public:
    explicit FileBytes(FileContent file) : file_(std::move(file)), bytes_(file_->bytes()) {}
    explicit FileBytes(Bytes buffer) : buffer_(std::move(buffer)), bytes_(buffer_) {}
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    [[nodiscard]] ByteView bytes() const noexcept { return bytes_; }

private:
    std::optional<FileContent> file_;
    Bytes buffer_;
    ByteView bytes_;
};

class BlockFile {
public:
    BlockFile(std::filesystem::path path, XorKey key)
        : name_(path.string()), path_(std::move(path)), key_(key) {}
    /// Reads the bytes of one block from elsewhere: an offset and a size, as listed.
    using Reader = std::function<Result<Bytes>(std::uint64_t offset, std::uint64_t size)>;
    /// What is read anew each time by `reader`, from any thread.
    BlockFile(std::string name, Reader reader)
        : name_(std::move(name)), reader_(std::move(reader)) {}
    /// A file in memory; keeps `bytes` alive.
    BlockFile(std::string name, std::shared_ptr<const FileBytes> bytes, XorKey key)
        : name_(std::move(name)), key_(key), kept_(std::move(bytes)) {}

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const XorKey& key() const noexcept { return key_; }

    /// The stored bytes of one block, in newly allocated memory. The file is opened for this call
    /// only: a folder of many thousands of files would exceed a process's descriptors if all stayed
    /// open. Fails if the file was truncated. Thread-safe.
    [[nodiscard]] Result<BlockBytes> read(std::uint64_t offset, std::uint64_t size) const;

private:
    std::string name_;
    std::filesystem::path path_;
    XorKey key_;
    std::shared_ptr<const FileBytes> kept_;
    Reader reader_;
};

/// The bytes of a file while it is searched for blocks. Part of it is buffered in memory: little
/// while the search jumps from block to block, more while it reads sequentially.
class StoredBytes {
public:
    explicit StoredBytes(ByteView all) : all_(all), size_(all.size()) {}
    StoredBytes(OpenFile file, std::stop_token stop)
        : file_(std::move(file)), stop_(std::move(stop)), size_(file_->size()) {}

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Up to `count` bytes from `offset`: fewer at the end, none after a failure. Valid until the
    /// next call.
    [[nodiscard]] ByteView at(std::uint64_t offset, std::size_t count);

    /// The whole file; valid as long as this object.
    [[nodiscard]] ByteView all();

    /// Offset of the next byte that may be non-zero.
    [[nodiscard]] std::uint64_t next_stored(std::uint64_t offset) const noexcept {
        return file_ ? file_->next_stored(offset) : offset;
    }

    /// Why bytes could not be read, or that the caller cancelled.
    [[nodiscard]] const std::optional<Error>& failure() const noexcept { return failure_; }

private:
    void fill(std::uint64_t offset, std::size_t count);

    std::optional<OpenFile> file_;
    std::stop_token stop_;
    std::optional<FileContent> whole_;
    ByteView all_; ///< set once a file has been read as a whole
    std::uint64_t size_;
    Bytes window_;
    std::uint64_t window_at_ = 0;
    std::optional<Error> failure_;
};

} // namespace blockloom::chain
