#include "execute/device/device_executor.h"

#include "alkanes/host_functions.h"
#include "base/contain.h"
#include "base/coroutine.h"
#include "execute/live_run.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>

namespace blockloom::execute {
namespace {

/// The deepest use of it is decoding a contract for the first time.
constexpr std::size_t stack_bytes = 256 * 1024;

} // namespace

/// One transaction on its own stack.
class DeviceExecutor::Fiber final : public alkanes::ContractMachine {
public:
    static Result<std::unique_ptr<Fiber>> make(Part& part, const DeviceCalls& device) {
        std::unique_ptr<Fiber> fiber(new Fiber(part, device));
        auto stack = Coroutine::make(
            stack_bytes, [](void* self) { static_cast<Fiber*>(self)->work(); }, fiber.get());
        if (!stack) return stack.error();
        fiber->stack_ = *std::move(stack);
        return fiber;
    }

    /// Runs until the transaction has ended or waits for the device.
    void begin(alkanes::Runtime& runtime, const Attempt& attempt,
               const alkanes::TransactionOptions& options) {
        runtime_ = &runtime;
        attempt_ = &attempt;
        options_ = &options;
        ejection.clear();
        result.reset();
        go_on();
    }
    void go_on() {
        runtime_->machine = this;
        stack_->resume();
        runtime_->machine = nullptr;
    }

    [[nodiscard]] Result<alkanes::MachineRun>
    run(alkanes::Runtime& runtime, alkanes::Frame& frame,
        const std::shared_ptr<const alkanes::Contract>& contract, std::uint64_t fuel) override {
        call.runtime = &runtime;
        call.frame = &frame;
        call.contract = contract;
        call.fuel = fuel;
        call.txid = attempt_->context->block->txids[attempt_->transaction];
        call.height = static_cast<std::uint32_t>(attempt_->context->height);
        call.transaction = attempt_->transaction;
        call.ran.reset();
        call.reads.clear();
        call.ejection.clear();
        device_.look_ahead(call);
        waits = true;
        stack_->pause();
        waits = false;
        if (!call.ran) {
            ejection = call.ejection;
            return Error{ErrorCode::unavailable, "device: ejected: " + call.ejection};
        }
        if (const Status logged = call.log_reads(); !logged) return logged.error();
        return *std::exchange(call.ran, std::nullopt);
    }

    Part& part;
    std::size_t place = 0; ///< of its attempt
    DeviceCall call;
    bool waits = false;   ///< for `call`
    std::string ejection; ///< why the transaction has no result
    std::optional<Result<alkanes::TransactionResult>> result;

private:
    Fiber(Part& of, const DeviceCalls& device) : part(of), device_(device) { call.waiter = this; }
    /// The bottom of its stack: no exception may leave it.
    void work() {
        result.emplace(contain("transaction", [this] {
            return alkanes::execute_transaction(*runtime_, *attempt_->context,
                                                attempt_->transaction, *attempt_->view,
                                                attempt_->budget, *options_);
        }));
    }

    const DeviceCalls& device_;
    std::unique_ptr<Coroutine> stack_;
    alkanes::Runtime* runtime_ = nullptr;
    const Attempt* attempt_ = nullptr;
    const alkanes::TransactionOptions* options_ = nullptr;
};

/// The transactions of one worker; nothing else accesses them while it works.
class DeviceExecutor::Part {
public:
    Part(const std::shared_ptr<alkanes::Contracts>& contracts, alkanes::Engine engine)
        : runtime(alkanes::host_imports, contracts, engine,
                  alkanes::Runtime::MachineCode::when_ready) {}

    Status make_ready(std::size_t count, const DeviceCalls& device) {
        while (fibers.size() < count) {
            auto fiber = Fiber::make(*this, device);
            if (!fiber) return fiber.error();
            fibers.push_back(*std::move(fiber));
        }
        return {};
    }
    /// After a fiber has run.
    void look(Fiber& fiber, unsigned worker, const AttemptDone& done, std::atomic<bool>& enough) {
        if (fiber.waits) {
            waiting.push_back(&fiber.call);
            return;
        }
        if (live != nullptr && fiber.ejection.empty()) live->tried(worker, 0);
        if (!fiber.ejection.empty()) {
            ejected.push_back({fiber.place, std::move(fiber.ejection)});
            return;
        }
        auto& result = *fiber.result;
        const bool more = result ? done(worker, fiber.place, Attempted{*std::move(result), {}})
                                 : done(worker, fiber.place, result.error());
        if (!more) enough.store(true, std::memory_order_relaxed);
        fiber.result.reset();
    }

    alkanes::Runtime runtime;
    LiveRun* live = nullptr;
    std::vector<std::unique_ptr<Fiber>> fibers;
    std::vector<DeviceCall*> waiting; ///< for the device's next batch
    std::vector<Fiber*> resumed;      ///< the device has answered
    std::vector<Ejected> ejected;
    Status status;
};

DeviceExecutor::DeviceExecutor(std::unique_ptr<DeviceCalls> device, CpuExecutor& host,
                               WorkerPool& pool,
                               const std::shared_ptr<alkanes::Contracts>& contracts,
                               alkanes::Engine engine, bool fallback)
    : device_(std::move(device)), host_(host), pool_(pool), fallback_(fallback) {
    for (unsigned i = 0; i < pool.workers(); ++i)
        parts_.push_back(std::make_unique<Part>(contracts, engine));
    device_->spread = [this](std::size_t count, const std::function<void(std::size_t)>& work) {
        pool_.each(count, 1, [&](unsigned, std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i) work(i);
        });
    };
}

DeviceExecutor::~DeviceExecutor() = default;

void DeviceExecutor::follow(LiveRun* live) noexcept {
    live_ = live;
    host_.follow(live);
    for (const auto& part : parts_) part->live = live;
}

Status DeviceExecutor::run(std::span<const Attempt> attempts,
                           const alkanes::TransactionOptions& options, const AttemptDone& done) {
    bool enough = false;
    for (std::size_t begin = 0; begin < attempts.size() && !enough; begin += most_fibers) {
        const auto some = attempts.subspan(begin, std::min(most_fibers, attempts.size() - begin));
        const auto there = [&](unsigned worker, std::size_t i, Result<Attempted> attempted) {
            return done(worker, begin + i, std::move(attempted));
        };
        if (const Status ran = run_some(some, options, there, enough); !ran) return ran;
    }
    return {};
}

Status DeviceExecutor::run_some(std::span<const Attempt> attempts,
                                const alkanes::TransactionOptions& options, const AttemptDone& done,
                                bool& enough) {
    std::atomic<bool> settled{false};
    const std::size_t parts = parts_.size();
    pool_.each(parts, 1, [&](unsigned worker, std::size_t from, std::size_t to) {
        for (std::size_t p = from; p < to; ++p) {
            Part& part = *parts_[p];
            const std::size_t first = attempts.size() * p / parts;
            const std::size_t last = attempts.size() * (p + 1) / parts;
            part.status = part.make_ready(last - first, *device_);
            for (std::size_t i = first; part.status && i < last; ++i) {
                if (settled.load(std::memory_order_relaxed)) break;
                Fiber& fiber = *part.fibers[i - first];
                fiber.place = i;
                if (live_ != nullptr) live_->gate().pass(options.stop);
                const Nanoseconds began = live_ == nullptr ? 0 : now_ns();
                fiber.begin(part.runtime, attempts[i], options);
                part.look(fiber, worker, done, settled);
                if (live_ != nullptr) live_->worked(worker, now_ns() - began);
            }
        }
    });
    Status status;
    const auto go_on = [&](std::span<DeviceCall* const> ended) {
        if (live_ != nullptr) live_->gate().pass(options.stop);
        for (DeviceCall* const call : ended) {
            auto* const fiber = static_cast<Fiber*>(call->waiter);
            fiber->part.resumed.push_back(fiber);
        }
        pool_.each(parts, 1, [&](unsigned worker, std::size_t from, std::size_t to) {
            for (std::size_t p = from; p < to; ++p) {
                Part& part = *parts_[p];
                const Nanoseconds began = live_ == nullptr ? 0 : now_ns();
                for (Fiber* const fiber : part.resumed) {
                    fiber->go_on();
                    part.look(*fiber, worker, done, settled);
                }
                part.resumed.clear();
                if (live_ != nullptr) live_->worked(worker, now_ns() - began);
            }
        });
    };
    for (;;) {
        std::vector<DeviceCall*> waiting;
        for (const auto& part : parts_) {
            waiting.insert(waiting.end(), part->waiting.begin(), part->waiting.end());
            part->waiting.clear();
        }
        if (waiting.empty()) break;
        if (live_ != nullptr) live_->gate().pass(options.stop);
        const Status ran = device_->run(std::move(waiting), options.stop, go_on);
        if (!ran && status) status = ran;
    }
    std::vector<Ejected> ejected;
    for (const auto& part : parts_) {
        if (!part->status && status) status = part->status;
        std::move(part->ejected.begin(), part->ejected.end(), std::back_inserter(ejected));
        part->ejected.clear();
    }
    if (!status) return status;
    if (!fallback_ && !device_->failure().empty())
        return Error{ErrorCode::unavailable,
                     "device: " + device_->failure() + " (fallback to the host is disabled)"};
    enough = settled;
    return enough ? Status() : redo(attempts, std::move(ejected), options, done);
}

Status DeviceExecutor::redo(std::span<const Attempt> attempts, std::vector<Ejected> ejected,
                            const alkanes::TransactionOptions& options, const AttemptDone& done) {
    std::vector<Attempt> again;
    for (const Ejected& each : ejected) again.push_back(attempts[each.place]);
    return host_.run(again, options,
                     [&](unsigned worker, std::size_t i, Result<Attempted> attempted) {
                         if (attempted) attempted->ejection = std::move(ejected[i].why);
                         return done(worker, ejected[i].place, std::move(attempted));
                     });
}

Phases DeviceExecutor::take_phases() {
    const DeviceWork& now = device_->work();
    Phases phases;
    phases[Phase::pack] = now.pack - reported_.pack;
    phases[Phase::upload] = now.times.upload - reported_.times.upload;
    phases[Phase::download] =
        now.times.readback + now.times.pages - reported_.times.readback - reported_.times.pages;
    reported_ = now;
    return phases;
}

} // namespace blockloom::execute
