// Files: read whole or piece by piece into memory that we own, written whole or not at all.
//
// Nothing is mapped. Touching a page of a mapped file that another process truncated, or that a
// network file system can no longer fetch, ends the process with SIGBUS; a failed read is an error
// that can be reported. Copying costs the same as the page faults of a mapping (0.3 ms/MB of a
// cached file, measured block by block), and only what is needed is read: a listing reads the block
// headers in a file, not the whole file.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

namespace blockloom {

/// "PATH: cannot ACTION: …" with the system's text for `number` (errno).
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
    /// Larger than any document, module or trace. A sparse file may claim any size.
    static constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;

    /// A whole regular file, or a link to one. Anything else (a FIFO would wait for a writer) is
    /// refused, as is a file of more than `most` bytes or one that shrinks while it is read.
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

    /// The size when the file was opened.
    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

    /// Fills `into` from `offset`. Fails if the file ends before that.
    [[nodiscard]] Status read(std::uint64_t offset, std::span<Byte> into) const;

    /// The same, into newly allocated memory. Fails if it does not fit into memory.
    [[nodiscard]] Result<FileContent> read(std::uint64_t offset, std::uint64_t size) const;

    /// Offset of the next stored byte at or after `offset`: anything before it is a hole, which
    /// reads as zeros. `size()` if there is none.
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

/// Whether the written data survives a power failure once the call has returned. Data that can be
/// regenerated (a cache, generated blocks) need not wait for the disk.
enum class Durability : std::uint8_t { synced, at_leisure };

/// Writes a file whole or not at all: it is written beside the target under an unpredictable name
/// and then renamed, so a reader sees either the old file or the new one. A link is followed: its
/// target is replaced, the link stays. A device or FIFO is written to. An existing file keeps its
/// mode; one that may not be written to is not replaced.
Status write_file(const std::filesystem::path& path, ByteView content,
                  Durability durability = Durability::synced);

/// The same, but only if no file has this name yet; of several processes the first one wins. False:
/// the file exists and is left as it is.
Result<bool> write_new_file(const std::filesystem::path& path, ByteView content);

/// Prefix of the names of files that `write_file` has not finished. A process that ends halfway
/// leaves one behind, which nobody reads.
inline constexpr std::string_view unfinished_prefix = ".blockloom-";

} // namespace blockloom
