#include "base/file.h"
#include "base/sha256.h"
#include "range/range.h"

namespace blockloom::range {

Result<std::vector<SourceFile>> hashed_files(const Range& range, ProgressSink& progress,
                                             std::stop_token stop) {
    std::vector<SourceFile> files = range.files;
    Sha256 sha256;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (stop.stop_requested()) return cancelled_error();
        progress.report({"Hashing inputs", i, files.size()});
        const auto file = MappedFile::open(files[i].path);
        if (!file) return file.error();
        files[i].bytes = file->bytes().size();
        files[i].sha256 = to_hex(sha256.once({file->bytes()}));
    }
    return files;
}

} // namespace blockloom::range
