#include "alkanes/cellpack.h"

#include "alkanes/leb128.h"

#include <fmt/format.h>

namespace blockloom::alkanes {

Result<Cellpack> decode_cellpack(ByteView message) {
    auto integers = decode_leb128(message, "calldata");
    if (!integers) return integers.error();
    if (integers->size() < 2)
        return input_error("calldata", 0, "at least the two integers of a target",
                           fmt::format("{}", integers->size()));
    Cellpack cellpack{{(*integers)[0], (*integers)[1]}, {}};
    cellpack.inputs.assign(integers->begin() + 2, integers->end());
    return cellpack;
}

Bytes encode_cellpack(const Cellpack& cellpack) {
    Bytes message;
    append_leb128(message, cellpack.target.block);
    append_leb128(message, cellpack.target.tx);
    for (const u128 input : cellpack.inputs) append_leb128(message, input);
    return message;
}

} // namespace blockloom::alkanes
