// Any script as a runestone, and runestones drawn from the input: never a crash, and nothing is
// lost between encoding and decoding. Input: number of outputs, 0 for a script as it is or anything
// else for drawn values, the rest.
#include "alkanes/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace blockloom;
    if (size < 2) return 0;
    const std::uint32_t outputs = data[0];
    const ByteView rest(data + 2, size - 2);
    if (data[1] == 0) {
        stones::check_runestone(rest, outputs);
        return 0;
    }
    stones::ByteDraw draw(rest);
    const alkanes::Runestone stone = stones::runestone(draw, outputs);
    const Bytes script = alkanes::encode_runestone(stone);
    stones::must(alkanes::decode_runestone(script, outputs) == stone);
    stones::check_runestone(ByteView(script).subspan(2), outputs);
    return 0;
}
