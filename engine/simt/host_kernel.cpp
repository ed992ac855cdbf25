#include "simt/host_kernel.h"

#include "simt/frame_region.h"
#include "simt/kernel/lane_kernel.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace blockloom::simt {
namespace {

using native::Exit;
static_assert(static_cast<u32>(Exit::trap) == EXIT_TRAP &&
              static_cast<u32>(Exit::fuel) == EXIT_FUEL &&
              static_cast<u32>(Exit::window) == EXIT_WINDOW &&
              static_cast<u32>(Exit::host) == EXIT_HOST);
static_assert(sizeof(LaneHead) == sizeof(native::LaneHeader));
static_assert(sizeof(LaneBuffers) == LANE_BUFFERS * 8 && sizeof(LanePush) == LANE_PUSH_WORDS * 4);

class Answers final : public native::LaneImports {
public:
    [[nodiscard]] Exit answer(std::span<Byte> frame, std::uint64_t& fuel, std::uint32_t function,
                              wasm::Cell* cells, std::uint32_t pc) override {
        return static_cast<Exit>(lane_answer(frame.data(), &fuel, function, cells, pc));
    }
};

/// A frame that is zero, of this thread.
std::span<Byte> clean_frame(std::size_t bytes) {
    thread_local FrameRegion region;
    thread_local std::size_t reserved = 0;
    if (bytes > reserved) {
        reserved = 0;
        if (!region.reserve(1, bytes)) return {};
        reserved = bytes;
    } else {
        region.clear(0);
    }
    return region.frame(0);
}

void run_lane(const LaneLaunch& launch, const native::LaneCode& code, std::uint32_t function,
              std::uint32_t lane) {
    const native::LanePlan& plan = code.plan();
    auto* status = lane_row(&launch, LANE_ROW_STATUS, lane);
    const std::span<Byte> frame = clean_frame(plan.frame_bytes);
    if (frame.empty()) return; // it has not ended
    const wasm::ProgramFunction& called = plan.program->functions[function];
    std::vector<wasm::Cell> cells(std::max({called.parameters, called.results, 1u}));
    lane_begin(&launch, frame.data(), cells.data(), lane);
    Answers answers;
    const native::LaneEnd end =
        code.run(function, lane_input(&launch, lane)->fuel, frame, cells, &answers);
    if (end.exit == Exit::none)
        lane_give(&launch, frame.data(), end.left, EXIT_NONE, cells.data(), called.results, 0);
    else if (end.exit != Exit::host && static_cast<u32>(end.exit) != LANE_NO_DUMP)
        *status = static_cast<u32>(end.exit);
}

} // namespace

compute::HostKernel host_kernel(std::shared_ptr<const native::LaneCode> code,
                                std::uint32_t function, std::uint32_t lanes) {
    return [code = std::move(code), function, lanes](const compute::HostGroup& group) {
        LaneLaunch launch{};
        u64 addresses[LANE_BUFFERS];
        for (std::size_t i = 0; i < LANE_BUFFERS; ++i)
            addresses[i] = reinterpret_cast<std::uintptr_t>(group.buffers[i].data());
        std::memcpy(&launch.buffers, addresses, sizeof addresses);
        std::memcpy(&launch.push, group.push.data(), sizeof launch.push);
        if (const auto& records = code->plan().records)
            launch.host = reinterpret_cast<std::uintptr_t>(records->pages_copied());
        const std::uint64_t first = std::uint64_t{group.index[0]} * lanes;
        for (std::uint64_t lane = first;
             lane < std::min<std::uint64_t>(first + lanes, launch.push.count); ++lane)
            run_lane(launch, *code, function, static_cast<u32>(lane));
    };
}

compute::HostKernel host_kernel(native::LanePlan plan, std::uint32_t function,
                                std::uint32_t lanes) {
    struct Code {
        native::LanePlan plan;
        std::once_flag once;
        compute::HostKernel kernel; ///< null: it cannot be compiled, and no lane ends
    };
    auto code = std::make_shared<Code>();
    code->plan = std::move(plan);
    return [code, function, lanes](const compute::HostGroup& group) {
        std::call_once(code->once, [&] {
            if (auto made = native::LaneCode::compile(std::move(code->plan)))
                code->kernel = host_kernel(*std::move(made), function, lanes);
        });
        if (code->kernel) code->kernel(group);
    };
}

void record_pages(u64 at, u64 address, u64 bytes) {
    constexpr unsigned page_bits = native::RanCode::page_bits;
    u64 bits = 0;
    for (u64 page = address >> page_bits; page <= (address + bytes) >> page_bits && ~bits != 0;
         ++page)
        bits |= u64{1} << native::RanCode::bit_of(page << page_bits);
    __atomic_fetch_or(reinterpret_cast<u64*>(at), bits, __ATOMIC_RELAXED);
}

} // namespace blockloom::simt
