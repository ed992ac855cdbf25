#include "dies_at.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<std::uint64_t> made = 0, last = 0;
std::atomic<bool> counts = false;

/// Whether this call is the last one.
bool is_last() noexcept {
    return counts.load() && ++made == last.load();
}

[[noreturn]] void die() noexcept {
    for (;;) ::syscall(SYS_kill, ::syscall(SYS_getpid), SIGKILL);
}

void die_if_last() noexcept {
    if (is_last()) die();
}

/// The first half of a write that a kill cut, on every second moment.
std::size_t cut(std::size_t bytes) noexcept {
    return made.load() % 2 == 0 ? bytes / 2 : 0;
}

} // namespace

namespace blockloom::test {

void die_at(std::uint64_t call) noexcept {
    made = 0;
    last = call;
    counts = true;
}

std::uint64_t file_calls() noexcept {
    return made.load();
}

} // namespace blockloom::test

// These stand before the ones of the C library, for the database's library too. They make the
// system calls themselves.
extern "C" {

ssize_t write(int file, const void* bytes, size_t size) {
    if (file > STDERR_FILENO && is_last()) {
        (void)!::syscall(SYS_write, file, bytes, cut(size));
        die();
    }
    return ::syscall(SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    if (is_last()) {
        (void)!::syscall(SYS_pwrite64, file, bytes, cut(size), offset);
        die();
    }
    return ::syscall(SYS_pwrite64, file, bytes, size, offset);
}

int ftruncate(int file, off_t size) noexcept {
    die_if_last();
    return static_cast<int>(::syscall(SYS_ftruncate, file, size));
}

int rename(const char* from, const char* to) noexcept {
    die_if_last();
    return static_cast<int>(::syscall(SYS_rename, from, to));
}

int link(const char* from, const char* to) noexcept {
    die_if_last();
    return static_cast<int>(::syscall(SYS_link, from, to));
}

int unlink(const char* path) noexcept {
    die_if_last();
    return static_cast<int>(::syscall(SYS_unlink, path));
}

// A process that is killed loses nothing that the kernel has taken, on the disk or not: nobody
// waits for the disk.
int fsync(int) {
    return 0;
}
int fdatasync(int) {
    return 0;
}
int sync_file_range(int, off64_t, off64_t, unsigned) {
    return 0;
}

int mkdir(const char* path, mode_t mode) noexcept {
    die_if_last();
    return static_cast<int>(::syscall(SYS_mkdir, path, mode));
}
}
