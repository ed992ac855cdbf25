// Any bytes as a block: decoded or refused, never a crash; what is decoded lies inside the bytes.
#include "chain/block.h"

#include <cstdlib>

using namespace blockloom;

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

void check(const chain::Block& block) {
    const std::size_t size = block.bytes.size();
    const auto inside = [&](std::size_t begin, std::size_t length) {
        return begin <= size && length <= size - begin;
    };
    must(!block.transactions.empty());
    must(block.txids.size() == block.transactions.size());
    must(block.wtxids.size() == block.transactions.size());
    std::size_t end = 0, inputs = 0, outputs = 0;
    for (const chain::Transaction& tx : block.transactions) {
        must(end == 0 || tx.begin == end);
        end = tx.begin + std::size_t{tx.size};
        must(tx.first_input == inputs && tx.first_output == outputs && tx.input_count > 0);
        inputs += tx.input_count;
        outputs += tx.output_count;
        must(inside(tx.witness, tx.witness_size));
    }
    must(end == size && inputs == block.inputs.size() && outputs == block.outputs.size());
    for (const chain::Input& input : block.inputs)
        must(inside(input.outpoint, 36) && inside(input.script, input.script_size));
    for (const chain::Output& output : block.outputs)
        must(inside(output.script, output.script_size));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto block = chain::decode_block(nullptr, ByteView(data, size), "input");
    if (block) {
        check(*block);
    } else {
        must(block.error().code == ErrorCode::bad_input && !block.error().message.empty());
    }
    return 0;
}
