#include "alkanes/state_keys.h"

#include "alkanes/sheet.h"
#include "base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

namespace blockloom::alkanes {
namespace {

/// Puts a key together without an allocation, as long as it is not very long.
class KeyWriter {
public:
    KeyWriter(KeyKind kind, std::size_t size) {
        if (size >= near_.size()) {
            far_.resize(1 + size);
            at_ = far_.data();
        }
        *at_++ = static_cast<char>(kind);
        size_ = 1 + size;
    }
    KeyWriter(const KeyWriter&) = delete;
    KeyWriter& operator=(const KeyWriter&) = delete;

    KeyWriter& bytes(const void* from, std::size_t size) {
        if (size != 0) std::memcpy(at_, from, size);
        at_ += size;
        return *this;
    }
    KeyWriter& id(const AlkaneId& id) {
        return bytes(&id.block, sizeof id.block).bytes(&id.tx, sizeof id.tx);
    }
    [[nodiscard]] state::Key key() const { return std::string_view(at_ - size_, size_); }

private:
    std::array<char, 192> near_;
    std::string far_;
    char* at_ = near_.data();
    std::size_t size_ = 0;
};

std::string_view view_of(const Hash256& hash) noexcept {
    return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

Hash256 hash_of(std::string_view bytes) noexcept {
    Hash256 hash{};
    std::copy(bytes.begin(), bytes.end(), hash.begin());
    return hash;
}

bool is_plain(char byte) noexcept {
    return byte > 0x20 && byte < 0x7f;
}

/// Whether "0x" at `at` would be taken for the start of hexadecimal digits.
bool starts_digits(std::string_view text, std::size_t at) noexcept {
    return text.substr(at, 2) == "0x" && (at == 0 || text[at - 1] == '/');
}

/// Cuts "a:b" into two at the colon that ends `parts` parts.
std::optional<std::pair<std::string_view, std::string_view>> cut(std::string_view text, int parts) {
    std::size_t at = 0;
    for (;;) {
        at = text.find(':', at);
        if (at == std::string_view::npos) return std::nullopt;
        if (--parts == 0) return std::pair(text.substr(0, at), text.substr(at + 1));
        ++at;
    }
}

std::optional<std::string> balance_from_text(std::string_view text) {
    const auto parts = cut(text, 2);
    if (!parts) return std::nullopt;
    const auto who = id_from_text(parts->first), what = id_from_text(parts->second);
    if (!who || !what) return std::nullopt;
    return balance_key(*who, *what);
}

std::optional<std::string> sheet_from_text(std::string_view text) {
    const auto parts = cut(text, 1);
    if (!parts) return std::nullopt;
    const auto txid = hash_from_reversed_hex(parts->first);
    std::uint32_t vout = 0;
    const char* const end = parts->second.data() + parts->second.size();
    const auto [stop, error] = std::from_chars(parts->second.data(), end, vout);
    if (!txid || error != std::errc{} || stop != end) return std::nullopt;
    return sheet_key({*txid, vout});
}

std::optional<std::string> storage_from_text(std::string_view text) {
    const auto parts = cut(text, 2);
    if (!parts) return std::nullopt;
    const auto id = id_from_text(parts->first);
    const auto key = storage_key_from_text(parts->second);
    if (!id || !key) return std::nullopt;
    return storage_key(*id, *key);
}

} // namespace

state::Key storage_key(const AlkaneId& contract, std::string_view key) {
    return KeyWriter(KeyKind::storage, id_size + key.size())
        .id(contract)
        .bytes(key.data(), key.size())
        .key();
}

state::Key balance_key(const AlkaneId& who, const AlkaneId& what) {
    return KeyWriter(KeyKind::balance, 2 * id_size).id(who).id(what).key();
}

state::Key sheet_key(const Outpoint& outpoint) {
    return KeyWriter(KeyKind::sheet, 36)
        .bytes(outpoint.txid.data(), outpoint.txid.size())
        .bytes(&outpoint.vout, sizeof outpoint.vout)
        .key();
}

state::Key spent_sheet_key(ByteView outpoint) {
    return KeyWriter(KeyKind::sheet, outpoint.size()).bytes(outpoint.data(), outpoint.size()).key();
}

const state::Key& sequence_key() {
    static const state::Key key = KeyWriter(KeyKind::sequence, 0).key();
    return key;
}

state::Key code_key(const AlkaneId& contract) {
    return KeyWriter(KeyKind::code, id_size).id(contract).key();
}

state::Key bytecode_key(const Hash256& hash) {
    return KeyWriter(KeyKind::bytecode, hash.size()).bytes(hash.data(), hash.size()).key();
}

std::string storage_key_text(std::string_view key) {
    std::size_t plain = 0;
    while (plain < key.size() && is_plain(key[plain]) && !starts_digits(key, plain)) ++plain;
    if (plain == key.size()) return std::string(key);
    const std::size_t slash = key.substr(0, plain).rfind('/');
    const std::size_t from = slash == std::string_view::npos ? 0 : slash + 1;
    std::string text(key.substr(0, from));
    text += "0x";
    text += to_hex(as_bytes(key.substr(from)));
    return text;
}

std::optional<std::string> storage_key_from_text(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!starts_digits(text, at)) continue;
        const auto bytes = from_hex(text.substr(at + 2));
        if (!bytes) return std::nullopt;
        std::string key(text.substr(0, at));
        key.append(bytes->begin(), bytes->end());
        return key;
    }
    return std::string(text);
}

std::string_view key_kind_text(std::string_view key) noexcept {
    const auto kind = static_cast<KeyKind>(key.empty() ? 0 : key[0]);
    if (kind == KeyKind::storage && key.size() >= 1 + id_size) return "storage";
    if (kind == KeyKind::balance && key.size() == 1 + 2 * id_size) return "balance";
    if (kind == KeyKind::sheet && key.size() == 37) return "sheet";
    if (kind == KeyKind::sequence && key.size() == 1) return "sequence";
    if (kind == KeyKind::code && key.size() == 1 + id_size) return "code";
    if (kind == KeyKind::bytecode && key.size() == 33) return "bytecode";
    return "unknown";
}

std::string key_text(std::string_view key) {
    const auto id_at = [&](std::size_t at) {
        return id_text(*id_from_bytes(key.substr(at, id_size)));
    };
    const std::string_view kind = key_kind_text(key);
    if (kind == "storage")
        return fmt::format("{}:{}:{}", kind, id_at(1), storage_key_text(key.substr(1 + id_size)));
    if (kind == "balance") return fmt::format("{}:{}:{}", kind, id_at(1), id_at(1 + id_size));
    if (kind == "sheet")
        return fmt::format("{}:{}:{}", kind, to_reversed_hex(as_bytes(key.substr(1, 32))),
                           read_le<std::uint32_t>(as_bytes(key).data() + 33));
    if (kind == "sequence") return std::string(kind);
    if (kind == "code") return fmt::format("{}:{}", kind, id_at(1));
    return fmt::format("{}:{}", kind, to_hex(as_bytes(key.substr(kind == "bytecode" ? 1 : 0))));
}

std::optional<std::string> key_from_text(std::string_view text) {
    if (text == "sequence") return sequence_key();
    const auto parts = cut(text, 1);
    if (!parts) return std::nullopt;
    const auto& [kind, rest] = *parts;
    if (kind == "storage") return storage_from_text(rest);
    if (kind == "balance") return balance_from_text(rest);
    if (kind == "sheet") return sheet_from_text(rest);
    if (kind == "code") {
        const auto id = id_from_text(rest);
        return id ? std::optional<std::string>(code_key(*id)) : std::nullopt;
    }
    const auto bytes = from_hex(rest);
    if (!bytes) return std::nullopt;
    std::string key(bytes->begin(), bytes->end());
    if (kind == "bytecode" && key.size() == 32) return bytecode_key(hash_of(key));
    if (kind == "unknown") return key;
    return std::nullopt;
}

std::string sheet_value(const Parcel& tokens) {
    return std::string(Sheet(tokens).value().bytes());
}

std::optional<std::vector<Transfer>> tokens_of_sheet(std::string_view value) {
    const auto sheet = Sheet::from_value(value);
    if (!sheet) return std::nullopt;
    return std::vector<Transfer>(sheet->tokens().begin(), sheet->tokens().end());
}

std::optional<CodeValue> code_value(std::string_view value) {
    CodeValue code;
    if (value.size() == id_size) {
        code.sample = id_from_bytes(value);
        return code;
    }
    if (value.size() != 33) return std::nullopt;
    code.form = static_cast<CodeForm>(value[0]);
    if (code.form != CodeForm::gzip && code.form != CodeForm::plain) return std::nullopt;
    code.hash = hash_of(value.substr(1));
    return code;
}

state::WriteSet code_entries(const AlkaneId& contract, ByteView stored, CodeForm form) {
    const std::string_view text(reinterpret_cast<const char*>(stored.data()), stored.size());
    if (text.empty()) return {{code_key(contract), state::Value()}};
    if (text.size() == id_size) return {{code_key(contract), state::Value(text)}};
    const Hash256 hash = Sha256().once({stored});
    std::string value(1, static_cast<char>(form));
    value += view_of(hash);
    return {{code_key(contract), state::Value(value)}, {bytecode_key(hash), state::Value(text)}};
}

state::WriteSet clone_entries(const AlkaneId& contract, const AlkaneId& sample) {
    return {{code_key(contract), state::Value(id_bytes(sample))}};
}

bool is_module(ByteView bytes) noexcept {
    constexpr std::array<Byte, 4> magic{0x00, 0x61, 0x73, 0x6d};
    return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

} // namespace blockloom::alkanes
