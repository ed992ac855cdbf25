#include "base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace blockloom {

Error system_error(const std::filesystem::path& path, const char* action, int number) {
    return {ErrorCode::system,
            fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(number))};
}

namespace {

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a FIFO or pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

Status must_be_regular(const std::filesystem::path& path, mode_t mode) {
    if (S_ISREG(mode)) return {};
    return Error{ErrorCode::system, fmt::format("{}: expected a regular file, found {}",
                                                path.string(), kind_of(mode))};
}

/// Memory that is not zeroed first; null if there is none.
std::unique_ptr<Byte[]> memory_of(std::uint64_t size) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40; // sanitizers end the program above
    if (size >= most) return nullptr;
    return std::unique_ptr<Byte[]>(new (std::nothrow) Byte[std::max<std::uint64_t>(size, 1)]);
}

Error no_memory(const std::filesystem::path& path, std::uint64_t size) {
    return {ErrorCode::system,
            fmt::format("{}: cannot read: not enough memory for {} bytes", path.string(), size)};
}

Error too_large(const std::filesystem::path& path, std::uint64_t most, const std::string& found) {
    return {ErrorCode::bad_input, fmt::format("{}: expected a file of at most {} bytes, found {}",
                                              path.string(), most, found)};
}

} // namespace

Descriptor::~Descriptor() {
    if (value_ >= 0) ::close(value_);
}

Result<OpenFile> OpenFile::open(const std::filesystem::path& path) {
    // Checked before opening, because opening alone can affect a device.
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0) return system_error(path, "open", errno);
    if (const Status regular = must_be_regular(path, about.st_mode); !regular)
        return regular.error();
    // Do not block if it has become a FIFO in between, or is a file of /proc that blocks.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file.valid()) return system_error(path, "open", errno);
    if (::fstat(file.get(), &about) != 0) return system_error(path, "read its size", errno);
    if (const Status regular = must_be_regular(path, about.st_mode); !regular)
        return regular.error();
    return OpenFile(path, std::move(file), static_cast<std::uint64_t>(about.st_size));
}

Status OpenFile::read(std::uint64_t offset, std::span<Byte> into) const {
    std::size_t done = 0;
    while (done < into.size()) {
        const ssize_t count = ::pread(file_.get(), into.data() + done, into.size() - done,
                                      static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return system_error(path_, "read", errno);
        if (count == 0)
            return input_error(path_.string(), offset, fmt::format("{} bytes", into.size()),
                               fmt::format("{}: the file was truncated while it was read", done));
        done += static_cast<std::size_t>(count);
    }
    return {};
}

Result<FileContent> OpenFile::read(std::uint64_t offset, std::uint64_t size) const {
    auto data = memory_of(size);
    if (!data) return no_memory(path_, size);
    if (const Status read_all = read(offset, {data.get(), size}); !read_all)
        return read_all.error();
    return FileContent(std::move(data), size);
}

Result<FileContent> OpenFile::read_unsized(std::uint64_t most) const {
    std::uint64_t room = 65536, size = 0;
    auto data = memory_of(room);
    while (data) {
        const ssize_t count =
            ::pread(file_.get(), data.get() + size, room - size, static_cast<off_t>(size));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return system_error(path_, "read", errno);
        if (count == 0) return FileContent(std::move(data), size);
        size += static_cast<std::uint64_t>(count);
        if (size > most) return too_large(path_, most, "more");
        if (size < room) continue;
        auto larger = memory_of(room *= 2);
        if (larger) std::memcpy(larger.get(), data.get(), size);
        data = std::move(larger);
    }
    return no_memory(path_, room);
}

std::uint64_t OpenFile::next_stored(std::uint64_t offset) const noexcept {
    const off_t at = ::lseek(file_.get(), static_cast<off_t>(offset), SEEK_DATA);
    if (at >= 0) return std::min(static_cast<std::uint64_t>(at), size_);
    return errno == ENXIO ? size_ : offset; // without information about holes, everything is stored
}

Result<FileContent> FileContent::read(const std::filesystem::path& path, std::uint64_t most) {
    const auto file = OpenFile::open(path);
    if (!file) return file.error();
    if (file->size() > most) return too_large(path, most, fmt::format("{}", file->size()));
    // Files of /proc claim to be empty and are not.
    if (file->size() == 0) return file->read_unsized(most);
    return file->read(0, file->size());
}

} // namespace blockloom
