#include "alkanes/protostone.h"

#include "alkanes/leb128.h"
#include "base/small_vector.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::alkanes {

namespace {

/// Bytes of a u128 that carry something: the sixteenth would not survive every decoder.
constexpr std::size_t chunk = 15;

namespace field_tag {
constexpr u128 body = 0, message = 81, burn = 83, pointer = 91, refund = 93, from = 95;
} // namespace field_tag

using MessageBytes = SmallVector<Byte, 16 * chunk>;

void append_chunk(MessageBytes& to, const u128& value) {
    to.append({reinterpret_cast<const Byte*>(&value), chunk}); // little-endian
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

/// The edicts in `count` integers.
FlatList<Edict> edicts_of(ByteView integers, std::size_t count, Arena* memory) {
    if (count % 4 != 0) return {};
    SmallVector<Edict, 4> edicts;
    edicts.reserve(count / 4);
    for (AlkaneId id; count > 0; count -= 4) {
        const u128 blocks = take_leb128(integers), step = take_leb128(integers);
        const u128 block = id.block + blocks, tx = blocks == 0 ? id.tx + step : step;
        if (block < id.block || (blocks == 0 && tx < id.tx)) return {};
        id = {block, tx};
        const u128 amount = take_leb128(integers);
        edicts.push_back({id, amount, take_leb128(integers)});
    }
    return kept(edicts, memory);
}

/// One protostone from `count` integers: pairs, and edicts after tag 0. A tag without a value at
/// the end is passed over; of the scalars the first value counts.
Protostone protostone_of(u128 protocol, ByteView integers, std::size_t count, Arena* memory) {
    Protostone stone;
    MessageBytes message;
    stone.protocol = protocol;
    const auto first = [](auto& field, u128 value) {
        using Field = typename std::remove_reference_t<decltype(field)>::value_type;
        if (!field) field = static_cast<Field>(value);
    };
    for (; count >= 2; count -= 2) {
        const u128 of = take_leb128(integers);
        if (of == field_tag::body) {
            stone.edicts = edicts_of(integers, count - 1, memory);
            break;
        }
        const u128 value = take_leb128(integers);
        if (of == field_tag::message) append_chunk(message, value);
        if (of == field_tag::burn) first(stone.burn, value);
        if (of == field_tag::pointer) first(stone.pointer, value);
        if (of == field_tag::refund) first(stone.refund, value);
        if (of == field_tag::from) first(stone.from, value);
    }
    stone.message = kept(message, memory);
    return stone;
}

void append_edicts(std::vector<u128>& to, FlatList<Edict> edicts) {
    if (edicts.empty()) return;
    std::stable_sort(edicts.begin(), edicts.end(),
                     [](const Edict& a, const Edict& b) { return a.id < b.id; });
    to.push_back(field_tag::body);
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
    field(field_tag::burn, stone.burn);
    field(field_tag::pointer, stone.pointer);
    field(field_tag::refund, stone.refund);
    field(field_tag::from, stone.from);
    for (const u128 value : chunks_of(stone.message))
        integers.insert(integers.end(), {field_tag::message, value});
    append_edicts(integers, stone.edicts);
    return integers;
}

} // namespace

namespace {

Status decode_into(std::vector<Protostone>& stones, std::span<const u128> protocol, Arena* memory) {
    if (protocol.empty()) return {};
    SmallVector<Byte, 16 * chunk> bytes;
    bytes.reserve(protocol.size() * chunk);
    for (const u128& value : protocol)
        bytes.append({reinterpret_cast<const Byte*>(&value), chunk}); // little-endian
    ByteView integers(bytes.data(), bytes.size());
    const auto count = count_leb128(integers, "protocol field");
    if (!count) return count.error();
    // Zeros pad the last value: they end the list as no protocol tag would.
    for (std::size_t left = *count; left >= 2;) {
        const u128 tag = take_leb128(integers);
        if (tag == 0) break;
        const u128 size = take_leb128(integers);
        left -= 2;
        if (size > left)
            return Error{ErrorCode::bad_input,
                         fmt::format("protostone {}: expected {} integers, found {}", stones.size(),
                                     u128_text(size), left)};
        stones.push_back(protostone_of(tag, integers, static_cast<std::size_t>(size), memory));
        left -= static_cast<std::size_t>(size);
        integers = skip_leb128(integers, static_cast<std::size_t>(size));
    }
    return {};
}

} // namespace

Result<std::vector<Protostone>> decode_protostones(std::span<const u128> protocol) {
    std::vector<Protostone> stones;
    if (const Status decoded = decode_into(stones, protocol, nullptr); !decoded)
        return decoded.error();
    return stones;
}

Status decode_protostones(std::span<const u128> protocol, Arena& memory,
                          std::vector<Protostone>& stones) {
    stones.clear();
    return decode_into(stones, protocol, &memory);
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
