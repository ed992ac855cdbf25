// Blobs, keys and values of a batch, and the table that value rules look in.
#include "gpuvm/batch_state.h"

#include <bit>
#include <fmt/format.h>

namespace blockloom::gpuvm {
namespace {

/// FNV-1a of the owner's four bytes and the key's, as shaders/gpuvm_host.glsl has it.
std::uint64_t hash_of(std::uint32_t owner, ByteView key) {
    std::uint64_t hash = 0xcbf29ce484222325;
    constexpr std::uint64_t prime = 0x100000001b3;
    for (unsigned i = 0; i < 4; ++i) hash = (hash ^ ((owner >> (8 * i)) & 255)) * prime;
    for (const Byte byte : key) hash = (hash ^ byte) * prime;
    return hash;
}

bool lies_in(const Piece& piece, std::size_t bytes) {
    return std::uint64_t{piece.offset} + piece.bytes <= bytes;
}

} // namespace

Status BatchState::write_inputs(const Inputs& given_inputs) {
    const std::size_t bytes = given_inputs.bytes.size();
    // A read at an odd address looks at the word behind the last one.
    const std::size_t table = (bytes + 3) / 4 + 1;
    const std::size_t places =
        given_inputs.values.empty() ? 0 : std::bit_ceil(2 * given_inputs.values.size());
    const std::uint64_t all = (table + places * GPUVM_VALUE_WORDS) * 4;
    if (all > machine.provider->description().limits.max_binding_bytes)
        return Error{
            compute::out_of_memory,
            fmt::format("gpuvm: inputs of {} bytes exceed what a kernel can address", all)};
    if (const Status got = reserve(*machine.provider, inputs, all, compute::BufferUse::upload);
        !got)
        return got;
    if (bytes != 0) machine.copy(inputs->mapped().data(), given_inputs.bytes.data(), bytes);
    push.value_table = static_cast<std::uint32_t>(table);
    push.value_mask = static_cast<std::uint32_t>(places == 0 ? 0 : places - 1);
    push.value_count = static_cast<std::uint32_t>(given_inputs.values.size());
    // Put together here: the mapped memory may be slow to read.
    std::vector<std::uint32_t> words(places * GPUVM_VALUE_WORDS);
    for (std::size_t i = 0; i < places; ++i)
        words[i * GPUVM_VALUE_WORDS + GPUVM_VALUE_OWNER] = GPUVM_NO_OWNER;
    for (const KnownValue& value : given_inputs.values) {
        if (!lies_in(value.key, bytes) || !lies_in(value.value, bytes) ||
            value.owner == GPUVM_NO_OWNER)
            return Error{compute::misused, "gpuvm: a known value is outside the inputs"};
        const std::uint64_t hash =
            hash_of(value.owner, given_inputs.bytes.subspan(value.key.offset, value.key.bytes));
        std::size_t at = hash & push.value_mask;
        while (words[at * GPUVM_VALUE_WORDS + GPUVM_VALUE_OWNER] != GPUVM_NO_OWNER)
            at = (at + 1) & push.value_mask;
        const std::uint32_t place[GPUVM_VALUE_WORDS] = {static_cast<std::uint32_t>(hash),
                                                        static_cast<std::uint32_t>(hash >> 32),
                                                        value.owner,
                                                        value.key.offset,
                                                        value.key.bytes,
                                                        value.value.offset,
                                                        value.value.bytes,
                                                        value.id};
        std::memcpy(words.data() + at * GPUVM_VALUE_WORDS, place, sizeof place);
    }
    if (!words.empty())
        std::memcpy(inputs->mapped().data() + table * 4, words.data(), words.size() * 4);
    return {};
}

} // namespace blockloom::gpuvm
