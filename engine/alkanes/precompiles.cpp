#include "alkanes/precompiles.h"

namespace blockloom::alkanes {
namespace {

std::string text(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

std::string precompile_data(const Surroundings& around, std::uint32_t number) {
    switch (number) {
    case 0:
        return text(around.header);
    case 1:
        return text(around.coinbase);
    case 2:
        return u128_bytes(around.mint_transactions);
    default:
        return u128_bytes(around.coinbase_total);
    }
}

std::string precompile_response(const Surroundings& around, std::uint32_t number) {
    return call_response_bytes({}, precompile_data(around, number));
}

std::string precompile_cellpack(std::uint32_t number) {
    return plain_cellpack_bytes({{precompile_block, number}, {}});
}

} // namespace blockloom::alkanes
