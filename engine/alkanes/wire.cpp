#include "alkanes/wire.h"

#include "alkanes/context_bytes.h"
#include "base/small_vector.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace blockloom::alkanes {
namespace {

constexpr std::string_view revert_selector{"\x08\xc3\x79\xa0", 4};
constexpr std::size_t transfer_size = 3 * u128_size;
constexpr std::size_t usual_entries = 8;

/// Reads forward; the first thing that is not there is the error.
class Cursor {
public:
    explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

    [[nodiscard]] bool u32(std::uint32_t& value, const char* what) {
        std::string_view bytes;
        if (!take(sizeof value, bytes, what)) return false;
        value = read_le<std::uint32_t>(reinterpret_cast<const Byte*>(bytes.data()));
        return true;
    }
    [[nodiscard]] bool word(u128& value, const char* what) {
        std::string_view bytes;
        if (!take(u128_size, bytes, what)) return false;
        value = *u128_from_bytes(bytes);
        return true;
    }
    [[nodiscard]] bool id(AlkaneId& value, const char* what) {
        return word(value.block, what) && word(value.tx, what);
    }
    [[nodiscard]] bool take(std::size_t size, std::string_view& taken, const char* what) {
        if (size > bytes_.size() - at_) {
            what_ = what;
            return false;
        }
        taken = bytes_.substr(at_, size);
        at_ += size;
        return true;
    }
    [[nodiscard]] std::size_t left() const noexcept { return bytes_.size() - at_; }
    [[nodiscard]] std::string_view rest() const noexcept { return bytes_.substr(at_); }
    [[nodiscard]] Error error(const char* place) const {
        return {ErrorCode::bad_input,
                fmt::format("{}: offset {}: expected {}, found the end", place, at_, what_)};
    }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
    const char* what_ = "";
};

bool read_parcel(Cursor& in, Parcel& parcel, Arena& memory) {
    u128 count = 0;
    if (!in.word(count, "the number of transfers")) return false;
    // The count is any number: no more than what is there is made room for.
    const auto there = static_cast<std::size_t>(
        std::min<u128>(count, static_cast<u128>(in.left() / transfer_size)));
    bool whole = true;
    parcel = Parcel::made(memory, there, [&](std::size_t) {
        Transfer transfer;
        whole = whole && in.id(transfer.id, "a transfer") && in.word(transfer.value, "a transfer");
        return transfer;
    });
    if (there == count) return whole;
    Transfer missing;
    return in.id(missing.id, "a transfer") && in.word(missing.value, "a transfer");
}

/// The last of equal keys stays.
void sort_once(SmallVector<std::pair<FlatText, FlatText>, usual_entries>& map) {
    std::stable_sort(map.begin(), map.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::size_t unique = 0;
    for (auto& entry : map) {
        if (unique == 0 || !(map[unique - 1].first == entry.first)) ++unique;
        if (&map[unique - 1] != &entry) map[unique - 1] = std::move(entry);
    }
    while (map.size() > unique) map.pop_back();
}

bool read_map(Cursor& in, StorageMap& map, Arena& memory) {
    std::uint32_t count = 0;
    if (!in.u32(count, "the number of entries")) return false;
    SmallVector<std::pair<FlatText, FlatText>, usual_entries> entries;
    entries.reserve(std::min<std::size_t>(count, in.left() / 8));
    bool sorted = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t size = 0;
        std::string_view key, value;
        if (!in.u32(size, "a key's length") || !in.take(size, key, "a key") ||
            !in.u32(size, "a value's length") || !in.take(size, value, "a value"))
            return false;
        sorted = sorted && (entries.empty() || entries.back().first.view() < key);
        entries.push_back({FlatText::of(key), FlatText::of(value)});
    }
    if (!sorted) sort_once(entries);
    map = StorageMap::placed(memory, std::make_move_iterator(entries.begin()),
                             std::make_move_iterator(entries.end()));
    return true;
}

/// A copy that owns its parts.
template <typename Parsed, typename Parse> Result<Parsed> parse_own(const Parse& parse) {
    Arena memory;
    const Result<Parsed> parsed = parse(memory);
    return parsed ? Result<Parsed>(Parsed(*parsed)) : parsed.error();
}

void append_u32(std::string& to, std::size_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    to.append(reinterpret_cast<const char*>(&word), sizeof word);
}

/// Appends a row of numbers, whose room is made at once: every call of a contract has one.
class Row {
public:
    Row(std::string& to, std::size_t numbers) {
        const std::size_t at = to.size();
        to.resize(at + u128_size * numbers);
        next_ = to.data() + at;
    }
    void put(u128 number) {
        static_assert(std::endian::native == std::endian::little);
        std::memcpy(next_, &number, u128_size);
        next_ += u128_size;
    }
    void put(const AlkaneId& id) {
        put(id.block);
        put(id.tx);
    }
    void put(std::span<const Transfer> parcel) {
        put(u128{parcel.size()});
        for (const Transfer& transfer : parcel) {
            put(transfer.id);
            put(transfer.value);
        }
    }
    [[nodiscard]] static std::size_t numbers_of(std::span<const Transfer> parcel) noexcept {
        return 1 + 3 * parcel.size();
    }

private:
    char* next_;
};

void append_parcel(std::string& to, std::span<const Transfer> parcel) {
    Row(to, Row::numbers_of(parcel)).put(parcel);
}

} // namespace

void append_context(std::string& to, const ContextFields& fields,
                    std::span<const Transfer> incoming, std::span<const u128> inputs) {
    Row row(to, 5 + Row::numbers_of(incoming) + inputs.size());
    row.put(fields.myself);
    row.put(fields.caller);
    row.put(u128{fields.vout});
    row.put(incoming);
    for (const u128 input : inputs) row.put(input);
}

std::string context_bytes(const ContextFields& fields, std::span<const Transfer> incoming,
                          std::span<const u128> inputs) {
    std::string bytes;
    append_context(bytes, fields, incoming, inputs);
    return bytes;
}

std::string parcel_bytes(const Parcel& parcel) {
    std::string bytes;
    append_parcel(bytes, parcel);
    return bytes;
}

Result<Parcel> parse_parcel(std::string_view bytes, Arena& memory) {
    Cursor in(bytes);
    Parcel parcel;
    if (!read_parcel(in, parcel, memory)) return in.error("parcel");
    return parcel;
}

std::string storage_map_bytes(const StorageMap& map) {
    std::string bytes;
    bytes.reserve(storage_map_size(map));
    append_u32(bytes, map.size());
    for (const auto& [key, value] : map) {
        append_u32(bytes, key.size());
        bytes += key.view();
        append_u32(bytes, value.size());
        bytes += value.view();
    }
    return bytes;
}

std::uint64_t storage_map_size(const StorageMap& map) noexcept {
    std::uint64_t size = 4;
    for (const auto& [key, value] : map) size += 8 + key.size() + value.size();
    return size;
}

Result<StorageMap> parse_storage_map(std::string_view bytes, Arena& memory) {
    Cursor in(bytes);
    StorageMap map;
    if (!read_map(in, map, memory)) return in.error("storage map");
    return map;
}

Result<StorageMap> parse_storage_map(std::string_view bytes) {
    return parse_own<StorageMap>(
        [bytes](Arena& memory) { return parse_storage_map(bytes, memory); });
}

void write_call_response(std::string& to, const Parcel& transfers, std::string_view data) {
    to.clear();
    to.reserve(u128_size + transfer_size * transfers.size() + data.size());
    append_parcel(to, transfers);
    to += data;
}

std::string call_response_bytes(const Parcel& transfers, std::string_view data) {
    std::string bytes;
    write_call_response(bytes, transfers, data);
    return bytes;
}

Result<Response> parse_call_response(std::string_view bytes) {
    return parse_own<Response>([bytes](Arena& memory) -> Result<Response> {
        Cursor in(bytes);
        Response response;
        if (!read_parcel(in, response.transfers, memory)) return in.error("call response");
        response.data = FlatText::of(in.rest());
        return response;
    });
}

Result<Response> parse_response(std::string_view bytes, Arena& memory) {
    Cursor in(bytes);
    Response response;
    if (!read_parcel(in, response.transfers, memory) || !read_map(in, response.storage, memory))
        return in.error("response");
    response.data = FlatText::of(in.rest());
    return response;
}

Result<Response> parse_response(std::string_view bytes) {
    return parse_own<Response>([bytes](Arena& memory) { return parse_response(bytes, memory); });
}

Result<Cellpack> parse_plain_cellpack(std::string_view bytes, Arena& memory) {
    Cursor in(bytes);
    Cellpack cellpack;
    if (!in.id(cellpack.target, "a target")) return in.error("cellpack");
    cellpack.inputs = FlatList<u128>::made(memory, in.left() / u128_size, [&in](std::size_t) {
        u128 input = 0;
        (void)in.word(input, "an input");
        return input;
    });
    return cellpack;
}

Result<Cellpack> parse_plain_cellpack(std::string_view bytes) {
    return parse_own<Cellpack>(
        [bytes](Arena& memory) { return parse_plain_cellpack(bytes, memory); });
}

std::string plain_cellpack_bytes(const Cellpack& cellpack) {
    std::string bytes;
    append_id(bytes, cellpack.target);
    for (const u128 input : cellpack.inputs) append_u128(bytes, input);
    return bytes;
}

std::string revert_data(std::string_view text) {
    std::string data(revert_selector);
    data += text;
    return data;
}

std::optional<std::string_view> revert_text(std::string_view data) noexcept {
    if (data.substr(0, revert_selector.size()) != revert_selector) return std::nullopt;
    return data.substr(revert_selector.size());
}

} // namespace blockloom::alkanes
