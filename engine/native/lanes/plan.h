// What lane code relies on: windows of linear memory, the order of calls, the tables at the start.
#pragma once

#include "base/result.h"
#include "native/lanes/ran_blocks.h"
#include "wasm/instance.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::native {

/// Why a lane left: it has no result, and its message runs again elsewhere, from its beginning.
enum class Exit : std::uint32_t {
    none,       ///< it returned
    trap,       ///< it would trap; where and why is found elsewhere
    fuel,       ///< its fuel is spent
    window,     ///< an address outside the windows
    misaligned, ///< an address that is not aligned as the module claims
    table,      ///< an indirect call that the tables did not have, or a change of a table
    host,       ///< a host function
    recursion,  ///< more calls that close a circle of calls than a lane may make at once
    bulk,       ///< a memory.grow that fails, memory.init or a dropped segment
    floats,     ///< an instruction on floats
    cold,       ///< a block that never ran while the program was profiled
};
inline constexpr std::uint32_t exit_kinds = 11;
[[nodiscard]] const char* name_of(Exit exit) noexcept;

/// Addresses of linear memory, in bytes.
struct AddressRange {
    std::uint32_t begin = 0, bytes = 0;
};

/// A range of linear memory that a lane has, `at` bytes from the beginning of its frame.
struct Window {
    std::uint32_t begin = 0, bytes = 0, at = 0;
};

/// The beginning of a lane's frame; globals, further results and windows follow.
struct LaneHeader {
    std::uint64_t memory_bytes = 0;
    std::uint64_t fees = 0; ///< fuel that was charged and is no step
    /// On the host: leaves the lane with an `Exit`, does not return. On a device: the address of
    /// the lane's status, 4 bytes, in global memory.
    std::uint64_t leave = 0;
    /// On the host: what answers an import; arguments and results as `lane_import` of a device.
    std::uint64_t answer = 0;
    std::uint64_t own[8] = {}; ///< of whoever answers imports: lane code does not look at it
};

/// What invocations start with.
struct LaneStart {
    std::shared_ptr<const wasm::Program> program;
    std::uint64_t memory_bytes = 0; ///< the memory's size
    std::uint64_t most_bytes = 0;   ///< that memory.grow can reach
    /// Functions of the program by table and element; LanePlan::no_function: null, or another
    /// instance's.
    std::vector<std::vector<std::uint32_t>> tables;
    std::uint32_t call_depth = 0, stack_cells = 0; ///< wasm::InstanceLimits
    /// LanePlan::rounds, if the limits of frames and cells allow as many.
    std::uint32_t most_rounds = 7;
    /// What has run (RanBlocks::so_far): code is for this only. Empty: for all of the program.
    RanCode ran;
};

/// Immutable once made.
struct LanePlan {
    static constexpr std::uint32_t no_function = 0xffff'ffff;

    std::shared_ptr<const wasm::Program> program;
    std::vector<Window> windows;
    /// Own functions by table and element; `no_function`: none, or a foreign one.
    std::vector<std::vector<std::uint32_t>> tables;
    /// One a function: a call of one whose rank is not lower closes a circle of calls.
    std::vector<std::uint32_t> rank;
    /// One a function: those that can call each other, through whatever others, have the same.
    std::vector<std::uint32_t> circle;
    /// By circle: how many calls that close it a lane may be in at once.
    std::vector<std::uint32_t> rounds;
    /// Of every circle, if not fewer were ever seen.
    std::uint32_t most_rounds = 0;
    std::vector<bool> calls;        ///< one a function: whether it may call another
    std::uint32_t depth = 0;        ///< the most frames of calls
    std::uint32_t globals_at = 0;   ///< 8 bytes each
    std::uint32_t results_at = 0;   ///< 8 bytes each, the first unused
    std::uint32_t frame_bytes = 0;  ///< a multiple of 16
    std::uint64_t memory_bytes = 0; ///< the memory's size at the start
    std::uint64_t most_bytes = 0;   ///< that memory.grow can reach
    /// One per instruction: whether it is translated; a lane that reaches another one leaves.
    /// Empty: all are.
    std::vector<bool> live;
    /// By instruction, what it has been seen to use: of loads and stores windows, of indirect calls
    /// elements of the table, modulo 64. Empty: any.
    std::vector<std::uint64_t> used;
    /// Where code of this processor records what runs; null: nowhere. Not for a GPU.
    std::shared_ptr<RanBlocks> records;

    [[nodiscard]] bool is_live(std::uint32_t pc) const { return live.empty() || live[pc]; }
    /// Of a function that the table holds; false: none, or one that never ran.
    [[nodiscard]] bool runs(std::uint32_t function) const {
        return function != no_function && is_live(program->functions[function].entry);
    }

    /// A bit a window.
    using WindowSet = std::uint64_t;
    /// Those that a load or store may use. None: there are too many to be counted in a set.
    [[nodiscard]] WindowSet windows_at(std::uint32_t pc) const {
        if (windows.size() > 64) return 0;
        if (!used.empty()) return used[pc];
        return windows.empty() ? 0 : ~WindowSet{0} >> (64 - windows.size());
    }

    /// Whether an indirect call may be of this element.
    [[nodiscard]] bool may_call(std::uint32_t pc, std::size_t element) const {
        return used.empty() || (used[pc] >> element % 64 & 1) != 0;
    }

    [[nodiscard]] std::uint32_t rounds_of(std::uint32_t function) const {
        return rounds[circle[function]];
    }

    enum class Call : std::uint8_t {
        onward, ///< nothing that it calls comes back to the caller
        within, ///< towards the end of a circle that both are in
        around, ///< closes a circle: one round more
    };
    [[nodiscard]] Call call_of(std::uint32_t caller, std::uint32_t callee) const {
        if (circle[caller] != circle[callee]) return Call::onward;
        return rank[callee] < rank[caller] ? Call::within : Call::around;
    }
};

/// Ranges are widened to multiples of 16 bytes, joined and cut to the memory. Fails (unavailable)
/// if calls without a circle could exceed the limits of frames and cells.
[[nodiscard]] Result<LanePlan> plan_lanes(LaneStart start, std::span<const AddressRange> ranges);
/// For invocations that begin with the instance as it is now.
[[nodiscard]] Result<LanePlan> plan_lanes(wasm::Instance& instance,
                                          std::span<const AddressRange> ranges, RanCode ran = {});

/// The small pages (4 KiB) that are written now, and data segments: a profile of what ran.
[[nodiscard]] std::vector<AddressRange> touched_ranges(wasm::Instance& instance);

} // namespace blockloom::native
