// blockloom-cli alkanes call: one contract call outside any block.
#include "alkanes.h"
#include "alkanes/host_functions.h"
#include "alkanes/message.h"
#include "alkanes_call_world.h"
#include "base/file.h"
#include "compute/selection.h"
#include "execute/device/device_machine.h"
#include "gpuvm/runner.h"
#include "json_writer.h"
#include "rule_options.h"
#include "runs/contract_code_json.h"
#include "state/memory_state.h"
#include "terminal.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::cli {
namespace {

using alkanes::AlkaneId;

struct AlkanesCallOptions {
    std::string code, id = "2:0", caller = "0:0", inputs, tx, block, fuel_rule,
                      engine = "interpreter", backend = "cpu", network = "mainnet";
    std::vector<std::string> incoming, storage, balance, code_at, returns;
    std::uint64_t height = alkanes::usual_call_height(), fuel = 1'000'000'000;
    RuleOptions rules;
    std::uint32_t vout = 0;
    std::string sequence;
    CLI::Option* vout_given = nullptr;
    bool json = false;
};

Error wrong(const char* option, const std::string& expected, const std::string& found) {
    return {ErrorCode::wrong_usage, fmt::format("{}: expected {}, found {}", option, expected,
                                                found.empty() ? "nothing" : found)};
}

Result<AlkaneId> read_id(const char* option, std::string_view text) {
    const auto id = alkanes::id_from_text(text);
    if (!id) return wrong(option, "an id BLOCK:TX", std::string(text));
    return *id;
}

/// The parts of "LEFT=RIGHT".
Result<std::pair<std::string, std::string>> halves(const char* option, const std::string& text) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos) return wrong(option, "KEY=VALUE", text);
    return std::pair(text.substr(0, at), text.substr(at + 1));
}

Result<std::string> hex_bytes(const char* option, const std::string& text) {
    const auto bytes = from_hex(text.substr(0, 2) == "0x" ? text.substr(2) : text);
    if (!bytes) return wrong(option, "hexadecimal digits", text);
    return std::string(bytes->begin(), bytes->end());
}

/// "A:B:REST" cut at its second colon.
Result<std::pair<AlkaneId, std::string>> id_and_rest(const char* option, const std::string& text) {
    const std::size_t colon = text.find(':', text.find(':') + 1);
    if (text.find(':') == std::string::npos || colon == std::string::npos)
        return wrong(option, "B:T:VALUE", text);
    auto id = read_id(option, std::string_view(text).substr(0, colon));
    if (!id) return id.error();
    return std::pair(*id, text.substr(colon + 1));
}

Result<u128> amount_option(const char* option, const std::string& text) {
    const auto amount = u128_from_text(text);
    if (!amount) return wrong(option, "a number of at most 128 bits", text);
    return *amount;
}

/// The call and the state that the options describe.
struct Prepared {
    alkanes::MessageRequest request;
    state::MemoryState state;
    std::map<AlkaneId, std::string> answers;
    u128 sequence = 0;
};

Status put_code(Prepared& call, const AlkaneId& id, const std::string& file) {
    const auto content = FileContent::read(file);
    if (!content) return content.error();
    const ByteView bytes = content->bytes();
    const bool plain = alkanes::is_module(bytes);
    // Damaged code is for the engine to report; a file of another kind is a mistake of the user.
    if (!plain && (bytes.size() < 2 || bytes[0] != 0x1f || bytes[1] != 0x8b))
        return input_error(file, 0, "a WebAssembly module (00 61 73 6d) or a gzip of one (1f 8b)",
                           bytes.empty()
                               ? "an empty file"
                               : to_hex(bytes.first(std::min<std::size_t>(bytes.size(), 4))));
    call.state.apply(alkanes::code_entries(
        id, bytes, plain ? alkanes::CodeForm::plain : alkanes::CodeForm::gzip));
    if (id.block == 2) call.sequence = std::max(call.sequence, id.tx + 1);
    return {};
}

Status read_inputs(const AlkanesCallOptions& options, alkanes::Cellpack& cellpack) {
    if (options.inputs.empty()) return {};
    std::string_view rest = options.inputs;
    for (;;) {
        const std::size_t comma = rest.find(',');
        const auto input = amount_option("--inputs", std::string(rest.substr(0, comma)));
        if (!input) return input.error();
        cellpack.inputs.push_back(*input);
        if (comma == std::string_view::npos) return {};
        rest.remove_prefix(comma + 1);
    }
}

Status read_incoming(const AlkanesCallOptions& options, alkanes::Parcel& parcel) {
    for (const std::string& text : options.incoming) {
        const auto token = id_and_rest("--incoming", text);
        if (!token) return token.error();
        const auto value = amount_option("--incoming", token->second);
        if (!value) return value.error();
        parcel.push_back({token->first, *value});
    }
    return {};
}

Status read_state(const AlkanesCallOptions& options, const AlkaneId& id, Prepared& call) {
    for (const std::string& text : options.storage) {
        const auto pair = halves("--storage", text);
        if (!pair) return pair.error();
        const auto key = hex_bytes("--storage", pair->first);
        if (!key) return key.error();
        const auto value = hex_bytes("--storage", pair->second);
        if (!value) return value.error();
        call.state.put(alkanes::storage_key(id, *key), *value);
    }
    for (const std::string& text : options.balance) {
        const auto pair = halves("--balance", text);
        if (!pair) return pair.error();
        const auto who = id_and_rest("--balance", pair->first);
        if (!who) return who.error();
        const auto what = read_id("--balance", who->second);
        if (!what) return what.error();
        const auto value = amount_option("--balance", pair->second);
        if (!value) return value.error();
        call.state.put(alkanes::balance_key(who->first, *what), u128_bytes(*value));
    }
    return {};
}

Status read_others(const AlkanesCallOptions& options, Prepared& call) {
    for (const std::string& text : options.code_at) {
        const auto pair = halves("--code-at", text);
        if (!pair) return pair.error();
        const auto id = read_id("--code-at", pair->first);
        if (!id) return id.error();
        if (const Status put = put_code(call, *id, pair->second); !put) return put;
    }
    for (const std::string& text : options.returns) {
        const auto pair = halves("--returns", text);
        if (!pair) return pair.error();
        const auto id = read_id("--returns", pair->first);
        if (!id) return id.error();
        const auto bytes = hex_bytes("--returns", pair->second);
        if (!bytes) return bytes.error();
        call.answers.insert_or_assign(*id, *bytes);
    }
    return {};
}

Result<Prepared> prepare(const AlkanesCallOptions& options) {
    Prepared call;
    const auto id = read_id("--id", options.id), caller = read_id("--caller", options.caller);
    if (!id) return id.error();
    if (!caller) return caller.error();
    call.request.caller = *caller;
    call.request.cellpack.emplace().target = *id;
    for (const Status& read :
         {put_code(call, *id, options.code), read_inputs(options, *call.request.cellpack),
          read_incoming(options, call.request.incoming), read_state(options, *id, call),
          read_others(options, call)})
        if (!read) return read.error();
    if (!options.sequence.empty()) {
        const auto sequence = amount_option("--sequence", options.sequence);
        if (!sequence) return sequence.error();
        call.sequence = *sequence;
    }
    call.state.put(alkanes::sequence_key(), u128_bytes(call.sequence));
    return call;
}

std::string hex(std::string_view bytes) {
    return to_hex(as_bytes(bytes));
}

void write_value(JsonWriter& json, const state::Value& value) {
    if (value)
        json.field("value", hex(*value));
    else
        json.field("value", std::nullopt);
}

void write_log(JsonWriter& json, const state::TransactionLog& log) {
    json.key("reads");
    json.begin_array();
    for (const state::Read& read : log.reads) {
        json.begin_object();
        json.field("key", alkanes::key_text(read.key));
        write_value(json, read.value);
        json.end_object();
    }
    json.end_array();
    json.key("writes");
    json.begin_array();
    for (const auto& [key, value] : log.writes) {
        json.begin_object();
        json.field("key", alkanes::key_text(key));
        write_value(json, value);
        json.end_object();
    }
    json.end_array();
}

void write_host_calls(JsonWriter& json, const alkanes::MessageRun& run) {
    json.key("host_calls");
    json.begin_array();
    for (const alkanes::HostCallRecord& call : run.host_calls) {
        json.begin_object();
        json.field("name", call.name);
        json.key("arguments");
        json.begin_array();
        for (const std::string& argument : call.arguments) json.value(argument);
        json.end_array();
        json.field("result", call.result);
        json.field("fee", call.fee);
        json.field("level", call.level);
        json.end_object();
    }
    json.end_array();
}

/// The engine that ran the call, and the reason where one could not.
struct CallEngine {
    std::string engine, ejection = "unsupported";
    std::optional<std::uint64_t> host_answers; ///< to calls that a device left to the host
    std::vector<execute::ContractCode> code;   ///< what the device ran
};

/// As `device_code` of a run (runs/contract_code_json.h).
void add_code(JsonWriter& json, const std::vector<execute::ContractCode>& all) {
    const auto optional = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional<std::string_view>(text);
    };
    json.key("device_code");
    json.begin_array();
    for (const execute::ContractCode& each : all) {
        const runs::KeptCode code = runs::kept_code(each);
        json.begin_object();
        json.field("module", code.module);
        json.key("contracts");
        json.begin_array();
        for (const std::string& id : code.contracts) json.value(id);
        json.end_array();
        json.field("function", std::uint64_t{code.function});
        json.field("state", optional(code.state));
        json.field("refusal", optional(code.refusal));
        json.field("compilations", code.compilations);
        json.field("kept_before", code.from_earlier);
        json.field("compile_ns", static_cast<std::uint64_t>(code.compile_time));
        json.field("last_compile_ns", static_cast<std::uint64_t>(code.last_time));
        json.field("lane_bytes", code.lane_bytes);
        json.field("windows", code.windows);
        json.key("lanes");
        json.begin_object();
        json.field("compiled", code.compiled);
        json.field("interpreted", code.interpreted);
        json.field("on_processor", code.on_processor);
        json.key("ejected");
        json.begin_object();
        for (const auto& [why, count] : code.ejected) json.field(why, count);
        json.end_object();
        json.end_object();
        json.end_object();
    }
    json.end_array();
}

std::string to_json(const CallEngine& ran_on, const alkanes::MessageOutcome& outcome,
                    const alkanes::MessageRun& run, const state::TransactionLog& log) {
    const alkanes::CallOutcome& call = outcome.call;
    const bool ejected = outcome.verdict.status == alkanes::CallStatus::ejected;
    JsonWriter json;
    json.begin_object();
    json.field("status", alkanes::name_of(outcome.verdict.status));
    json.field("engine", ran_on.engine);
    json.field("ejection",
               ejected ? std::optional<std::string_view>(ran_on.ejection) : std::nullopt);
    if (ran_on.host_answers) json.field("host_answers", *ran_on.host_answers);
    if (ran_on.host_answers) add_code(json, ran_on.code);
    json.field("response", hex(call.bytes));
    json.key("transfers");
    json.begin_array();
    for (const alkanes::Transfer& transfer : call.response.transfers) {
        json.begin_object();
        json.field("id", alkanes::id_text(transfer.id));
        json.field("value", transfer.value);
        json.end_object();
    }
    json.end_array();
    json.key("storage");
    json.begin_object();
    for (const auto& [key, value] : call.response.storage) json.field(hex(key), hex(value));
    json.end_object();
    json.field("data", hex(call.response.data));
    json.field("error", outcome.verdict.text);
    json.field("fuel_used", call.gas);
    json.field("fuel_rule", wasm::name_of(run.surroundings().rules.fuel));
    json.field("fuel_doubt", run.fuel_doubt.empty()
                                 ? std::nullopt
                                 : std::optional<std::string_view>(run.fuel_doubt));
    json.field("steps", run.steps);
    write_log(json, log);
    write_host_calls(json, run);
    json.key("pages");
    json.begin_object();
    json.field("touched", std::uint64_t{call.touched_pages});
    json.field("final", call.final_pages);
    json.end_object();
    json.end_object();
    return json.text();
}

std::string to_text(const alkanes::MessageOutcome& outcome, const alkanes::MessageRun& run,
                    const state::TransactionLog& log) {
    const alkanes::CallOutcome& call = outcome.call;
    std::string text =
        fmt::format("{}{}{}\n", alkanes::name_of(outcome.verdict.status),
                    outcome.verdict.text.empty() ? "" : ": ", printable(outcome.verdict.text));
    for (const alkanes::Transfer& transfer : call.response.transfers)
        text += fmt::format("transfer {} of {}\n", u128_text(transfer.value),
                            alkanes::id_text(transfer.id));
    for (const auto& [key, value] : log.writes)
        text +=
            fmt::format("write {} = {}\n", alkanes::key_text(key), value ? hex(*value) : "nothing");
    if (!call.response.data.empty()) text += fmt::format("data {}\n", hex(call.response.data));
    text += fmt::format("{} fuel ({}), {} steps, {} host calls, {} reads\n", call.gas,
                        wasm::name_of(run.surroundings().rules.fuel), run.steps,
                        run.host_calls.size(), log.reads.size());
    if (!run.fuel_doubt.empty())
        text += fmt::format("The fuel is uncertain: {}\n", printable(run.fuel_doubt));
    return text;
}

/// The first usable device of the backend, or the one of the settings.
Result<std::unique_ptr<execute::DeviceCalls>> open_device(const std::string& backend) {
    auto settings = compute::read_settings();
    if (!settings) return settings.error();
    settings->backend.choose(backend, "--backend");
    auto opened = compute::open_provider(*settings);
    if (!opened) return opened.error();
    gpuvm::Options how;
    how.time_out = settings->timeout.value;
    how.tapes = gpuvm::Runner::single_calls().tapes;
    how.wait_for_code = true;
    return execute::DeviceCalls::make(opened->provider, how);
}

Result<int> call(const AlkanesCallOptions& options, const Context& context) {
    std::unique_ptr<execute::DeviceCalls> device;
    std::optional<execute::DeviceMachine> machine;
    if (options.backend != "cpu") {
        auto opened = open_device(options.backend);
        if (!opened) return opened.error();
        device = *std::move(opened);
        machine.emplace(*device);
    }
    const auto network = alkanes::network_from_name(options.network);
    auto prepared = prepare(options);
    if (!prepared) return prepared.error();
    alkanes::Rules rules = alkanes::rules_at(*network, options.height, options.rules.line());
    const auto world = open_call_world(options.tx, options.block, options.height, rules);
    if (!world) return world.error();

    alkanes::Surroundings surroundings;
    world->describe(surroundings);
    surroundings.height = options.height;
    // A single call runs at any height, and with the fuel that it is given.
    rules.active = true;
    rules.gasless = false;
    rules.fuel =
        wasm::fuel_rule_from_name(options.fuel_rule).value_or(alkanes::usual_fuel(*network));
    surroundings.rules = rules;
    surroundings.window_sequence = prepared->sequence;
    surroundings.record = surroundings.keep_response = true;
    surroundings.answers = &prepared->answers;
    surroundings.stop = &context.stop;
    // The generated block has no message; a called mint counts as one of its block.
    const alkanes::Cellpack& cellpack = *prepared->request.cellpack;
    if (world->own_block && cellpack.target == AlkaneId{2, 0} && !cellpack.inputs.empty() &&
        cellpack.inputs.front() == 77)
        surroundings.mint_transactions = std::max<std::uint64_t>(world->mint_transactions, 1);

    alkanes::Runtime runtime(alkanes::host_imports, std::make_shared<alkanes::Contracts>(),
                             options.engine == "native" ? alkanes::Engine::native
                                                        : alkanes::Engine::interpreter);
    if (machine) runtime.machine = &*machine;
    state::Overlay overlay(prepared->state);
    overlay.begin_task();
    const std::uint32_t vout =
        options.vout_given->count() != 0 ? options.vout : world->outputs() + 1;
    alkanes::MessageRun run(runtime, surroundings, overlay, vout);
    alkanes::Budget budget(options.fuel);
    auto outcome = alkanes::run_message(run, prepared->request, budget);
    CallEngine ran_on;
    ran_on.engine = machine ? options.backend : options.engine;
    if (device) {
        ran_on.host_answers = device->work().host_calls;
        ran_on.code = device->contract_code();
    }
    if (!outcome) {
        if (!machine || machine->ejection.empty()) return outcome.error();
        ran_on.ejection = machine->ejection;
        alkanes::MessageOutcome ejected;
        ejected.verdict = {alkanes::CallStatus::ejected, outcome.error().message};
        for (const std::string& note : device->take_notes()) ejected.verdict.text += "; " + note;
        outcome = std::move(ejected);
    }
    const auto log = overlay.finish();
    if (!log) return log.error();
    print(options.json ? to_json(ran_on, *outcome, run, *log) : to_text(*outcome, run, *log));
    return outcome->verdict.status == alkanes::CallStatus::ejected
               ? status_of(ErrorCode::unavailable)
               : 0;
}

void add_state_options(CLI::App& command, AlkanesCallOptions& options) {
    const auto many = [&](const char* name, std::vector<std::string>& values, const char* what,
                          const char* form) {
        command.add_option(name, values, what)->type_name(form)->take_all()->default_str("");
    };
    many("--incoming", options.incoming, "Tokens sent with the call, in order", "B:T:V");
    many("--storage", options.storage, "An entry in the contract's storage", "KEYHEX=VALHEX");
    many("--balance", options.balance, "Balance of a token held by a contract",
         "HOLDER:TOKEN=AMOUNT");
    many("--code-at", options.code_at, "Code of another contract", "ID=FILE");
    many("--returns", options.returns,
         "Answer calls to an id with these bytes: the whole CallResponse, parcel then data",
         "ID=HEX");
    command
        .add_option("--sequence", options.sequence,
                    "Counter of [2, n] ids [one past the highest id given]")
        ->type_name("N")
        ->default_str("");
}

} // namespace

Command add_alkanes_call(CLI::App& group) {
    auto options = std::make_shared<AlkanesCallOptions>();
    CLI::App* command = group.add_subcommand("call", "Make one contract call outside any block");
    command->add_option("--code", options->code, "The contract: a module, plain or gzip")
        ->required()
        ->type_name("FILE");
    command->add_option("--id", options->id, "Id of the contract")->type_name("B:T");
    command->add_option("--caller", options->caller, "Id of the caller; 0:0 is the message itself")
        ->type_name("B:T");
    command->add_option("--inputs", options->inputs, "Inputs; the first is the opcode")
        ->type_name("N,N…");
    add_state_options(*command, *options);
    command->add_option("--height", options->height, "Height of the block");
    options->vout_given = command
                              ->add_option("--vout", options->vout,
                                           "Shadow vout [number of outputs of the transaction + 1]")
                              ->default_str("");
    command->add_option("--tx", options->tx, "The transaction [a minimal valid one]")
        ->type_name("FILE|HEX");
    command->add_option("--block", options->block, "The block [a minimal valid one]")
        ->type_name("FILE|HEX");
    command->add_option("--network", options->network, "Network whose heights and constants apply")
        ->check(CLI::IsMember({"mainnet", "regtest", "blockloom"}));
    options->rules.add_line_to(*command);
    command->add_option("--fuel", options->fuel, "Fuel limit of the call")
        ->check(CLI::Validator(
            [](const std::string& given) {
                return given == "exact" ? "expected a number; see --fuel-rule" : std::string();
            },
            ""));
    command
        ->add_option(
            "--fuel-rule", options->fuel_rule,
            "Fuel as wasmi 0.37.2 meters it (exact; derived, docs/fuel.md), or by number of "
            "instructions (counted) [exact; network blockloom: counted]")
        ->check(CLI::IsMember({"counted", "exact"}))
        ->default_str("");
    command->add_option("--engine", options->engine, "Engine, without fallback to another one")
        ->check(CLI::IsMember({"interpreter", "native"}));
    command->add_option("--backend", options->backend, "Where the call runs")
        ->check(CLI::IsMember({"cpu", "vulkan", "cuda", "simt"}));
    command->add_flag("--json", options->json, "One JSON document on standard output");
    command->footer(
        "Example: blockloom-cli alkanes call --code token.wasm --id 2:5 --inputs 77 --json\n"
        "A revert or a trap is a result: exit status 0, and \"status\" names it. Exit status 4\n"
        "if the engine cannot run the contract (status \"ejected\").\n"
        "Numbers may be hexadecimal (0x4d). A call runs at any height; [32, 0] also runs with\n"
        "the fuel given.");
    return {command, [options](const Context& context) { return call(*options, context); }};
}

} // namespace blockloom::cli
