// Contracts that are nothing but host calls, on memory of any content: never a crash, the books are
// right, the log is accepted where the message ran, and a second run gives the same.
//
// Input: a byte for height, fuel and caller's tokens; a byte of memory size in units of 8; the
// memory's bytes, from 1024 on; then host calls: a byte for the function and one a pointer. The
// last byte that is left over is the response's pointer.
#include "alkanes/host_functions.h"
#include "alkanes/message.h"
#include "state/acceptance.h"
#include "state/memory_state.h"

#include <array>
#include <cstdlib>

using namespace blockloom;
using namespace blockloom::alkanes;

namespace {

void must(bool holds) {
    if (!holds) std::abort();
}

struct Import {
    const char* name;
    std::uint8_t pointers;
    bool fuel, answers;
};

constexpr std::array imports{
    Import{"abort", 4, false, false},
    Import{"__request_storage", 1, false, true},
    Import{"__load_storage", 2, false, true},
    Import{"__log", 1, false, false},
    Import{"__balance", 3, false, false},
    Import{"__request_context", 0, false, true},
    Import{"__load_context", 1, false, true},
    Import{"__sequence", 1, false, false},
    Import{"__fuel", 1, false, false},
    Import{"__height", 1, false, false},
    Import{"__returndatacopy", 1, false, false},
    Import{"__request_transaction", 0, false, true},
    Import{"__load_transaction", 1, false, false},
    Import{"__request_block", 0, false, true},
    Import{"__load_block", 1, false, false},
    Import{"__call", 3, true, true},
    Import{"__delegatecall", 3, true, true},
    Import{"__staticcall", 3, true, true},
    Import{"__is_dry_run", 0, false, true},
    Import{"__record_get", 1, false, false},
    Import{"__record_put", 1, false, false},
};

void put_u32(Bytes& to, std::uint32_t value) {
    do {
        const auto low = static_cast<Byte>(value & 0x7f);
        value >>= 7;
        to.push_back(static_cast<Byte>(low | (value != 0 ? 0x80 : 0)));
    } while (value != 0);
}

void put_i32(Bytes& to, std::int32_t value) {
    for (;;) {
        const auto low = static_cast<Byte>(value & 0x7f);
        value >>= 7;
        const bool done = (value == 0 && (low & 0x40) == 0) || (value == -1 && (low & 0x40) != 0);
        to.push_back(static_cast<Byte>(low | (done ? 0 : 0x80)));
        if (done) return;
    }
}

void put_text(Bytes& to, std::string_view text) {
    put_u32(to, static_cast<std::uint32_t>(text.size()));
    for (const char each : text) to.push_back(static_cast<Byte>(each));
}

void put_section(Bytes& to, Byte id, const Bytes& content) {
    to.push_back(id);
    put_u32(to, static_cast<std::uint32_t>(content.size()));
    to.insert(to.end(), content.begin(), content.end());
}

/// Near the memory's content, at an edge of memory, or beyond it.
std::int32_t pointer_of(Byte choice) {
    switch (choice) {
    case 255:
        return -1;
    case 254:
        return 0;
    case 253:
        return 3;
    case 252:
        return 512 * 65'536;
    case 251:
        return 512 * 65'536 - 2;
    default:
        return 1024 + 4 * choice;
    }
}

/// The module of a contract with this memory and these calls.
Bytes module_of(ByteView memory, ByteView calls) {
    Bytes types, linked, functions{1, static_cast<Byte>(imports.size())}, memories{1, 0, 1};
    put_u32(types, static_cast<std::uint32_t>(imports.size() + 1));
    put_u32(linked, static_cast<std::uint32_t>(imports.size()));
    for (std::size_t i = 0; i < imports.size(); ++i) {
        const Import& import = imports[i];
        types.push_back(0x60);
        put_u32(types, import.pointers + (import.fuel ? 1U : 0U));
        types.insert(types.end(), import.pointers, 0x7f);
        if (import.fuel) types.push_back(0x7e);
        types.push_back(import.answers ? 1 : 0);
        if (import.answers) types.push_back(0x7f);
        put_text(linked, "env");
        put_text(linked, import.name);
        linked.push_back(0);
        put_u32(linked, static_cast<std::uint32_t>(i));
    }
    types.insert(types.end(), {0x60, 0, 1, 0x7f});
    Bytes exports{2};
    put_text(exports, "memory");
    exports.insert(exports.end(), {2, 0});
    put_text(exports, "__execute");
    exports.push_back(0);
    put_u32(exports, static_cast<std::uint32_t>(imports.size()));

    Bytes body{0};
    std::size_t at = 0;
    while (at < calls.size()) {
        const std::size_t number = calls[at] % imports.size();
        const Import& import = imports[number];
        if (calls.size() - at - 1 < import.pointers) break;
        ++at;
        for (int i = 0; i < import.pointers; ++i) {
            body.push_back(0x41);
            put_i32(body, pointer_of(calls[at++]));
        }
        if (import.fuel) body.insert(body.end(), {0x42, 0});
        body.push_back(0x10);
        put_u32(body, static_cast<std::uint32_t>(number));
        if (import.answers) body.push_back(0x1a);
    }
    body.push_back(0x41);
    put_i32(body, pointer_of(at < calls.size() ? calls.back() : 0));
    body.push_back(0x0b);
    Bytes code{1};
    put_u32(code, static_cast<std::uint32_t>(body.size()));
    code.insert(code.end(), body.begin(), body.end());

    Bytes data{1, 0, 0x41};
    put_i32(data, 1020);
    data.push_back(0x0b);
    put_u32(data, static_cast<std::uint32_t>(memory.size()));
    data.insert(data.end(), memory.begin(), memory.end());

    Bytes module{0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0};
    put_section(module, 1, types);
    put_section(module, 2, linked);
    put_section(module, 3, functions);
    put_section(module, 5, memories);
    put_section(module, 7, exports);
    put_section(module, 10, code);
    put_section(module, 11, data);
    return module;
}

struct Ran {
    CallStatus status;
    std::string text;
    std::uint64_t gas = 0, steps = 0;
    state::TransactionLog log;
};

constexpr AlkaneId self{2, 5};

Ran run(const state::MemoryState& state, const Surroundings& around, bool tokens,
        std::uint64_t fuel) {
    Runtime runtime(alkanes::host_imports, std::make_shared<Contracts>());
    state::Overlay overlay(state);
    overlay.begin_task();
    MessageRun work(runtime, around, overlay, 4);
    MessageRequest request;
    request.cellpack = {self, {77, 0}};
    if (tokens) request.incoming = {{self, 9}, {{2, 6}, 5}};
    Budget budget(fuel);
    const auto outcome = run_message(work, request, budget);
    must(outcome.ok());
    must(outcome->verdict.ok() || !outcome->verdict.text.empty());
    must(outcome->verdict.status != CallStatus::ejected);
    // What a failed callee used is not taken from its caller, which is doomed from there on.
    must(!outcome->verdict.ok() || work.steps <= fuel);
    must(budget.use().drained == !outcome->verdict.ok());
    must(budget.use().gas <= fuel);
    must(overlay.depth() == 0);
    auto log = overlay.finish();
    must(log.ok());
    must(outcome->verdict.ok() || log->writes.empty());
    must(*state::accepts(*log, state));
    return {outcome->verdict.status, outcome->verdict.text, outcome->call.gas, work.steps,
            *std::move(log)};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const ByteView input(data, size);
    const Byte choices = input[0];
    const std::size_t most = std::min<std::size_t>(std::size_t{8} * input[1], size - 2);
    const ByteView memory = input.subspan(2, most), calls = input.subspan(2 + most);
    if (calls.size() > 200) return 0;
    state::MemoryState state;
    state.apply(code_entries(self, module_of(memory, calls), CodeForm::plain));
    state.apply(clone_entries({4, 33}, self));
    state.put(storage_key(self, "key"), state::Value("value"));
    state.put(balance_key(self, {2, 6}), u128_bytes(7));
    state.put(sequence_key(), u128_bytes(8));

    const Bytes block(120, 5);
    Surroundings around;
    constexpr std::array<std::uint64_t, 4> heights{890'000, 945'000, 960'000, 980'000};
    around.height = heights[choices & 3];
    around.rules = rules_at(Network::mainnet, around.height,
                            (choices & 128) != 0 ? RuleLine::develop : RuleLine::released);
    around.rules.watched_imports = true;
    around.block = block;
    around.header = around.block.first(80);
    around.coinbase = around.transaction = around.block.subspan(80);
    around.window_sequence = 8;
    around.deployed = (choices & 8) != 0 ? &block : nullptr;
    around.record = (choices & 16) != 0;
    around.dry_run = (choices & 32) != 0;
    const std::uint64_t fuel = (choices & 64) != 0 ? 20'000 : 2'000;
    const Ran first = run(state, around, (choices & 4) != 0, fuel);
    const Ran again = run(state, around, (choices & 4) != 0, fuel);
    must(first.status == again.status && first.text == again.text);
    must(first.gas == again.gas && first.steps == again.steps);
    must(first.log.reads == again.log.reads && first.log.writes == again.log.writes);
    return 0;
}
