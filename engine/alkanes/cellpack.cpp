#include "alkanes/cellpack.h"

#include "alkanes/leb128.h"

#include <fmt/format.h>

namespace blockloom::alkanes {

Result<Cellpack> decode_cellpack(ByteView message, Arena* memory) {
    const auto count = count_leb128(message, "calldata");
    if (!count) return count.error();
    if (*count < 2)
        return input_error("calldata", 0, "at least the two integers of a target",
                           fmt::format("{}", *count));
    Cellpack cellpack;
    cellpack.target.block = take_leb128(message);
    cellpack.target.tx = take_leb128(message);
    cellpack.inputs = FlatList<u128>::made(
        memory, *count - 2, [&message](std::size_t) { return take_leb128(message); });
    return cellpack;
}

Bytes encode_cellpack(const Cellpack& cellpack) {
    Bytes message;
    append_leb128(message, cellpack.target.block);
    append_leb128(message, cellpack.target.tx);
    for (const u128 input : cellpack.inputs) append_leb128(message, input);
    return message;
}

bool is_reward_mint(const Cellpack& cellpack) {
    constexpr AlkaneId reward_contract{2, 0};
    constexpr u128 mint_opcode = 77;
    return cellpack.target == reward_contract && !cellpack.inputs.empty() &&
           cellpack.inputs.front() == mint_opcode;
}

bool brings_code(const Cellpack& cellpack) noexcept {
    return cellpack.target == AlkaneId{1, 0} || cellpack.target.block == 3;
}

} // namespace blockloom::alkanes
