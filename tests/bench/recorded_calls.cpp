#include "recorded_calls.h"

#include "alkanes/guest_memory.h"
#include "alkanes/host_functions.h"
#include "alkanes/message_run.h"
#include "profile/tick.h"

#include <map>
#include <utility>

namespace blockloom::bench {
namespace {

struct Recorder {
    std::vector<RecordedCall> done, open;
    bool waits = true; ///< the next call of the host is the first of its contract
};
Recorder* recorder = nullptr;

/// Where the call being made again is; several threads may make calls.
thread_local const RecordedCall* now = nullptr;
thread_local std::size_t next = 0;
thread_local bool strayed = false;

/// Longer ones are what lies where nothing was written.
constexpr std::size_t most_written = 8U << 20U;

/// The argument that says where a function writes; none: it writes nothing.
int output_of(std::string_view name) {
    static const std::map<std::string_view, int> outputs{
        {"__load_storage", 1},   {"__load_context", 0}, {"__balance", 2},
        {"__sequence", 0},       {"__fuel", 0},         {"__height", 0},
        {"__returndatacopy", 0}, {"__load_block", 0},   {"__load_transaction", 0}};
    const auto found = outputs.find(name);
    return found == outputs.end() ? -1 : found->second;
}

void close_open_above(std::size_t depth) {
    while (recorder->open.size() > depth) {
        recorder->done.push_back(std::move(recorder->open.back()));
        recorder->open.pop_back();
    }
}

wasm::HostAnswer record(const wasm::HostFunction& real, bool nests, wasm::HostCall& call,
                        alkanes::Frame* const& running) {
    if (recorder->waits) {
        // Nested calls find no fuel of their own recorded: what is left at their first call will
        // do, as nothing looks at it but the limit.
        recorder->open.push_back(
            {call.instance.shared_program(),
             running->level == 0 ? running->run.message_fuel : call.fuel_left + 1'000'000,
             {}});
        recorder->waits = false;
    }
    const std::size_t depth = recorder->open.size();
    if (nests) recorder->waits = true;
    const wasm::HostAnswer answer = real.call(call);
    close_open_above(depth);
    recorder->waits = false;
    RecordedAnswer kept;
    kept.fee = call.fee;
    kept.error = !call.error.empty();
    if (!call.results.empty()) kept.result = call.results[0];
    if (const int output = output_of(real.name); output >= 0) {
        kept.pointer = static_cast<std::uint32_t>(call.arguments[static_cast<std::size_t>(output)]);
        if (const auto bytes = alkanes::GuestMemory(*call.instance.memory()).read(kept.pointer);
            bytes && bytes->size() <= most_written) {
            kept.bytes = *bytes;
            kept.writes = true;
        }
    }
    recorder->open.back().answers.push_back(std::move(kept));
    return answer;
}

wasm::HostAnswer repeat(wasm::HostCall& call) {
    if (next == now->answers.size() || now->answers[next].error) {
        strayed = strayed || next == now->answers.size();
        call.error = "the record ends here";
        return wasm::HostAnswer::done;
    }
    const RecordedAnswer& answer = now->answers[next++];
    if (answer.writes)
        (void)alkanes::GuestMemory(*call.instance.memory()).write(answer.pointer, answer.bytes);
    if (!call.results.empty()) call.results[0] = answer.result;
    call.fee = answer.fee;
    return wasm::HostAnswer::done;
}

template <typename Wrap> wasm::Imports wrapped(alkanes::Frame* const& running, const Wrap& wrap) {
    wasm::Imports imports = alkanes::host_imports(running);
    for (auto& [name, external] : imports) {
        auto& reference = std::get<wasm::FunctionReference>(external);
        auto host = std::make_shared<wasm::HostFunction>(*reference.host);
        host->call = wrap(reference.host);
        reference.host = std::move(host);
    }
    return imports;
}

} // namespace

CallRecording::CallRecording() {
    recorder = new Recorder;
}

CallRecording::~CallRecording() {
    delete std::exchange(recorder, nullptr);
}

wasm::Imports CallRecording::imports(alkanes::Frame* const& running) {
    return wrapped(running, [&running](const std::shared_ptr<const wasm::HostFunction>& real) {
        const bool nests = real->name == "__call" || real->name == "__delegatecall" ||
                           real->name == "__staticcall";
        return [real, nests, at = &running](wasm::HostCall& call) {
            return recorder == nullptr ? real->call(call) : record(*real, nests, call, *at);
        };
    });
}

void CallRecording::next_message() {
    close_open_above(0);
    recorder->waits = true;
}

std::vector<RecordedCall> CallRecording::take() {
    next_message();
    return std::move(recorder->done);
}

CallReplay::CallReplay(std::shared_ptr<alkanes::Contracts> contracts)
    : runtime_(&CallReplay::imports, std::move(contracts), alkanes::Engine::native,
               alkanes::Runtime::MachineCode::awaited) {}

wasm::Imports CallReplay::imports(alkanes::Frame* const& running) {
    return wrapped(running, [](const std::shared_ptr<const wasm::HostFunction>&) {
        return [](wasm::HostCall& call) { return repeat(call); };
    });
}

bool CallReplay::make(const std::shared_ptr<const alkanes::Contract>& contract,
                      const RecordedCall& call) {
    auto acquired = runtime_.acquire(contract);
    if (!acquired || !std::holds_alternative<alkanes::Runtime::Machine>(*acquired)) return false;
    auto& machine = std::get<alkanes::Runtime::Machine>(*acquired);
    now = &call;
    next = 0;
    strayed = false;
    wasm::RunLimits limits;
    limits.fuel = call.fuel;
    const profile::Tick begin = profile::tick();
    const auto ran = machine.invoke(contract->execute, limits);
    ticks_ += profile::tick() - begin;
    return ran && !strayed && next == call.answers.size();
}

std::uint64_t CallReplay::take_ticks() noexcept {
    return std::exchange(ticks_, 0);
}

} // namespace blockloom::bench
