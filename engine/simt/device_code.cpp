#include "simt/device_code.h"

#include "native/lanes/lane_ptx.h"
#include "simt/compiled_program.h"
#include "simt/kernel/layout.h"
#include "simt/program_table.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::simt {

ByteView device_kernel_bitcode() noexcept; // made by the build from kernel/device_kernel.c

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

DeviceCode::DeviceCode(const gpuvm::InstanceImage& image, const std::vector<gpuvm::HostRule>& rules,
                       compute::ProviderPtr provider, std::uint32_t function)
    : image_(image), rules_(rules), provider_(std::move(provider)), function_(function),
      seen_(image.page_numbers.begin(), image.page_numbers.end()) {}

DeviceCode::~DeviceCode() = default;

DeviceCode::State DeviceCode::state() const {
    const std::lock_guard lock(mutex_);
    if (variant_) return State::ready;
    if (running_) return State::compiling;
    return why_.empty() ? State::profiling : State::refused;
}

std::shared_ptr<const LaneVariant> DeviceCode::variant() const {
    const std::lock_guard lock(mutex_);
    return variant_;
}

std::string DeviceCode::why() const {
    const std::lock_guard lock(mutex_);
    return why_;
}

void DeviceCode::saw(std::span<const std::uint32_t> pages) {
    const std::lock_guard lock(mutex_);
    seen_.insert(pages.begin(), pages.end());
}

void DeviceCode::compile() {
    const std::lock_guard lock(mutex_);
    if (running_ || !why_.empty() || (variant_ && seen_.size() == compiled_pages_)) return;
    running_ = true;
    compiled_pages_ = seen_.size();
    thread_ = std::jthread([this, pages = std::vector<std::uint32_t>(seen_.begin(), seen_.end())](
                               const std::stop_token&) mutable { run(std::move(pages)); });
}

void DeviceCode::wait() const {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !running_; });
}

void DeviceCode::run(std::vector<std::uint32_t> pages) {
    auto made = make(pages);
    const std::lock_guard lock(mutex_);
    running_ = false;
    if (made)
        variant_ = *std::move(made);
    else if (!variant_)
        why_ = made.error().message;
    changed_.notify_all();
}

Result<std::shared_ptr<const LaneVariant>>
DeviceCode::make(const std::vector<std::uint32_t>& pages) const {
    const std::uint64_t memory = std::uint64_t{image_.pages} << 16;
    auto plan = native::plan_lanes(lane_start_of(image_), ranges_of(pages, memory));
    if (!plan) return plan.error();
    if (plan->frame_bytes > most_frame_bytes)
        return Error{ErrorCode::unavailable,
                     fmt::format("lane code for CUDA: expected at most {} bytes of memory a lane, "
                                 "found {}",
                                 most_frame_bytes, plan->frame_bytes)};
    auto variant = std::make_shared<LaneVariant>();
    variant->provider = provider_;
    variant->plan = *std::move(plan);
    variant->function = function_;
    variant->lanes_per_group = threads;
    variant->cell_rows = most_cells(*image_.program, function_);
    variant->global_cells = static_cast<std::uint32_t>(image_.globals.size());
    variant->compiled = true;
    const native::LaneKernel kernel{device_kernel_bitcode(), LANE_BUFFERS, LANE_PUSH_WORDS};
    compute::KernelSource source;
    source.name = "lanes";
    source.buffers = LANE_BUFFERS;
    source.push_bytes = LANE_PUSH_WORDS * 4;
    source.ptx =
        compute::PtxForm{[&] { return native::lane_ptx(variant->plan, function_, kernel); },
                         native::lane_ptx_key(variant->plan, function_, kernel),
                         native::lane_entry,
                         threads,
                         registers,
                         level};
    auto made = provider_->kernel(source);
    if (!made) return made.error();
    variant->kernel = *std::move(made);
    auto table = buffer_with(*provider_, program_table(image_, variant->plan, rules_, function_));
    if (!table) return table.error();
    variant->table = *std::move(table);
    return std::shared_ptr<const LaneVariant>(std::move(variant));
}

} // namespace blockloom::simt
