#include "compute/cuda/code_files.h"

#include "base/file.h"
#include "compute/sealed_file.h"

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace blockloom::compute::cuda {

namespace fs = std::filesystem;

CodeFiles::CodeFiles(const std::string& cache, const std::string& identity) {
    if (!cache.empty()) folder_ = fs::path(cache) / ("cuda-" + identity);
}

bool CodeFiles::is_own_folder() const {
    struct stat about {};
    return !folder_.empty() && ::lstat(folder_.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
           about.st_uid == ::geteuid() && (about.st_mode & 0077) == 0;
}

/// Of the device and the file: neither may be in another's place.
std::string CodeFiles::seal_name(const std::string& name) const {
    return (folder_.filename() / name).string();
}

Bytes CodeFiles::load(const std::string& name) const {
    if (!is_own_folder()) return {};
    const fs::path file = folder_ / name;
    struct stat about {};
    if (::lstat(file.c_str(), &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_uid != ::geteuid())
        return {};
    const auto read = FileContent::read(file);
    if (!read) return {};
    const ByteView content = unsealed(read->bytes(), seal_name(name));
    std::error_code ignored;
    if (content.empty())
        fs::remove(file, ignored);
    else
        fs::last_write_time(file, fs::file_time_type::clock::now(), ignored); // its last use
    return {content.begin(), content.end()};
}

void CodeFiles::save(const std::string& name, ByteView content) const {
    if (folder_.empty() || content.size() > limit) return;
    std::error_code failed;
    fs::create_directories(folder_.parent_path(), failed);
    ::mkdir(folder_.c_str(), 0700);
    if (!is_own_folder()) return;
    struct File {
        fs::file_time_type used;
        std::uintmax_t bytes;
        fs::path path;
    };
    std::vector<File> files;
    std::uintmax_t all = content.size();
    for (fs::directory_iterator each(folder_, failed), end; !failed && each != end;
         each.increment(failed)) {
        std::error_code gone;
        if (!each->is_regular_file(gone)) continue;
        files.push_back({each->last_write_time(gone), each->file_size(gone), each->path()});
        all += gone ? 0 : files.back().bytes;
    }
    std::ranges::sort(files, {}, &File::used);
    for (const File& file : files) {
        if (all <= limit) break;
        std::error_code gone;
        fs::remove(file.path, gone);
        all -= file.bytes;
    }
    const fs::path file = folder_ / name;
    std::error_code gone;
    if (fs::is_symlink(file, gone)) fs::remove(file, gone); // else its target would be replaced
    (void)write_file(file, sealed(content, seal_name(name)), Durability::at_leisure);
}

void CodeFiles::remove(const std::string& name) const {
    std::error_code ignored;
    if (is_own_folder()) fs::remove(folder_ / name, ignored);
}

KeptKernels CodeFiles::kept() const {
    KeptKernels found;
    found.folder = folder_.string();
    found.limit = limit;
    struct stat about {};
    if (folder_.empty())
        found.why = "nothing is kept: there is no folder for caches";
    else if (::lstat(folder_.c_str(), &about) != 0)
        found.why = "nothing has been kept yet";
    else if (!S_ISDIR(about.st_mode))
        found.why = "it is not a folder";
    else if (about.st_uid != ::geteuid())
        found.why = "it is another user's";
    else if ((about.st_mode & 0077) != 0)
        found.why = "other users may access it";
    if (!found.why.empty()) return found;
    std::error_code failed;
    for (fs::directory_iterator each(folder_, failed), end; !failed && each != end;
         each.increment(failed)) {
        struct stat file {};
        if (::lstat(each->path().c_str(), &file) != 0 || !S_ISREG(file.st_mode) ||
            file.st_uid != ::geteuid())
            continue;
        const fs::path kind = each->path().extension();
        if (kind != ".cubin" && kind != ".note") continue;
        ++(kind == ".cubin" ? found.programs : found.notes);
        found.bytes += static_cast<std::uint64_t>(file.st_size);
    }
    return found;
}

} // namespace blockloom::compute::cuda
