#include "compute/cuda/cuda_provider.h"

#include "base/progress.h"
#include "compute/cuda/code_files.h"
#include "compute/cuda/probe.h"
#include "compute/cuda/submission.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <thread>

namespace blockloom::compute {
namespace cuda {
namespace {

/// On one stream, before the driver waits for the device to take some: the H200's took about a
/// thousand.
constexpr std::size_t most_commands = 512;

class CudaProvider final : public Provider {
public:
    explicit CudaProvider(std::shared_ptr<Core> core) : core_(std::move(core)) {}
    ~CudaProvider() override;

    const Description& description() const noexcept override { return core_->description; }
    MemoryUse memory() const override;
    Result<BufferPtr> allocate(std::uint64_t bytes, BufferUse use) override;
    Result<KernelPtr> kernel(const KernelSource& source) override {
        return CudaKernel::make(core_, source);
    }
    Result<CommandListPtr> commands(Lane lane) override {
        if (Status fine = core_->alive(); !fine) return fine.error();
        const Core::Current current(*core_);
        if (Status open = core_->open_lane(lane); !open) return open.error();
        return CommandListPtr(std::make_shared<CudaCommandList>(core_, lane));
    }
    Result<Ticket> submit(const CommandListPtr& list, std::span<const Ticket> after) override;
    Status wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override;
    bool done(Ticket ticket) override { return core_->alive() && core_->done(ticket); }
    Bytes note(const std::string& key) const override { return files().load(key + ".note"); }
    void keep_note(const std::string& key, ByteView content) override {
        files().save(key + ".note", content);
    }

private:
    [[nodiscard]] CodeFiles files() const {
        return {core_->cache_folder, core_->description.identity};
    }

    std::shared_ptr<Core> core_;
};

CudaProvider::~CudaProvider() {
    if (is_exiting()) return;
    // What is still running keeps the memory that it uses, and is waited for, but not for longer
    // than a caller would wait: then it keeps the context too, through its list.
    Patience patience(*core_);
    Core::Progress now = core_->progress();
    for (; !now.is_idle && core_->alive(); now = core_->progress()) {
        if (!patience.left()) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    if (!core_->alive()) core_->drop_pending();
}

MemoryUse CudaProvider::memory() const {
    const Core::Current current(*core_);
    std::size_t free = 0, all = 0;
    const bool known = core_->driver->memory_info(&free, &all) == success;
    const std::lock_guard lock(core_->mutex);
    MemoryUse use = core_->use;
    use.budget = known ? use.reserved + free : core_->description.memory_bytes;
    if (core_->memory_limit != 0) use.budget = std::min(use.budget, core_->memory_limit);
    return use;
}

Result<BufferPtr> CudaProvider::allocate(std::uint64_t bytes, BufferUse use) {
    if (bytes == 0) return Error{misused, "CUDA: a buffer of 0 bytes"};
    if (bytes > core_->description.limits.max_buffer_bytes)
        return Error{out_of_memory,
                     fmt::format("CUDA: {} bytes of memory: more than the device has", bytes)};
    auto block = core_->take_block(bytes, use != BufferUse::device);
    if (!block) return block.error();
    return BufferPtr(std::make_shared<CudaBuffer>(core_, *block, bytes, use));
}

Result<Ticket> CudaProvider::submit(const CommandListPtr& list, std::span<const Ticket> after) {
    auto mine = std::dynamic_pointer_cast<CudaCommandList>(list);
    if (!mine || mine->core() != core_.get())
        return Error{misused, "submit: not a command list of this provider"};
    if (mine->mistake()) return *mine->mistake();
    if (Status fine = core_->alive(); !fine) return fine.error();
    if (!mine->idle()) return Error{misused, "submit: the command list is still running"};
    const Lane which = mine->lane();
    bool may_wait = mine->has_new_kernel();
    if (!may_wait) {
        core_->tidy_if_idle();
        const std::lock_guard lock(core_->mutex);
        std::size_t commands = mine->commands();
        for (const Core::Pending& pending : core_->lane(which).pending)
            commands += pending.commands;
        may_wait = commands > most_commands;
    }
    auto turn = core_->take_turn(!may_wait);
    if (!turn) return turn.error();
    if (may_wait) core_->tidy();
    std::unique_lock<std::mutex> order; // whoever has the turn alone needs none
    if (!may_wait) order = std::unique_lock(core_->lane(which).order);
    if (core_->hangs(may_wait ? std::nullopt : std::optional(mine->lane())))
        return core_->overdue();
    const Core::Current current(*core_);
    auto ended = core_->take_event(false);
    if (!ended) return ended.error();
    Submission submission{core_, mine, 0, *ended, {}};
    {
        const std::lock_guard lock(core_->mutex);
        for (const Ticket& ticket : after) {
            const Core::LaneState& other = core_->lane(ticket.lane);
            if (ticket.value > other.submitted) {
                core_->events[0].push_back(*ended);
                return Error{misused, "submit: after a ticket that was never issued"};
            }
            if (ticket.lane == which) continue;
            // Its event is reused only by a later submission, which this one's order follows.
            for (const Core::Pending& pending : other.pending)
                if (pending.value == ticket.value) submission.awaited.push_back(pending.event);
        }
        Core::LaneState& lane = core_->lane(which);
        submission.value = ++lane.submitted;
        lane.pending.push_back({submission.value, *ended, mine, mine->commands()});
        mine->submitted(submission.value);
    }
    const Ticket ticket{which, submission.value};
    const Status started =
        may_wait ? start_in_time(std::move(submission), *std::move(turn)) : submission.start();
    return started ? Result<Ticket>(ticket) : started.error();
}

Status CudaProvider::wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) {
    if (ticket.value == 0) return {};
    if (Status fine = core_->alive(); !fine) return fine;
    {
        const std::lock_guard lock(core_->mutex);
        if (ticket.value > core_->lane(ticket.lane).submitted)
            return Error{misused, "wait: for a ticket that was never issued"};
    }
    constexpr Nanoseconds spinning = 30'000, pause = 20'000;
    if (core_->time_limit != 0) timeout = std::min(timeout, core_->time_limit);
    const Nanoseconds begin = now_ns();
    for (;;) {
        if (core_->done(ticket)) return {};
        if (Status fine = core_->alive(); !fine) return fine;
        if (stop.stop_requested()) return cancelled_error();
        const Nanoseconds waited = now_ns() - begin;
        if (waited >= timeout) {
            core_->give_up(ticket);
            return Error{timed_out, fmt::format("CUDA: a submission did not finish within {} ms",
                                                timeout / 1'000'000)};
        }
        if (waited > spinning) std::this_thread::sleep_for(std::chrono::nanoseconds(pause));
    }
}

Result<std::shared_ptr<Core>> open_core(const Description& about, const ProviderOptions& options,
                                        const std::string& library) {
    auto driver = load_driver(library);
    if (!driver) return driver.error();
    auto core = std::make_shared<Core>();
    core->driver = *std::move(driver);
    core->description = about;
    core->memory_limit = options.memory_limit;
    core->time_limit = options.time_limit;
    core->cache_folder = options.cache_folder;
    const Driver& call = *core->driver;
    Device device = 0;
    const auto refuse = [&](Code code, const char* what) {
        return Error{ErrorCode::unavailable, fmt::format("CUDA: {}: {}", what, call.text_of(code))};
    };
    if (const Code code = call.init(0); code != success) return refuse(code, "the driver");
    if (const Code code = call.device(&device, static_cast<int>(about.index)); code != success)
        return refuse(code, "the device");
    if (const Code code = call.context_create(&core->context, 0, device); code != success)
        return refuse(code, "a context");
    watch_exit();
    Context was = nullptr;
    call.context_pop(&was); // it is current after its creation
    const Core::Current current(*core);
    for (const Lane lane : {Lane::work, Lane::transfer})
        if (const Code code = call.stream_create(&core->lane(lane).stream, stream_non_blocking);
            code != success)
            return refuse(code, "a stream");
    if (const Code code = call.stream_create(&core->clock_stream, stream_non_blocking);
        code != success)
        return refuse(code, "a stream");
    return core;
}

} // namespace
} // namespace cuda

void allow_many_streams() noexcept {
    (void)::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
}

CudaDevices list_cuda_devices(const std::string& library) {
    if (!library.empty()) return cuda::probe(library);
    static const CudaDevices found = cuda::probe(cuda::library_name);
    return found;
}

Result<ProviderPtr> open_cuda(std::uint32_t index, const ProviderOptions& options,
                              const std::string& library) {
    const CudaDevices found = list_cuda_devices(library);
    const auto device = std::ranges::find(found.devices, index, &Description::index);
    if (device == found.devices.end())
        return Error{ErrorCode::unavailable,
                     fmt::format("cuda, device {}: {}", index,
                                 found.why.empty() ? "no such device" : found.why)};
    if (!device->usable()) return Error{ErrorCode::unavailable, device->why};
    auto core = cuda::open_core(*device, options, library.empty() ? cuda::library_name : library);
    if (!core) return core.error();
    return ProviderPtr(std::make_shared<cuda::CudaProvider>(*std::move(core)));
}

} // namespace blockloom::compute
