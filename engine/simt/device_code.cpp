#include "simt/device_code.h"

#include "base/sha256.h"
#include "native/kept_code.h"
#include "native/module_id.h"
#include "simt/device_kernel.h"
#include "simt/host_kernel.h"
#include "simt/kernel/layout.h"
#include "simt/lane_start.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::simt {

namespace {

constexpr std::uint32_t threads = 64, registers = 128, level = 1; // docs/native.md#lanes
/// Pages between two that were written, so many at most, are there as well: what is only read.
constexpr std::uint32_t gap = 16;

std::vector<native::AddressRange> ranges_of(const std::set<std::uint32_t>& pages,
                                            std::uint64_t memory_bytes) {
    std::vector<native::AddressRange> ranges;
    for (const std::uint32_t page : pages) {
        const std::uint64_t begin = std::uint64_t{page} * LANE_PAGE;
        if (!ranges.empty()) {
            native::AddressRange& last = ranges.back();
            const std::uint64_t end = std::uint64_t{last.begin} + last.bytes;
            // What only growing brings is a window of its own.
            const bool same_side = (last.begin < memory_bytes) == (begin < memory_bytes);
            if (same_side && begin <= end + gap * LANE_PAGE) {
                last.bytes = static_cast<std::uint32_t>(begin + LANE_PAGE - last.begin);
                continue;
            }
        }
        ranges.push_back({static_cast<std::uint32_t>(begin), LANE_PAGE});
    }
    return ranges;
}

} // namespace

DeviceCode::DeviceCode(const gpuvm::InstanceImage& image, const compute::ProviderPtr& provider,
                       std::uint32_t function, std::shared_ptr<const native::RanBlocks> ran)
    : start_(lane_start_of(image)), provider_(provider), which_(provider.get()),
      function_(function), ran_(std::move(ran)) {
    seen_.pages.insert(image.page_numbers.begin(), image.page_numbers.end());
    facts_.function = function;
    recall(*provider);
}

DeviceCode::~DeviceCode() = default;

bool DeviceCode::is_for(const compute::ProviderPtr& provider, std::uint32_t function) const {
    return which_ == provider.get() && function_ == function && !provider_.expired();
}

bool DeviceCode::unused() const {
    const std::lock_guard lock(mutex_);
    return provider_.expired() && !running_;
}

DeviceCode::State DeviceCode::state() const {
    const std::lock_guard lock(mutex_);
    if (kernel_) return State::ready;
    if (running_) return State::compiling;
    return error_ ? State::refused : State::profiling;
}

std::shared_ptr<const DeviceKernel> DeviceCode::kernel() const {
    const std::lock_guard lock(mutex_);
    return kernel_;
}

std::optional<Error> DeviceCode::error() const {
    const std::lock_guard lock(mutex_);
    return error_;
}

DeviceCode::Facts DeviceCode::facts() const {
    const std::lock_guard lock(mutex_);
    return facts_;
}

/// Of the profile. It is a hint, so the key need not name what the compiled code depends on
/// besides; but its instructions are numbered as these sources lower a module.
std::string DeviceCode::note_key() const {
    Sha256Stream stream;
    stream.add(native::module_id(*start_.program));
    stream.add(as_bytes(native::code_maker().generator));
    for (const std::uint64_t number : {std::uint64_t{function_}, start_.memory_bytes}) {
        Bytes bytes;
        append_le(bytes, number);
        stream.add(bytes);
    }
    return to_hex(stream.finish());
}

void DeviceCode::recall(compute::Provider& provider) {
    const auto kept = profile_in(provider.note(note_key()), start_.most_bytes, *start_.program);
    if (!kept) return;
    const std::lock_guard lock(mutex_);
    seen_.pages.insert(kept->pages.begin(), kept->pages.end());
    compile_locked(kept->ran);
}

void DeviceCode::keep(compute::Provider& provider, const LaneProfile& profile) const {
    const Bytes bytes = note_of(profile);
    const std::string key = note_key();
    if (provider.note(key) != bytes) provider.keep_note(key, bytes);
}

void DeviceCode::saw(std::span<const std::uint32_t> pages) {
    const std::lock_guard lock(mutex_);
    seen_.pages.insert(pages.begin(), pages.end());
}

void DeviceCode::missed() {
    const std::lock_guard lock(mutex_);
    ++misses_;
}

void DeviceCode::compile() {
    const std::lock_guard lock(mutex_);
    compile_locked(ran_->so_far());
}

void DeviceCode::compile_locked(const native::RanCode& ran) {
    auto provider = provider_.lock();
    if (!provider || running_ || error_ || (kernel_ && misses_ < needed_misses_)) return;
    seen_.ran.add(ran);
    if (kernel_ && seen_ == compiled_) return;
    if (kernel_) needed_misses_ *= 2;
    misses_ = 0;
    running_ = true;
    facts_.compiling_since = now_ns();
    compiled_ = seen_;
    thread_ = std::jthread([this, profile = seen_, provider = std::move(provider)]() mutable {
        const Nanoseconds begin = now_ns();
        auto made = make(*provider, profile);
        const Nanoseconds end = now_ns();
        if (made) keep(*provider, profile);
        provider.reset();
        const std::lock_guard done(mutex_);
        running_ = false;
        facts_.compiling_since = 0;
        if (made) {
            kernel_ = *std::move(made);
            ++facts_.compilations;
            facts_.took = end - begin;
            facts_.kept = kernel_->kernel->facts().kept;
            facts_.compiled.push_back({begin, end, facts_.kept});
            facts_.lane_bytes = kernel_->plan.frame_bytes;
            facts_.windows = static_cast<std::uint32_t>(kernel_->plan.windows.size());
            const std::vector<bool>& live = kernel_->plan.live;
            facts_.instructions = static_cast<std::uint32_t>(
                live.empty() ? start_.program->code.size() : std::ranges::count(live, true));
        } else if (!kernel_) {
            error_ = made.error();
        }
        changed_.notify_all();
    });
}

void DeviceCode::wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !running_; });
}

Result<std::shared_ptr<const DeviceKernel>> DeviceCode::make(compute::Provider& provider,
                                                             const LaneProfile& profile) const {
    native::LaneStart start = start_;
    start.ran = profile.ran;
    auto plan = native::plan_lanes(std::move(start), ranges_of(profile.pages, start_.memory_bytes));
    if (!plan) return plan.error();
    if (plan->frame_bytes > most_frame_bytes)
        return Error{ErrorCode::unavailable,
                     fmt::format("lane code for CUDA: expected at most {} bytes of memory a lane, "
                                 "found {}",
                                 most_frame_bytes, plan->frame_bytes)};
    auto made = std::make_shared<DeviceKernel>();
    made->plan = *std::move(plan);
    made->threads = threads;
    compute::KernelSource source;
    source.name = "lanes";
    source.buffers = LANE_BUFFERS;
    source.push_bytes = LANE_PUSH_WORDS * 4;
    source.host = host_kernel(made->plan, function_, threads);
    compute::PtxForm& ptx = source.ptx.emplace();
    ptx.text = [&] { return native::lane_ptx(made->plan, function_, device_kernel()); };
    ptx.key = native::lane_ptx_key(made->plan, function_, device_kernel());
    ptx.entry = native::lane_entry;
    ptx.threads = threads;
    ptx.registers = registers;
    ptx.level = level;
    auto kernel = provider.kernel(source);
    if (!kernel) return kernel.error();
    made->kernel = *std::move(kernel);
    return std::shared_ptr<const DeviceKernel>(std::move(made));
}

} // namespace blockloom::simt
