#include "alkanes/protostone.h"

#include "alkanes/leb128.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::alkanes {

namespace {

/// Bytes of a u128 that carry something: the sixteenth would not survive every decoder.
constexpr std::size_t chunk = 15;

namespace tag {
constexpr u128 body = 0, message = 81, burn = 83, pointer = 91, refund = 93, from = 95;
} // namespace tag

void append_chunk(Bytes& to, u128 value) {
    for (std::size_t i = 0; i < chunk; ++i, value >>= 8U) to.push_back(static_cast<Byte>(value));
}

/// The bytes in chunks, the last one padded with zeros.
std::vector<u128> chunks_of(ByteView bytes) {
    std::vector<u128> values;
    values.reserve((bytes.size() + chunk - 1) / chunk);
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), chunk))) {
        u128 value = 0;
        for (std::size_t i = std::min(bytes.size(), chunk); i-- > 0;)
            value = value << 8U | bytes[i];
        values.push_back(value);
    }
    return values;
}

std::vector<Edict> edicts_of(std::span<const u128> integers) {
    if (integers.size() % 4 != 0) return {};
    std::vector<Edict> edicts;
    edicts.reserve(integers.size() / 4);
    AlkaneId id;
    for (; !integers.empty(); integers = integers.subspan(4)) {
        const u128 block = id.block + integers[0];
        const u128 tx = integers[0] == 0 ? id.tx + integers[1] : integers[1];
        if (block < id.block || (integers[0] == 0 && tx < id.tx)) return {};
        id = {block, tx};
        edicts.push_back({id, integers[2], integers[3]});
    }
    return edicts;
}

/// One protostone from its integers: pairs, and edicts after tag 0. A tag without a value at the
/// end is passed over; of the scalars the first value counts.
Protostone protostone_of(u128 protocol, std::span<const u128> integers) {
    Protostone stone;
    stone.protocol = protocol;
    const auto first = [](auto& field, u128 value) {
        using Field = typename std::remove_reference_t<decltype(field)>::value_type;
        if (!field) field = static_cast<Field>(value);
    };
    for (; integers.size() >= 2; integers = integers.subspan(2)) {
        const u128 value = integers[1];
        if (integers[0] == tag::body) {
            stone.edicts = edicts_of(integers.subspan(1));
            break;
        }
        if (integers[0] == tag::message) append_chunk(stone.message, value);
        if (integers[0] == tag::burn) first(stone.burn, value);
        if (integers[0] == tag::pointer) first(stone.pointer, value);
        if (integers[0] == tag::refund) first(stone.refund, value);
        if (integers[0] == tag::from) first(stone.from, value);
    }
    return stone;
}

void append_edicts(std::vector<u128>& to, std::vector<Edict> edicts) {
    if (edicts.empty()) return;
    std::stable_sort(edicts.begin(), edicts.end(),
                     [](const Edict& a, const Edict& b) { return a.id < b.id; });
    to.push_back(tag::body);
    AlkaneId before;
    for (const Edict& edict : edicts) {
        const u128 blocks = edict.id.block - before.block;
        to.insert(to.end(), {blocks, blocks == 0 ? edict.id.tx - before.tx : edict.id.tx,
                             edict.amount, edict.output});
        before = edict.id;
    }
}

std::vector<u128> integers_of(const Protostone& stone) {
    std::vector<u128> integers;
    const auto field = [&integers](u128 tag, const auto& value) {
        if (value) integers.insert(integers.end(), {tag, u128{*value}});
    };
    field(tag::burn, stone.burn);
    field(tag::pointer, stone.pointer);
    field(tag::refund, stone.refund);
    field(tag::from, stone.from);
    for (const u128 value : chunks_of(stone.message))
        integers.insert(integers.end(), {tag::message, value});
    append_edicts(integers, stone.edicts);
    return integers;
}

} // namespace

Result<std::vector<Protostone>> decode_protostones(std::span<const u128> protocol) {
    Bytes bytes;
    bytes.reserve(protocol.size() * chunk);
    for (const u128 value : protocol) append_chunk(bytes, value);
    const auto integers = decode_leb128(bytes, "protocol field");
    if (!integers) return integers.error();
    std::vector<Protostone> stones;
    std::span<const u128> left(*integers);
    // Zeros pad the last value: they end the list as no protocol tag would.
    while (left.size() >= 2 && left[0] != 0) {
        const u128 tag = left[0], count = left[1];
        left = left.subspan(2);
        if (count > left.size())
            return Error{ErrorCode::bad_input,
                         fmt::format("protostone {}: expected {} integers, found {}", stones.size(),
                                     u128_text(count), left.size())};
        const auto size = static_cast<std::size_t>(count);
        stones.push_back(protostone_of(tag, left.first(size)));
        left = left.subspan(size);
    }
    return stones;
}

std::vector<u128> encode_protostones(std::span<const Protostone> protostones) {
    Bytes bytes;
    for (const Protostone& stone : protostones) {
        const std::vector<u128> integers = integers_of(stone);
        append_leb128(bytes, stone.protocol);
        append_leb128(bytes, integers.size());
        for (const u128 integer : integers) append_leb128(bytes, integer);
    }
    return chunks_of(bytes);
}

} // namespace blockloom::alkanes
