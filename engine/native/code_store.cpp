#include "native/code_store.h"

#include "native/code_file.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace blockloom::native {
namespace {

constexpr std::string_view entry_suffix = ".code", unfinished_suffix = ".unfinished";
constexpr std::int64_t second = 1'000'000'000;
/// Nobody writes an entry for this long: a process that ended halfway left it behind.
constexpr std::int64_t unfinished_for = 3600 * second;

std::string entry_name(const Hash256& key) {
    std::string name = to_hex(key);
    name += entry_suffix;
    return name;
}

bool is_named(std::string_view name, std::size_t digits, std::string_view suffix) {
    if (name.size() != digits + suffix.size() || !name.ends_with(suffix)) return false;
    return std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(digits),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_entry(std::string_view name) {
    return is_named(name, 64, entry_suffix);
}

constexpr std::size_t unfinished_digits = 24;

std::string unfinished_name() {
    std::array<Byte, unfinished_digits / 2> random{};
    std::size_t size = 0;
    while (size < random.size()) {
        const ssize_t count = ::getrandom(random.data() + size, random.size() - size, 0);
        if (count > 0) size += static_cast<std::size_t>(count);
    }
    std::string name = to_hex(random);
    name += unfinished_suffix;
    return name;
}

std::int64_t nanoseconds_of(const timespec& time) noexcept {
    return std::int64_t{time.tv_sec} * second + time.tv_nsec;
}

/// Dates of files, which other processes compare: never a measurement.
timespec file_time() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return now;
}

/// Only this user may have written what is run as code.
bool is_private(const struct stat& about) noexcept {
    return about.st_uid == ::geteuid() && (about.st_mode & 077) == 0;
}

/// No name is left where another process has replaced it meanwhile.
bool is_own_entry(const struct stat& about) noexcept {
    return S_ISREG(about.st_mode) && about.st_nlink <= 1 && is_private(about);
}

bool read_all(int file, std::span<Byte> into) {
    while (!into.empty()) {
        const ssize_t count = ::read(file, into.data(), into.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        into = into.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

bool write_all(int file, ByteView from) {
    while (!from.empty()) {
        const ssize_t count = ::write(file, from.data(), from.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        from = from.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

struct CloseFolder {
    void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

} // namespace

CodeStore::CodeStore(std::filesystem::path folder, std::uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {}

Result<int> CodeStore::open(bool create) {
    const std::lock_guard lock(mutex_);
    if (descriptor_.valid()) return descriptor_.get();
    if (create) {
        std::error_code error;
        std::filesystem::create_directories(folder_.parent_path(), error);
        if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST)
            return system_error(folder_, "create", errno);
    }
    Descriptor opened(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened.valid() && errno == ENOENT) return -1;
    if (!opened.valid()) return system_error(folder_, "open", errno);
    struct stat about {};
    if (::fstat(opened.get(), &about) != 0) return system_error(folder_, "open", errno);
    if (!is_private(about))
        return Error{ErrorCode::system,
                     fmt::format("{}: expected a folder of user {} with mode 0700, found one of "
                                 "user {} with mode {:04o}: machine code there is not used",
                                 folder_.string(), ::geteuid(), about.st_uid,
                                 about.st_mode & 07777)};
    descriptor_ = std::move(opened);
    return descriptor_.get();
}

std::optional<KeptObjects> CodeStore::find(const Hash256& key) {
    const auto folder = open(false);
    if (!folder || *folder < 0) return std::nullopt;
    const std::string name = entry_name(key);
    // O_NONBLOCK: a FIFO would wait for a writer.
    const Descriptor file(
        ::openat(*folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!file.valid()) {
        if (errno == ELOOP) remove(key);
        return std::nullopt;
    }
    struct stat about {};
    if (::fstat(file.get(), &about) != 0) return std::nullopt;
    const auto size = static_cast<std::uint64_t>(about.st_size);
    if (!is_own_entry(about) || size > most_bytes_) {
        remove(key);
        return std::nullopt;
    }
    KeptObjects kept{std::make_unique_for_overwrite<Byte[]>(size), {}};
    if (!read_all(file.get(), {kept.bytes.get(), size})) return std::nullopt;
    auto objects = read_code_file({kept.bytes.get(), size}, key, name);
    if (!objects) {
        remove(key);
        return std::nullopt;
    }
    kept.objects = *std::move(objects);
    const timespec now = file_time();
    const timespec times[] = {now, now};
    (void)::futimens(file.get(), times);
    return kept;
}

Status CodeStore::keep(const Hash256& key, std::span<const ByteView> objects) {
    const Bytes content = code_file_bytes(key, objects);
    if (content.size() > most_bytes_) return {};
    const auto folder = open(true);
    if (!folder) return folder.error();
    if (*folder < 0) return system_error(folder_, "create", ENOENT);
    const std::string unfinished = unfinished_name(), name = entry_name(key);
    {
        const Descriptor file(::openat(*folder, unfinished.c_str(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!file.valid()) return system_error(folder_ / unfinished, "create", errno);
        const timespec now = file_time();
        const timespec times[] = {now, now};
        // Not synced: after a loss of power a damaged entry is only compiled again.
        if (!write_all(file.get(), content) || ::futimens(file.get(), times) != 0 ||
            ::renameat(*folder, unfinished.c_str(), *folder, name.c_str()) != 0) {
            const int number = errno;
            (void)::unlinkat(*folder, unfinished.c_str(), 0);
            return system_error(folder_ / name, "write", number);
        }
    }
    (void)keep_within_bound(*folder);
    return {};
}

void CodeStore::remove(const Hash256& key) {
    const auto folder = open(false);
    if (folder && *folder >= 0) (void)::unlinkat(*folder, entry_name(key).c_str(), 0);
}

std::vector<CodeStore::Listed> CodeStore::list(int folder, bool remove_unfinished) {
    std::vector<Listed> listed;
    // Of its own: the position in a folder belongs to its description.
    const int own = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (own < 0) return listed;
    const std::unique_ptr<DIR, CloseFolder> open(::fdopendir(own));
    if (!open) {
        ::close(own);
        return listed;
    }
    const std::int64_t now = nanoseconds_of(file_time());
    while (const dirent* entry = ::readdir(open.get())) {
        const std::string_view name = entry->d_name;
        const bool unfinished = is_named(name, unfinished_digits, unfinished_suffix);
        struct stat about {};
        if (!(is_entry(name) || unfinished) ||
            ::fstatat(folder, entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISDIR(about.st_mode))
            continue;
        const std::int64_t used = nanoseconds_of(about.st_mtim);
        if (!unfinished)
            listed.push_back({std::string(name), static_cast<std::uint64_t>(about.st_size), used});
        else if (remove_unfinished || used < now - unfinished_for)
            (void)::unlinkat(folder, entry->d_name, 0);
    }
    return listed;
}

/// Also where several processes add entries at once: whoever lists last sees all of them.
CodeStore::Contents CodeStore::keep_within_bound(int folder) {
    const std::lock_guard lock(mutex_);
    std::vector<Listed> listed = list(folder, false);
    Contents contents;
    for (const Listed& entry : listed) {
        ++contents.entries;
        contents.bytes += entry.bytes;
    }
    if (contents.bytes <= most_bytes_) return contents;
    std::sort(listed.begin(), listed.end(), [](const Listed& a, const Listed& b) {
        return a.used != b.used ? a.used < b.used : a.name < b.name;
    });
    for (const Listed& entry : listed) {
        if (contents.bytes <= most_bytes_) break;
        if (::unlinkat(folder, entry.name.c_str(), 0) != 0 && errno != ENOENT) continue;
        --contents.entries;
        contents.bytes -= entry.bytes;
    }
    return contents;
}

Result<CodeStore::Contents> CodeStore::contents() {
    const auto folder = open(false);
    if (!folder) return folder.error();
    if (*folder < 0) return Contents{};
    return keep_within_bound(*folder);
}

Result<CodeStore::Contents> CodeStore::clear() {
    const auto folder = open(false);
    if (!folder) return folder.error();
    Contents removed;
    if (*folder < 0) return removed;
    const std::lock_guard lock(mutex_);
    for (const Listed& entry : list(*folder, true)) {
        if (::unlinkat(*folder, entry.name.c_str(), 0) != 0) {
            if (errno == ENOENT) continue;
            return system_error(folder_ / entry.name, "remove", errno);
        }
        ++removed.entries;
        removed.bytes += entry.bytes;
    }
    return removed;
}

} // namespace blockloom::native
