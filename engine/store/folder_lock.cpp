#include "store/folder_lock.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace blockloom::store {
namespace {

/// The process whose id is in the lock: " (process 123)", or nothing.
std::string holder(int file) {
    std::array<char, 32> text{};
    const ssize_t size = ::pread(file, text.data(), text.size() - 1, 0);
    return size > 0 ? fmt::format(" (process {})", text.data()) : std::string();
}

} // namespace

Result<FolderLock> FolderLock::take(const std::filesystem::path& folder, bool shared) {
    const std::filesystem::path path = folder / "lock";
    // Our process id is written into it: not through a link, nor into a file with a second name.
    constexpr int safely = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    FolderLock lock(
        ::open(path.c_str(), shared ? O_RDONLY | safely : O_RDWR | O_CREAT | safely, 0644));
    struct stat about {};
    if (lock.file_ < 0 && errno != ELOOP)
        return Error{ErrorCode::system, fmt::format("{}: cannot open the lock of the workspace: {}",
                                                    path.string(), std::strerror(errno))};
    if (lock.file_ < 0 || ::fstat(lock.file_, &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_nlink > 1)
        return Error{
            ErrorCode::bad_input,
            fmt::format(
                "{}: expected the workspace's lock file, found a link or something other than a "
                "regular file; remove it if no other Blockloom process has the workspace open",
                path.string())};
    int locked = -1;
    do {
        locked = ::flock(lock.file_, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB);
    } while (locked != 0 && errno == EINTR);
    if (locked != 0) {
        if (errno != EWOULDBLOCK)
            return Error{ErrorCode::system, fmt::format("{}: cannot lock the workspace: {}",
                                                        path.string(), std::strerror(errno))};
        return Error{ErrorCode::system,
                     fmt::format("{}: another Blockloom{} has this workspace open; wait "
                                 "for it or close it, or use another folder with --workspace",
                                 folder.string(), holder(lock.file_))};
    }
    if (!shared) {
        const std::string number = std::to_string(::getpid());
        // Only for another process's message: a failure changes nothing.
        if (::ftruncate(lock.file_, 0) == 0)
            (void)!::pwrite(lock.file_, number.data(), number.size(), 0);
    }
    return lock;
}

FolderLock::~FolderLock() {
    if (file_ >= 0) ::close(file_);
}

} // namespace blockloom::store
