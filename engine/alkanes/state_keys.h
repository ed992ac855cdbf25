// The canonical keys and values of Alkanes in the state, and how keys are printed. The first byte
// of a key is its kind; integers are little-endian.
//
//   storage   01 id32 key            the contract's value
//   balance   02 who32 what32        u128: amount of token WHAT held by contract WHO
//   sheet     03 txid32 vout4        tokens on an outpoint: id32 u128 each, sorted by id, no zeros
//   sequence  04                     u128: the next id of [2, n]; absence is 0
//   code      05 id32                32 bytes: the template's id; 33 bytes: a form and the SHA-256
//                                    of the stored code
//   bytecode  06 sha256              stored code: the envelope's gzip (form 1), a plain module
//                                    (form 2, put by a user only)
//
// Code is stored under its hash, so that a message logs 33 bytes and not two hundred thousand, and
// so that programs are cached by a name that cannot mean two things.
#pragma once

#include "alkanes/ids.h"
#include "alkanes/wire.h"
#include "base/bytes.h"
#include "state/write_set.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::alkanes {

enum class KeyKind : char {
    storage = 1,
    balance = 2,
    sheet = 3,
    sequence = 4,
    code = 5,
    bytecode = 6
};

/// An output of a transaction: txid in the order in which it is hashed.
struct Outpoint {
    Hash256 txid{};
    std::uint32_t vout = 0;
};

[[nodiscard]] state::Key storage_key(const AlkaneId& contract, std::string_view key);
[[nodiscard]] state::Key balance_key(const AlkaneId& who, const AlkaneId& what);
[[nodiscard]] state::Key sheet_key(const Outpoint& outpoint);
/// Of an input's 36 bytes.
[[nodiscard]] state::Key spent_sheet_key(ByteView outpoint);
[[nodiscard]] const state::Key& sequence_key();
[[nodiscard]] state::Key code_key(const AlkaneId& contract);
[[nodiscard]] state::Key bytecode_key(const Hash256& hash);

/// "storage:2:0:/totalsupply", "balance:WHO:WHAT", "sheet:TXID:VOUT" (txid as Bitcoin prints it),
/// "sequence", "code:2:0", "bytecode:HEX". If a storage key is not plain text, the part after the
/// last "/" before the first non-text byte is printed as "0x" and hexadecimal digits:
/// "/seen/0xc69e0d…". Anything else prints as "unknown:HEX".
[[nodiscard]] std::string key_text(std::string_view key);
/// What stands before the first colon of `key_text`: "storage".
[[nodiscard]] std::string_view key_kind_text(std::string_view key) noexcept;
/// The key that `key_text` printed.
[[nodiscard]] std::optional<std::string> key_from_text(std::string_view text);

/// A storage key alone: "/seen/0xc69e0d…".
[[nodiscard]] std::string storage_key_text(std::string_view key);
[[nodiscard]] std::optional<std::string> storage_key_from_text(std::string_view text);

/// Tokens on an outpoint: sorted by id, each once, no zero amounts.
[[nodiscard]] std::string sheet_value(const Parcel& tokens);
/// The tokens of a sheet's value; nothing if `sheet_value` could not have produced it.
[[nodiscard]] std::optional<std::vector<Transfer>> tokens_of_sheet(std::string_view value);

/// The format of stored code.
enum class CodeForm : char { gzip = 1, plain = 2 };

/// The value of a code key.
struct CodeValue {
    std::optional<AlkaneId> sample; ///< the template whose code it uses
    CodeForm form = CodeForm::gzip;
    Hash256 hash{}; ///< of the stored code, without a template
};
[[nodiscard]] std::optional<CodeValue> code_value(std::string_view value);

/// The entries that store code under an id. As on the chain, an envelope's payload of exactly 32
/// bytes is a template's id, and an empty one means absence.
[[nodiscard]] state::WriteSet code_entries(const AlkaneId& contract, ByteView stored,
                                           CodeForm form);
/// The entry that makes a contract run another contract's code.
[[nodiscard]] state::WriteSet clone_entries(const AlkaneId& contract, const AlkaneId& sample);

/// Whether bytes start like a WebAssembly module: such files are stored in the form `plain`.
[[nodiscard]] bool is_module(ByteView bytes) noexcept;

} // namespace blockloom::alkanes
