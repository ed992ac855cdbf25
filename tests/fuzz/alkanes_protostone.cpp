// Any values of the protocol field, and protostones drawn from the input: never a crash, and
// nothing is lost between encoding and decoding. Input: 0 for values as they are (16 bytes each) or
// anything else for drawn ones, the rest.
#include "alkanes/checks.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace blockloom;
    if (size < 1) return 0;
    const ByteView rest(data + 1, size - 1);
    if (data[0] == 0) {
        std::vector<u128> values;
        for (std::size_t at = 0; at + 16 <= rest.size(); at += 16)
            values.push_back(read_le<u128>(rest.data() + at));
        stones::check_protocol(values);
        return 0;
    }
    stones::ByteDraw draw(rest);
    const auto drawn = stones::protostones(draw);
    const auto field = alkanes::encode_protostones(drawn);
    const auto decoded = alkanes::decode_protostones(field);
    stones::must(decoded && *decoded == drawn);
    stones::check_protocol(field);
    return 0;
}
