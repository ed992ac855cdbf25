#include "execute/device_executor.h"

#include "native/coroutine.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::execute {
namespace {

/// Decoding a contract that nobody has met before is the deepest that happens on it.
constexpr std::size_t stack_bytes = 256 * 1024;

} // namespace

/// One transaction on a stack of its own.
class DeviceExecutor::Fiber final : public alkanes::ContractMachine {
public:
    static Result<std::unique_ptr<Fiber>> make() {
        std::unique_ptr<Fiber> fiber(new Fiber);
        auto stack = native::Coroutine::make(
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
        stack_->go_on();
        runtime_->machine = nullptr;
    }

    [[nodiscard]] Result<alkanes::MachineRun>
    run(alkanes::Runtime& runtime, alkanes::Frame& frame,
        const std::shared_ptr<const alkanes::Contract>& contract, alkanes::Runtime::Machine clean,
        std::uint64_t fuel) override {
        { const auto given_back = std::move(clean); }
        call = DeviceCall{&runtime, &frame, contract, fuel, {}, {}};
        waits = true;
        stack_->pause();
        waits = false;
        if (!call.ran) {
            ejection = call.ejection;
            return Error{ErrorCode::unavailable, "device: ejected: " + call.ejection};
        }
        alkanes::MachineRun ran = *std::move(call.ran);
        call.ran.reset();
        return ran;
    }

    std::size_t place = 0; ///< of its attempt
    DeviceCall call;
    bool waits = false;   ///< for `call`
    std::string ejection; ///< why the transaction came to no result
    std::optional<Result<alkanes::TransactionResult>> result;

private:
    Fiber() = default;
    void work() {
        result.emplace(alkanes::execute_transaction(*runtime_, *attempt_->context,
                                                    attempt_->transaction, *attempt_->view,
                                                    attempt_->budget, *options_));
    }

    std::unique_ptr<native::Coroutine> stack_;
    alkanes::Runtime* runtime_ = nullptr;
    const Attempt* attempt_ = nullptr;
    const alkanes::TransactionOptions* options_ = nullptr;
};

DeviceExecutor::DeviceExecutor(std::unique_ptr<DeviceCalls> device, CpuExecutor& host,
                               const std::shared_ptr<alkanes::Contracts>& contracts,
                               alkanes::Engine engine, bool fallback)
    : device_(std::move(device)), host_(host), runtime_(contracts, engine, false),
      fallback_(fallback) {}

DeviceExecutor::~DeviceExecutor() = default;

Status DeviceExecutor::run(std::span<const Attempt> attempts,
                           const alkanes::TransactionOptions& options, const AttemptDone& done) {
    bool enough = false;
    for (std::size_t begin = 0; begin < attempts.size() && !enough; begin += most_fibers) {
        const auto part = attempts.subspan(begin, std::min(most_fibers, attempts.size() - begin));
        if (const Status ran = run_part(part, options, done, begin, enough); !ran) return ran;
    }
    return {};
}

Status DeviceExecutor::run_part(std::span<const Attempt> attempts,
                                const alkanes::TransactionOptions& options, const AttemptDone& done,
                                std::size_t first, bool& enough) {
    while (fibers_.size() < attempts.size()) {
        auto fiber = Fiber::make();
        if (!fiber) return fiber.error();
        fibers_.push_back(*std::move(fiber));
    }
    std::vector<std::size_t> ejected;
    std::vector<std::string> why;
    std::vector<DeviceCall*> waiting;
    std::map<const DeviceCall*, Fiber*> of;
    const auto look = [&](Fiber& fiber) {
        if (fiber.waits) {
            waiting.push_back(&fiber.call);
            return;
        }
        if (!fiber.ejection.empty()) {
            ejected.push_back(fiber.place);
            why.push_back(std::move(fiber.ejection));
            return;
        }
        auto& result = *fiber.result;
        const bool more = result ? done(0, first + fiber.place, Attempted{*std::move(result), {}})
                                 : done(0, first + fiber.place, result.error());
        enough = enough || !more;
        fiber.result.reset();
    };
    for (std::size_t i = 0; i < attempts.size() && !enough; ++i) {
        Fiber& fiber = *fibers_[i];
        of.emplace(&fiber.call, &fiber);
        fiber.place = i;
        fiber.begin(runtime_, attempts[i], options);
        look(fiber);
    }
    Status status;
    while (!waiting.empty()) {
        const Status ran =
            device_->run(std::exchange(waiting, {}), options.stop, [&](DeviceCall& call) {
                Fiber& fiber = *of.at(&call);
                fiber.go_on();
                look(fiber);
            });
        if (!ran && status) status = ran;
    }
    if (!status) return status;
    if (!fallback_ && !device_->failure().empty())
        return Error{ErrorCode::unavailable,
                     "device: " + device_->failure() + " (and the host may not stand in for it)"};
    return enough ? Status() : redo(attempts, ejected, why, options, done, first);
}

Status DeviceExecutor::redo(std::span<const Attempt> attempts,
                            const std::vector<std::size_t>& places,
                            const std::vector<std::string>& why,
                            const alkanes::TransactionOptions& options, const AttemptDone& done,
                            std::size_t first) {
    std::vector<Attempt> again;
    for (const std::size_t place : places) again.push_back(attempts[place]);
    return host_.run(again, options,
                     [&](unsigned worker, std::size_t i, Result<Attempted> attempted) {
                         if (attempted) attempted->ejection = why[i];
                         return done(worker, first + places[i], std::move(attempted));
                     });
}

} // namespace blockloom::execute
