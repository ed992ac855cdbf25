// Files: read whole or piece by piece into own memory, written whole or not at all.
//
// Nothing is mapped. A page of a mapped file that another process cut off, or that a network file
// system can no longer fetch, ends the process with SIGBUS; a read of it is an error that can be
// reported. The copy costs what the page faults of a map cost (0.3 ms/MB of a cached file, measured
// block by block), and only what is needed is read: a listing reads the heads of the blocks of a
// file, not the file.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace blockloom {

/// "PATH: cannot ACTION: …" with what the system says of `number` (errno).
[[nodiscard]] Error system_error(const std::filesystem::path& path, const char* action, int number);

/// A file descriptor that is closed on every way out.
class Descriptor {
public:
    explicit Descriptor(int value = -1) noexcept : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Descriptor();

    [[nodiscard]] int get() const noexcept { return value_; }
    [[nodiscard]] bool valid() const noexcept { return value_ >= 0; }

private:
    int value_;
};

/// Bytes that were read from a file.
class FileContent {
public:
    /// More than any document, module or trace has. A sparse file may claim any size.
    static constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;

    /// A whole regular file, or a link to one. Anything else (a FIFO would wait for a writer) is
    /// refused, as is a file of more than `most` bytes and one that becomes shorter meanwhile.
    [[nodiscard]] static Result<FileContent> read(const std::filesystem::path& path,
                                                  std::uint64_t most = most_bytes);

    FileContent(FileContent&& other) noexcept
        : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
    FileContent& operator=(FileContent&& other) noexcept {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }

    [[nodiscard]] ByteView bytes() const noexcept { return {data_.get(), size_}; }

private:
    friend class OpenFile;
    FileContent(std::unique_ptr<Byte[]> data, std::size_t size) noexcept
        : data_(std::move(data)), size_(size) {}

    std::unique_ptr<Byte[]> data_;
    std::size_t size_ = 0;
};

/// A regular file that is read piece by piece. Reading is thread-safe.
class OpenFile {
public:
    [[nodiscard]] static Result<OpenFile> open(const std::filesystem::path& path);

    /// As it was when the file was opened.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Fills `into` from `offset`. A file that ends before is an error.
    [[nodiscard]] Status read(std::uint64_t offset, std::span<Byte> into) const;

    /// The same into memory of its own. What does not fit into memory is an error.
    [[nodiscard]] Result<FileContent> read(std::uint64_t offset, std::uint64_t size) const;

    /// Where the next byte that is stored lies, from `offset` on: before it is a hole, which reads
    /// as zeros. `size()` if there is none.
    [[nodiscard]] std::uint64_t next_stored(std::uint64_t offset) const noexcept;

private:
    friend class FileContent;
    OpenFile(std::filesystem::path path, Descriptor file, std::uint64_t size) noexcept
        : path_(std::move(path)), file_(std::move(file)), size_(size) {}
    [[nodiscard]] Result<FileContent> read_unsized(std::uint64_t most) const;

    std::filesystem::path path_;
    Descriptor file_;
    std::uint64_t size_;
};

/// Whether what was written outlives a loss of power once the call is back. What can be made again
/// (a cache, generated blocks) need not wait for the disk.
enum class Durability : std::uint8_t { synced, at_leisure };

/// Writes a file whole or not at all: beside the target under a name that nobody can foresee, then
/// renames, so that a reader sees the old file or the new one. A link is followed: what it points
/// at is replaced, the link stays. A device or FIFO is written to. An existing file keeps its mode;
/// one that may not be written to is not replaced.
Status write_file(const std::filesystem::path& path, ByteView content,
                  Durability durability = Durability::synced);

/// The same, but only where no file has this name yet; whoever comes first of several processes
/// wins. False: there is one, which is left as it is.
Result<bool> write_new_file(const std::filesystem::path& path, ByteView content);

/// What the names of files start with that `write_file` has not finished. A process that ended
/// meanwhile leaves one behind, which nobody reads.
inline constexpr std::string_view unfinished_prefix = ".blockloom-";

} // namespace blockloom
