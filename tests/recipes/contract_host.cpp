#include "contract_host.h"
#include "wasm/instantiate.h"

#include "wasm/module.h"

#include <QtGlobal>

#include <tuple>

namespace blockloom::tests {

namespace {

using wasm::Cell;
using wasm::HostAnswer;
using wasm::HostCall;
using wasm::ValueType;

constexpr std::size_t deepest = 20;

std::string id_bytes(Id id) {
    return u128_bytes(id.first) + u128_bytes(id.second);
}

/// A reader that stops being good at the first byte that is not there.
struct Cursor {
    std::string_view left;
    bool good = true;
    std::string take(std::size_t size) {
        good = good && size <= left.size();
        if (!good) return {};
        std::string part(left.substr(0, size));
        left.remove_prefix(size);
        return part;
    }
    u128 number() { return u128_from_bytes(take(16)).value_or(0); }
    std::uint32_t length() {
        const std::string raw = take(4);
        return good ? read_le<std::uint32_t>(as_bytes(raw).data()) : 0;
    }
    Id id() {
        const u128 block = number();
        return {block, number()};
    }
    Tokens parcel() {
        Tokens tokens;
        for (u128 count = number(); good && count > 0; --count) {
            const Id token = id();
            tokens.emplace_back(token, number());
        }
        return tokens;
    }
    Storage map() {
        Storage entries;
        for (std::uint32_t count = length(); good && count > 0; --count) {
            const std::string key = take(length());
            entries[key] = take(length());
        }
        return entries;
    }
};

std::string parcel_bytes(const Tokens& tokens) {
    std::string bytes = u128_bytes(tokens.size());
    for (const auto& [id, value] : tokens) bytes += id_bytes(id) + u128_bytes(value);
    return bytes;
}

std::string read_buffer(HostCall& call, Cell pointer) {
    const wasm::Memory& memory = *call.instance.memory();
    if (pointer < 4 || !memory.in_bounds(pointer - 4, 4)) return {};
    const auto size = read_le<std::uint32_t>(memory.data() + pointer - 4);
    if (!memory.in_bounds(pointer, size)) return {};
    return {reinterpret_cast<const char*>(memory.data() + pointer), size};
}

void write_buffer(HostCall& call, Cell pointer, const std::string& bytes) {
    wasm::Memory& memory = *call.instance.memory();
    if (pointer < 4 || !memory.in_bounds(pointer - 4, bytes.size() + 4)) {
        call.error = "buffer outside the memory";
        return;
    }
    const auto size = static_cast<std::uint32_t>(bytes.size());
    memory.mark_range(pointer - 4, bytes.size() + 4);
    std::memcpy(memory.data() + pointer - 4, &size, 4);
    std::memcpy(memory.data() + pointer, bytes.data(), bytes.size());
}

} // namespace

struct ContractHost::Frame {
    Id myself, caller, code;
    Tokens incoming;
    std::vector<u128> inputs;
    std::size_t depth = 0;
    std::uint64_t fuel = 0;
    std::string returned{}; ///< by the last nested call
    bool failed = false;
    std::vector<std::string> host_calls{};

    [[nodiscard]] std::string context() const {
        std::string bytes = id_bytes(myself) + id_bytes(caller) + u128_bytes(4);
        bytes += parcel_bytes(incoming);
        for (const u128 input : inputs) append_u128(bytes, input);
        return bytes;
    }
};

void ContractHost::put(Id id, recipes::Contract contract) {
    const ByteView code = recipes::code_of(contract);
    auto decoded = wasm::decode(std::make_shared<const Bytes>(code.begin(), code.end()));
    if (!std::holds_alternative<wasm::Module>(decoded)) qFatal("contract is malformed");
    auto module = std::make_shared<const wasm::Module>(std::get<wasm::Module>(std::move(decoded)));
    if (wasm::validate(*module)) qFatal("contract is invalid");
    auto program = wasm::lower(module);
    if (!program) qFatal("%s", program.error().message.c_str());
    code_[id] = *program;
}

Answer ContractHost::call(Id id, std::vector<u128> inputs, Tokens tokens) {
    const auto before = std::tuple(storage, balances, code_, next_);
    Frame frame{.myself = id,
                .caller = {0, 0},
                .code = id,
                .incoming = tokens,
                .inputs = std::move(inputs),
                .fuel = fuel};
    for (const auto& [token, value] : tokens) balances[id][token] += value;
    Answer answer = run(frame, "__execute");
    if (answer.ok() && !take(id, answer.transfers)) {
        answer.status = "revert";
        answer.text = "balance underflow";
    }
    if (answer.ok()) {
        for (const auto& [key, value] : answer.written) storage[id][key] = value;
    } else {
        std::tie(storage, balances, code_, next_) = before;
    }
    return answer;
}

std::string ContractHost::meta(Id id) {
    Frame frame{
        .myself = id, .caller = {0, 0}, .code = id, .incoming = {}, .inputs = {}, .fuel = fuel};
    return run(frame, "__meta").data;
}

/// Debits; a contract's own token may be made.
bool ContractHost::take(Id who, const Tokens& tokens) {
    for (const auto& [token, value] : tokens) {
        u128& held = balances[who][token];
        if (held < value && token != who) return false;
        held = held < value ? 0 : held - value;
    }
    return true;
}

Answer ContractHost::run(Frame& frame, const char* entry) {
    Answer answer;
    const auto program = code_.at(frame.code);
    wasm::InstanceLimits limits;
    limits.embedder_pages = 512;
    auto made = wasm::instantiate(program, imports(frame), limits);
    if (const auto* error = std::get_if<wasm::LinkError>(&made)) {
        answer.status = "error";
        answer.text = error->text;
        return answer;
    }
    const auto instance = std::get<0>(made);
    wasm::Interpreter interpreter(*instance);
    std::vector<wasm::FunctionProfile> profile;
    if (profile_ != nullptr) interpreter.set_profile(&profile);
    std::uint32_t function = 0;
    for (const wasm::Export& each : program->module->exports)
        if (each.name == entry) function = each.index;
    wasm::RunLimits run_limits;
    run_limits.fuel = frame.fuel;
    const wasm::RunResult result = interpreter.invoke(function, {}, run_limits);
    answer.fuel = result.fuel_used;
    answer.host_calls = frame.host_calls;
    for (std::size_t i = 0; i < profile.size(); ++i)
        (*profile_)[program->module->function_names.at(i)] += profile[i].self_fuel;
    if (result.outcome != wasm::Outcome::returned) {
        answer.status = "trap";
        answer.text = name_of(result.trap.kind) + (": " + result.trap.text);
        return answer;
    }
    std::vector<Cell> none;
    HostCall reader{.instance = *instance, .arguments = none, .results = none, .error = {}};
    const std::string bytes = read_buffer(reader, result.results.front());
    if (std::string_view(entry) == "__meta") {
        answer.data = bytes;
        return answer;
    }
    Cursor from{bytes};
    answer.transfers = from.parcel();
    answer.written = from.map();
    answer.data = std::string(from.left);
    if (frame.failed) {
        answer.status = "revert";
        answer.text = answer.data.substr(0, 4) == "\x08\xc3\x79\xa0" ? answer.data.substr(4) : "?";
    } else {
        answer.status = from.good ? "success" : "error";
    }
    return answer;
}

ContractHost::Nested ContractHost::nested(Frame& caller, Kind kind, const std::string& cellpack,
                                          const std::string& parcel, const std::string& checkpoint,
                                          std::uint64_t fuel_left) {
    Cursor packed{cellpack}, sent{parcel}, written{checkpoint};
    Id target = packed.id();
    std::vector<u128> inputs;
    while (!packed.left.empty()) inputs.push_back(packed.number());
    const Tokens tokens = sent.parcel();
    const auto failed = [&](const std::string& text) {
        caller.returned = parcel_bytes({}) + "\x08\xc3\x79\xa0" + text;
        return Nested{-static_cast<std::int32_t>(caller.returned.size()), caller.returned,
                      fuel_left};
    };
    if (target.first == 800000000) {
        caller.returned = parcel_bytes({}) + u128_bytes(target.second == 2 ? mints : coinbase);
        return {static_cast<std::int32_t>(caller.returned.size()), caller.returned, 0};
    }
    if (caller.depth >= deepest) return failed("too deep");
    const auto before = std::tuple(storage, balances, code_, next_);
    for (const auto& [key, value] : written.map()) storage[caller.myself][key] = value;
    if (target.first == 5 || target.first == 6) {
        const Id sample{target.first == 5 ? 2 : 4, target.second};
        target = {2, next_++};
        code_[target] = code_.at(sample);
    }
    Frame frame{.myself = kind == Kind::delegate ? caller.myself : target,
                .caller = kind == Kind::delegate ? caller.caller : caller.myself,
                .code = target,
                .incoming = tokens,
                .inputs = std::move(inputs),
                .depth = caller.depth + 1,
                .fuel = fuel_left};
    bool good = code_.contains(target);
    if (good && kind != Kind::delegate) {
        good = take(caller.myself, tokens);
        for (const auto& [token, value] : tokens) balances[target][token] += value;
    }
    Answer answer;
    if (good) answer = run(frame, "__execute");
    good = good && answer.ok() && (kind == Kind::delegate || take(target, answer.transfers));
    if (!good) {
        std::tie(storage, balances, code_, next_) = before;
        return failed(answer.text);
    }
    for (const auto& [key, value] : answer.written) storage[frame.myself][key] = value;
    if (kind != Kind::delegate)
        for (const auto& [token, value] : answer.transfers) balances[caller.myself][token] += value;
    caller.returned = parcel_bytes(answer.transfers) + answer.data;
    if (kind == Kind::fixed) std::tie(storage, balances, code_, next_) = before;
    return {static_cast<std::int32_t>(caller.returned.size()), caller.returned, answer.fuel};
}

wasm::Imports ContractHost::imports(Frame& frame) {
    using enum ValueType;
    wasm::Imports made;
    const auto add = [&](const std::string& name, std::vector<ValueType> parameters,
                         std::vector<ValueType> results, auto work) {
        auto host = std::make_shared<wasm::HostFunction>();
        host->name = name;
        host->type = {std::move(parameters), std::move(results)};
        host->call = [&frame, name, work](HostCall& call) {
            frame.host_calls.push_back(name);
            const std::int64_t result = work(call);
            if (!call.results.empty()) call.results[0] = static_cast<std::uint32_t>(result);
            return HostAnswer::done;
        };
        wasm::FunctionReference reference;
        reference.type = host->type;
        reference.host = host;
        made.insert_or_assign({"env", name}, reference);
    };
    const auto value_of = [this, &frame](HostCall& call) {
        const Storage& mine = storage[frame.myself];
        const auto at = mine.find(read_buffer(call, call.arguments[0]));
        return at == mine.end() ? std::string() : at->second;
    };
    add("abort", {i32, i32, i32, i32}, {}, [&frame](HostCall&) { return frame.failed = true, 0; });
    add("__request_storage", {i32}, {i32}, [value_of, &frame](HostCall& call) {
        frame.host_calls.back() += " " + read_buffer(call, call.arguments[0]);
        return static_cast<std::int64_t>(value_of(call).size());
    });
    add("__load_storage", {i32, i32}, {i32}, [value_of](HostCall& call) {
        write_buffer(call, call.arguments[1], value_of(call));
        return static_cast<std::int64_t>(call.arguments[1]);
    });
    add("__balance", {i32, i32, i32}, {}, [this](HostCall& call) {
        const std::string who = read_buffer(call, call.arguments[0]);
        const std::string what = read_buffer(call, call.arguments[1]);
        const auto& held = balances[Cursor{who}.id()];
        const auto at = held.find(Cursor{what}.id());
        write_buffer(call, call.arguments[2],
                     at == held.end() ? std::string() : u128_bytes(at->second));
        return 0;
    });
    const auto whole = [&](const std::string& request, const std::string& load, bool returns,
                           auto bytes) {
        add(request, {}, {i32},
            [bytes](HostCall&) { return static_cast<std::int64_t>(bytes().size()); });
        add(load, {i32}, returns ? std::vector{i32} : std::vector<ValueType>{},
            [bytes](HostCall& call) {
                write_buffer(call, call.arguments[0], bytes());
                return static_cast<std::int64_t>(call.arguments[0]);
            });
    };
    whole("__request_context", "__load_context", true, [&frame] { return frame.context(); });
    whole("__request_transaction", "__load_transaction", false, [this] { return transaction; });
    const auto eight = [](std::uint64_t number) {
        return std::string(reinterpret_cast<const char*>(&number), sizeof number);
    };
    add("__height", {i32}, {}, [this, eight](HostCall& call) {
        write_buffer(call, call.arguments[0], eight(height));
        return 0;
    });
    add("__fuel", {i32}, {}, [eight](HostCall& call) {
        write_buffer(call, call.arguments[0], eight(call.fuel_left));
        return 0;
    });
    add("__returndatacopy", {i32}, {}, [&frame](HostCall& call) {
        write_buffer(call, call.arguments[0], frame.returned);
        return 0;
    });
    const std::pair<const char*, Kind> calls[]{
        {"__call", Kind::call}, {"__delegatecall", Kind::delegate}, {"__staticcall", Kind::fixed}};
    for (const auto& [name, kind] : calls)
        add(name, {i32, i32, i32, i64}, {i32}, [this, &frame, kind = kind](HostCall& call) {
            const Nested result = nested(frame, kind, read_buffer(call, call.arguments[0]),
                                         read_buffer(call, call.arguments[1]),
                                         read_buffer(call, call.arguments[2]), call.fuel_left);
            call.fee = result.fuel;
            return static_cast<std::int64_t>(result.length);
        });
    return made;
}

} // namespace blockloom::tests
