#include "compute/cpu/cpu_provider.h"

#include "base/progress.h"
#include "compute/cpu/command_list.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <new>
#include <unistd.h>

namespace blockloom::compute {
namespace {

constexpr std::align_val_t alignment{256};

class CpuBuffer final : public Buffer {
public:
    CpuBuffer(std::shared_ptr<CpuCore> core, std::byte* memory, std::uint64_t bytes, BufferUse use)
        : Buffer(core.get(), bytes, use), core_(std::move(core)), memory_(memory) {
        address_ = reinterpret_cast<std::uint64_t>(memory);
        if (use != BufferUse::device) mapped_ = {memory, bytes};
    }
    ~CpuBuffer() override {
        ::operator delete(memory_, alignment);
        const std::lock_guard lock(core_->mutex);
        core_->memory.in_use -= bytes_;
    }

private:
    std::shared_ptr<CpuCore> core_;
    std::byte* memory_;
};

class CpuProvider final : public Provider {
public:
    CpuProvider(const ProviderOptions& options, Description description);
    ~CpuProvider() override;

    const Description& description() const noexcept override { return core_->description; }
    MemoryUse memory() const override;
    Result<BufferPtr> allocate(std::uint64_t bytes, BufferUse use) override;
    Result<KernelPtr> kernel(const KernelSource& source) override;
    Result<CommandListPtr> commands(Lane lane) override;
    Result<Ticket> submit(const CommandListPtr& list, std::span<const Ticket> after) override;
    Status wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) override;
    bool done(Ticket ticket) override { return core_->done(ticket); }

private:
    void serve(const std::stop_token& stop, Lane which);

    std::shared_ptr<CpuCore> core_;
    std::vector<std::jthread> lanes_; // last: they use the core
};

std::uint32_t thread_count(std::uint32_t asked) {
    return asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency());
}

std::string processor_name() {
    std::ifstream about("/proc/cpuinfo");
    for (std::string line; std::getline(about, line);)
        if (line.starts_with("model name"))
            if (const auto at = line.find(": "); at != std::string::npos)
                return line.substr(at + 2);
    return "processor";
}

CpuProvider::CpuProvider(const ProviderOptions& options, Description description)
    : core_(std::make_shared<CpuCore>(thread_count(options.threads))) {
    core_->description = std::move(description);
    core_->memory_limit = options.memory_limit;
    core_->memory.budget = core_->description.memory_bytes;
    for (const Lane lane : {Lane::work, Lane::transfer})
        lanes_.emplace_back([this, lane](const std::stop_token& stop) { serve(stop, lane); });
}

CpuProvider::~CpuProvider() {
    for (std::jthread& lane : lanes_) lane.request_stop(); // submitted work is still finished
}

MemoryUse CpuProvider::memory() const {
    const std::lock_guard lock(core_->mutex);
    MemoryUse use = core_->memory;
    use.reserved = use.in_use;
    return use;
}

Result<BufferPtr> CpuProvider::allocate(std::uint64_t bytes, BufferUse use) {
    if (bytes == 0) return Error{misused, "processor: a buffer of 0 bytes"};
    const auto too_much = [&](const char* why) {
        return Error{out_of_memory, fmt::format("processor: {} bytes of memory: {}", bytes, why)};
    };
    if (bytes > core_->description.limits.max_buffer_bytes) return too_much("more than available");
    {
        const std::lock_guard lock(core_->mutex);
        MemoryUse& now = core_->memory;
        const std::uint64_t limit = core_->memory_limit;
        if (limit != 0 && (bytes > limit || now.in_use > limit - bytes))
            return too_much("above the configured limit");
        now.in_use += bytes;
        now.peak = std::max(now.peak, now.in_use);
    }
    auto* memory =
        static_cast<std::byte*>(::operator new((bytes + 3) / 4 * 4, alignment, std::nothrow));
    if (memory == nullptr) {
        const std::lock_guard lock(core_->mutex);
        core_->memory.in_use -= bytes;
        return too_much("the system has none left");
    }
    return BufferPtr(std::make_shared<CpuBuffer>(core_, memory, bytes, use));
}

Result<KernelPtr> CpuProvider::kernel(const KernelSource& source) {
    if (!source.host)
        return Error{kernel_refused,
                     fmt::format("kernel {}: it has no form for the processor", source.name)};
    return KernelPtr(std::make_shared<CpuKernel>(core_.get(), source));
}

Result<CommandListPtr> CpuProvider::commands(Lane lane) {
    return CommandListPtr(std::make_shared<CpuCommandList>(core_, one_of_two(lane)));
}

Result<Ticket> CpuProvider::submit(const CommandListPtr& list, std::span<const Ticket> after) {
    auto mine = std::dynamic_pointer_cast<CpuCommandList>(list);
    if (!mine || mine->core() != core_.get())
        return Error{misused, "submit: not a command list of this provider"};
    if (mine->mistake()) return *mine->mistake();
    if (!mine->idle()) return Error{misused, "submit: the command list is still running"};
    const Lane which = mine->lane();
    const std::lock_guard lock(core_->mutex);
    CpuLane& lane = core_->lane(which);
    CpuLane::Job job{mine, lane.submitted + 1, 0};
    for (const Ticket& ticket : after) {
        if (ticket.value > core_->lane(ticket.lane).submitted)
            return Error{misused, "submit: after a ticket that was never issued"};
        if (ticket.lane != which) job.awaited = std::max(job.awaited, ticket.value);
    }
    lane.jobs.push_back(std::move(job));
    mine->submitted(++lane.submitted);
    core_->changed.notify_all();
    return Ticket{which, lane.submitted};
}

void CpuProvider::serve(const std::stop_token& stop, Lane which) {
    CpuLane& lane = core_->lane(which);
    const CpuLane& other = core_->lane(which == Lane::work ? Lane::transfer : Lane::work);
    std::unique_lock lock(core_->mutex);
    for (;;) {
        core_->changed.wait(lock, stop, [&] { return !lane.jobs.empty(); });
        if (lane.jobs.empty()) return; // stopped, and no work is left
        CpuLane::Job job = std::move(lane.jobs.front());
        lane.jobs.pop_front();
        core_->changed.wait(lock, [&] { return other.reached >= job.awaited; });
        lock.unlock();
        job.list->run();
        const std::uint64_t value = job.value;
        lock.lock();
        lane.reached = value;
        core_->changed.notify_all();
        lock.unlock();
        job.list.reset(); // may release buffers, which take the lock
        lock.lock();
    }
}

Status CpuProvider::wait(Ticket ticket, Nanoseconds timeout, const std::stop_token& stop) {
    std::unique_lock lock(core_->mutex);
    CpuLane& lane = core_->lane(ticket.lane);
    if (ticket.value > lane.submitted)
        return Error{misused, "wait: for a ticket that was never issued"};
    // Beyond ten years the clock's own arithmetic would overflow.
    const auto bounded = std::chrono::nanoseconds(
        std::clamp(timeout, Nanoseconds{0}, std::numeric_limits<Nanoseconds>::max() / 16));
    const bool reached =
        core_->changed.wait_for(lock, stop, bounded, [&] { return lane.reached >= ticket.value; });
    if (reached) return {};
    if (stop.stop_requested()) return cancelled_error();
    return Error{timed_out, fmt::format("processor: a submission did not finish within {} ms",
                                        timeout / 1'000'000)};
}

} // namespace

Description describe_processor(std::uint32_t threads) {
    Description made;
    made.backend = "cpu";
    made.name = processor_name();
    made.kind = DeviceKind::processor;
    const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && page > 0)
        made.memory_bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
    constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();
    Limits& limits = made.limits;
    limits.max_buffer_bytes = limits.max_binding_bytes = made.memory_bytes;
    limits.max_bindings = limits.max_push_bytes = limits.max_groups = any;
    limits.max_workgroup_invocations = limits.max_shared_bytes = any;
    limits.subgroup_size = 1;
    limits.queues = 2;
    limits.cores = thread_count(threads);
    made.identity = fmt::format("cpu-{}-{}", made.name, limits.cores);
    for (char& c : made.identity)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
    Features& features = made.features;
    features.int64 = features.int16 = features.int8 = true;
    features.storage_16bit = features.storage_8bit = true;
    features.int64_atomics = features.buffer_address = features.memory_model = true;
    features.scalar_layout = features.host_visible_device_memory = true;
    made.clock = ClockSource::host;
    return made;
}

Description describe_lanes(std::uint32_t threads) {
    Description made = describe_processor(threads);
    made.backend = "simt";
    made.kind = DeviceKind::software;
    made.api = "LLVM";
    made.driver = "compiled lanes, for tests";
    made.identity = "simt-" + made.identity;
    return made;
}

ProviderPtr open_processor(const ProviderOptions& options) {
    return std::make_shared<CpuProvider>(options, describe_processor(options.threads));
}

ProviderPtr open_lanes(const ProviderOptions& options) {
    return std::make_shared<CpuProvider>(options, describe_lanes(options.threads));
}

} // namespace blockloom::compute
