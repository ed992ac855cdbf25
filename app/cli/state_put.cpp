// blockloom-cli state put-… and seed: writes outside blocks.
#include "json_writer.h"
#include "range/chain_rules.h"
#include "state.h"
#include "state/memory_state.h"
#include "state_values.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>

#include <charconv>

namespace blockloom::cli {
namespace {

/// As given by the user; each command uses what it needs.
struct PutArguments {
    std::string id, key, value, file, after;
    std::vector<std::string> built_in;
    bool json = false;
};

/// "960101" or "960101:HASH", the hash as Bitcoin prints it; nothing if the text is empty.
Result<std::optional<store::Base>> read_base(const std::string& text) {
    if (text.empty()) return std::optional<store::Base>();
    store::Base base;
    const std::size_t colon = text.find(':');
    const std::string_view height = std::string_view(text).substr(0, colon);
    const auto [end, bad] =
        std::from_chars(height.data(), height.data() + height.size(), base.height);
    if (colon != std::string::npos)
        base.hash = hash_from_reversed_hex(std::string_view(text).substr(colon + 1));
    if (bad != std::errc() || end != height.data() + height.size() ||
        (colon != std::string::npos && !base.hash))
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--after: expected HEIGHT or HEIGHT:HASH, found \"{}\"", text)};
    return std::optional(base);
}

std::string as_json(const store::Workspace& workspace, const state::WriteSet& writes) {
    JsonWriter json;
    json.begin_object();
    json.field("workspace", std::string_view(workspace.folder().native()));
    json.key("put");
    json.begin_array();
    for (const auto& [key, value] : writes) {
        json.begin_object();
        json.field("key", alkanes::key_text(key));
        json.field("key_hex", to_hex(as_bytes(key)));
        json.field("bytes", value.size());
        json.field("removed", !value.canonical().has_value());
        json.end_object();
    }
    json.end_array();
    json.end_object();
    return json.text();
}

std::string as_text(const state::WriteSet& writes) {
    constexpr std::size_t most_lines = 20;
    std::string text;
    for (std::size_t i = 0; i < writes.size() && i < most_lines; ++i) {
        const auto& [key, value] = writes[i];
        text += fmt::format("{}: {}\n", printable(alkanes::key_text(key)),
                            value.canonical() ? value_text(key, value.bytes()) : "removed");
    }
    if (writes.size() > most_lines)
        text += fmt::format("… and {} more\n", writes.size() - most_lines);
    return text;
}

Status put_storage(SeedWrites& writes, const PutArguments& words) {
    const auto id = read_alkane_id("ID", words.id);
    if (!id) return id.error();
    const auto key = storage_key_bytes("KEY", words.key);
    if (!key) return key.error();
    auto value = bytes_from_text("VALUE", words.value);
    if (!value) return value.error();
    writes.put(alkanes::storage_key(*id, *key), state::Value(std::move(*value)));
    return {};
}

Status put_code(SeedWrites& writes, const PutArguments& words) {
    const auto id = read_alkane_id("ID", words.id);
    if (!id) return id.error();
    return writes.put_code(*id, words.file);
}

Status put_balance(SeedWrites& writes, const PutArguments& words) {
    const auto who = read_alkane_id("HOLDER", words.id), what = read_alkane_id("TOKEN", words.key);
    if (!who) return who.error();
    if (!what) return what.error();
    const auto amount = read_amount("AMOUNT", words.value);
    if (!amount) return amount.error();
    writes.put_balance(*who, *what, *amount);
    return {};
}

Status put_sheet(SeedWrites& writes, const PutArguments& words) {
    const auto outpoint = read_outpoint("OUTPOINT", words.id);
    if (!outpoint) return outpoint.error();
    const auto id = read_alkane_id("TOKEN", words.key);
    if (!id) return id.error();
    const auto amount = read_amount("AMOUNT", words.value);
    if (!amount) return amount.error();
    return writes.put_token(*outpoint, *id, *amount);
}

Status put_sequence(SeedWrites& writes, const PutArguments& words) {
    const auto next = read_amount("N", words.value);
    if (!next) return next.error();
    writes.put_sequence(*next);
    return {};
}

std::string slot_list() {
    std::string text;
    for (const alkanes::BuiltInSlot& slot : alkanes::built_in_slots(alkanes::Network::mainnet))
        text +=
            fmt::format("{:<16} [{}] from {}{}\n", slot.name, alkanes::id_text(slot.id), slot.from,
                        *slot.hash == '\0' ? "" : fmt::format(", SHA-256 {}…", slot.hash));
    return text;
}

Result<int> keep_built_ins(const PutArguments& words, const Context& context) {
    if (!words.id.empty())
        return Error{ErrorCode::wrong_usage,
                     "state put-code --built-in: expected files only, found " + words.id};
    const auto workspace = open_workspace(context);
    if (!workspace) return workspace.error();
    const auto kept = range::keep_modules(**workspace, words.built_in);
    if (!kept) return kept.error();
    if (!words.json) {
        std::string text;
        for (const range::KeptModule& module : *kept)
            text += fmt::format("{}: {} ({})\n", module.slot, to_hex(module.hash),
                                printable(module.file));
        print(text);
        return 0;
    }
    JsonWriter json;
    json.begin_object();
    json.field("workspace", std::string_view((*workspace)->folder().native()));
    json.key("built_in_code");
    json.begin_array();
    for (const range::KeptModule& module : *kept) {
        json.begin_object();
        json.field("slot", module.slot);
        json.field("sha256", to_hex(module.hash));
        json.field("file", module.file);
        json.end_object();
    }
    json.end_array();
    json.end_object();
    print(json.text());
    return 0;
}

using Put = Status (*)(SeedWrites&, const PutArguments&);

/// One command: its parser gets --json, its action is `put`.
CLI::App* add_put(CLI::App& group, std::vector<Command>& commands,
                  const std::shared_ptr<PutArguments>& words, const char* name,
                  const char* description, Put put) {
    CLI::App* command = group.add_subcommand(name, description);
    command->add_flag("--json", words->json, "One JSON document on standard output");
    command
        ->add_option("--after", words->after,
                     "The last block before this state; a replay begins with its child")
        ->type_name("HEIGHT[:HASH]")
        ->default_str("");
    commands.push_back({command, [words, put](const Context& context) -> Result<int> {
                            const auto after = read_base(words->after);
                            if (!after) return after.error();
                            return put_seeds(context, words->json, *after, [&](SeedWrites& writes) {
                                return put(writes, *words);
                            });
                        }});
    return command;
}

void required(CLI::App* command, const char* name, std::string& into, const char* description) {
    command->add_option(name, into, description)->required()->type_name("");
}

} // namespace

Result<int> put_seeds(const Context& context, bool json, const std::optional<store::Base>& after,
                      const std::function<Status(SeedWrites&)>& collect) {
    // First only to check the arguments: wrong ones must not create a workspace.
    const state::MemoryState nothing;
    SeedWrites trial(nothing);
    if (Status collected = collect(trial); !collected) return collected.error();

    const auto workspace = open_workspace(context);
    if (!workspace) return workspace.error();
    SeedWrites seeds((*workspace)->state());
    if (Status collected = collect(seeds); !collected) return collected.error();
    const state::WriteSet writes = seeds.writes();
    if (Status put = (*workspace)->put(writes, after); !put) return put.error();
    print(json ? as_json(**workspace, writes) : as_text(writes));
    return 0;
}

void add_state_puts(CLI::App& group, std::vector<Command>& commands) {
    const auto words = std::make_shared<PutArguments>();
    CLI::App* code =
        add_put(group, commands, words, "put-code",
                "Store the code of a contract; raises the sequence past its id", put_code);
    code->add_option("ID", words->id, "Contract, BLOCK:TX")->type_name("")->default_str("");
    code->add_option("FILE", words->file, "WebAssembly module, plain or gzip")
        ->type_name("")
        ->default_str("");
    code->add_option("--built-in", words->built_in,
                     "Modules that the indexer has for [2,0], [32,0] and [32,1], by height")
        ->type_name("[SLOT=]FILE|FOLDER")
        ->default_str("");
    code->footer(
        "Example: blockloom-cli state put-code 2:19 free_mint.wasm\n"
        "The indexer's modules are kept under their SHA-256 in the workspace and recorded in the\n"
        "settings of the runs that use them. A file for a slot with a published hash is "
        "recognised\n"
        "automatically; for other slots name it: --built-in frbtc-1.0=fr_btc.wasm, or a folder\n"
        "with a file frbtc-1.0.wasm.\n"
        "Slots, each with the height from which its contract runs it:\n" +
        slot_list());
    commands.back().run = [words, put = commands.back().run](const Context& context) {
        if (!words->built_in.empty()) return keep_built_ins(*words, context);
        if (words->id.empty() || words->file.empty())
            return Result<int>(Error{ErrorCode::wrong_usage,
                                     "state put-code: expected ID and FILE, or --built-in"});
        return put(context);
    };

    CLI::App* storage = add_put(group, commands, words, "put-storage",
                                "Set a value in a contract's storage", put_storage);
    required(storage, "ID", words->id, "Contract, BLOCK:TX");
    required(storage, "KEY", words->key,
             "Text (hexadecimal after \"/0x\"), hex:00ff or text:WORDS");
    required(storage, "VALUE", words->value, value_forms);
    storage->footer("Example: blockloom-cli state put-storage 2:19 /cap u128:5000\n"
                    "An empty value removes the key.");

    CLI::App* balance = add_put(group, commands, words, "put-balance",
                                "Set how much of a token a contract holds", put_balance);
    required(balance, "HOLDER", words->id, "Contract that holds the token, BLOCK:TX");
    required(balance, "TOKEN", words->key, "Token, BLOCK:TX");
    required(balance, "AMOUNT", words->value, "Amount; 0 removes the entry");
    balance->footer("Example: blockloom-cli state put-balance 4:7 2:0 5000");

    CLI::App* sheet =
        add_put(group, commands, words, "put-sheet",
                "Set how much of a token an output of a transaction carries", put_sheet);
    required(sheet, "OUTPOINT", words->id, "TXID:VOUT");
    required(sheet, "TOKEN", words->key, "Token, BLOCK:TX");
    required(sheet, "AMOUNT", words->value, "Amount; 0 removes the entry");
    sheet->footer("Example: blockloom-cli state put-sheet TXID:0 2:19 7\n"
                  "Other tokens of the output do not change.");

    CLI::App* sequence = add_put(group, commands, words, "put-sequence",
                                 "Set the number of the next contract [2, n]", put_sequence);
    required(sequence, "N", words->value, "Next number");
    sequence->footer("Example: blockloom-cli state put-sequence 300");

    CLI::App* seed = add_put(
        group, commands, words, "seed", "Apply a seed file in one step",
        [](SeedWrites& writes, const PutArguments& given) { return writes.put_file(given.file); });
    required(seed, "FILE", words->file, "JSON (docs/state.md)");
    seed->footer(
        "Example of a file:\n"
        "{\"code\": {\"2:19\": \"free_mint.wasm\", \"2:20\": {\"clone\": \"2:19\"}},\n"
        " \"storage\": {\"2:19\": {\"/cap\": \"u128:5000\"}},\n"
        " \"balances\": {\"4:7\": {\"2:19\": 100}}, \"sheets\": {\"TXID:0\": {\"2:19\": 7}},\n"
        " \"sequence\": 300}");
}

} // namespace blockloom::cli
