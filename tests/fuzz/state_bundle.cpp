// Reader of state bundles: any bytes, compressed or as they lie inside, give a bundle or an error.
#include "range/state_bundle.h"
#include "trace/gzip.h"

#include <cstdlib>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto as_file = range::bundle_from(ByteView(data, size), "fuzz");
    if (!as_file && !as_file.error().message.starts_with("fuzz")) std::abort();
    const auto packed = trace::gzip(ByteView(data, size));
    if (!packed) return 0;
    const auto bundle = range::bundle_from(*packed, "fuzz");
    if (!bundle) return 0;
    const auto again = range::bundle_bytes(*bundle);
    if (!again || !range::bundle_from(*again, "fuzz")) std::abort();
    return 0;
}
