#include "range/fetched_answers.h"

#include "base/bytes.h"
#include "base/sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace blockloom::range {
namespace {

namespace fs = std::filesystem;

/// A file begins with this and the SHA-256 of its place. A record is the length of the question and
/// that of the answer, u32 each, both, and the SHA-256 of all that.
constexpr std::string_view magic = "blockloom answers 1\n";
constexpr std::string_view suffix = ".answers";
constexpr std::size_t head_bytes = magic.size() + sizeof(Hash256), sizes_bytes = 8;

std::string head_of(std::string_view place) {
    const Hash256 hash = Sha256().once({as_bytes(place)});
    return std::string(magic) + std::string(hash.begin(), hash.end());
}

bool read_at(int file, std::uint64_t at, char* into, std::size_t size) {
    while (size != 0) {
        const ssize_t count = ::pread(file, into, size, static_cast<off_t>(at));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        into += count;
        at += static_cast<std::uint64_t>(count);
        size -= static_cast<std::size_t>(count);
    }
    return true;
}

bool write_at(int file, std::uint64_t at, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        at += static_cast<std::uint64_t>(count);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void add_size(std::string& to, std::size_t size) {
    for (int i = 0; i < 4; ++i) to += static_cast<char>(size >> (8 * i));
}

bool is_private(const struct stat& about) noexcept {
    return about.st_uid == ::geteuid() && (about.st_mode & 077) == 0;
}

/// Creates the folder if needed. False: it is not this user's alone.
bool make_private(const fs::path& folder) {
    std::error_code failed;
    fs::create_directories(folder.parent_path(), failed);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
    struct stat about {};
    return ::lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && is_private(about);
}

/// Removes the files that were not written to for the longest time, until the rest is in the bound.
void remove_oldest(const fs::path& folder, const fs::path& but, std::uint64_t most) {
    struct Found {
        fs::file_time_type written;
        std::uint64_t bytes;
        fs::path path;
    };
    std::vector<Found> files;
    std::uint64_t bytes = 0;
    std::error_code failed;
    for (auto file = fs::directory_iterator(folder, failed);
         !failed && file != fs::directory_iterator(); file.increment(failed)) {
        std::error_code gone;
        if (file->path().extension() != suffix || file->path() == but) continue;
        const auto written = file->last_write_time(gone);
        const std::uint64_t size = file->file_size(gone);
        if (gone) continue;
        files.push_back({written, size, file->path()});
        bytes += size;
    }
    std::sort(files.begin(), files.end(),
              [](const Found& a, const Found& b) { return a.written < b.written; });
    for (const Found& file : files) {
        if (bytes <= most) return;
        fs::remove(file.path, failed);
        bytes -= file.bytes;
    }
}

} // namespace

FetchedAnswers::FetchedAnswers(const fs::path& folder, std::string_view place) {
    if (folder.empty() || !make_private(folder)) return;
    const std::string head = head_of(place);
    path_ = folder / (to_hex(as_bytes(head).subspan(magic.size())) + std::string(suffix));
    remove_oldest(folder, path_, most_of_all - most_bytes);
    Descriptor file(
        ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    struct stat about {};
    if (!file.valid() || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_nlink != 1 || !is_private(about) ||
        ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) // another command has it
        return;
    file_ = std::move(file);
    std::string found(head_bytes, '\0');
    if (read_at(file_.get(), 0, found.data(), found.size()) && found == head)
        read_records(static_cast<std::uint64_t>(about.st_size));
    else if (::ftruncate(file_.get(), 0) == 0 && write_at(file_.get(), 0, head))
        end_ = head_bytes;
    else
        file_ = Descriptor();
}

void FetchedAnswers::read_records(std::uint64_t size) {
    end_ = head_bytes;
    std::string record;
    for (;;) {
        record.resize(sizes_bytes);
        if (size - end_ < sizes_bytes || !read_at(file_.get(), end_, record.data(), sizes_bytes))
            break;
        const auto question = read_le<std::uint32_t>(as_bytes(record).data()),
                   answer = read_le<std::uint32_t>(as_bytes(record).data() + 4);
        const std::uint64_t all = sizes_bytes + std::uint64_t{question} + answer;
        if (size - end_ < all + sizeof(Hash256)) break;
        record.resize(all + sizeof(Hash256));
        if (!read_at(file_.get(), end_, record.data(), record.size())) break;
        const Hash256 hash = Sha256().once({as_bytes(record).first(all)});
        if (!std::equal(hash.begin(), hash.end(),
                        as_bytes(record).begin() + static_cast<std::ptrdiff_t>(all)))
            break;
        answers_.insert_or_assign(record.substr(sizes_bytes, question),
                                  Place{end_ + sizes_bytes + question, answer});
        end_ += record.size();
    }
    if (end_ < size && ::ftruncate(file_.get(), static_cast<off_t>(end_)) != 0)
        file_ = Descriptor(); // what is behind could be taken for a record
}

fs::path FetchedAnswers::default_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && fs::path(cache).is_absolute())
        return fs::path(cache) / "blockloom" / "nodes";
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home != '\0') return fs::path(home) / ".cache" / "blockloom" / "nodes";
    return {};
}

std::optional<std::string> FetchedAnswers::find(std::string_view question) const {
    const std::lock_guard lock(guard_);
    const auto found = answers_.find(question);
    if (!file_.valid() || found == answers_.end()) return std::nullopt;
    std::string answer(found->second.size, '\0');
    if (!read_at(file_.get(), found->second.at, answer.data(), answer.size())) return std::nullopt;
    return answer;
}

void FetchedAnswers::keep(std::string_view question, std::string_view answer) {
    const std::lock_guard lock(guard_);
    const std::uint64_t size = sizes_bytes + question.size() + answer.size() + sizeof(Hash256);
    if (!file_.valid() || size > most_bytes - std::min(end_, most_bytes)) return;
    std::string record;
    record.reserve(size);
    add_size(record, question.size());
    add_size(record, answer.size());
    record.append(question).append(answer);
    const Hash256 hash = Sha256().once({as_bytes(record)});
    record.append(hash.begin(), hash.end());
    if (!write_at(file_.get(), end_, record)) { // such as a full disk
        if (::ftruncate(file_.get(), static_cast<off_t>(end_)) != 0) file_ = Descriptor();
        return;
    }
    answers_.insert_or_assign(
        std::string(question),
        Place{end_ + sizes_bytes + question.size(), static_cast<std::uint32_t>(answer.size())});
    end_ += size;
}

void FetchedAnswers::done() {
    const std::lock_guard lock(guard_);
    if (!file_.valid()) return;
    ::unlink(path_.c_str());
    file_ = Descriptor();
    answers_.clear();
}

} // namespace blockloom::range
