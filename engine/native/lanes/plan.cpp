#include "native/lanes/plan.h"

#include "wasm/instance_state.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::native {

using wasm::Opcode;
using wasm::Program;

namespace {

constexpr std::uint32_t grain = 16; // bytes: keeps every alignment that an access may claim
/// Frames that rounds may take: lanes run on the stack of whoever calls them.
constexpr std::uint32_t most_frames_of_rounds = 384;

struct Call {
    std::uint32_t callee = 0, window = 0;
};

using Calls = std::vector<std::vector<Call>>;

/// Of what is live, or of all.
Calls calls_of(const Program& program, const LanePlan& plan, bool live) {
    const auto runs = [&](std::uint32_t function) {
        return live ? plan.runs(function) : function != LanePlan::no_function;
    };
    Calls all(program.functions.size());
    const std::uint32_t imported = program.module->imported_functions;
    for (std::uint32_t f = imported; f < all.size(); ++f)
        for (std::uint32_t pc = program.functions[f].entry; pc < program.functions[f].end; ++pc) {
            const wasm::Instruction& i = program.code[pc];
            if (live && !plan.is_live(pc)) continue;
            if (i.op == static_cast<std::uint16_t>(Opcode::call) && runs(i.x))
                all[f].push_back({i.x, i.b});
            if (i.op != static_cast<std::uint16_t>(Opcode::call_indirect)) continue;
            const std::vector<std::uint32_t>& table = plan.tables[i.a];
            for (std::size_t e = 0; e < table.size(); ++e)
                if (runs(table[e]) && (!live || plan.may_call(pc, e)) &&
                    program.canonical_type[program.functions[table[e]].type] == i.x)
                    all[f].push_back({table[e], i.b});
        }
    return all;
}

/// Functions of the host's first: what they reach is searched from there, so that few of the calls
/// that run close a circle.
std::vector<std::uint32_t> roots_of(const Program& program) {
    std::vector<std::uint32_t> roots;
    for (const wasm::Export& each : program.module->exports)
        if (each.kind == wasm::ExternalKind::function) roots.push_back(each.index);
    for (std::uint32_t f = 0; f < program.functions.size(); ++f) roots.push_back(f);
    return roots;
}

struct Order {
    std::vector<std::uint32_t> rank, circle; ///< LanePlan
};

/// Ranks by the order in which a search ends its visits: a callee that is being visited closes a
/// circle and has a higher rank. Circles are Tarjan's strongly connected components.
Order order_of(const Calls& calls, const std::vector<std::uint32_t>& roots) {
    Order plan;
    constexpr std::uint32_t unseen = 0xffff'ffff;
    std::vector<std::uint32_t> seen(calls.size(), unseen), lowest(calls.size(), 0);
    plan.rank.assign(calls.size(), unseen);
    plan.circle.assign(calls.size(), unseen);
    std::uint32_t visits = 0, ended = 0, circles = 0;
    std::vector<std::uint32_t> open;                         // their circle is not known yet
    std::vector<std::pair<std::uint32_t, std::size_t>> path; // a function and its next call
    const auto visit = [&](std::uint32_t function) {
        seen[function] = lowest[function] = visits++;
        open.push_back(function);
        path.emplace_back(function, 0);
    };
    for (const std::uint32_t root : roots) {
        if (seen[root] != unseen) continue;
        visit(root);
        while (!path.empty()) {
            auto& [function, call] = path.back();
            if (call < calls[function].size()) {
                const std::uint32_t callee = calls[function][call++].callee;
                if (seen[callee] == unseen)
                    visit(callee);
                else if (plan.circle[callee] == unseen)
                    lowest[function] = std::min(lowest[function], seen[callee]);
                continue;
            }
            const std::uint32_t done = function;
            plan.rank[done] = ended++;
            path.pop_back();
            if (!path.empty())
                lowest[path.back().first] = std::min(lowest[path.back().first], lowest[done]);
            if (lowest[done] != seen[done]) continue;
            for (bool all = false; !all; open.pop_back()) {
                plan.circle[open.back()] = circles;
                all = open.back() == done;
            }
            ++circles; // those that it calls have lower numbers
        }
    }
    return plan;
}

/// Rounds by circle: as many as were seen, if that is known.
std::vector<std::uint32_t> rounds_by_circle(const LanePlan& plan,
                                            const std::vector<std::uint8_t>& seen) {
    std::uint32_t circles = 0;
    for (const std::uint32_t circle : plan.circle) circles = std::max(circles, circle + 1);
    std::vector<std::uint32_t> rounds(circles, seen.empty() ? plan.most_rounds : 0);
    for (std::size_t f = 0; f < std::min(seen.size(), plan.circle.size()); ++f) {
        std::uint32_t& most = rounds[plan.circle[f]];
        most = std::min(std::max<std::uint32_t>(most, seen[f]), plan.most_rounds);
    }
    return rounds;
}

/// The most frames of calls with the plan's rounds.
Result<std::uint32_t> depth_of(const Program& program, const Calls& calls, const LanePlan& plan,
                               const LaneStart& limits) {
    std::vector<std::uint32_t> functions(calls.size());
    for (std::uint32_t f = 0; f < functions.size(); ++f) functions[f] = f;
    std::ranges::sort(functions, {},
                      [&](std::uint32_t f) { return std::pair(plan.circle[f], plan.rank[f]); });
    // By function and rounds left.
    const std::size_t levels = std::size_t{plan.most_rounds} + 1;
    std::vector<std::uint64_t> frames(calls.size() * levels), cells(frames.size());
    std::uint64_t most = 0;
    for (auto first = functions.begin(); first != functions.end();) {
        const auto last = std::find_if(first, functions.end(), [&](std::uint32_t f) {
            return plan.circle[f] != plan.circle[*first];
        });
        for (std::size_t level = 0; level <= plan.rounds_of(*first); ++level)
            for (auto at = first; at != last; ++at) {
                const std::uint32_t f = *at;
                if (f < program.module->imported_functions) continue;
                const std::size_t here = f * levels + level;
                frames[here] = 1, cells[here] = program.functions[f].cells;
                for (const Call& call : calls[f]) {
                    std::size_t there = call.callee * levels + level;
                    const LanePlan::Call kind = plan.call_of(f, call.callee);
                    if (kind == LanePlan::Call::onward)
                        there = call.callee * levels + plan.rounds_of(call.callee);
                    if (kind == LanePlan::Call::around && level == 0) continue;
                    if (kind == LanePlan::Call::around) --there;
                    frames[here] = std::max(frames[here], 1 + frames[there]);
                    cells[here] = std::max(cells[here], call.window + cells[there]);
                }
                if (frames[here] > limits.call_depth || cells[here] > limits.stack_cells)
                    return Error{
                        ErrorCode::unavailable,
                        fmt::format("lane code: function {}: expected at most {} frames and {} "
                                    "cells, found {} and {}",
                                    f, limits.call_depth, limits.stack_cells, frames[here],
                                    cells[here])};
                most = std::max(most, frames[here]);
            }
        first = last;
    }
    return static_cast<std::uint32_t>(most);
}

/// LanePlan::used; where nothing is known: all.
std::vector<std::uint64_t> used_by(const Program& program, const std::vector<Window>& windows,
                                   const std::vector<std::uint64_t>& pages) {
    if (windows.empty() || windows.size() > 64) return {};
    std::vector<std::uint64_t> reach;
    for (const Window& window : windows) {
        constexpr std::uint64_t page = std::uint64_t{1} << RanCode::page_bits;
        const std::uint64_t end = std::uint64_t{window.begin} + window.bytes;
        std::uint64_t bits = 0;
        for (std::uint64_t at = window.begin / page * page; at < end && ~bits != 0; at += page)
            bits |= std::uint64_t{1} << RanCode::bit_of(at);
        reach.push_back(bits);
    }
    std::vector<std::uint64_t> used(pages.size(), ~LanePlan::WindowSet{0} >> (64 - windows.size()));
    for (std::size_t pc = 0; pc < pages.size(); ++pc) {
        if (program.code[pc].op == static_cast<std::uint16_t>(Opcode::call_indirect)) {
            used[pc] = pages[pc] == 0 ? ~std::uint64_t{0} : pages[pc];
            continue;
        }
        LanePlan::WindowSet set = 0;
        for (std::size_t w = 0; w < windows.size(); ++w)
            if ((pages[pc] & reach[w]) != 0) set |= LanePlan::WindowSet{1} << w;
        if (set != 0) used[pc] = set;
    }
    return used;
}

/// What only growing brings is not joined to what comes before: only there an access needs the
/// memory to have grown.
std::vector<Window> join(std::span<const AddressRange> ranges, std::uint64_t memory_bytes,
                         std::uint64_t most_bytes) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces; // begin, end
    for (const AddressRange& range : ranges) {
        const std::uint64_t begin = range.begin / grain * grain;
        const std::uint64_t end = std::uint64_t{range.begin} + range.bytes + grain - 1;
        const std::uint64_t cut = std::min(end / grain * grain, most_bytes);
        if (range.bytes > 0 && begin < cut) pieces.emplace_back(begin, cut);
    }
    std::sort(pieces.begin(), pieces.end());
    std::vector<Window> windows;
    for (const auto& [begin, end] : pieces) {
        const std::uint64_t before =
            windows.empty() ? 0 : std::uint64_t{windows.back().begin} + windows.back().bytes;
        if (!windows.empty() && (begin < before || (begin == before && begin != memory_bytes))) {
            const std::uint64_t bytes = end - windows.back().begin;
            windows.back().bytes =
                std::max(windows.back().bytes, static_cast<std::uint32_t>(bytes));
            continue;
        }
        windows.push_back(
            {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), 0});
    }
    return windows;
}

} // namespace

const char* name_of(Exit exit) noexcept {
    static constexpr const char* names[] = {"none",       "trap",   "fuel", "window",
                                            "misaligned", "table",  "host", "recursion",
                                            "bulk",       "floats", "cold"};
    static_assert(std::size(names) == exit_kinds);
    return names[static_cast<std::uint32_t>(exit)];
}

Result<LanePlan> plan_lanes(wasm::Instance& instance, std::span<const AddressRange> ranges,
                            RanCode ran) {
    LaneStart start;
    start.ran = std::move(ran);
    start.program = instance.shared_program();
    wasm::InstanceState& state = instance.state();
    if (state.memory) {
        start.memory_bytes = state.memory->size();
        start.most_bytes = std::uint64_t{state.memory->most_pages()} * wasm::page_size;
    }
    for (const auto& table : state.tables) {
        std::vector<std::uint32_t>& functions = start.tables.emplace_back();
        for (const wasm::Cell cell : table->cells) {
            const wasm::FunctionReference* to = wasm::referenced(cell);
            functions.push_back(to != nullptr && to->instance == &instance ? to->function
                                                                           : LanePlan::no_function);
        }
    }
    start.call_depth = instance.limits().call_depth;
    start.stack_cells = instance.limits().stack_cells;
    return plan_lanes(std::move(start), ranges);
}

Result<LanePlan> plan_lanes(LaneStart start, std::span<const AddressRange> ranges) {
    LanePlan plan;
    plan.program = start.program;
    const Program& program = *plan.program;
    const std::uint32_t imported = program.module->imported_functions;
    plan.memory_bytes = start.memory_bytes;
    plan.most_bytes = start.most_bytes;
    plan.windows = join(ranges, plan.memory_bytes, plan.most_bytes);
    if (!start.ran.empty()) {
        auto live = live_instructions(program, start.ran.blocks);
        if (!live) return live.error();
        plan.live = *std::move(live);
        plan.used = used_by(program, plan.windows, start.ran.pages);
    }
    plan.tables = std::move(start.tables);
    for (std::vector<std::uint32_t>& table : plan.tables)
        for (std::uint32_t& function : table)
            if (function < imported) function = LanePlan::no_function;
    // The order is that of the code that recorded: of its calls that close a circle a lane was in
    // no more at once than recorded, and of those that are live in no more than these.
    const std::vector<std::uint32_t> roots = roots_of(program);
    plan.rank = order_of(calls_of(program, plan, false), roots).rank;
    const Calls calls = calls_of(program, plan, true);
    plan.circle = order_of(calls, roots).circle;
    for (const auto& each : calls) plan.calls.push_back(!each.empty());
    plan.most_rounds = start.most_rounds;
    plan.rounds = rounds_by_circle(plan, start.ran.rounds);
    auto depth = depth_of(program, calls, plan, start);
    while (plan.most_rounds > 0 && (!depth || *depth > most_frames_of_rounds)) {
        --plan.most_rounds;
        plan.rounds = rounds_by_circle(plan, start.ran.rounds);
        depth = depth_of(program, calls, plan, start);
    }
    if (!depth) return depth.error();
    plan.depth = *depth;

    std::uint64_t at = sizeof(LaneHeader);
    plan.globals_at = static_cast<std::uint32_t>(at);
    at += (program.module->imported_globals + program.module->globals.size()) * sizeof(wasm::Cell);
    plan.results_at = static_cast<std::uint32_t>(at);
    std::size_t most = 1;
    for (const wasm::FunctionType& type : program.module->types)
        most = std::max(most, type.results.size());
    at += most * sizeof(wasm::Cell);
    for (Window& window : plan.windows) {
        at = (at + grain - 1) / grain * grain;
        window.at = static_cast<std::uint32_t>(at);
        at += window.bytes;
        if (at > 0x7fff'ffff)
            return Error{ErrorCode::unavailable,
                         fmt::format("lane code: expected windows of less than 2 GiB, found {} "
                                     "bytes and more",
                                     at)};
    }
    plan.frame_bytes = static_cast<std::uint32_t>((at + grain - 1) / grain * grain);
    return plan;
}

std::vector<AddressRange> touched_ranges(wasm::Instance& instance) {
    constexpr std::uint32_t small_page = 1 << 12;
    std::vector<AddressRange> ranges;
    wasm::InstanceState& state = instance.state();
    if (!state.memory) return ranges;
    const Byte* const marked = state.memory->dirty();
    for (std::uint32_t page = 0; page < state.memory->size() / small_page; ++page)
        if (marked[page] != 0) ranges.push_back({page * small_page, small_page});
    for (const wasm::DataSegment& segment : instance.program().module->data)
        if (segment.active)
            ranges.push_back(
                {static_cast<std::uint32_t>(state.evaluate(segment.place)), segment.size});
    return ranges;
}

} // namespace blockloom::native
