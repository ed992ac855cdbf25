// A file of blocks, mapped while anyone needs its bytes, and Core's obfuscation of it.
#pragma once

#include "base/file.h"
#include "chain/block.h"

#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

namespace blockloom::chain {

/// Bytes XORed with a repeating 8-byte key by offset within the file (Bitcoin Core ≥ 28,
/// `blocks/xor.dat`). Eight zeros change nothing.
class XorKey {
public:
    XorKey() = default;
    explicit XorKey(std::array<Byte, 8> bytes) noexcept : bytes_(bytes) {}

    [[nodiscard]] bool is_zero() const noexcept { return bytes_ == std::array<Byte, 8>{}; }

    /// The plain bytes of `stored`, which begins at `offset` of its file.
    void apply(ByteView stored, std::uint64_t offset, Byte* plain) const noexcept;

private:
    std::array<Byte, 8> bytes_{};
};

/// Keeps a mapped file or a buffer alive and gives its bytes.
class FileBytes final : public BlockStorage {
public:
    explicit FileBytes(MappedFile file) : file_(std::move(file)), bytes_(file_->bytes()) {}
    explicit FileBytes(Bytes buffer) : buffer_(std::move(buffer)), bytes_(buffer_) {}
    FileBytes(const FileBytes&) = delete;
    FileBytes& operator=(const FileBytes&) = delete;

    [[nodiscard]] ByteView bytes() const noexcept { return bytes_; }

private:
    std::optional<MappedFile> file_;
    Bytes buffer_;
    ByteView bytes_;
};

class BlockFile {
public:
    BlockFile(std::filesystem::path path, XorKey key)
        : name_(path.string()), path_(std::move(path)), key_(key) {}
    /// In memory: `bytes` are kept.
    BlockFile(std::string name, std::shared_ptr<const FileBytes> bytes, XorKey key)
        : name_(std::move(name)), key_(key), kept_(std::move(bytes)) {}

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] const XorKey& key() const noexcept { return key_; }

    /// The file's bytes: mapped once for all that hold them, unmapped with the last. A folder of
    /// many thousand files would exceed the system's maps if all stayed. Thread-safe.
    [[nodiscard]] Result<std::shared_ptr<const FileBytes>> open() const;

private:
    std::string name_;
    std::filesystem::path path_;
    XorKey key_;
    std::shared_ptr<const FileBytes> kept_;
    mutable std::mutex mutex_;
    mutable std::weak_ptr<const FileBytes> mapped_;
};

} // namespace blockloom::chain
