#include "wasm/spec_script.h"

#include "base/file.h"
#include "base/json.h"
#include "wasm/instantiate.h"
#include "wasm/run.h"
#include "wasm/spec_host.h"
#include "wasm/spec_values.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace blockloom::wasm {
namespace {

/// A command's outcome: nothing (passed), skipped, or why it failed.
struct Verdict {
    enum class Kind : std::uint8_t { passed, failed, skipped, ejected } kind = Kind::passed;
    std::string why;
};
Verdict passed() {
    return {};
}
Verdict skipped() {
    return {Verdict::Kind::skipped, {}};
}
Verdict failed(std::string why) {
    return {Verdict::Kind::failed, std::move(why)};
}

Verdict ejected(std::string why) {
    return {Verdict::Kind::ejected, std::move(why)};
}

/// A module refused because of a feature that is not claimed begins, where it is refused, with one
/// of these bytes: v128, SIMD, threads, tail calls, exceptions, typed references, tags.
bool is_unclaimed(const Bytes& bytes, const ModuleError& error) {
    constexpr std::array<Byte, 13> beginnings{0x7b, 0xfd, 0xfe, 0x12, 0x13, 0x14, 0x15,
                                              0x06, 0x07, 0x08, 0x09, 0x18, 0x19};
    return error.offset < bytes.size() && error.refusal == Refusal::malformed &&
           std::find(beginnings.begin(), beginnings.end(), bytes[error.offset]) !=
               beginnings.end() &&
           (error.rule.find("opcode") != std::string::npos ||
            error.rule.find("type") != std::string::npos);
}

std::uint32_t line_of(JsonValue command) {
    return static_cast<std::uint32_t>(command["line"].whole(0, UINT32_MAX).value_or(0));
}

/// How an action ended.
struct Ended {
    bool unclaimed = false;
    std::string error;   ///< the action could not be made
    std::string ejected; ///< the engine cannot make it
    RunResult run;
    std::vector<ValueType> types; ///< of the results
};

bool says(const std::string& expected, const std::string& found) {
    return expected.rfind(found, 0) == 0 || found.rfind(expected, 0) == 0;
}

class Script {
public:
    Script(std::filesystem::path folder, ScriptOptions options, Imports host)
        : folder_(std::move(folder)), options_(std::move(options)), imports_(std::move(host)) {}

    Verdict command(JsonValue command);

private:
    using Loaded = std::variant<std::shared_ptr<Instance>, LinkError, ModuleError, std::string>;

    Result<std::shared_ptr<const Bytes>> bytes_of(JsonValue command) const;
    Loaded load(JsonValue command);
    Verdict module(JsonValue command);
    Verdict refused(JsonValue command, Refusal refusal);
    Verdict not_linked(JsonValue command, bool trapped);
    Verdict registered(JsonValue command);
    Ended act(JsonValue action);
    Verdict returned(JsonValue command, bool compare);
    Verdict trapped(JsonValue command, bool exhausted);
    [[nodiscard]] std::shared_ptr<Instance> instance(const std::string& name) const {
        const auto found = named_.find(name);
        return found == named_.end() ? nullptr : found->second;
    }

    std::filesystem::path folder_;
    ScriptOptions options_;
    Imports imports_;
    std::map<std::string, std::shared_ptr<Instance>> named_; ///< "" is the latest
    std::vector<std::shared_ptr<Instance>> all_; ///< tables hold addresses of their functions
    bool unclaimed_ = false;                     ///< the latest module was skipped
};

Result<std::shared_ptr<const Bytes>> Script::bytes_of(JsonValue command) const {
    auto file = FileContent::read(folder_ / text_of(command, "filename"));
    if (!file) return file.error();
    const ByteView view = file->bytes();
    return std::make_shared<const Bytes>(view.begin(), view.end());
}

Script::Loaded Script::load(JsonValue command) {
    auto bytes = bytes_of(command);
    if (!bytes) return bytes.error().message;
    auto decoded = decode(*bytes);
    if (auto* error = std::get_if<ModuleError>(&decoded)) return *error;
    auto module = std::make_shared<const Module>(std::move(std::get<Module>(decoded)));
    if (auto error = validate(*module)) return *error;
    auto program = lower(module);
    if (!program) return program.error().message;
    InstanceLimits limits;
    limits.memory_pages = options_.memory_pages;
    auto made = instantiate(*program, imports_, limits);
    if (auto* error = std::get_if<LinkError>(&made)) {
        if (error->survivor) all_.push_back(error->survivor);
        return std::move(*error);
    }
    if (auto* error = std::get_if<Error>(&made)) return std::move(error->message);
    all_.push_back(std::get<std::shared_ptr<Instance>>(made));
    return all_.back();
}

std::string text_of_error(const ModuleError& error) {
    return fmt::format("{} module at offset {}: {}",
                       error.refusal == Refusal::malformed ? "malformed" : "invalid", error.offset,
                       error.rule);
}

Verdict Script::module(JsonValue command) {
    const std::string name = text_of(command, "name");
    Loaded loaded = load(command);
    named_[""] = nullptr;
    unclaimed_ = false;
    if (auto* made = std::get_if<std::shared_ptr<Instance>>(&loaded)) {
        named_[""] = *made;
        if (!name.empty()) named_[name] = *made;
        return passed();
    }
    if (auto* error = std::get_if<ModuleError>(&loaded)) {
        const auto bytes = bytes_of(command);
        unclaimed_ = bytes.ok() && is_unclaimed(**bytes, *error);
        return unclaimed_ ? skipped() : failed(text_of_error(*error));
    }
    if (auto* error = std::get_if<LinkError>(&loaded)) return failed(error->text);
    return failed(std::get<std::string>(loaded));
}

Verdict Script::refused(JsonValue command, Refusal refusal) {
    if (text_of(command, "module_type") == "text") return skipped();
    const Loaded loaded = load(command);
    const auto* error = std::get_if<ModuleError>(&loaded);
    if (error != nullptr && error->refusal == refusal) return passed();
    const std::string found = error != nullptr ? text_of_error(*error) : "a module that loads";
    return failed(fmt::format("expected a module that is {} ({}), found {}",
                              refusal == Refusal::malformed ? "malformed" : "invalid",
                              text_of(command, "text"), found));
}

Verdict Script::not_linked(JsonValue command, bool trapped) {
    if (text_of(command, "module_type") == "text") return skipped();
    const Loaded loaded = load(command);
    const std::string text = text_of(command, "text");
    if (const auto* error = std::get_if<ModuleError>(&loaded))
        return failed(fmt::format("expected \"{}\", found {}", text, text_of_error(*error)));
    const auto* error = std::get_if<LinkError>(&loaded);
    if (error == nullptr)
        return failed(fmt::format("expected \"{}\", found a module that loads", text));
    if (error->trapped != trapped || (trapped && !says(text, error->text)))
        return failed(fmt::format("expected \"{}\", found \"{}\"", text, error->text));
    return passed();
}

Verdict Script::registered(JsonValue command) {
    const std::shared_ptr<Instance> found = instance(text_of(command, "name"));
    if (!found) return unclaimed_ ? skipped() : failed("register: no such module");
    for (const Export& item : found->program().module->exports)
        if (auto what = found->exported(item.name))
            imports_.insert_or_assign({text_of(command, "as"), item.name}, *std::move(what));
    return passed();
}

/// The index of an exported function in its instance's space.
std::optional<std::uint32_t> function_named(const Module& module, const std::string& name) {
    for (const Export& item : module.exports)
        if (item.kind == ExternalKind::function && item.name == name) return item.index;
    return std::nullopt;
}

Ended Script::act(JsonValue action) {
    Ended ended;
    const std::shared_ptr<Instance> at = instance(text_of(action, "module"));
    const std::string field = text_of(action, "field");
    if (!at) {
        ended.unclaimed = unclaimed_;
        ended.error = "no such module";
        return ended;
    }
    if (text_of(action, "type") == "get") {
        const auto found = at->exported(field);
        const auto* global = found ? std::get_if<std::shared_ptr<GlobalCell>>(&*found) : nullptr;
        if (global == nullptr) {
            ended.error = fmt::format("no global \"{}\"", field);
            return ended;
        }
        ended.run.results = {(*global)->value};
        ended.types = {(*global)->type.type};
        return ended;
    }
    const Module& module = *at->program().module;
    const std::optional<std::uint32_t> function = function_named(module, field);
    if (!function) {
        ended.error = fmt::format("no function \"{}\"", field);
        return ended;
    }
    const FunctionType& type = module.types[module.functions[*function]];
    std::vector<Cell> arguments;
    for (const JsonValue argument : action["args"].items()) {
        const std::optional<ScriptValue> value = read_value(argument);
        const std::size_t i = arguments.size();
        if (!value || i >= type.parameters.size() || type.parameters[i] != value->type) {
            ended.unclaimed = text_of(argument, "type") == "v128";
            ended.error = fmt::format("argument {} does not fit {}", i + 1, to_text(type));
            return ended;
        }
        arguments.push_back(value->cell);
    }
    if (arguments.size() != type.parameters.size()) {
        ended.error = fmt::format("{} arguments do not fit {}", arguments.size(), to_text(type));
        return ended;
    }
    ended.types = type.results;
    RunLimits limits;
    limits.steps = options_.steps;
    limits.stop = options_.stop;
    if (!options_.engine) {
        ended.run = Interpreter(*at).invoke(*function, arguments, limits);
        return ended;
    }
    auto run = options_.engine(*at, *function, arguments, limits);
    if (run) {
        ended.run = *std::move(run);
    } else if (run.error().code == ErrorCode::unavailable) {
        ended.ejected = run.error().message;
        (void)Interpreter(*at).invoke(*function, arguments, limits);
    } else {
        ended.error = run.error().message;
    }
    return ended;
}

std::string outcome_text(const RunResult& run) {
    if (run.outcome == Outcome::trapped)
        return fmt::format("the trap \"{}\"", name_of(run.trap.kind));
    return run.outcome == Outcome::returned ? "a return" : "no end within the step budget";
}

std::string all_text(const std::vector<ValueType>& types, const std::vector<Cell>& cells) {
    std::string text = "(";
    for (std::size_t i = 0; i < cells.size(); ++i)
        text += (i == 0 ? "" : ", ") + value_text(types[i], cells[i]);
    return text + ")";
}

Verdict Script::returned(JsonValue command, bool compare) {
    const Ended ended = act(command["action"]);
    if (ended.unclaimed) return skipped();
    if (!ended.ejected.empty()) return ejected(ended.ejected);
    if (!ended.error.empty()) return failed(ended.error);
    if (ended.run.outcome != Outcome::returned)
        return failed("expected a return, found " + outcome_text(ended.run));
    if (!compare) return passed();
    const JsonValue expected = command["expected"];
    // `either` may cover the whole list of results, or one of them.
    if (expected.is_absent()) return failed("no results expected");
    bool same = expected.size() == ended.run.results.size();
    std::string wanted;
    std::size_t i = 0;
    for (const JsonValue value : expected.items()) {
        same = same && matches(value, ended.types[i], ended.run.results[i]);
        wanted += (i++ == 0 ? "" : ", ") + value_text(value);
    }
    if (same) return passed();
    return failed(
        fmt::format("expected ({}), found {}", wanted, all_text(ended.types, ended.run.results)));
}

Verdict Script::trapped(JsonValue command, bool exhausted) {
    const Ended ended = act(command["action"]);
    if (ended.unclaimed) return skipped();
    if (!ended.ejected.empty()) return ejected(ended.ejected);
    if (!ended.error.empty()) return failed(ended.error);
    const std::string text = text_of(command, "text");
    const bool right = ended.run.outcome == Outcome::trapped &&
                       (exhausted ? ended.run.trap.kind == TrapKind::call_stack_exhausted
                                  : says(text, name_of(ended.run.trap.kind)));
    if (right) return passed();
    return failed(fmt::format("expected the trap \"{}\", found {}", text, outcome_text(ended.run)));
}

Verdict Script::command(JsonValue command) {
    const std::string type = text_of(command, "type");
    if (type == "module") return module(command);
    if (type == "register") return registered(command);
    if (type == "action") return returned(command, false);
    if (type == "assert_return") return returned(command, true);
    if (type == "assert_trap") return trapped(command, false);
    if (type == "assert_exhaustion") return trapped(command, true);
    if (type == "assert_malformed") return refused(command, Refusal::malformed);
    if (type == "assert_invalid") return refused(command, Refusal::invalid);
    if (type == "assert_unlinkable") return not_linked(command, false);
    if (type == "assert_uninstantiable") return not_linked(command, true);
    if (type == "assert_exception") return skipped(); // exception handling is not claimed
    return failed(fmt::format("unknown command \"{}\"", type));
}

} // namespace

Result<ScriptResult> run_spec_script(const std::filesystem::path& json,
                                     const ScriptOptions& options) {
    auto file = FileContent::read(json);
    if (!file) return file.error();
    const ByteView bytes = file->bytes();
    const auto document =
        JsonDocument::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                            json.string(), {.depth = 16}); // `either` within `either`
    if (!document) return document.error();
    const JsonValue root = document->root();
    if (!root.is_object() || !root["commands"].is_array()) {
        root["commands"].refuse("the commands of wast2json's JSON");
        return document->status().error();
    }
    auto host = spectest_module();
    if (!host) return host.error();
    Script script(json.parent_path(), options, *std::move(host));
    const std::string source = text_of(root, "source_filename");
    ScriptResult result;
    for (const JsonValue command : root["commands"].items()) {
        const Verdict verdict = script.command(command);
        if (const Status status = document->status(); !status) return status.error();
        switch (verdict.kind) {
        case Verdict::Kind::passed:
            result.passed += text_of(command, "type") != "register";
            break;
        case Verdict::Kind::skipped:
            result.skipped += text_of(command, "type") != "register";
            break;
        case Verdict::Kind::ejected:
            ++result.ejected;
            ++result.ejections[verdict.why];
            break;
        case Verdict::Kind::failed:
            ++result.failed;
            if (result.failures.size() < options.most_failures)
                result.failures.push_back(
                    {source.empty() ? json.string() : source, line_of(command), verdict.why});
        }
    }
    if (const Status status = document->status(); !status) return status.error();
    return result;
}

} // namespace blockloom::wasm
