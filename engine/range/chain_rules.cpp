#include "range/chain_rules.h"

#include "alkanes/envelope.h"
#include "base/file.h"
#include "base/sha256.h"
#include "range/node_code.h"
#include "range/state_rules.h"
#include "store/location.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

using alkanes::BuiltInSlot;
using alkanes::Network;

constexpr Network networks[]{Network::mainnet, Network::regtest};

std::string label_of(std::string_view slot) {
    return fmt::format("built-in {}", slot);
}

std::filesystem::path module_file(const std::filesystem::path& workspace, const std::string& hash) {
    return workspace / "modules" / (hash + ".wasm");
}

/// Fills the slots of a network that a workspace has modules for.
Status fill(alkanes::BuiltInCode& code, const store::Workspace& workspace) {
    for (const BuiltInSlot& slot : alkanes::built_in_slots(code.network())) {
        const auto hash = workspace.label(label_of(slot.name));
        if (!hash) return hash.error();
        if (!*hash) continue;
        const std::filesystem::path path = module_file(workspace.folder(), **hash);
        const auto file = FileContent::read(path);
        if (!file) return file.error();
        if (const std::string found = to_hex(Sha256().once({file->bytes()})); found != **hash)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: module of {} from height {}: expected SHA-256 {}, found "
                                     "{}",
                                     path.string(), alkanes::id_text(slot.id), slot.from, **hash,
                                     found)};
        if (const Status bound = code.bind(slot, file->bytes()); !bound) return bound;
    }
    return {};
}

/// The module in a file, or in the gzip that it is.
Result<Bytes> read_module(const std::filesystem::path& path) {
    const auto file = FileContent::read(path);
    if (!file) return file.error();
    Bytes module(file->bytes().begin(), file->bytes().end());
    if (module.size() >= 2 && module[0] == 0x1f && module[1] == 0x8b) {
        auto inflated = alkanes::inflate_code(module, path.string());
        if (!inflated) return inflated.error();
        module = *std::move(inflated);
    }
    if (!alkanes::is_module(module))
        return input_error(path.string(), 0, "a WebAssembly module (0061736d) or gzip of one",
                           module.empty() ? "nothing"
                                          : to_hex(ByteView(module).first(
                                                std::min<std::size_t>(module.size(), 4))));
    return module;
}

const BuiltInSlot* slot_named(std::string_view name) {
    for (const Network network : networks)
        if (const BuiltInSlot* slot = alkanes::built_in_slot(network, name)) return slot;
    return nullptr;
}

/// The slot whose hash is known to be a module's.
const BuiltInSlot* slot_of_hash(const Hash256& hash, std::uint64_t size) {
    for (const BuiltInSlot& slot : alkanes::built_in_slots(Network::mainnet))
        if (*slot.hash != '\0' && alkanes::may_fill(slot, hash, size)) return &slot;
    return nullptr;
}

std::string slot_names() {
    std::string names;
    for (const BuiltInSlot& slot : alkanes::built_in_slots(Network::mainnet))
        names += (names.empty() ? "" : ", ") + std::string(slot.name);
    return names;
}

struct Found {
    const BuiltInSlot* slot;
    KeptModule kept;
    Bytes module;
};

/// `name`: the slot named by the user; empty: the one with the module's hash.
Result<Found> find_slot(const std::filesystem::path& path, const std::string& name) {
    auto module = read_module(path);
    if (!module) return module.error();
    const Hash256 hash = Sha256().once({*module});
    const BuiltInSlot* slot = slot_of_hash(hash, module->size());
    if (slot == nullptr && !name.empty()) slot = slot_named(name);
    if (slot == nullptr)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: SHA-256 {}: expected a known module, found an unknown hash; "
                                 "name its slot: SLOT={} with one of {}",
                                 path.string(), to_hex(hash), path.string(), slot_names())};
    if (!name.empty() && (name != slot->name || !alkanes::may_fill(*slot, hash, module->size())))
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected {}, found a module with SHA-256 {} ({} bytes){}",
                        path.string(), alkanes::slot_text(*slot_named(name)), to_hex(hash),
                        module->size(),
                        name == slot->name ? "" : fmt::format(", which is {}", slot->name))};
    return Found{slot, {slot->name, hash, path.string()}, *std::move(module)};
}

Result<std::vector<Found>> find_slots(const std::vector<std::string>& words) {
    std::vector<Found> all;
    for (const std::string& word : words) {
        const std::size_t equals = word.find('=');
        const std::string name = equals == std::string::npos ? "" : word.substr(0, equals);
        if (!name.empty() && slot_named(name) == nullptr)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("--built-in {}: expected one of {}, found {}", word,
                                     slot_names(), name)};
        const std::filesystem::path path = name.empty() ? word : word.substr(equals + 1);
        std::vector<std::pair<std::filesystem::path, std::string>> files;
        std::error_code failed;
        if (name.empty() && std::filesystem::is_directory(path, failed)) {
            for (const auto& entry : std::filesystem::directory_iterator(path, failed)) {
                std::filesystem::path stem = entry.path().filename();
                if (stem.extension() == ".gz") stem = stem.stem();
                if (stem.extension() == ".wasm") stem = stem.stem();
                if (stem == entry.path().filename()) continue;
                const bool named = slot_named(stem.string()) != nullptr;
                files.emplace_back(entry.path(), named ? stem.string() : "");
            }
            std::sort(files.begin(), files.end());
            if (failed || files.empty())
                return Error{
                    ErrorCode::bad_input,
                    fmt::format("{}: expected modules (*.wasm, *.gz), found none", path.string())};
        } else {
            files.emplace_back(path, name);
        }
        for (const auto& [file, of] : files) {
            auto found = find_slot(file, of);
            if (!found) return found.error();
            all.push_back(*std::move(found));
        }
    }
    return all;
}

} // namespace

Status choose_rules(execute::ReplayOptions& how, const RangeOptions& options,
                    const std::optional<Manifest>& manifest, const store::Workspace* workspace,
                    bool on_blocks, const NodeRecords* node) {
    how.network = options.network.value_or(manifest ? manifest->network : Network::mainnet);
    how.line = options.line.value_or(alkanes::RuleLine::released);
    how.fuel = options.fuel.value_or(alkanes::usual_fuel(how.network));
    how.built_ins.reset();
    if (on_blocks && workspace != nullptr)
        if (const Status continued =
                continue_rules(how, options, *workspace, options.network || manifest);
            !continued)
            return continued;
    const bool generated = manifest && manifest->chain == "alkanes";
    if (generated || options.code_in_state || alkanes::built_in_slots(how.network).empty())
        return {};
    auto code = std::make_shared<alkanes::BuiltInCode>(how.network, how.fuel);
    std::unique_ptr<store::Workspace> own;
    if (workspace == nullptr) {
        const auto folder = store::default_folder();
        std::error_code unreadable;
        if (folder && std::filesystem::exists(*folder / "format", unreadable)) {
            auto opened = store::Workspace::open(*folder, {.read_only = true});
            if (!opened) return opened.error();
            own = *std::move(opened);
            workspace = own.get();
        }
    }
    if (workspace != nullptr)
        if (const Status filled = fill(*code, *workspace); !filled) return filled;
    if (node != nullptr)
        if (const Status filled =
                take_code_of_node(*code, alkanes::built_in_slots(how.network), *node);
            !filled)
            return filled;
    how.built_ins = std::move(code);
    return {};
}

Status choose_rules(execute::ReplayOptions& how, const RangeOptions& options,
                    const std::optional<Manifest>& manifest, const StateBefore& before) {
    return choose_rules(how, options, manifest, before.workspace.get(), before.on_blocks,
                        before.source.records.get());
}

execute::RunRules rules_of(const execute::ReplayOptions& how) {
    execute::RunRules rules;
    rules.line = alkanes::rules_name(how.network, how.line);
    rules.follows = alkanes::rules_follow(how.network, how.line);
    rules.code = how.built_ins ? "height" : "state";
    if (how.fuel == wasm::FuelRule::exact) rules.fuel = name_of(how.fuel);
    if (how.built_ins)
        for (const auto& [slot, hash] : how.built_ins->bindings())
            rules.built_ins.emplace(slot, to_hex(hash));
    return rules;
}

Result<std::vector<KeptModule>> keep_modules(store::Workspace& workspace,
                                             const std::vector<std::string>& words) {
    auto all = find_slots(words);
    if (!all) return all.error();
    const auto tip = workspace.tip();
    for (const Found& found : *all) {
        const auto before = workspace.label(label_of(found.slot->name));
        if (!before) return before.error();
        const std::string hash = to_hex(found.kept.hash);
        if (*before && **before != hash && tip && tip->height >= found.slot->from)
            return Error{ErrorCode::bad_input,
                         fmt::format("{}: expected the same module, {}, for {}: the blocks up to "
                                     "{} were executed with it; found {}",
                                     found.kept.file, **before, found.slot->name, tip->height,
                                     hash)};
    }
    std::vector<KeptModule> kept;
    std::error_code failed;
    std::filesystem::create_directories(workspace.folder() / "modules", failed);
    if (failed)
        return Error{ErrorCode::system, fmt::format("{}: cannot create the folder for modules: {}",
                                                    workspace.folder().string(), failed.message())};
    for (Found& found : *all) {
        const std::string hash = to_hex(found.kept.hash);
        if (const Status wrote = write_file(module_file(workspace.folder(), hash), found.module);
            !wrote)
            return wrote.error();
        if (const Status set = workspace.set_label(label_of(found.slot->name), hash); !set)
            return set.error();
        kept.push_back(std::move(found.kept));
    }
    return kept;
}

} // namespace blockloom::range
