#include "base/file.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace blockloom {
namespace {

constexpr int most_links = 40, wait_ms = 50, most_waits = 100;

bool write_all(int descriptor, ByteView content) {
    while (!content.empty()) {
        const ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EAGAIN) {
            pollfd until{descriptor, POLLOUT, 0};
            (void)::poll(&until, 1, -1);
            continue;
        }
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content = content.subspan(static_cast<std::size_t>(written));
    }
    return true;
}

/// A FIFO or device: what is written to it goes to its reader.
Status write_into(const std::filesystem::path& path, ByteView content) {
    // The wait for a reader of a FIFO is limited: there may never be one.
    Descriptor file;
    for (int i = 0; !file.valid() && i < most_waits; ++i) {
        if (i > 0) (void)::poll(nullptr, 0, wait_ms);
        file = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        if (!file.valid() && errno != ENXIO) break;
    }
    if (!file.valid()) return system_error(path, "open for writing", errno);
    if (!write_all(file.get(), content)) return system_error(path, "write", errno);
    return {};
}

/// The end of the chain of links: the file itself, which may not exist.
Result<std::filesystem::path> without_links(const std::filesystem::path& path) {
    std::filesystem::path at = path;
    for (int i = 0; i < most_links; ++i) {
        std::array<char, PATH_MAX> target{};
        const ssize_t size = ::readlink(at.c_str(), target.data(), target.size());
        if (size < 0) return at; // no link
        // An absolute path replaces the folder.
        at = at.parent_path() / std::string(target.data(), static_cast<std::size_t>(size));
    }
    return system_error(path, "follow the link", ELOOP);
}

std::string unforeseeable_name() {
    std::array<Byte, 12> random{};
    std::size_t size = 0;
    while (size < random.size()) {
        const ssize_t count = ::getrandom(random.data() + size, random.size() - size, 0);
        if (count > 0) size += static_cast<std::size_t>(count);
    }
    return std::string(unfinished_prefix) + to_hex(random);
}

/// A new file in a folder; removed unless it is renamed.
class NewFile {
public:
    NewFile(int folder, mode_t mode) : folder_(folder) {
        do {
            name_ = unforeseeable_name();
            file_ = Descriptor(::openat(
                folder, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
        } while (!file_.valid() && errno == EEXIST);
    }
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;
    ~NewFile() {
        if (file_.valid() && !renamed_) ::unlinkat(folder_, name_.c_str(), 0);
    }

    [[nodiscard]] int get() const noexcept { return file_.get(); }
    [[nodiscard]] bool valid() const noexcept { return file_.valid(); }
    /// False like the system calls: errno says why.
    [[nodiscard]] bool rename(const std::string& name) {
        renamed_ = ::renameat(folder_, name_.c_str(), folder_, name.c_str()) == 0;
        return renamed_;
    }

    /// Fails with EEXIST where the name is taken.
    [[nodiscard]] bool rename_new(const std::string& name) {
        renamed_ =
            ::renameat2(folder_, name_.c_str(), folder_, name.c_str(), RENAME_NOREPLACE) == 0;
        if (renamed_ || (errno != EINVAL && errno != ENOSYS)) return renamed_;
        // For a file system without that flag: adds the second name, then removes the first.
        return ::linkat(folder_, name_.c_str(), folder_, name.c_str(), 0) == 0;
    }

private:
    int folder_;
    std::string name_;
    Descriptor file_;
    bool renamed_ = false;
};

/// Makes the names in a folder survive a power failure.
Status sync_entries(const std::filesystem::path& path, const Descriptor& folder) {
    // Not every file system syncs folders, and one that may be written to need not be readable.
    const Descriptor entries(::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (entries.valid() && ::fsync(entries.get()) != 0 && errno == EIO)
        return system_error(path, "write", errno);
    return {};
}

Status replace(const std::filesystem::path& path, const struct stat* old, ByteView content,
               Durability durability) {
    const std::string name = path.filename().string();
    const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
    const Descriptor folder(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid()) return system_error(path, "create", errno);
    if (old != nullptr && ::faccessat(folder.get(), name.c_str(), W_OK, AT_EACCESS) != 0)
        return system_error(path, "replace", errno);
    NewFile file(folder.get(), old != nullptr ? 0600 : 0644);
    if (!file.valid()) return system_error(path, "create", errno);
    if (!write_all(file.get(), content)) return system_error(path, "write", errno);
    // Its owner is kept if we are permitted to; a set-user bit is not.
    if (old != nullptr &&
        ((::fchown(file.get(), old->st_uid, old->st_gid) != 0 && errno != EPERM) ||
         ::fchmod(file.get(), old->st_mode & 0777) != 0))
        return system_error(path, "set its mode", errno);
    if (durability == Durability::synced && ::fsync(file.get()) != 0)
        return system_error(path, "write", errno);
    if (!file.rename(name)) return system_error(path, "replace", errno);
    return durability == Durability::synced ? sync_entries(path, folder) : Status();
}

} // namespace

Status write_file(const std::filesystem::path& path, ByteView content, Durability durability) {
    struct stat about {};
    const bool there = ::stat(path.c_str(), &about) == 0;
    if (!there && errno != ENOENT) return system_error(path, "create", errno);
    if (there && S_ISDIR(about.st_mode)) return system_error(path, "write", EISDIR);
    if (there && !S_ISREG(about.st_mode)) return write_into(path, content);
    const auto target = without_links(path);
    if (!target) return target.error();
    if (!target->has_filename()) return system_error(path, "create", EISDIR);
    return replace(*target, there ? &about : nullptr, content, durability);
}

Result<bool> write_new_file(const std::filesystem::path& path, ByteView content) {
    const std::filesystem::path parent = path.has_parent_path() ? path.parent_path() : ".";
    const Descriptor folder(::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.valid()) return system_error(path, "create", errno);
    NewFile file(folder.get(), 0644);
    if (!file.valid()) return system_error(path, "create", errno);
    if (!write_all(file.get(), content) || ::fsync(file.get()) != 0)
        return system_error(path, "write", errno);
    if (!file.rename_new(path.filename().string())) {
        if (errno == EEXIST) return false;
        return system_error(path, "create", errno);
    }
    if (const Status synced = sync_entries(path, folder); !synced) return synced.error();
    return true;
}

} // namespace blockloom
