#include "execute/device_calls.h"

#include "alkanes/host_functions.h"
#include "alkanes/message_run.h"
#include "base/progress.h"
#include "execute/device_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace blockloom::execute {
namespace {

using alkanes::Runtime;

/// Calls whose memories are on the host at once: each has an instance meanwhile.
constexpr std::size_t chunk = 256;

/// Sorted by it, lanes that stand side by side run the same instructions.
bool goes_before(const DeviceCall* a, const DeviceCall* b) {
    const auto opcode = [](const DeviceCall& call) {
        const auto& inputs = call.frame->calldata.inputs;
        return inputs.empty() ? u128{0} : inputs.front();
    };
    if (a->contract->hash != b->contract->hash) return a->contract->hash < b->contract->hash;
    return opcode(*a) < opcode(*b);
}

/// The import of a function number: those of functions come first.
const wasm::Import& import_of(const wasm::Module& module, std::uint32_t function) {
    std::uint32_t number = 0;
    for (const wasm::Import& import : module.imports)
        if (import.kind == wasm::ExternalKind::function && number++ == function) return import;
    return module.imports.front();
}

} // namespace

Result<std::unique_ptr<DeviceCalls>> DeviceCalls::make(compute::ProviderPtr provider,
                                                       const gpuvm::Options& options) {
    auto machine = gpuvm::Machine::make(std::move(provider), options);
    if (!machine) return machine.error();
    std::unique_ptr<DeviceCalls> calls(new DeviceCalls);
    calls->machine_ = *std::move(machine);
    calls->batch_ = calls->machine_->batch();
    return calls;
}

DeviceCalls::~DeviceCalls() = default;

std::size_t DeviceCalls::most_calls() const {
    return machine_->most_lanes();
}

void DeviceCalls::fail(const Error& error, std::size_t calls) {
    notes_.push_back(fmt::format("device: {}; {} messages run on the host", error.message, calls));
    failure_ = error.message;
    if (error.code == compute::device_lost || error.code == compute::timed_out ||
        error.code == compute::corrupted)
        lost_ = error.message;
}

Result<std::uint32_t> DeviceCalls::program_of(const DeviceCall& call) {
    const alkanes::Surroundings& around = call.frame->run.surroundings();
    const ProgramKey key{call.contract.get(), around.rules.host_fees_deducted, around.record};
    if (const auto found = programs_.find(key); found != programs_.end())
        return found->second.number;
    auto acquired = call.runtime->acquire(call.contract);
    if (const auto* refusal = std::get_if<Runtime::Refusal>(&acquired))
        return Error{ErrorCode::bad_input, refusal->text};
    const auto image = gpuvm::image_of(std::get<Runtime::Machine>(acquired).instance());
    auto number = machine_->add(
        image, device_rules(*call.contract->program->module, around.rules, around.record));
    if (!number) return number;
    programs_.emplace(key, Program{*number, call.contract});
    return number;
}

/// One batch from its start until all its calls have ended.
class DeviceCalls::BatchRun {
public:
    BatchRun(DeviceCalls& owner, std::span<DeviceCall* const> calls, const std::stop_token& stop,
             const std::function<void(DeviceCall&)>& ended)
        : owner_(owner), batch_(*owner.batch_), calls_(calls), stop_(stop), ended_(ended),
          over_(calls.size()) {}

    Status perform() {
        const Status ran = run_all();
        // Whatever has not ended by now is the host's.
        const char* code = "cancelled";
        if (!ran && ran.error().code != ErrorCode::cancelled) {
            owner_.fail(ran.error(), calls_.size() - count_);
            code = compute::device_error_name(ran.error().code);
            if (*code == '\0') code = "device";
        }
        for (std::size_t i = 0; i < calls_.size(); ++i)
            if (over_[i] == 0) eject(static_cast<std::uint32_t>(i), code);
        return !ran && ran.error().code == ErrorCode::cancelled ? ran : Status();
    }

private:
    Status run_all() {
        if (const Status started = start(); !started) return started;
        while (count_ < calls_.size()) {
            const auto more = batch_.advance(stop_);
            if (!more) return more.error();
            std::vector<std::uint32_t> returned, asking;
            for (const gpuvm::Stop& at : batch_.stops()) {
                if (at.kind == gpuvm::StopKind::ejected)
                    eject(at.invocation, name_of(at.ejection));
                else
                    (at.kind == gpuvm::StopKind::host_call ? asking : returned)
                        .push_back(at.invocation);
                if (at.kind == gpuvm::StopKind::host_call) imports_[at.invocation] = at.import;
            }
            if (const Status done = in_chunks(returned, [&](auto part) { return finish(part); });
                !done)
                return done;
            if (const Status done = in_chunks(asking, [&](auto part) { return answer(part); });
                !done)
                return done;
            if (!*more && returned.empty() && asking.empty() && count_ < calls_.size())
                return Error{compute::misused, "nothing runs and not all have ended"};
        }
        const gpuvm::Work work = batch_.work();
        owner_.work_.instructions += work.instructions;
        owner_.work_.times = batch_.times();
        return {};
    }

    Status start() {
        std::vector<gpuvm::Invocation> invocations(calls_.size());
        ByteView transaction;
        gpuvm::Piece known;
        for (std::size_t i = 0; i < calls_.size(); ++i) {
            const DeviceCall& call = *calls_[i];
            alkanes::Frame& frame = *call.frame;
            const alkanes::Surroundings& around = frame.run.surroundings();
            gpuvm::Invocation& to = invocations[i];
            auto program = owner_.program_of(call);
            if (!program) return program.error();
            to.program = *program;
            to.function = call.contract->execute;
            to.fuel = call.fuel;
            to.values = false;
            if (frame.context.empty())
                frame.context = context_bytes({frame.myself, frame.caller, frame.run.vout()},
                                              frame.calldata.incoming, frame.calldata.inputs);
            to.blobs[static_cast<std::size_t>(Blob::context)] = put(as_bytes(frame.context));
            if (around.transaction.data() != transaction.data()) {
                transaction = around.transaction;
                known = put(transaction);
            }
            to.blobs[static_cast<std::size_t>(Blob::transaction)] = known;
            std::array<Byte, sizeof around.height> height{};
            std::memcpy(height.data(), &around.height, height.size());
            to.blobs[static_cast<std::size_t>(Blob::height)] = put(height);
        }
        imports_.resize(calls_.size());
        ++owner_.work_.batches;
        owner_.work_.calls += calls_.size();
        return batch_.start(invocations, {bytes_, {}});
    }

    gpuvm::Piece put(ByteView bytes) {
        const gpuvm::Piece piece{static_cast<std::uint32_t>(bytes_.size()),
                                 static_cast<std::uint32_t>(bytes.size())};
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        bytes_.resize((bytes_.size() + 3) / 4 * 4);
        return piece;
    }

    template <typename Work>
    static Status in_chunks(const std::vector<std::uint32_t>& all, const Work& work) {
        for (std::size_t begin = 0; begin < all.size(); begin += chunk)
            if (const Status done = work(std::span<const std::uint32_t>(all).subspan(
                    begin, std::min(chunk, all.size() - begin)));
                !done)
                return done;
        return {};
    }

    /// Instances with the memories of so many calls.
    Result<std::vector<Runtime::Machine>> fetch(std::span<const std::uint32_t> part,
                                                std::vector<wasm::Instance*>& instances) {
        std::vector<Runtime::Machine> machines;
        for (const std::uint32_t i : part) {
            auto acquired = calls_[i]->runtime->acquire(calls_[i]->contract);
            if (const auto* refusal = std::get_if<Runtime::Refusal>(&acquired))
                return Error{ErrorCode::system, refusal->text};
            machines.push_back(std::get<Runtime::Machine>(std::move(acquired)));
            instances.push_back(&machines.back().instance());
        }
        if (const Status loaded = batch_.load_memories(part, instances); !loaded)
            return loaded.error();
        return machines;
    }

    Status finish(std::span<const std::uint32_t> part) {
        std::vector<wasm::Instance*> instances;
        auto machines = fetch(part, instances);
        if (!machines) return machines.error();
        for (std::size_t k = 0; k < part.size(); ++k) {
            gpuvm::Ended ended = batch_.ended(part[k]);
            over(part[k]).ran.emplace(alkanes::MachineRun{std::move(ended.run),
                                                          std::move((*machines)[k]), ended.pages,
                                                          ended.fuel_read, ended.least_left});
        }
        for (const std::uint32_t i : part) ended_(*calls_[i]);
        return {};
    }

    Status answer(std::span<const std::uint32_t> part) {
        if (stop_.stop_requested()) return cancelled_error();
        std::vector<wasm::Instance*> instances;
        auto machines = fetch(part, instances);
        if (!machines) return machines.error();
        std::vector<gpuvm::HostReply> replies(part.size());
        std::vector<std::vector<wasm::Cell>> results(part.size());
        for (std::size_t k = 0; k < part.size(); ++k)
            call_host(part[k], *instances[k], results[k], replies[k]);
        if (const Status stored = batch_.store_memories(part, instances); !stored) return stored;
        for (std::size_t k = 0; k < part.size(); ++k) batch_.answer(part[k], replies[k]);
        owner_.work_.host_calls += part.size();
        return {};
    }

    void call_host(std::uint32_t i, wasm::Instance& instance, std::vector<wasm::Cell>& results,
                   gpuvm::HostReply& reply) {
        const DeviceCall& call = *calls_[i];
        const wasm::Module& module = *call.contract->program->module;
        const wasm::Import& import = import_of(module, imports_[i]);
        const auto& functions = host_functions(*call.runtime);
        const auto found = functions.find({import.module, import.name});
        const auto arguments = batch_.arguments(i);
        results.resize(module.types[import.type].results.size());
        wasm::HostCall host{instance, arguments, results, batch_.fuel_left(i), 0, {}};
        if (found == functions.end()) {
            host.error = "no such host function";
        } else {
            alkanes::Frame* const before = std::exchange(call.runtime->running, call.frame);
            const auto& function = std::get<wasm::FunctionReference>(found->second);
            (void)function.host->call(host);
            call.runtime->running = before;
        }
        reply.results = results;
        reply.fee = host.fee;
        reply.error = std::move(host.error);
        reply.values = false;
    }

    const wasm::Imports& host_functions(Runtime& runtime) {
        if (of_ != &runtime) {
            of_ = &runtime;
            functions_ = alkanes::host_imports(runtime.running);
        }
        return functions_;
    }

    DeviceCall& over(std::uint32_t i) {
        over_[i] = 1;
        ++count_;
        return *calls_[i];
    }

    void eject(std::uint32_t i, const char* code) {
        DeviceCall& call = over(i);
        call.ejection = code;
        ended_(call);
    }

    DeviceCalls& owner_;
    gpuvm::Batch& batch_;
    std::span<DeviceCall* const> calls_;
    const std::stop_token& stop_;
    const std::function<void(DeviceCall&)>& ended_;
    std::vector<std::uint8_t> over_;
    std::size_t count_ = 0;
    std::vector<std::uint32_t> imports_; ///< that a call waits in
    std::vector<Byte> bytes_;
    Runtime* of_ = nullptr;
    wasm::Imports functions_; ///< of the runtime `of_`
};

Status DeviceCalls::run(std::vector<DeviceCall*> calls, const std::stop_token& stop,
                        const std::function<void(DeviceCall&)>& ended) {
    std::stable_sort(calls.begin(), calls.end(), goes_before);
    const std::size_t most = most_calls();
    Status status;
    for (std::size_t begin = 0; begin < calls.size(); begin += most) {
        const auto part = std::span<DeviceCall* const>(calls).subspan(
            begin, std::min(most, calls.size() - begin));
        if (!status || !lost_.empty()) {
            for (DeviceCall* const call : part) {
                call->ejection = status ? "device_lost" : "cancelled";
                ended(*call);
            }
            continue;
        }
        // Programs are forgotten when there is no room for more: no batch holds lanes of theirs
        // now.
        if (machine_->programs() > 512) {
            machine_->clear();
            programs_.clear();
        }
        status = BatchRun(*this, part, stop, ended).perform();
    }
    return status;
}

Result<alkanes::MachineRun>
DeviceMachine::run(Runtime& runtime, alkanes::Frame& frame,
                   const std::shared_ptr<const alkanes::Contract>& contract, Runtime::Machine clean,
                   std::uint64_t fuel) {
    { const auto given_back = std::move(clean); }
    DeviceCall call{&runtime, &frame, contract, fuel, {}, {}};
    const Status ran =
        device_.run({&call}, frame.run.surroundings().stop, [](const DeviceCall&) {});
    if (!ran) return ran.error();
    if (call.ran) return *std::move(call.ran);
    ejection = call.ejection;
    return Error{ErrorCode::unavailable, "device: ejected: " + ejection};
}

} // namespace blockloom::execute
