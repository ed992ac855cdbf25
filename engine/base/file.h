// Files: mapped for reading, written whole or not at all.
#pragma once

#include "base/bytes.h"
#include "base/result.h"

#include <filesystem>

namespace blockloom {

/// A read-only memory map of a file. The view stays valid as long as the object lives; an empty
/// file gives an empty view. Another process that truncates the file while it is mapped is outside
/// what we guard against.
class MappedFile {
public:
    [[nodiscard]] static Result<MappedFile> open(const std::filesystem::path& path);

    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    ~MappedFile();

    [[nodiscard]] ByteView bytes() const noexcept { return {data_, size_}; }

private:
    MappedFile(const Byte* data, std::size_t size) noexcept : data_(data), size_(size) {}

    const Byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// Writes beside the target and renames, so that a reader sees the old file or the whole new one.
Status write_file(const std::filesystem::path& path, ByteView content);

} // namespace blockloom
