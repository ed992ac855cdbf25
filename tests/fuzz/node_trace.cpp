// Reader of an indexer's traces: any bytes give events or an error; what was read is written and
// read again the same.
#include "range/node_trace.h"
#include "range/trace_writer.h"

#include <cstdlib>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto events = range::read_node_trace(bytes);
    if (!events) {
        if (events.error().message.find("expected") == std::string::npos) std::abort();
        return 0;
    }
    if (events->size() > size) std::abort();
    const auto again = range::read_node_trace(test::trace_bytes(*events));
    if (!again || *again != *events) std::abort();
    return 0;
}
