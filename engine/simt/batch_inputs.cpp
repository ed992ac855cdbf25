#include "simt/batch_inputs.h"

#include "gpuvm/machine_state.h"
#include "simt/in_parts.h"
#include "simt/kernel/layout.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

namespace blockloom::simt {
namespace {

using gpuvm::no_owner;

/// As lane_find has them. Values of several owners share their keys' bytes: the latest hashes of
/// such pieces are remembered.
class ValueHashes {
public:
    explicit ValueHashes(ByteView bytes) : bytes_(bytes) {}

    std::uint64_t of(std::uint32_t owner, const gpuvm::Piece& key) {
        Known& known = known_[key.offset / 4 % known_.size()];
        if (known.key.offset != key.offset || known.key.bytes != key.bytes) {
            known = {key, 0xcbf29ce484222325};
            for (const Byte byte : bytes_.subspan(key.offset, key.bytes))
                known.hash = (known.hash ^ byte) * prime;
        }
        std::uint64_t hash = known.hash;
        for (unsigned i = 0; i < 4; ++i) hash = (hash ^ ((owner >> (8 * i)) & 255)) * prime;
        return hash;
    }

private:
    static constexpr std::uint64_t prime = 0x100000001b3;
    struct Known {
        gpuvm::Piece key = gpuvm::no_blob;
        std::uint64_t hash = 0;
    };
    ByteView bytes_;
    std::array<Known, 64> known_;
};

/// Where a kernel's view of a buffer may begin.
constexpr std::uint64_t binding_step = 256;
/// What a thread takes at once.
constexpr std::size_t bytes_a_part = 1 << 16, values_a_part = 512;

} // namespace

Status BatchInputs::take(const gpuvm::Inputs& inputs, const gpuvm::Options& options) {
    const auto lies_in = [&](const gpuvm::Piece& piece) {
        return std::uint64_t{piece.offset} + piece.bytes <= inputs.bytes.size();
    };
    const std::size_t count = inputs.values.size();
    const std::size_t places = count == 0 ? 0 : std::bit_ceil(2 * count);
    const std::size_t at = (inputs.bytes.size() + 7) / 8 * 8,
                      all = std::max<std::size_t>(at + places * sizeof(LaneValue), 8);
    if (all > 0xffff'ffff)
        return Error{compute::out_of_memory,
                     "compiled lanes: inputs exceed what a lane can address (4 GiB)"};
    bytes_.resize(all);
    const std::span table(reinterpret_cast<LaneValue*>(bytes_.data() + at), places);
    in_parts(options, inputs.bytes.size(), bytes_a_part, [&](std::size_t from, std::size_t to) {
        std::memcpy(bytes_.data() + from, inputs.bytes.data() + from, to - from);
    });
    in_parts(options, places, values_a_part, [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) table[i].owner = no_owner;
    });
    std::atomic<bool> any_outside{false};
    in_parts(options, count, values_a_part, [&](std::size_t from, std::size_t to) {
        ValueHashes hashes(inputs.bytes);
        for (const gpuvm::KnownValue& value : inputs.values.subspan(from, to - from)) {
            if (!lies_in(value.key) || !lies_in(value.value) || value.owner == no_owner) {
                any_outside = true;
                return;
            }
            const std::uint64_t hash = hashes.of(value.owner, value.key);
            // Whoever sets a place's owner has the place; nobody reads the rest before all is
            // there.
            std::size_t place = hash & (places - 1);
            for (std::uint32_t free = no_owner;
                 !std::atomic_ref(table[place].owner).compare_exchange_strong(free, value.owner);
                 free = no_owner)
                place = (place + 1) & (places - 1);
            LaneValue& to_fill = table[place];
            to_fill.hash = hash;
            to_fill.key = value.key.offset;
            to_fill.key_bytes = value.key.bytes;
            to_fill.value = value.value.offset;
            to_fill.value_bytes = value.value.bytes;
            to_fill.id = value.id;
        }
    });
    if (any_outside)
        return Error{compute::misused, "compiled lanes: expected known values within the inputs, "
                                       "found one that lies outside"};
    table_ = static_cast<std::uint32_t>(at);
    mask_ = static_cast<std::uint32_t>(places == 0 ? 0 : places - 1);
    values_ = static_cast<std::uint32_t>(count);
    for (Copy& copy : copies_) copy.current = false;
    return {};
}

Result<BatchInputs::Place> BatchInputs::on(compute::Provider& provider, compute::CommandList& list,
                                           const gpuvm::Options& options, std::size_t beside) {
    auto copy = std::ranges::find(copies_, &provider, &Copy::provider);
    if (copy == copies_.end()) copy = copies_.insert(copies_.end(), Copy{&provider, {}, {}, false});
    if (copy->current) return Place{copy->buffer, nullptr, 0};
    const std::uint64_t at = (bytes_.size() + binding_step - 1) / binding_step * binding_step;
    for (const auto& [buffer, use] : {std::pair(&copy->upload, compute::BufferUse::upload),
                                      std::pair(&copy->buffer, compute::BufferUse::device)})
        if (const Status got = gpuvm::reserve_rounded(provider, *buffer, at + beside, use); !got)
            return got.error();
    Byte* const to = reinterpret_cast<Byte*>(copy->upload->mapped().data());
    in_parts(options, bytes_.size(), bytes_a_part, [&](std::size_t from, std::size_t end) {
        std::memcpy(to + from, bytes_.data() + from, end - from);
    });
    list.copy(copy->upload, 0, copy->buffer, 0, at + beside);
    copy->current = true;
    return Place{copy->buffer, to + at, at};
}

} // namespace blockloom::simt
