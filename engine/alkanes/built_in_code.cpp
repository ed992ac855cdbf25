#include "alkanes/built_in_code.h"

#include "base/sha256.h"

#include <fmt/format.h>

namespace blockloom::alkanes {

std::string slot_text(const BuiltInSlot& slot) {
    return *slot.hash == '\0' ? fmt::format("{} (hash unknown to Blockloom)", slot.name)
                              : fmt::format("{}, SHA-256 {}…", slot.name, slot.hash);
}

bool may_fill(const BuiltInSlot& slot, const Hash256& hash, std::uint64_t size) {
    return to_hex(hash).starts_with(slot.hash) && (slot.size == 0 || slot.size == size);
}

Status BuiltInCode::bind(const BuiltInSlot& slot, ByteView module) {
    const Hash256 hash = Sha256().once({module});
    if (!may_fill(slot, hash, module.size()))
        return Error{
            ErrorCode::bad_input,
            fmt::format(
                "built-in code: expected {} ({} bytes), found a module with SHA-256 {} ({} bytes)",
                slot_text(slot), slot.size, to_hex(hash), module.size())};
    auto loaded = load_contract(hash, CodeForm::plain, module, fuel_);
    if (!loaded) return loaded.error();
    modules_.insert_or_assign(&slot, *std::move(loaded));
    return {};
}

Result<std::shared_ptr<const Contract>> BuiltInCode::at(const AlkaneId& id,
                                                        std::uint64_t height) const {
    const BuiltInSlot* const slot = built_in_slot(network_, id, height);
    if (slot == nullptr) return std::shared_ptr<const Contract>();
    const auto found = modules_.find(slot);
    if (found != modules_.end()) return found->second;
    return Error{ErrorCode::bad_input,
                 fmt::format("code of {} at height {}: expected the module {}, found none; provide "
                             "it with state put-code --built-in {}=FILE",
                             id_text(id), height, slot_text(*slot), slot->name)};
}

std::map<std::string, Hash256> BuiltInCode::bindings() const {
    std::map<std::string, Hash256> names;
    for (const auto& [slot, contract] : modules_) names.emplace(slot->name, contract->hash);
    return names;
}

} // namespace blockloom::alkanes
