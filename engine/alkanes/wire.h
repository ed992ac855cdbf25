// The byte layouts between contracts and host (docs/alkanes-protocol.md#byte-layouts).
// All integers little-endian.
#pragma once

#include "alkanes/cellpack.h"
#include "alkanes/ids.h"
#include "base/flat_list.h"
#include "base/flat_text.h"
#include "base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace blockloom::alkanes {

struct Transfer {
    AlkaneId id; ///< of the token
    u128 value = 0;

    friend bool operator==(const Transfer&, const Transfer&) = default;
};
/// In the order in which they were written; an id may occur twice.
using Parcel = FlatList<Transfer>;

/// Sorted by key bytes, each key once; if a key occurs twice, the last value counts.
using StorageMap = FlatList<std::pair<FlatText, FlatText>>;

/// What `__execute` returns: parcel, map, data to the end (ExtendedCallResponse).
struct Response {
    Parcel transfers;
    StorageMap storage;
    FlatText data;
};

/// What a contract asks the host about itself.
struct ContextFields {
    AlkaneId myself, caller;
    std::uint32_t vout = 0; ///< the message's shadow vout
};

/// myself, caller, vout, count and parcel, inputs: 16 × (6 + 3 × parcel + inputs) bytes.
[[nodiscard]] std::string context_bytes(const ContextFields& fields,
                                        std::span<const Transfer> incoming,
                                        std::span<const u128> inputs);

/// u128 count, then block, tx, value of each.
[[nodiscard]] std::string parcel_bytes(const Parcel& parcel);

// Where an arena is given, lists lie in it, and texts where they are in `bytes`, which must outlive
// them; without one the result owns its parts.

/// Parses a parcel; anything after it is ignored.
[[nodiscard]] Result<Parcel> parse_parcel(std::string_view bytes, Arena& memory);

/// u32 count, then u32 length, key, u32 length, value of each.
[[nodiscard]] std::string storage_map_bytes(const StorageMap& map);
/// The size of `storage_map_bytes`, which determines the storage fee.
[[nodiscard]] std::uint64_t storage_map_size(const StorageMap& map) noexcept;
[[nodiscard]] Result<StorageMap> parse_storage_map(std::string_view bytes, Arena& memory);
[[nodiscard]] Result<StorageMap> parse_storage_map(std::string_view bytes);

/// Parcel and data (CallResponse): what a caller copies with `__returndatacopy`.
[[nodiscard]] std::string call_response_bytes(const Parcel& transfers, std::string_view data);
/// The same into a buffer that is used again.
void write_call_response(std::string& to, const Parcel& transfers, std::string_view data);
/// Parcel, and the rest as data; the map stays empty.
[[nodiscard]] Result<Response> parse_call_response(std::string_view bytes);

[[nodiscard]] Result<Response> parse_response(std::string_view bytes, Arena& memory);
[[nodiscard]] Result<Response> parse_response(std::string_view bytes);

/// Target and inputs as plain u128, as passed to `__call`; a remainder of less than 16 bytes is
/// ignored.
[[nodiscard]] Result<Cellpack> parse_plain_cellpack(std::string_view bytes, Arena& memory);
[[nodiscard]] Result<Cellpack> parse_plain_cellpack(std::string_view bytes);
[[nodiscard]] std::string plain_cellpack_bytes(const Cellpack& cellpack);

/// Data of a revert: 08c379a0 and a text.
[[nodiscard]] std::string revert_data(std::string_view text);
/// The text of such data, or nothing. Not always UTF-8.
[[nodiscard]] std::optional<std::string_view> revert_text(std::string_view data) noexcept;

} // namespace blockloom::alkanes
