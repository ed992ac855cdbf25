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
#include <iterator>

namespace blockloom::simt {

namespace {

constexpr std::uint32_t threads = 64, registers = 128, level = 1; // docs/native.md#lanes
/// Pages between two others, so many at most, are there as well: what is only read.
constexpr std::uint32_t gap = 16;

/// `without`: pages that are left out, also between others.
std::vector<native::AddressRange> ranges_of(const std::set<std::uint32_t>& pages,
                                            const std::set<std::uint32_t>& without,
                                            std::uint64_t memory_bytes) {
    std::vector<native::AddressRange> ranges;
    for (const std::uint32_t page : pages) {
        const std::uint64_t begin = std::uint64_t{page} * LANE_PAGE;
        if (!ranges.empty()) {
            native::AddressRange& last = ranges.back();
            const std::uint64_t end = std::uint64_t{last.begin} + last.bytes;
            // What only growing brings is a window of its own.
            const bool same_side = (last.begin < memory_bytes) == (begin < memory_bytes);
            const auto between = without.lower_bound(static_cast<std::uint32_t>(end / LANE_PAGE));
            const bool is_open = between == without.end() || *between > page;
            if (same_side && is_open && begin <= end + gap * LANE_PAGE) {
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
    : start_(lane_start_of(image)),
      image_pages_(image.page_numbers.begin(), image.page_numbers.end()), provider_(provider),
      which_(provider.get()), function_(function), ran_(std::move(ran)) {
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
    seen_.needs_all_data = kept->needs_all_data;
    compile_locked(kept->ran);
}

void DeviceCode::keep(compute::Provider& provider, const LaneProfile& profile) const {
    const Bytes bytes = note_of(profile);
    const std::string key = note_key();
    if (provider.note(key) != bytes) provider.keep_note(key, bytes);
}

std::set<std::uint32_t> DeviceCode::unread(const LaneProfile& profile) const {
    std::set<std::uint32_t> unread;
    if (profile.needs_all_data || profile.ran.empty()) return unread;
    std::uint64_t read = profile.ran.pages_copied;
    const auto& code = start_.program->code;
    for (std::size_t pc = 0; pc < std::min(code.size(), profile.ran.pages.size()); ++pc)
        if (code[pc].op != static_cast<std::uint16_t>(wasm::Opcode::call_indirect))
            read |= profile.ran.pages[pc];
    const auto is_read = [&](std::uint64_t address) {
        return (read >> native::RanCode::bit_of(address) & 1) != 0;
    };
    constexpr std::uint64_t large = std::uint64_t{1} << native::RanCode::page_bits;
    for (const std::uint32_t page : image_pages_) {
        const std::uint64_t begin = std::uint64_t{page} * LANE_PAGE;
        // An access that begins on the large page before may end on the first small one of this.
        const bool is_first = begin % large == 0 && begin != 0;
        if (!profile.pages.contains(page) && !is_read(begin) &&
            !(is_first && is_read(begin - large)))
            unread.insert(page);
    }
    return unread;
}

void DeviceCode::saw(std::span<const std::uint32_t> pages) {
    const std::lock_guard lock(mutex_);
    seen_.pages.insert(pages.begin(), pages.end());
}

bool DeviceCode::missed() {
    const std::lock_guard lock(mutex_);
    // Only what has run there since then is compiled.
    if (++misses_ == needed_misses_) shown_ = 0;
    return !running_ && shown_++ < most_shown;
}

void DeviceCode::compile() {
    const std::lock_guard lock(mutex_);
    compile_locked(ran_->so_far());
}

void DeviceCode::compile_locked(const native::RanCode& ran) {
    auto provider = provider_.lock();
    if (!provider || running_ || error_ || (kernel_ && misses_ < needed_misses_)) return;
    seen_.ran.add(ran);
    if (kernel_ && seen_ == compiled_) {
        if (unread(seen_).empty()) { // nothing that other code would have
            needed_misses_ *= 2;
            misses_ = 0;
            return;
        }
        seen_.needs_all_data = true; // what they read is not recorded
    }
    if (kernel_) needed_misses_ *= 2;
    misses_ = shown_ = 0;
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
    const std::set<std::uint32_t> without = unread(profile);
    std::set<std::uint32_t> pages = profile.pages;
    std::ranges::set_difference(image_pages_, without, std::inserter(pages, pages.end()));
    auto plan =
        native::plan_lanes(std::move(start), ranges_of(pages, without, start_.memory_bytes));
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
