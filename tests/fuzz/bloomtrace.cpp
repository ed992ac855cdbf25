// .bloomtrace reader: any bytes give a trace or an error; what was read is written and read again
// without a change.
#include "trace/bloomtrace.h"

#include <cstdlib>
#include <string>

using namespace blockloom;

namespace {

/// A property that must hold whatever the input.
void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<trace::TraceFile> file = trace::read_bloomtrace(ByteView(data, size), "fuzz");
    if (!file) {
        require(!file.error().message.empty());
        return 0;
    }
    for (const auto& block : file->blocks)
        for (const trace::Access access : block->sets.accesses)
            require(access.key() < block->sets.key_count && access.count() != 0);
    const Result<Bytes> written = trace::write_bloomtrace(*file);
    require(written.ok());
    const Result<trace::TraceFile> again = trace::read_bloomtrace(*written, "again");
    require(again.ok());
    require(again->header_extra == file->header_extra && again->block_extra == file->block_extra &&
            again->task_extra == file->task_extra && again->blocks.size() == file->blocks.size());
    for (std::size_t i = 0; i < file->blocks.size(); ++i) {
        require(again->blocks[i]->sets.begin == file->blocks[i]->sets.begin);
        require(again->blocks[i]->sets.accesses == file->blocks[i]->sets.accesses);
        require(again->blocks[i]->cost == file->blocks[i]->cost);
    }
    const Result<Bytes> twice = trace::write_bloomtrace(*again);
    require(twice.ok() && *twice == *written);
    return 0;
}
