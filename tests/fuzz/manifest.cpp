// Reader of what `synth` says of its blocks: any bytes give a manifest or an error.
#include "range/manifest.h"

#include <cstdlib>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto manifest = range::parse_manifest(ByteView(data, size), "fuzz");
    const bool right = manifest ? manifest->chain == "bitcoin" || manifest->chain == "alkanes"
                                : manifest.error().message.starts_with("fuzz");
    if (!right) std::abort();
    return 0;
}
