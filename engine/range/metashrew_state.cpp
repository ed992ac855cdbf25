#include "range/metashrew_state.h"

#include "alkanes/state_keys.h"
#include "base/contain.h"
#include "range/indexer_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

using alkanes::AlkaneId;
using alkanes::CodeForm;
using alkanes::id_size;

/// The entries of a state that keeps this code.
state::WriteSet entries_of(const AlkaneId& contract, std::string_view stored) {
    const ByteView bytes = as_bytes(stored);
    return alkanes::code_entries(contract, bytes,
                                 alkanes::is_module(bytes) ? CodeForm::plain : CodeForm::gzip);
}

/// The first key after all that begin with `prefix`; nothing: there can be none.
std::optional<std::string> after_all(std::string prefix) {
    while (!prefix.empty() && prefix.back() == '\xff') prefix.pop_back();
    if (prefix.empty()) return std::nullopt;
    prefix.back() = static_cast<char>(prefix.back() + 1);
    return prefix;
}

} // namespace

MetashrewState::MetashrewState(std::shared_ptr<const store::NodeDatabase> database,
                               std::uint64_t height)
    : database_(std::move(database)), height_(height) {}
MetashrewState::~MetashrewState() = default;

Result<std::optional<std::string>> MetashrewState::read(std::string_view indexer_key) const {
    return database_->get(indexer_key, height_);
}

Result<state::Value> MetashrewState::get(const state::KeyView& key) const {
    return contain("reading the state", [&]() -> Result<state::Value> {
        const std::string_view kind = alkanes::key_kind_text(key.bytes);
        if (kind == "code") return code(key.bytes);
        if (kind == "bytecode") return stored_code(key.bytes);
        if (kind == "sheet") {
            const auto sheet =
                read_indexer_sheet([this](std::string_view name) { return read(name); }, key.bytes);
            if (!sheet)
                return Error{sheet.error().code, fmt::format("{}: after block {}: {}",
                                                             database_->options().folder.string(),
                                                             height_, sheet.error().message)};
            return state::Value(*sheet).canonical();
        }
        const auto name = indexer_key(key.bytes);
        if (!name)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected a key of the state, found {}",
                                     database_->options().folder.string(),
                                     alkanes::key_text(key.bytes))};
        const auto value = read(*name);
        if (!value) return value.error();
        if (!*value) return state::Value();
        if (kind != "storage" && (*value)->size() != u128_size)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: {} after block {}: expected {} bytes, found {}",
                                     database_->options().folder.string(),
                                     alkanes::key_text(key.bytes), height_, u128_size,
                                     (*value)->size())};
        return state::Value(**value).canonical();
    });
}

Result<state::Value> MetashrewState::code(std::string_view key) const {
    const AlkaneId contract = *alkanes::id_from_bytes(key.substr(1));
    const auto stored = read(indexer_code_key(contract));
    if (!stored) return stored.error();
    if (!*stored) return state::Value();
    state::Value of_contract;
    for (const auto& [name, value] : entries_of(contract, **stored)) {
        if (name == key) {
            of_contract = value;
        } else {
            const std::lock_guard lock(guard_);
            code_.try_emplace(std::string(name.bytes()), value);
        }
    }
    return of_contract;
}

Result<state::Value> MetashrewState::stored_code(std::string_view key) const {
    std::string owner;
    {
        const std::lock_guard lock(guard_);
        const auto known = code_.find(key);
        if (known != code_.end()) return known->second;
        // Whether some contract has this code decides whether storing it again changes the state.
        if (!owners_)
            if (const Status found = find_all_code(); !found) {
                owners_.reset();
                return found.error();
            }
        const auto found = owners_->find(key);
        if (found == owners_->end()) return state::Value();
        owner = found->second;
    }
    const auto stored = read(owner);
    if (!stored) return stored.error();
    return *stored ? state::Value(**stored) : state::Value();
}

Status MetashrewState::find_all_code() const {
    owners_.emplace();
    const std::string all = "/alkanes/";
    for (std::optional<std::string> from = all; from;) {
        const auto found = database_->first_from(*from);
        if (!found) return found.error();
        if (!*found || !(*found)->starts_with(all)) return {};
        const std::string name = (*found)->substr(0, all.size() + id_size);
        from = after_all(name);
        const auto contract = alkanes::id_from_bytes(std::string_view(name).substr(all.size()));
        if (!contract) { // a shorter name than any contract's
            from = **found + '\0';
            continue;
        }
        const auto stored = read(name);
        if (!stored) return stored.error();
        if (!*stored || (*stored)->size() == id_size) continue;
        for (const auto& [entry, value] : entries_of(*contract, **stored))
            if (alkanes::key_kind_text(entry.bytes()) == "bytecode")
                owners_->try_emplace(std::string(entry.bytes()), name);
    }
    return {};
}

} // namespace blockloom::range
