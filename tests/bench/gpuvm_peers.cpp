#include "gpuvm_peers.h"
#include "wasm/instantiate.h"

#include "alkanes/contract.h"
#include "alkanes/guest_memory.h"
#include "native/runner.h"
#include "wasm/run.h"

#include <cstdlib>
#include <iostream>
#include <thread>

namespace blockloom::bench {
namespace {

/// What an instance's imports answer from.
struct Script {
    const MintMessage* message = nullptr;
    std::size_t next = 0;
};

wasm::Imports imports_of(const wasm::Module& module, Script& script) {
    wasm::Imports imports;
    for (const wasm::Import& import : module.imports) {
        auto host = std::make_shared<wasm::HostFunction>();
        host->type = module.types[import.type];
        const bool writes = import.name.starts_with("__load_");
        host->call = [&script, writes](wasm::HostCall& call) {
            const HostAnswer& answer = script.message->answers[script.next++];
            if (writes)
                (void)alkanes::GuestMemory(*call.instance.memory())
                    .write(static_cast<std::uint32_t>(call.arguments.back()), answer.bytes);
            if (!call.results.empty()) call.results[0] = answer.number;
            return wasm::HostAnswer::done;
        };
        wasm::FunctionReference reference;
        reference.type = host->type;
        reference.host = std::move(host);
        imports.insert_or_assign({import.module, import.name}, std::move(reference));
    }
    return imports;
}

struct Bare {
    explicit Bare(const Mint& mint) {
        wasm::InstanceLimits limits;
        limits.embedder_pages = 512;
        auto made =
            wasm::instantiate(mint.program, imports_of(*mint.program->module, script), limits);
        auto* found = std::get_if<std::shared_ptr<wasm::Instance>>(&made);
        if (found == nullptr) std::exit(1);
        instance = *found;
    }
    void begin(const MintMessage& message) {
        instance->reset();
        script = {&message, 0};
    }
    std::string response(const wasm::RunResult& run) const {
        if (run.outcome != wasm::Outcome::returned) return {};
        const auto bytes = alkanes::GuestMemory(*instance->memory())
                               .read(static_cast<std::uint32_t>(run.results.front()));
        return bytes ? std::string(*bytes) : std::string();
    }
    Script script;
    std::shared_ptr<wasm::Instance> instance;
};

} // namespace

void interpret_mint(const Mint& mint, MintMessage& message) {
    Bare bare(mint);
    bare.begin(message);
    const wasm::RunResult run = wasm::Interpreter(*bare.instance).invoke(mint.execute, {});
    message.fuel = run.fuel_used;
    message.steps = run.steps;
    message.response = bare.response(run);
}

std::function<MintRunner()> native_mint(const Mint& mint) {
    auto contracts = std::make_shared<alkanes::Contracts>();
    const auto contract = *alkanes::load_contract({}, alkanes::CodeForm::plain, mint.code);
    contracts->wait_until_optimised(*contract);
    const auto code = contracts->machine_code(*contract, true).code;
    if (code == nullptr) std::exit(1);
    return [&mint, contracts, contract, code] {
        auto bare = std::make_shared<Bare>(Mint{{}, contract->program, mint.execute, false, {}});
        auto runner = std::make_shared<native::Runner>(*bare->instance, code);
        auto result = std::make_shared<wasm::RunResult>();
        return MintRunner(
            [bare, runner, result, &mint](const MintMessage& message, std::string& response) {
                bare->begin(message);
                const Nanoseconds begin = now_ns();
                if (!runner->invoke(mint.execute, {}, {}, *result)) std::exit(1);
                const Nanoseconds took = now_ns() - begin;
                response = bare->response(*result);
                return took;
            });
    };
}

double time_mint(const std::function<MintRunner()>& maker, const Mint& mint, unsigned threads,
                 unsigned rounds) {
    std::vector<Nanoseconds> took(threads);
    std::vector<std::jthread> workers;
    for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
            MintRunner run = maker();
            std::string response;
            for (const MintMessage& message : mint.messages) { // warm, and right
                run(message, response);
                if (response == message.response) continue;
                std::cerr << "a peer answers something else\n";
                std::exit(1);
            }
            Nanoseconds sum = 0;
            for (unsigned round = 0; round < rounds; ++round)
                for (const MintMessage& message : mint.messages) sum += run(message, response);
            took[t] = sum;
        });
    workers.clear();
    double all = 0;
    for (const Nanoseconds each : took) all += static_cast<double>(each);
    const double messages = static_cast<double>(mint.messages.size()) * rounds * threads;
    return all / messages / threads;
}

} // namespace blockloom::bench
