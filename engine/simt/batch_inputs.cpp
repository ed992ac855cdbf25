#include "simt/batch_inputs.h"

#include "gpuvm/machine_state.h"
#include "simt/kernel/layout.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace blockloom::simt {
namespace {

constexpr std::uint32_t no_owner = 0xffff'ffff;

/// As lane_find has it.
std::uint64_t hash_of(std::uint32_t owner, ByteView key) {
    std::uint64_t hash = 0xcbf29ce484222325;
    constexpr std::uint64_t prime = 0x100000001b3;
    for (unsigned i = 0; i < 4; ++i) hash = (hash ^ ((owner >> (8 * i)) & 255)) * prime;
    for (const Byte byte : key) hash = (hash ^ byte) * prime;
    return hash;
}

} // namespace

Status BatchInputs::take(const gpuvm::Inputs& inputs) {
    const auto lies_in = [&](const gpuvm::Piece& piece) {
        return std::uint64_t{piece.offset} + piece.bytes <= inputs.bytes.size();
    };
    const std::size_t places = inputs.values.empty() ? 0 : std::bit_ceil(2 * inputs.values.size());
    const std::size_t at = (inputs.bytes.size() + 7) / 8 * 8,
                      all = std::max<std::size_t>(at + places * sizeof(LaneValue), 8);
    if (all > 0xffff'ffff)
        return Error{compute::out_of_memory,
                     "compiled lanes: inputs exceed what a lane can address (4 GiB)"};
    std::vector<LaneValue> table(places);
    for (LaneValue& place : table) place.owner = no_owner;
    for (const gpuvm::KnownValue& value : inputs.values) {
        if (!lies_in(value.key) || !lies_in(value.value) || value.owner == no_owner)
            return Error{compute::misused,
                         "compiled lanes: expected known values within the inputs, found one that "
                         "lies outside"};
        const std::uint64_t hash =
            hash_of(value.owner, inputs.bytes.subspan(value.key.offset, value.key.bytes));
        std::size_t place = hash & (places - 1);
        while (table[place].owner != no_owner) place = (place + 1) & (places - 1);
        table[place] = {hash,
                        value.owner,
                        value.key.offset,
                        value.key.bytes,
                        value.value.offset,
                        value.value.bytes,
                        value.id};
    }
    bytes_.resize(all);
    if (!inputs.bytes.empty()) std::memcpy(bytes_.data(), inputs.bytes.data(), inputs.bytes.size());
    if (places != 0) std::memcpy(bytes_.data() + at, table.data(), places * sizeof(LaneValue));
    table_ = static_cast<std::uint32_t>(at);
    mask_ = static_cast<std::uint32_t>(places == 0 ? 0 : places - 1);
    values_ = static_cast<std::uint32_t>(inputs.values.size());
    for (Copy& copy : copies_) copy.current = false;
    return {};
}

Result<compute::BufferPtr> BatchInputs::on(compute::Provider& provider,
                                           compute::CommandList& list) {
    auto copy = std::ranges::find(copies_, &provider, &Copy::provider);
    if (copy == copies_.end()) copy = copies_.insert(copies_.end(), Copy{&provider, {}, {}, false});
    if (copy->current) return copy->buffer;
    for (const auto& [buffer, use] : {std::pair(&copy->upload, compute::BufferUse::upload),
                                      std::pair(&copy->buffer, compute::BufferUse::device)})
        if (const Status got = gpuvm::reserve(provider, *buffer, bytes_.size(), use); !got)
            return got.error();
    std::memcpy(copy->upload->mapped().data(), bytes_.data(), bytes_.size());
    list.copy(copy->upload, 0, copy->buffer, 0, bytes_.size());
    copy->current = true;
    return copy->buffer;
}

} // namespace blockloom::simt
