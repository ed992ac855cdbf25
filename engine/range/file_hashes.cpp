#include "range/file_hashes.h"

#include "base/contain.h"
#include "base/file.h"
#include "base/sha256.h"

#include <algorithm>

namespace blockloom::range {

Result<std::vector<SourceFile>> hashed_files(const Range& range, ProgressSink& progress,
                                             std::stop_token stop) {
    return contain("hashing the files", [&]() -> Result<std::vector<SourceFile>> {
        std::vector<SourceFile> files = range.files;
        Bytes piece(1 << 20);
        for (std::size_t i = 0; i < files.size(); ++i) {
            progress.report({"Hashing inputs", i, files.size()});
            const auto file = OpenFile::open(files[i].path);
            if (!file) return file.error();
            Sha256Stream sha256;
            for (std::uint64_t at = 0; at < file->size();) {
                if (stop.stop_requested()) return cancelled_error();
                const auto size = std::min<std::uint64_t>(piece.size(), file->size() - at);
                const std::span<Byte> part(piece.data(), size);
                if (const Status read = file->read(at, part); !read) return read.error();
                sha256.add(part);
                at += size;
            }
            if (stop.stop_requested()) return cancelled_error();
            files[i].bytes = file->size();
            files[i].sha256 = to_hex(sha256.finish());
        }
        return files;
    });
}

} // namespace blockloom::range
