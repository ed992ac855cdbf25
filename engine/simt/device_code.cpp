#include "simt/device_code.h"

#include "base/sha256.h"
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

std::vector<native::AddressRange> ranges_of(const std::vector<std::uint32_t>& pages,
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
                       std::uint32_t function)
    : start_(lane_start_of(image)), provider_(provider), which_(provider.get()),
      function_(function), seen_(image.page_numbers.begin(), image.page_numbers.end()) {
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

/// Of the pages that lanes of this function need. They are a hint, so the key need not name what
/// the compiled code depends on besides.
std::string DeviceCode::note_key() const {
    Sha256Stream stream;
    stream.add(native::module_id(*start_.program));
    for (const std::uint64_t number : {std::uint64_t{function_}, start_.memory_bytes}) {
        Bytes bytes;
        append_le(bytes, number);
        stream.add(bytes);
    }
    return to_hex(stream.finish());
}

void DeviceCode::recall(compute::Provider& provider) {
    const Bytes kept = provider.note(note_key());
    if (kept.empty() || kept.size() % sizeof(std::uint32_t) != 0) return;
    std::vector<std::uint32_t> pages;
    for (std::size_t at = 0; at < kept.size(); at += sizeof(std::uint32_t)) {
        pages.push_back(read_le<std::uint32_t>(kept.data() + at));
        if (std::uint64_t{pages.back()} * LANE_PAGE >= start_.most_bytes) return; // another's
    }
    saw(pages);
    compile();
}

void DeviceCode::keep(compute::Provider& provider, const std::vector<std::uint32_t>& pages) const {
    Bytes bytes;
    for (const std::uint32_t page : pages) append_le(bytes, page);
    const std::string key = note_key();
    if (provider.note(key) != bytes) provider.keep_note(key, bytes);
}

void DeviceCode::saw(std::span<const std::uint32_t> pages) {
    const std::lock_guard lock(mutex_);
    seen_.insert(pages.begin(), pages.end());
}

void DeviceCode::compile() {
    const std::lock_guard lock(mutex_);
    auto provider = provider_.lock();
    if (!provider || running_ || error_ || (kernel_ && seen_.size() == compiled_pages_)) return;
    running_ = true;
    facts_.compiling_since = now_ns();
    compiled_pages_ = seen_.size();
    const std::vector<std::uint32_t> pages(seen_.begin(), seen_.end());
    thread_ = std::jthread([this, pages, provider = std::move(provider)]() mutable {
        const Nanoseconds begin = now_ns();
        auto made = make(*provider, pages);
        const Nanoseconds end = now_ns();
        if (made) keep(*provider, pages);
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

Result<std::shared_ptr<const DeviceKernel>>
DeviceCode::make(compute::Provider& provider, const std::vector<std::uint32_t>& pages) const {
    auto plan = native::plan_lanes(start_, ranges_of(pages, start_.memory_bytes));
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
