#include "alkanes/precompiles.h"

namespace blockloom::alkanes {
namespace {

std::string_view text(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

std::string_view precompile_data(const Surroundings& around, std::uint32_t number, u128& room) {
    switch (number) {
    case 0:
        return text(around.header);
    case 1:
        return text(around.coinbase);
    case 2:
        room = around.mint_transactions;
        break;
    default:
        room = around.coinbase_total;
    }
    return u128_view(room);
}

std::string precompile_response(const Surroundings& around, std::uint32_t number) {
    u128 room = 0;
    return call_response_bytes({}, precompile_data(around, number, room));
}

std::string precompile_cellpack(std::uint32_t number) {
    return plain_cellpack_bytes({{precompile_block, number}, {}});
}

} // namespace blockloom::alkanes
