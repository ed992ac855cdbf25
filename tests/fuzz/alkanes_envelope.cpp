// Any script as a tapscript, any bytes as gzip, and envelopes around the input: never a crash,
// bounded output, nothing lost. Input: 0 a script as it is, 1 gzip as it is, else a payload; the
// rest.
#include "alkanes/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace blockloom;
    if (size < 1) return 0;
    const ByteView rest(data + 1, size - 1);
    if (data[0] == 0) {
        stones::check_envelopes(rest);
    } else if (data[0] == 1) {
        stones::check_envelopes(alkanes::envelope_script(rest));
    } else {
        const auto stored = alkanes::deflate_code(rest);
        stones::must(stored.ok());
        const auto back = alkanes::inflate_code(*stored, "input");
        stones::must(back && back->size() == rest.size());
        stones::check_envelopes(alkanes::envelope_script(*stored));
    }
    return 0;
}
