#include "store/progress_file.h"

#include "base/sha256.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace blockloom::store {
namespace {

constexpr std::size_t slot_size = 128, slots = 2;
constexpr std::string_view mark = "blmreach";
// mark, writes u64, 1 or 0 u8, height u64, hash; then the first half of their SHA-256, then zeros
constexpr std::size_t content_size = mark.size() + 8 + 1 + 8 + sizeof(Hash256);
constexpr std::size_t sum_size = 16;
static_assert(content_size + sum_size <= slot_size);

using Slot = std::array<Byte, slot_size>;

std::filesystem::path progress_path(const std::filesystem::path& folder) {
    return folder / "progress";
}

Hash256 sum_of(const Slot& slot) {
    return Sha256().once({ByteView(slot).first(content_size)});
}

Slot slot_of(const Reached& reached) {
    static_assert(std::endian::native == std::endian::little);
    Slot slot{};
    Byte* at = slot.data();
    const auto put = [&](const void* bytes, std::size_t size) {
        std::memcpy(at, bytes, size);
        at += size;
    };
    const Tip tip = reached.tip.value_or(Tip{});
    const Byte known = reached.tip ? 1 : 0;
    put(mark.data(), mark.size());
    put(&reached.writes, sizeof reached.writes);
    put(&known, sizeof known);
    put(&tip.height, sizeof tip.height);
    put(tip.hash.data(), tip.hash.size());
    const Hash256 sum = sum_of(slot);
    put(sum.data(), sum_size);
    return slot;
}

std::optional<Reached> reached_in(const Slot& slot) {
    if (std::memcmp(slot.data(), mark.data(), mark.size()) != 0) return std::nullopt;
    const Hash256 sum = sum_of(slot);
    if (std::memcmp(slot.data() + content_size, sum.data(), sum_size) != 0) return std::nullopt;
    const Byte* at = slot.data() + mark.size();
    const auto take = [&](void* bytes, std::size_t size) {
        std::memcpy(bytes, at, size);
        at += size;
    };
    Reached reached;
    Byte known = 0;
    Tip tip;
    take(&reached.writes, sizeof reached.writes);
    take(&known, sizeof known);
    take(&tip.height, sizeof tip.height);
    take(tip.hash.data(), tip.hash.size());
    if (known > 1) return std::nullopt;
    if (known == 1) reached.tip = tip;
    return reached;
}

/// Bytes read at the offset, less than asked for at the end of the file; -1 with errno.
ssize_t read_at(int file, Slot& slot, off_t offset) {
    std::size_t done = 0;
    while (done < slot.size()) {
        const ssize_t size = ::pread(file, slot.data() + done, slot.size() - done,
                                     offset + static_cast<off_t>(done));
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return size;
        if (size == 0) break;
        done += static_cast<std::size_t>(size);
    }
    return static_cast<ssize_t>(done);
}

Error cannot(const char* action, const std::filesystem::path& path) {
    return {ErrorCode::system,
            fmt::format("{}: cannot {}: {}", path.string(), action, std::strerror(errno))};
}

} // namespace

Result<std::optional<Reached>> ProgressFile::read(const std::filesystem::path& folder) {
    const std::filesystem::path path = progress_path(folder);
    const ProgressFile file(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.file_ < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::optional<Reached>();
    if (file.file_ < 0) return cannot("open", path);
    std::optional<Reached> last;
    for (std::size_t i = 0; i < slots; ++i) {
        Slot slot{};
        const ssize_t size = read_at(file.file_, slot, static_cast<off_t>(i * slot_size));
        if (size < 0) return cannot("read", path);
        if (static_cast<std::size_t>(size) != slot_size) continue;
        const auto reached = reached_in(slot);
        if (reached && (!last || last->writes < reached->writes)) last = reached;
    }
    if (!last)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: the workspace is damaged: expected a record of its progress, "
                                 "found no intact one; see state check and state repair",
                                 path.string())};
    return last;
}

Result<ProgressFile> ProgressFile::open(const std::filesystem::path& folder) {
    std::filesystem::path path = progress_path(folder);
    const int file =
        ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644);
    if (file < 0) return cannot("open", path);
    return ProgressFile(std::move(path), file);
}

ProgressFile::~ProgressFile() {
    if (file_ >= 0) ::close(file_);
}

Status ProgressFile::note(const Reached& reached) {
    const Slot slot = slot_of(reached);
    const auto begin = static_cast<off_t>((reached.writes % slots) * slot_size);
    std::size_t done = 0;
    while (done < slot.size()) {
        const ssize_t size = ::pwrite(file_, slot.data() + done, slot.size() - done,
                                      begin + static_cast<off_t>(done));
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return cannot("write", path_);
        done += static_cast<std::size_t>(size);
    }
    return {};
}

} // namespace blockloom::store
