#include "starved/failing_calls.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
}

namespace {

using blockloom::test::CallKind;

std::atomic<bool> armed = false;
std::atomic<std::uint64_t> made[5];
CallKind chosen = CallKind::memory;
std::uint64_t number = 0;
bool lasts = false;

/// Code of the C library: what it allocates for itself it cannot do without (a failed registration
/// of a thread's destructor ends the process inside it).
struct Range {
    std::uintptr_t begin = 0, end = 0;
};
std::array<Range, 2> libc_code;

int find_libc(dl_phdr_info* info, size_t, void* found) {
    auto& count = *static_cast<std::size_t*>(found);
    const char* const name = info->dlpi_name;
    if (std::strstr(name, "/libc.so") == nullptr && std::strstr(name, "/ld-linux") == nullptr)
        return 0;
    for (int i = 0; i < info->dlpi_phnum && count < libc_code.size(); ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X) != 0) {
            const std::uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            libc_code[count++] = {begin, begin + info->dlpi_phdr[i].p_memsz};
        }
    return 0;
}

bool by_libc(const void* caller) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(caller);
    for (const Range& range : libc_code)
        if (at >= range.begin && at < range.end) return true;
    return false;
}

bool fails(CallKind kind, int why) noexcept {
    if (!armed.load(std::memory_order_relaxed)) return false;
    const std::uint64_t now = ++made[static_cast<std::size_t>(kind)];
    if (kind != chosen || number == 0 || (lasts ? now < number : now != number)) return false;
    errno = why;
    return true;
}

bool no_memory(const void* caller) noexcept {
    return armed.load(std::memory_order_relaxed) && !by_libc(caller) &&
           fails(CallKind::memory, ENOMEM);
}

/// Standard streams are nobody's state.
bool no_write(int file) noexcept {
    return file > STDERR_FILENO && fails(CallKind::file, ENOSPC);
}

} // namespace

namespace blockloom::test {

const char* name_of(CallKind kind) noexcept {
    constexpr const char* names[] = {"memory", "map", "protect", "thread", "file"};
    return names[static_cast<std::size_t>(kind)];
}

void fail_call(CallKind kind, std::uint64_t which, bool lasting) noexcept {
    armed = false;
    if (libc_code[0].end == 0) {
        std::size_t count = 0;
        ::dl_iterate_phdr(find_libc, &count);
    }
    for (auto& each : made) each = 0;
    chosen = kind;
    number = which;
    lasts = lasting;
    armed = true;
}

void fail_no_more() noexcept {
    armed = false;
}

std::uint64_t calls_made(CallKind kind) noexcept {
    return made[static_cast<std::size_t>(kind)].load();
}

} // namespace blockloom::test

// The C library's own functions are called by their inner names or as system calls: nothing here
// may allocate.
extern "C" {

void* malloc(size_t size) noexcept {
    return no_memory(__builtin_return_address(0)) ? nullptr : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) noexcept {
    return no_memory(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) noexcept {
    return no_memory(__builtin_return_address(0)) ? nullptr : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) noexcept {
    return no_memory(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) noexcept {
    return no_memory(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, size);
}
int posix_memalign(void** result, size_t alignment, size_t size) noexcept {
    if (no_memory(__builtin_return_address(0))) return ENOMEM;
    *result = __libc_memalign(alignment, size);
    return *result == nullptr ? ENOMEM : 0;
}

void* mmap(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
    if (fails(CallKind::map, ENOMEM)) return MAP_FAILED;
    return reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, file, offset));
}
void* mmap64(void* at, size_t size, int protection, int flags, int file, off_t offset) noexcept {
    return mmap(at, size, protection, flags, file, offset);
}
int mprotect(void* at, size_t size, int protection) noexcept {
    if (fails(CallKind::protect, ENOMEM)) return -1;
    return static_cast<int>(::syscall(SYS_mprotect, at, size, protection));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*body)(void*),
                   void* argument) noexcept {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
    if (fails(CallKind::thread, EAGAIN)) return EAGAIN;
    return create(thread, how, body, argument);
}

int openat(int folder, const char* path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    if (fails(CallKind::file, EMFILE)) return -1;
    return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}
int open(const char* path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    return openat(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
    mode_t mode = 0;
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    return openat(AT_FDCWD, path, flags, mode);
}

ssize_t read(int file, void* to, size_t size) {
    if (file > STDERR_FILENO && fails(CallKind::file, EIO)) return -1;
    return ::syscall(SYS_read, file, to, size);
}
ssize_t pread64(int file, void* to, size_t size, off_t offset) {
    if (fails(CallKind::file, EIO)) return -1;
    return ::syscall(SYS_pread64, file, to, size, offset);
}
ssize_t pread(int file, void* to, size_t size, off_t offset) {
    return pread64(file, to, size, offset);
}
ssize_t write(int file, const void* bytes, size_t size) {
    return no_write(file) ? -1 : ::syscall(SYS_write, file, bytes, size);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off_t offset) {
    return no_write(file) ? -1 : ::syscall(SYS_pwrite64, file, bytes, size, offset);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
    return pwrite64(file, bytes, size, offset);
}
int fsync(int file) {
    return fails(CallKind::file, EIO) ? -1 : static_cast<int>(::syscall(SYS_fsync, file));
}
int fdatasync(int file) {
    return fails(CallKind::file, EIO) ? -1 : static_cast<int>(::syscall(SYS_fdatasync, file));
}
int ftruncate(int file, off_t size) noexcept {
    if (fails(CallKind::file, ENOSPC)) return -1;
    return static_cast<int>(::syscall(SYS_ftruncate, file, size));
}
int ftruncate64(int file, off_t size) noexcept {
    return ftruncate(file, size);
}
int rename(const char* from, const char* to) noexcept {
    if (fails(CallKind::file, EIO)) return -1;
    return static_cast<int>(::syscall(SYS_rename, from, to));
}
int link(const char* from, const char* to) noexcept {
    if (fails(CallKind::file, EIO)) return -1;
    return static_cast<int>(::syscall(SYS_link, from, to));
}
int unlink(const char* path) noexcept {
    if (fails(CallKind::file, EIO)) return -1;
    return static_cast<int>(::syscall(SYS_unlink, path));
}
int mkdir(const char* path, mode_t mode) noexcept {
    if (fails(CallKind::file, ENOSPC)) return -1;
    return static_cast<int>(::syscall(SYS_mkdir, path, mode));
}
}
