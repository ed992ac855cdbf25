#include "simt/simt_batch.h"

#include "compute/errors.h"
#include "wasm/instance.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::simt {

using gpuvm::Ejection;
using gpuvm::small_page;
using gpuvm::StopKind;
using native::Exit;

namespace {

/// A lane that runs cannot be cancelled: its code is never given more, and leaves when it is spent.
constexpr std::uint64_t most_fuel = std::uint64_t{1} << 33;

Ejection ejection_of(Exit exit) {
    switch (exit) {
    case Exit::trap:
        return Ejection::trap;
    case Exit::fuel:
        return Ejection::fuel;
    case Exit::window:
        return Ejection::window;
    case Exit::misaligned:
        return Ejection::misaligned;
    case Exit::table:
        return Ejection::tables;
    case Exit::recursion:
        return Ejection::recursion;
    case Exit::bulk:
        return Ejection::bulk;
    case Exit::floats:
        return Ejection::floats;
    case Exit::host:
    case Exit::none:
        break;
    }
    return Ejection::fault;
}

bool same(ByteView now, ByteView then) {
    if (then.empty()) return std::ranges::all_of(now, [](Byte byte) { return byte == 0; });
    return std::memcmp(now.data(), then.data(), now.size()) == 0;
}

} // namespace

Status SimtBatch::start(std::span<const gpuvm::Invocation> invocations,
                        const gpuvm::Inputs& inputs) {
    if (const Status taken = values_.take(inputs); !taken) return taken;
    std::size_t frame = 0;
    std::vector<Lane> lanes(invocations.size());
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const gpuvm::Invocation& each = invocations[i];
        if (each.program >= programs_.size() ||
            each.function >= programs_[each.program]->program().functions.size())
            return Error{compute::misused,
                         fmt::format("compiled lanes: invocation {}: no function {} of program {}",
                                     i, each.function, each.program)};
        for (const gpuvm::Piece& blob : each.blobs)
            if (std::uint64_t{blob.offset} + blob.bytes > inputs.bytes.size())
                return Error{compute::misused,
                             fmt::format("compiled lanes: invocation {}: a blob lies outside the "
                                         "inputs",
                                         i)};
        Lane& lane = lanes[i];
        lane.program = programs_[each.program];
        lane.given = each;
        lane.arguments.assign(each.arguments.begin(), each.arguments.end());
        lane.given.arguments = lane.arguments;
        lane.held_back = each.fuel - std::min(each.fuel, most_fuel);
        lane.fuel_left = each.fuel;
        lane.memory_bytes = std::uint64_t{lane.program->image().pages} << 16;
        frame = std::max(frame, lane.program->code()->frame_bytes());
    }
    lanes_ = std::move(lanes);
    stops_.clear();
    times_ = {};
    work_ = {};
    return frames_.reserve(lanes_.size(), frame);
}

const native::LanePlan& SimtBatch::plan_of(const Lane& lane) const {
    return lane.program->code()->of(lane.reach)->plan();
}

LaneMemory SimtBatch::memory_of(std::uint32_t number) const {
    return {plan_of(lanes_[number]), frames_.frame(number)};
}

void SimtBatch::run_once(Lane& lane, std::uint32_t number, const native::LaneCode& code) {
    const native::LanePlan& plan = code.plan();
    const std::span<Byte> frame = frames_.frame(number);
    if (lane.used) frames_.clear(number);
    lane.used = true;
    lane.program->fill(plan, frame);
    LaneAnswers answers(*lane.program, plan, values_, lane.given, lane.tape, lane.held_back,
                        options_.read_log, lane.record);
    const wasm::ProgramFunction& called = lane.program->program().functions[lane.given.function];
    lane.results = lane.arguments;
    lane.results.resize(std::max({called.parameters, called.results, 1u}));
    lane.end = code.run(lane.given.function, lane.given.fuel - lane.held_back, frame, lane.results,
                        &answers);
    lane.results.resize(called.results);
}

void SimtBatch::stop_at(Lane& lane, Exit exit) {
    gpuvm::Stop& stop = lane.stop;
    if (exit == Exit::none) {
        stop.kind = StopKind::returned;
        lane.fuel_left = lane.end.left + lane.held_back;
        lane.memory_bytes = lane.end.memory_bytes;
        lane.fees = lane.given.fuel - lane.fuel_left - lane.end.steps;
    } else if (exit == Exit::host && lane.record.pending) {
        stop.kind = StopKind::host_call;
        stop.import = lane.record.pending->import;
        const LaneMemory memory = memory_of(stop.invocation);
        lane.fuel_left = lane.record.pending->fuel_left;
        lane.memory_bytes = memory.size();
        lane.fees = memory.fees();
        const std::uint32_t most = lane.given.tapes != 0 ? lane.given.tapes : options_.tapes;
        if (lane.tape.size() < most) return;
        stop.kind = StopKind::ejected;
        stop.ejection = Ejection::tapes;
    } else {
        stop.kind = StopKind::ejected;
        stop.ejection = ejection_of(exit);
    }
}

void SimtBatch::run_lane(std::uint32_t number) {
    Lane& lane = lanes_[number];
    lane.stop = {};
    lane.stop.invocation = number;
    lane.phase = Phase::stopped;
    if (lane.trap.kind == wasm::TrapKind::host) { // the host's answer was an error
        lane.stop.kind = StopKind::trapped;
        return;
    }
    const bool foreign = lane.program->image().foreign_globals ||
                         lane.given.function < lane.program->program().module->imported_functions;
    const native::LaneCode* code = lane.program->code()->of(lane.reach);
    if (foreign || code == nullptr) {
        lane.stop.kind = StopKind::ejected;
        lane.stop.ejection = foreign ? Ejection::foreign : Ejection::program;
        return;
    }
    run_once(lane, number, *code);
    if (lane.end.exit == Exit::window && lane.reach == Reach::declared &&
        lane.program->code()->reaches_further())
        if (const native::LaneCode* further = lane.program->code()->of(Reach::whole)) {
            lane.reach = Reach::whole;
            run_once(lane, number, *further);
        }
    stop_at(lane, lane.end.exit);
}

Result<bool> SimtBatch::advance(const std::stop_token& stop) {
    stops_.clear();
    if (stop.stop_requested()) return Error{ErrorCode::cancelled, "compiled lanes: cancelled"};
    const Nanoseconds begin = now_ns();
    std::vector<std::uint32_t> running;
    for (std::uint32_t i = 0; i < lanes_.size(); ++i)
        if (lanes_[i].phase == Phase::running) running.push_back(i);
    const auto one = [&](std::size_t k) {
        if (!stop.stop_requested()) run_lane(running[k]);
    };
    if (options_.spread && running.size() > 1)
        options_.spread(running.size(), one);
    else
        for (std::size_t k = 0; k < running.size(); ++k) one(k);
    const Nanoseconds end = now_ns();
    times_.execute += end - begin;
    ++times_.submissions, ++times_.dispatches;
    if (options_.submitted)
        options_.submitted({begin, begin, end, end, static_cast<std::uint32_t>(lanes_.size())});
    if (stop.stop_requested()) return Error{ErrorCode::cancelled, "compiled lanes: cancelled"};
    for (const std::uint32_t number : running) {
        const Lane& lane = lanes_[number];
        stops_.push_back(lane.stop);
        if (lane.stop.kind == StopKind::returned || lane.stop.kind == StopKind::host_call)
            work_.instructions += so_far(number).steps;
    }
    return false;
}

gpuvm::Ended SimtBatch::ended(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    gpuvm::Ended result;
    result.run = so_far(invocation);
    result.pages = memory_pages(invocation);
    result.fuel_read = lane.record.fuel_read;
    result.least_left = std::min(lane.record.least_left, lane.fuel_left);
    if (lane.stop.kind == StopKind::trapped) {
        result.run.outcome = wasm::Outcome::trapped;
        result.run.trap = lane.trap;
    } else {
        result.run.results = lane.results;
    }
    return result;
}

wasm::RunResult SimtBatch::so_far(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    wasm::RunResult run;
    run.fuel_used = lane.given.fuel - lane.fuel_left;
    run.steps = run.fuel_used - lane.fees;
    return run;
}

Result<std::vector<wasm::Cell>> SimtBatch::globals(std::uint32_t invocation) {
    const Lane& lane = lanes_[invocation];
    std::vector<wasm::Cell> cells = lane.program->image().globals;
    if (lane.used && !cells.empty())
        std::memcpy(cells.data(), frames_.frame(invocation).data() + plan_of(lane).globals_at,
                    cells.size() * sizeof(wasm::Cell));
    return cells;
}

std::uint32_t SimtBatch::dropped_segments(std::uint32_t invocation) const {
    const auto& dropped = lanes_[invocation].program->image().dropped_data;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(dropped.size(), 32); ++i)
        bits |= dropped[i] ? 1u << i : 0;
    return bits;
}

std::vector<wasm::Cell> SimtBatch::arguments(std::uint32_t invocation) const {
    const auto& pending = lanes_[invocation].record.pending;
    return pending ? pending->arguments : std::vector<wasm::Cell>();
}

std::uint64_t SimtBatch::fuel_left(std::uint32_t invocation) const {
    return lanes_[invocation].fuel_left;
}

std::uint32_t SimtBatch::memory_pages(std::uint32_t invocation) const {
    return static_cast<std::uint32_t>(lanes_[invocation].memory_bytes >> 16);
}

void SimtBatch::page_at_start(const Lane& lane, std::uint32_t page, std::span<Byte> to) const {
    const ByteView then = lane.program->page(page);
    if (then.empty())
        std::ranges::fill(to, Byte{0});
    else
        std::ranges::copy(then, to.begin());
}

void SimtBatch::page_now(std::uint32_t number, std::uint32_t page, std::span<Byte> to) const {
    const Lane& lane = lanes_[number];
    if (!lane.used || !memory_of(number).get(std::uint64_t{page} * small_page, to))
        page_at_start(lane, page, to);
}

std::vector<std::uint32_t> SimtBatch::resident(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    std::vector<std::uint32_t> pages;
    if (!lane.used) return pages;
    const LaneMemory memory = memory_of(invocation);
    std::array<Byte, small_page> now{};
    for (const native::Window& window : plan_of(lane).windows) {
        const std::uint64_t end =
            std::min(std::uint64_t{window.begin} + window.bytes, lane.memory_bytes);
        for (std::uint64_t at = window.begin / small_page * small_page; at < end;
             at += small_page) {
            const auto page = static_cast<std::uint32_t>(at / small_page);
            if (memory.get(at, now) && !same(now, lane.program->page(page))) pages.push_back(page);
        }
    }
    return pages;
}

Status SimtBatch::read_pages(std::span<const gpuvm::PageRead> pages, std::span<Byte> to) {
    for (std::size_t i = 0; i < pages.size(); ++i)
        page_now(pages[i].invocation, pages[i].page, to.subspan(i * small_page, small_page));
    return {};
}

Status SimtBatch::write_pages(std::span<const gpuvm::PageRead> pages, ByteView from) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const ByteView bytes = from.subspan(i * small_page, small_page);
        memory_of(pages[i].invocation).put(std::uint64_t{pages[i].page} * small_page, bytes);
        TapeEntry& next = lanes_[pages[i].invocation].next;
        next.page_numbers.push_back(pages[i].page);
        next.page_bytes.insert(next.page_bytes.end(), bytes.begin(), bytes.end());
    }
    return {};
}

Status SimtBatch::load_memories(std::span<const std::uint32_t> invocations,
                                std::span<wasm::Instance* const> instances) {
    for (std::size_t i = 0; i < invocations.size(); ++i) {
        const auto memory = instances[i]->memory();
        if (!memory) continue;
        if (const std::uint32_t pages = memory_pages(invocations[i]); memory->pages() < pages)
            memory->grow(pages - memory->pages());
        for (const std::uint32_t page : resident(invocations[i])) {
            const std::uint64_t address = std::uint64_t{page} * small_page;
            memory->mark_range(address, small_page);
            page_now(invocations[i], page, {memory->data() + address, small_page});
        }
    }
    return {};
}

Status SimtBatch::store_memories(std::span<const std::uint32_t> invocations,
                                 std::span<wasm::Instance* const> instances) {
    constexpr std::uint32_t system_page = 4096, parts = system_page / small_page;
    std::array<Byte, small_page> then{};
    for (std::size_t i = 0; i < invocations.size(); ++i) {
        const std::uint32_t number = invocations[i];
        const auto memory = instances[i]->memory();
        if (!memory) continue;
        for (std::uint64_t large = 0; large < memory->size() / system_page; ++large) {
            if (memory->dirty()[large] == 0) continue;
            for (std::uint32_t part = 0; part < parts; ++part) {
                const auto page = static_cast<std::uint32_t>(large * parts + part);
                const ByteView now(memory->data() + std::uint64_t{page} * small_page, small_page);
                page_now(number, page, then);
                if (std::memcmp(now.data(), then.data(), small_page) == 0) continue;
                const gpuvm::PageRead write{number, page};
                if (const Status wrote = write_pages({&write, 1}, now); !wrote) return wrote;
            }
        }
        if (memory->pages() != memory_pages(number)) lanes_[number].next.pages = memory->pages();
    }
    return {};
}

void SimtBatch::answer(std::uint32_t invocation, const gpuvm::HostReply& reply) {
    Lane& lane = lanes_[invocation];
    const PendingCall& call = *lane.record.pending;
    lane.phase = Phase::running; // also if it traps: the next advance reports it
    if (!reply.error.empty()) {
        lane.trap.kind = wasm::TrapKind::host;
        lane.trap.text = reply.error;
        const wasm::Program& program = lane.program->program();
        lane.trap.offset = program.offset[call.pc];
        for (std::uint32_t f = 0; f < program.functions.size(); ++f)
            if (program.functions[f].entry <= call.pc && call.pc < program.functions[f].end)
                lane.trap.function = f;
        return;
    }
    TapeEntry entry = std::move(lane.next);
    lane.next = {};
    entry.import = call.import;
    entry.arguments = call.arguments;
    entry.results.assign(reply.results.begin(), reply.results.end());
    entry.fee = reply.fee;
    entry.values = reply.values;
    entry.bytes = reply.bytes;
    if (reply.pages != 0) entry.pages = reply.pages;
    lane.tape.push_back(std::move(entry));
}

void SimtBatch::drop(std::uint32_t invocation) {
    lanes_[invocation].phase = Phase::over;
}

} // namespace blockloom::simt
