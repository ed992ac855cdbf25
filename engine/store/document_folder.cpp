#include "store/document_folder.h"

#include "base/contain.h"
#include "base/file.h"
#include "store/document_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

namespace blockloom::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extension = ".kept", index_extension = ".index";
constexpr std::string_view id_section = "id", summary_section = "summary",
                           content_section = "document";
/// What a heading and a summary rarely exceed.
constexpr std::uint64_t first_read = 1024;

/// Ids as file names: letters, digits and a few signs as they are, other bytes as %XX; of a long
/// one the beginning and its hash.
std::string file_name(std::string_view id) {
    constexpr std::string_view plain = "._-+:,";
    constexpr std::size_t longest_whole = 200, kept_of_longer = 100;
    std::string name;
    for (const char c : id) {
        const bool as_it_is = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                              (c >= 'A' && c <= 'Z') ||
                              (plain.find(c) != std::string_view::npos && !name.empty());
        name +=
            as_it_is ? std::string(1, c) : fmt::format("%{:02x}", static_cast<unsigned char>(c));
    }
    if (name.empty()) name += '%'; // no other id has that name
    if (name.size() > longest_whole)
        name = fmt::format("{}%%{:016x}", name.substr(0, kept_of_longer),
                           XXH3_64bits(id.data(), id.size()));
    return name += extension;
}

std::string_view text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A document's file, opened.
class DocumentFile {
public:
    static Result<DocumentFile> open(const fs::path& path) {
        auto file = OpenFile::open(path);
        if (!file) return file.error();
        DocumentFile opened{path.string(), *std::move(file), {}};
        const std::uint64_t size = opened.file_.size();
        auto start = opened.file_.read(0, std::min(first_read, size));
        if (!start) return start.error();
        const auto heading = heading_size(text_of(start->bytes()), size, opened.place_);
        if (!heading) return heading.error();
        if (*heading > start->bytes().size()) {
            start = opened.file_.read(0, *heading);
            if (!start) return start.error();
        }
        auto sections =
            read_heading(text_of(start->bytes()).substr(0, static_cast<std::size_t>(*heading)),
                         size, opened.place_);
        if (!sections) return sections.error();
        opened.sections_ = *std::move(sections);
        return opened;
    }

    [[nodiscard]] Result<std::optional<std::string>> read(std::string_view name) const {
        for (const SectionPlace& section : sections_) {
            if (section.name != name) continue;
            const auto bytes = file_.read(section.offset, section.size);
            if (!bytes) return bytes.error();
            const std::string_view text = text_of(bytes->bytes());
            if (const Status whole = check_section(section, text, place_); !whole)
                return whole.error();
            return std::optional(std::string(text));
        }
        return std::optional<std::string>();
    }

    [[nodiscard]] Status check() const {
        for (const SectionPlace& section : sections_)
            if (const auto content = read(section.name); !content) return content.error();
        return {};
    }

private:
    DocumentFile(std::string place, OpenFile file, std::vector<SectionPlace> sections)
        : place_(std::move(place)), file_(std::move(file)), sections_(std::move(sections)) {}

    std::string place_;
    OpenFile file_;
    std::vector<SectionPlace> sections_;
};

/// What identifies a file as the one that the index describes.
struct Mark {
    std::uint64_t size = 0, inode = 0;
    std::int64_t seconds = 0, nanoseconds = 0; ///< of its last change
    bool operator==(const Mark&) const = default;
};

std::optional<Mark> mark_of(const fs::path& path) {
    struct stat about {};
    if (::stat(path.c_str(), &about) != 0 || !S_ISREG(about.st_mode)) return std::nullopt;
    return Mark{static_cast<std::uint64_t>(about.st_size), about.st_ino, about.st_mtim.tv_sec,
                about.st_mtim.tv_nsec};
}

struct Indexed {
    Mark mark;
    std::string id, summary;
};
using Index = std::map<std::string, Indexed, std::less<>>; ///< by the file's name

/// "SIZE INODE SECONDS NANOSECONDS LENGTH id summary".
std::string index_line(const Indexed& entry) {
    return fmt::format("{} {} {} {} {} {}{}", entry.mark.size, entry.mark.inode, entry.mark.seconds,
                       entry.mark.nanoseconds, entry.id.size(), entry.id, entry.summary);
}

std::optional<Indexed> read_index_line(std::string_view line) {
    Indexed entry;
    std::array<std::int64_t, 5> numbers{};
    for (std::int64_t& number : numbers) {
        const auto [end, bad] = std::from_chars(line.data(), line.data() + line.size(), number);
        if (bad != std::errc() || end == line.data() + line.size() || *end != ' ')
            return std::nullopt;
        line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
    }
    entry.mark = {static_cast<std::uint64_t>(numbers[0]), static_cast<std::uint64_t>(numbers[1]),
                  numbers[2], numbers[3]};
    const auto length = static_cast<std::uint64_t>(numbers[4]);
    if (length > line.size()) return std::nullopt;
    entry.id = line.substr(0, length);
    entry.summary = line.substr(length);
    return entry;
}

/// Empty where there is none, or it is damaged: it can be made again.
Index read_index(const fs::path& path) {
    Index index;
    const auto content = FileContent::read(path);
    if (!content) return index;
    const std::string_view bytes = text_of(content->bytes());
    const auto heading = heading_size(bytes.substr(0, heading_start), bytes.size(), "index");
    if (!heading) return index;
    const auto sections =
        read_heading(bytes.substr(0, static_cast<std::size_t>(*heading)), bytes.size(), "index");
    if (!sections) return index;
    for (const SectionPlace& section : *sections) {
        const std::string_view line = bytes.substr(static_cast<std::size_t>(section.offset),
                                                   static_cast<std::size_t>(section.size));
        if (!check_section(section, line, "index")) continue;
        if (auto entry = read_index_line(line)) index.emplace(section.name, *std::move(entry));
    }
    return index;
}

void write_index(const fs::path& path, const Index& index) {
    std::vector<std::string> lines;
    lines.reserve(index.size());
    std::vector<Section> sections;
    for (const auto& [name, entry] : index) {
        lines.push_back(index_line(entry));
        sections.push_back({name, lines.back()});
    }
    // A folder that cannot be written to has no index: listing it takes longer.
    (void)write_file(path, as_bytes(document_bytes(sections)), Durability::at_leisure);
}

/// Next to the folder, so that writing it does not change the folder.
fs::path index_path(const fs::path& folder) {
    return fs::path(folder) += index_extension;
}

std::string whole_document(std::string_view id, std::string_view summary, std::string_view content,
                           std::span<const DocumentPart> parts) {
    std::vector<Section> sections{
        {id_section, id}, {summary_section, summary}, {content_section, content}};
    for (const DocumentPart& part : parts) sections.push_back({part.name, part.content});
    return document_bytes(sections);
}

Status make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) return {};
    return Error{ErrorCode::system,
                 fmt::format("{}: cannot create the folder: {}", folder.string(), error.message())};
}

/// Nothing: there is no such document.
Result<std::optional<DocumentFile>> find(const fs::path& path) {
    std::error_code error;
    const fs::file_status about = fs::symlink_status(path, error);
    if (about.type() == fs::file_type::not_found) return std::optional<DocumentFile>();
    auto file = DocumentFile::open(path);
    if (!file) return file.error();
    return std::optional(*std::move(file));
}

/// A document's entry and mark, from its own file.
Result<Indexed> read_entry(const fs::path& path, const Mark& mark) {
    const auto file = DocumentFile::open(path);
    if (!file) return file.error();
    auto id = file->read(id_section);
    if (!id) return id.error();
    if (!*id || file_name(**id) != path.filename().string())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected the document named by the file, found {}",
                                 path.string(), *id ? "\"" + **id + "\"" : "none")};
    auto summary = file->read(summary_section);
    if (!summary) return summary.error();
    return Indexed{mark, **std::move(id), (*std::move(summary)).value_or("")};
}

} // namespace

fs::path DocumentFolder::path_of(std::string_view id) const {
    return folder_ / file_name(id);
}

Status DocumentFolder::keep(std::string_view id, std::string_view summary, std::string_view content,
                            std::span<const DocumentPart> parts) const {
    return contain("keeping a document", [&]() -> Status {
        if (Status made = make_folder(folder_); !made) return made;
        return write_file(path_of(id), as_bytes(whole_document(id, summary, content, parts)));
    });
}

Result<bool> DocumentFolder::keep_new(std::string_view id, std::string_view summary,
                                      std::string_view content,
                                      std::span<const DocumentPart> parts) const {
    return contain("keeping a document", [&]() -> Result<bool> {
        if (Status made = make_folder(folder_); !made) return made.error();
        return write_new_file(path_of(id), as_bytes(whole_document(id, summary, content, parts)));
    });
}

Result<std::vector<DocumentEntry>> DocumentFolder::list() const {
    return contain("listing documents", [&]() -> Result<std::vector<DocumentEntry>> {
        std::vector<DocumentEntry> entries;
        std::error_code error;
        if (!fs::exists(folder_, error)) return entries;
        const Index known = read_index(index_path(folder_));
        Index found;
        bool same = true;
        for (fs::directory_iterator it(folder_, error), end; !error && it != end;
             it.increment(error)) {
            std::string name = it->path().filename().string();
            if (!name.ends_with(extension)) continue;
            const auto mark = mark_of(it->path());
            if (!mark) continue; // removed in between
            Result<Indexed> entry{Indexed()};
            if (const auto at = known.find(name); at != known.end() && at->second.mark == *mark) {
                entry = at->second;
            } else {
                same = false;
                entry = read_entry(it->path(), *mark);
            }
            if (entry) {
                entries.push_back({entry->id, entry->summary, {}});
                found.insert_or_assign(std::move(name), *std::move(entry));
            } else if (mark_of(it->path())) {
                entries.push_back({std::move(name), {}, entry.error().message});
            }
        }
        if (error)
            return Error{ErrorCode::system, fmt::format("{}: cannot read the folder: {}",
                                                        folder_.string(), error.message())};
        if (!same || found.size() != known.size()) write_index(index_path(folder_), found);
        std::sort(entries.begin(), entries.end(),
                  [](const auto& a, const auto& b) { return a.id < b.id; });
        return entries;
    });
}

Result<std::optional<std::string>> DocumentFolder::load(std::string_view id) const {
    return load_part(id, content_section);
}

Result<std::optional<std::string>> DocumentFolder::load_part(std::string_view id,
                                                             std::string_view name) const {
    return contain("reading a document", [&]() -> Result<std::optional<std::string>> {
        const auto file = find(path_of(id));
        if (!file) return file.error();
        if (!*file) return std::optional<std::string>();
        return (*file)->read(name);
    });
}

Status DocumentFolder::check(std::string_view id) const {
    return contain("reading a document", [&]() -> Status {
        const auto file = DocumentFile::open(path_of(id));
        return file ? file->check() : Status(file.error());
    });
}

Result<bool> DocumentFolder::remove(std::string_view id) const {
    return contain("removing a document", [&]() -> Result<bool> {
        const fs::path path = path_of(id);
        if (::unlink(path.c_str()) == 0) return true;
        if (errno == ENOENT || errno == ENAMETOOLONG) return false;
        return Error{ErrorCode::system,
                     fmt::format("{}: cannot remove: {}", path.string(),
                                 std::error_code(errno, std::generic_category()).message())};
    });
}

} // namespace blockloom::store
