#include "state_seed.h"

#include "alkanes/envelope.h"
#include "alkanes/sheet.h"
#include "base/file.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::cli {
namespace {

/// The bytes to store for a file of code.
Result<Bytes> stored_code(const std::filesystem::path& file) {
    const auto content = FileContent::read(file);
    if (!content) return content.error();
    const ByteView bytes = content->bytes();
    if (alkanes::is_module(bytes)) return alkanes::deflate_code(bytes);
    if (bytes.size() < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b)
        return input_error(
            file.string(), 0, "a WebAssembly module (0061736d) or gzip of one (1f8b)",
            bytes.empty() ? "nothing"
                          : to_hex(bytes.first(std::min<std::size_t>(bytes.size(), 4))));
    const auto module = alkanes::inflate_code(bytes, file.string());
    if (!module) return module.error();
    if (!alkanes::is_module(*module))
        return input_error(file.string(), 0, "gzip of a WebAssembly module", "gzip of other bytes");
    return Bytes(bytes.begin(), bytes.end());
}

/// An amount of 0 is absence, as everywhere in the canonical state.
state::Value amount_value(u128 amount) {
    return amount == 0 ? state::Value() : state::Value(u128_bytes(amount));
}

} // namespace

void SeedWrites::put(std::string_view key, state::Value value) {
    writes_.insert_or_assign(state::Key(key), std::move(value));
}

void SeedWrites::put_all(const state::WriteSet& writes) {
    for (const auto& [key, value] : writes) put(key, value);
}

Result<state::Value> SeedWrites::get(std::string_view key) const {
    const auto found = writes_.find(key);
    if (found != writes_.end()) return found->second;
    return before_->get(key);
}

Status SeedWrites::put_code(const alkanes::AlkaneId& id, const std::filesystem::path& file) {
    const Result<Bytes> stored = stored_code(file);
    if (!stored) return stored.error();
    put_all(alkanes::code_entries(id, *stored, alkanes::CodeForm::gzip));
    return raise_sequence_past(id);
}

Status SeedWrites::put_clone(const alkanes::AlkaneId& id, const alkanes::AlkaneId& sample) {
    put_all(alkanes::clone_entries(id, sample));
    return raise_sequence_past(id);
}

Status SeedWrites::raise_sequence_past(const alkanes::AlkaneId& id) {
    // Only [2, n] is numbered by the sequence (docs/alkanes-protocol.md#targets).
    if (id.block != 2 || id.tx == ~u128{0}) return {};
    const Result<state::Value> next = get(alkanes::sequence_key());
    if (!next) return next.error();
    if (state::counter_of(*next) <= id.tx) put_sequence(id.tx + 1);
    return {};
}

Status SeedWrites::put_token(const alkanes::Outpoint& outpoint, const alkanes::AlkaneId& id,
                             u128 amount) {
    const std::string key = alkanes::sheet_key(outpoint);
    const Result<state::Value> held = get(key);
    if (!held) return held.error();
    auto sheet = alkanes::Sheet::from_value(held->bytes());
    if (!sheet)
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: the sheet in the workspace cannot be read", alkanes::key_text(key))};
    (void)sheet->take(id, ~u128{0});
    (void)sheet->add(id, amount); // cannot overflow: none is left
    put(key, std::string(sheet->value().bytes()));
    return {};
}

void SeedWrites::put_balance(const alkanes::AlkaneId& who, const alkanes::AlkaneId& what,
                             u128 amount) {
    put(alkanes::balance_key(who, what), amount_value(amount));
}

void SeedWrites::put_sequence(u128 next) {
    put(alkanes::sequence_key(), amount_value(next));
}

} // namespace blockloom::cli
