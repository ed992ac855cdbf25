#include "base/file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace blockloom {
namespace {

Error system_error(const std::filesystem::path& path, const char* action) {
    return {ErrorCode::system,
            fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(errno))};
}

/// Closes on every way out.
class Descriptor {
public:
    explicit Descriptor(int value) noexcept : value_(value) {}
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const noexcept { return value_; }
    [[nodiscard]] bool valid() const noexcept { return value_ >= 0; }

private:
    int value_;
};

bool write_all(int descriptor, ByteView content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content = content.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.valid()) return system_error(path, "open");
    struct stat about {};
    if (::fstat(file.get(), &about) != 0) return system_error(path, "read its size");
    if (!S_ISREG(about.st_mode))
        return Error{ErrorCode::system, fmt::format("{}: not a regular file", path.string())};
    const auto size = static_cast<std::size_t>(about.st_size);
    if (size == 0) return MappedFile(nullptr, 0);
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (data == MAP_FAILED) return system_error(path, "map");
    return MappedFile(static_cast<const Byte*>(data), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
}

MappedFile::~MappedFile() {
    if (data_ != nullptr) ::munmap(const_cast<Byte*>(data_), size_);
}

Status write_file(const std::filesystem::path& path, ByteView content) {
    std::filesystem::path beside = path;
    beside += fmt::format(".{}.tmp", ::getpid());
    {
        const Descriptor file(
            ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
        if (!file.valid()) return system_error(path, "create");
        if (!write_all(file.get(), content)) {
            const Error error = system_error(path, "write");
            ::unlink(beside.c_str());
            return error;
        }
    }
    if (::rename(beside.c_str(), path.c_str()) != 0) {
        const Error error = system_error(path, "replace");
        ::unlink(beside.c_str());
        return error;
    }
    return {};
}

} // namespace blockloom
