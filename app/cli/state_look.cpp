// blockloom-cli state get, list, digest and undo.
#include "base/number_text.h"
#include "json_writer.h"
#include "state.h"
#include "state_values.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace blockloom::cli {
namespace {

struct LookArguments {
    std::vector<std::string> key;
    std::string prefix;
    std::uint64_t height = 0, most = 1000;
    bool json = false;
};

/// "storage", "2:0", "hex:00": the parts of a printed key.
Result<std::string> key_of(const std::vector<std::string>& parts) {
    if (parts.size() == 3 && parts[0] == "storage") {
        const auto id = read_alkane_id("ID", parts[1]);
        if (!id) return id.error();
        const auto key = storage_key_bytes("KEY", parts[2]);
        if (!key) return key.error();
        return std::string(alkanes::storage_key(*id, *key));
    }
    const std::string text = fmt::format("{}", fmt::join(parts, ":"));
    const auto key = alkanes::key_from_text(text);
    if (!key)
        return Error{
            ErrorCode::wrong_usage,
            fmt::format("KEY: expected storage ID KEY, balance HOLDER TOKEN, sheet OUTPOINT, "
                        "code ID, bytecode SHA256 or sequence, found \"{}\"",
                        text)};
    return *key;
}

void write_value(JsonWriter& json, std::string_view key, std::string_view value) {
    json.field("key", alkanes::key_text(key));
    json.field("key_hex", to_hex(as_bytes(key)));
    json.field("value", to_hex(as_bytes(value)));
    if (const auto number = u128_from_bytes(value)) json.field("u128", u128_text(*number));
}

Result<int> get(const LookArguments& words, const Context& context) {
    const Result<std::string> key = key_of(words.key);
    if (!key) return key.error();
    const auto workspace = open_workspace(context, {.read_only = true});
    if (!workspace) return workspace.error();
    const Result<state::Value> value = (*workspace)->state().get(*key);
    if (!value) return value.error();
    if (words.json) {
        JsonWriter json;
        json.begin_object();
        json.field("present", value->has_value());
        if (*value) {
            write_value(json, *key, value->bytes());
        } else {
            json.field("key", alkanes::key_text(*key));
            json.field("key_hex", to_hex(as_bytes(*key)));
            json.field("value", std::nullopt);
        }
        json.end_object();
        print(json.text());
    } else {
        print(fmt::format("{}: {}\n", printable(alkanes::key_text(*key)),
                          *value ? value_text(*key, value->bytes()) : "absent"));
    }
    return 0;
}

/// The prefix of all keys of a kind, or of one contract's storage.
Result<std::string> prefix_of(const std::string& text) {
    if (text.empty()) return std::string();
    constexpr std::array<std::pair<const char*, alkanes::KeyKind>, 6> kinds{
        {{"storage", alkanes::KeyKind::storage},
         {"balance", alkanes::KeyKind::balance},
         {"sheet", alkanes::KeyKind::sheet},
         {"sequence", alkanes::KeyKind::sequence},
         {"code", alkanes::KeyKind::code},
         {"bytecode", alkanes::KeyKind::bytecode}}};
    for (const auto& [name, kind] : kinds)
        if (text == name) return std::string(1, static_cast<char>(kind));
    // "storage:2:0" and "balance:4:7": of one contract.
    for (const auto& [name, kind] : {kinds[0], kinds[1]}) {
        if (!text.starts_with(std::string(name) + ":")) continue;
        const auto id = alkanes::id_from_text(std::string_view(text).substr(std::strlen(name) + 1));
        if (id) return std::string(1, static_cast<char>(kind)) + alkanes::id_bytes(*id);
    }
    return Error{ErrorCode::wrong_usage,
                 fmt::format("KIND: expected storage, balance, sheet, sequence, code, bytecode, "
                             "storage:ID or balance:ID, found \"{}\"",
                             text)};
}

Result<int> list_state(const LookArguments& words, const Context& context) {
    const Result<std::string> prefix = prefix_of(words.prefix);
    if (!prefix) return prefix.error();
    const auto workspace = open_workspace(context, {.read_only = true});
    if (!workspace) return workspace.error();
    JsonWriter json;
    json.begin_object();
    json.key("entries");
    json.begin_array();
    std::string text;
    std::uint64_t count = 0;
    const Status visited =
        (*workspace)->visit(*prefix, [&](std::string_view key, std::string_view value) {
            if (++count > words.most) return !context.stop.stop_requested();
            if (words.json) {
                json.begin_object();
                write_value(json, key, value);
                json.end_object();
            } else {
                text += fmt::format("{}: {}\n", printable(alkanes::key_text(key)),
                                    value_text(key, value));
            }
            return !context.stop.stop_requested();
        });
    if (!visited) return visited.error();
    if (context.stop.stop_requested()) return cancelled_error();
    json.end_array();
    json.field("keys", count);
    json.end_object();
    if (count > words.most)
        text += fmt::format("… and {} more (--most)\n", count_text(count - words.most));
    print(words.json ? json.text() : text);
    return 0;
}

/// Height, hash and digest of what the workspace holds.
Result<int> print_state(const store::Workspace& workspace, std::optional<std::uint64_t> undone,
                        bool as_json, const Context& context) {
    const Result<Hash256> digest = workspace.state_digest(context.stop);
    if (!digest) return digest.error();
    const std::optional<store::Tip> tip = workspace.tip();
    if (as_json) {
        JsonWriter json;
        json.begin_object();
        json.field("workspace", std::string_view(workspace.folder().native()));
        if (undone) json.field("undone", *undone);
        json.field("height", tip ? std::optional(tip->height) : std::nullopt);
        json.field("hash", tip ? std::optional(to_reversed_hex(tip->hash)) : std::nullopt);
        json.field("state_digest", to_hex(*digest));
        json.end_object();
        print(json.text());
        return 0;
    }
    if (undone)
        print(fmt::format("{} block{} undone\n", count_text(*undone), *undone == 1 ? "" : "s"));
    print(tip ? fmt::format("Last block {} {}\n", tip->height, to_reversed_hex(tip->hash))
              : std::string("No block is committed\n"));
    print(fmt::format("State digest {}\n", to_hex(*digest)));
    return 0;
}

Result<int> digest(const LookArguments& words, const Context& context) {
    const auto workspace = open_workspace(context, {.read_only = true});
    if (!workspace) return workspace.error();
    return print_state(**workspace, std::nullopt, words.json, context);
}

Result<int> undo(const LookArguments& words, const Context& context) {
    const auto workspace = open_workspace(context, {.create = false});
    if (!workspace) return workspace.error();
    const Result<std::uint64_t> undone = (*workspace)->undo(words.height);
    if (!undone) return undone.error();
    return print_state(**workspace, *undone, words.json, context);
}

using Look = Result<int> (*)(const LookArguments&, const Context&);

CLI::App* add_look(CLI::App& group, std::vector<Command>& commands,
                   const std::shared_ptr<LookArguments>& words, const char* name,
                   const char* description, Look look) {
    CLI::App* command = group.add_subcommand(name, description);
    command->add_flag("--json", words->json, "One JSON document on standard output");
    commands.push_back(
        {command, [words, look](const Context& context) { return look(*words, context); }});
    return command;
}

} // namespace

void add_state_looks(CLI::App& group, std::vector<Command>& commands) {
    const auto words = std::make_shared<LookArguments>();
    CLI::App* getter = add_look(group, commands, words, "get", "Print the value of a key", get);
    getter
        ->add_option("KEY", words->key,
                     "storage ID KEY | balance HOLDER TOKEN | sheet OUTPOINT | code ID | sequence")
        ->required()
        ->type_name("")
        ->default_str("");
    getter->footer("Example: blockloom-cli state get storage 2:0 /totalsupply\n"
                   "         blockloom-cli state get storage:2:0:/totalsupply (the same)");

    CLI::App* lister =
        add_look(group, commands, words, "list", "List keys and values, sorted by key", list_state);
    lister
        ->add_option("KIND", words->prefix,
                     "storage, balance, sheet, sequence, code, bytecode, storage:ID or balance:ID")
        ->type_name("");
    lister->add_option("--most", words->most, "Maximum number of entries to show")->type_name("N");
    lister->footer("Example: blockloom-cli state list storage:2:0");

    add_look(group, commands, words, "digest",
             "Print the last block and the digest of the whole state", digest)
        ->footer("SHA-256 over all keys, sorted (docs/state.md).");

    CLI::App* undoer =
        add_look(group, commands, words, "undo", "Undo the block at HEIGHT and all above it", undo);
    undoer->add_option("HEIGHT", words->height, "Height of the lowest block to undo")
        ->required()
        ->type_name("")
        ->default_str("");
    undoer->footer("Example: blockloom-cli state undo 840005");
}

} // namespace blockloom::cli
