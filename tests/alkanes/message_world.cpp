#include "alkanes/message_world.h"

#include "alkanes/host_functions.h"

#include <QtTest>

namespace calls {

std::optional<state::Value> Ran::written(const std::string& key) const {
    for (const auto& [name, value] : log.writes)
        if (name == key) return value;
    return std::nullopt;
}

bool Ran::reads(const std::string& key) const {
    for (const state::Read& read : log.reads)
        if (read.key == key) return true;
    return false;
}

World::World(std::uint64_t height) : block(200), transaction(90) {
    for (std::size_t i = 0; i < block.size(); ++i) block[i] = static_cast<Byte>(i);
    for (std::size_t i = 0; i < transaction.size(); ++i)
        transaction[i] = static_cast<Byte>(200 - i);
    surroundings.height = height;
    surroundings.rules = alkanes::rules_at(alkanes::Network::mainnet, height);
    surroundings.mint_transactions = 4;
    surroundings.coinbase_total = 315'409'091;
    surroundings.record = true;
    surroundings.events = true;
    state.put(alkanes::sequence_key(), u128_bytes(100));
    surroundings.window_sequence = 100;
}

void World::put(const AlkaneId& id, const Bytes& module) {
    state.apply(alkanes::code_entries(id, module, alkanes::CodeForm::plain));
}

Ran World::run(alkanes::Engine engine, const alkanes::MessageRequest& request) {
    surroundings.block = block;
    surroundings.header = ByteView(block).first(80);
    surroundings.coinbase = ByteView(block).subspan(80, 60);
    surroundings.transaction = transaction;
    alkanes::Runtime runtime(alkanes::host_imports, contracts_, engine);
    state::Overlay overlay(state);
    overlay.begin_task();
    alkanes::MessageRun work(runtime, surroundings, overlay, 4);
    alkanes::Budget budget(fuel);
    auto outcome = alkanes::run_message(work, request, budget);
    if (!outcome) qFatal("run_message: %s", outcome.error().message.c_str());
    auto log = overlay.finish();
    if (!log) qFatal("overlay: %s", log.error().message.c_str());
    return {*outcome,
            /* a copy: the overlay ends */ *std::move(log),
            budget.use(),
            std::move(work.host_calls),
            std::move(work.log),
            work.steps,
            std::move(work.fuel_doubt),
            std::move(work.events)};
}

std::string difference(const Ran& a, const Ran& b) {
    if (a.status() != b.status() || a.outcome.verdict.text != b.outcome.verdict.text)
        return "verdict: " + a.outcome.verdict.text + " / " + b.outcome.verdict.text;
    if (a.data() != b.data()) return "data";
    if (a.outcome.call.response.transfers != b.outcome.call.response.transfers) return "transfers";
    if (a.outcome.call.response.storage != b.outcome.call.response.storage) return "storage";
    if (a.outcome.call.gas != b.outcome.call.gas) return "gas";
    if (a.steps != b.steps) return "steps";
    if (a.fuel_doubt != b.fuel_doubt) return "fuel doubt";
    if (a.events != b.events) return "events";
    if (a.outcome.call.touched_pages != b.outcome.call.touched_pages) return "pages";
    if (a.log.reads != b.log.reads) return "reads";
    if (a.log.writes != b.log.writes) return "writes";
    if (a.host_calls.size() != b.host_calls.size()) return "host calls";
    for (std::size_t i = 0; i < a.host_calls.size(); ++i) {
        const auto &one = a.host_calls[i], &other = b.host_calls[i];
        if (one.name != other.name || one.arguments != other.arguments || one.fee != other.fee ||
            one.result != other.result || one.level != other.level)
            return "host call " + std::to_string(i) + ": " + one.name;
    }
    return {};
}

Ran World::call(const AlkaneId& target, std::vector<u128> inputs, alkanes::Parcel incoming) {
    alkanes::MessageRequest request;
    request.cellpack = {target, std::move(inputs)};
    request.incoming = std::move(incoming);
    Ran interpreted = run(alkanes::Engine::interpreter, request);
    const Ran native = run(alkanes::Engine::native, request);
    const std::string differs = difference(interpreted, native);
    if (!differs.empty()) QTest::qFail(differs.c_str(), __FILE__, __LINE__);
    return interpreted;
}

} // namespace calls
