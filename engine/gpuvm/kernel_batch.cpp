// The life of a batch: upload, slices, what stopped.
#include "gpuvm/kernel_batch.h"

#include "gpuvm/batch_state.h"
#include "gpuvm/checksums.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::gpuvm {
namespace {

/// Lanes that one thread prepares at a time.
constexpr std::size_t lanes_a_part = 2048;

std::span<const std::byte> bytes_of(const Push& push) {
    return std::as_bytes(std::span(&push, 1));
}

/// Cells that a program exchanges with the host: results, and arguments of what it imports.
std::uint32_t exchanged_cells(const wasm::Program& program, std::uint32_t function) {
    const wasm::ProgramFunction& entered = program.functions[function];
    std::uint32_t most = std::max(entered.parameters, entered.results);
    for (std::uint32_t i = 0; i < program.module->imported_functions; ++i)
        most = std::max({most, program.functions[i].parameters, program.functions[i].results});
    return std::min(most, GPUVM_EXCHANGE_CELLS);
}

} // namespace

KernelBatch::KernelBatch(MachineState& machine) : state_(std::make_unique<BatchState>(machine)) {}
KernelBatch::~KernelBatch() = default;

const PackedProgram& BatchState::program(std::uint32_t lane) const {
    return machine.packing.programs()[program_of[lane]];
}

Status BatchState::reserve_all() {
    compute::Provider& provider = *machine.provider;
    const Options& options = machine.options;
    using compute::BufferUse;
    const std::uint64_t all = lanes, wave = machine.wave;
    std::uint64_t down = 0, summed = 0;
    for (const std::uint64_t words : parts()) down += words, summed += checksum_count(words);
    seen.resize(down);
    if (machine.timed)
        if (const Status got = reserve(provider, clocks, clock_words() * 4, BufferUse::device);
            !got)
            return got;
    const struct {
        compute::BufferPtr& buffer;
        std::uint64_t bytes;
        BufferUse use;
    } wanted[] = {
        {state, state_bytes(), BufferUse::device},
        {exchange, (2 * GPUVM_EXCHANGE_CELLS + options.read_log) * all * 4, BufferUse::device},
        // Padded, because inactive lanes load what the instruction of the active ones names.
        {cells, ((std::uint64_t{options.registers} + options.globals) * all + 65'536 * wave) * 8,
         BufferUse::device},
        {frames, std::uint64_t{options.frames} * all * 8, BufferUse::device},
        {page_table, std::uint64_t{push.table_pages} * waves * 4, BufferUse::device},
        {pool, push.pool_frames * machine.frame_bytes(), BufferUse::device},
        {books, (GPUVM_BOOK_WORDS + std::uint64_t{2} * push.pool_frames) * 4, BufferUse::device},
        {upload, state_bytes() + exchanged_bytes(), BufferUse::upload},
        {checksums, summed * 4, BufferUse::device},
        {download, download_words() * 4, BufferUse::download},
    };
    for (const auto& each : wanted)
        if (const Status got = reserve(provider, each.buffer, each.bytes, each.use); !got)
            return got;
    if (list) return list->clear();
    auto made = provider.commands();
    if (!made) return made.error();
    list = *std::move(made);
    return {};
}

void BatchState::write_lane(std::uint32_t lane, const Invocation& invocation) {
    const PackedProgram& packed = program(lane);
    const wasm::ProgramFunction& function = packed.image.program->functions[invocation.function];
    const auto set = [&](std::uint32_t k, std::uint64_t value) {
        word(k, lane) = static_cast<std::uint32_t>(value);
    };
    for (std::uint32_t k = 0; k < GPUVM_STATE_WORDS; ++k) set(k, 0);
    set(GPUVM_STATUS, GPUVM_START);
    set(GPUVM_PC, packed.places.headers + invocation.function);
    set_wide(GPUVM_FUEL, lane, invocation.fuel);
    set_wide(GPUVM_LEAST, lane, invocation.fuel);
    set(GPUVM_PAGES, packed.image.pages);
    set(GPUVM_PROGRAM, packed.record);
    set(GPUVM_FLAGS, invocation.values ? GPUVM_FLAG_VALUES : 0);
    set(GPUVM_OWNER, invocation.owner);
    set(GPUVM_CALLS, invocation.calls);
    std::uint32_t dropped = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(packed.image.dropped_data.size(), 32); ++i)
        dropped |= packed.image.dropped_data[i] ? 1u << i : 0;
    set(GPUVM_DROPPED, dropped);
    set(GPUVM_RESULTS, function.results);
    for (std::uint32_t i = 0; i < blob_slots; ++i) {
        set(GPUVM_BLOBS + 2 * i, invocation.blobs[i].offset);
        set(GPUVM_BLOBS + 2 * i + 1, invocation.blobs[i].bytes);
    }
    const auto eject = [&](Ejection why) {
        set(GPUVM_STATUS, GPUVM_EJECTED);
        set(GPUVM_DETAIL, static_cast<std::uint64_t>(why));
    };
    if (function.parameters > GPUVM_EXCHANGE_CELLS || function.results > GPUVM_EXCHANGE_CELLS)
        return eject(Ejection::signature);
    if (std::uint64_t{packed.image.pages} * 64 > push.table_pages) return eject(Ejection::memory);
    if (packed.image.foreign_globals ||
        invocation.function < packed.image.program->module->imported_functions)
        return eject(Ejection::foreign);
    for (std::uint32_t i = 0;
         i < std::min<std::size_t>(invocation.arguments.size(), GPUVM_EXCHANGE_CELLS); ++i) {
        exchanged(2 * i, lane) = static_cast<std::uint32_t>(invocation.arguments[i]);
        exchanged(2 * i + 1, lane) = static_cast<std::uint32_t>(invocation.arguments[i] >> 32);
    }
}

Status KernelBatch::start(std::span<const Invocation> invocations, const Inputs& given_inputs) {
    BatchState& s = *state_;
    s.begun = false;
    if (const Status ready = s.machine.make_ready(); !ready) return ready;
    s.count = static_cast<std::uint32_t>(invocations.size());
    s.waves = std::max<std::uint32_t>((s.count + s.machine.wave - 1) / s.machine.wave, 1);
    s.lanes = s.waves * s.machine.wave;
    s.push = {};
    s.push.lanes = s.lanes;
    s.push.budget = s.machine.options.slice;
    s.push.table_pages = s.machine.table_pages();
    s.push.pool_frames = s.machine.pool_frames(s.waves);
    s.push.log_words = s.machine.options.read_log;
    s.exchange_cells = 1;
    s.program_of.assign(s.lanes, 0);
    s.given.clear();
    for (std::uint32_t i = 0; i < s.count; ++i) {
        const Invocation& each = invocations[i];
        const bool there =
            each.program < s.machine.packing.programs().size() &&
            each.function <
                s.machine.packing.programs()[each.program].image.program->functions.size();
        if (!there)
            return Error{compute::misused,
                         fmt::format("gpuvm: invocation {}: no function {} of program {}", i,
                                     each.function, each.program)};
        s.program_of[i] = each.program;
        s.given.push_back(each.fuel);
        // Equal programs are adjacent: imports are searched once for each group.
        if (i == 0 || each.program != invocations[i - 1].program ||
            each.function != invocations[i - 1].function)
            s.exchange_cells =
                std::max(s.exchange_cells,
                         exchanged_cells(*s.machine.packing.programs()[each.program].image.program,
                                         each.function));
    }
    if (s.machine.packing.programs().empty())
        return Error{compute::misused, "gpuvm: a batch without a program"};
    if (const Status got = s.reserve_all(); !got) return got;
    if (const Status got = s.write_inputs(given_inputs); !got) return got;
    s.machine.in_parts(s.count, lanes_a_part, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            s.write_lane(static_cast<std::uint32_t>(i), invocations[i]);
    });
    for (std::uint32_t i = s.count; i < s.lanes; ++i)
        for (std::uint32_t k = 0; k < GPUVM_STATE_WORDS; ++k) s.word(k, i) = 0;
    s.phases.assign(s.count, BatchState::Phase::running);
    s.stops.clear();
    s.host_texts.clear();
    s.loaded.clear();
    s.dispatches = 0;
    s.times = {};
    s.frames_known = s.logs_known = s.globals_known = false;
    s.changed = true;
    return {};
}

std::uint64_t BatchState::download_words() const noexcept {
    std::uint64_t words = clock_words();
    for (const std::uint64_t part : parts()) words += part + checksum_count(part);
    return words;
}

std::vector<compute::Binding> BatchState::bindings() const {
    return {{machine.code}, {machine.data}, {state}, {exchange}, {cells},
            {frames},       {page_table},   {pool},  {inputs},   {books}};
}

void BatchState::record_slices(std::uint32_t slices) {
    list->timestamp("begin");
    if (!begun) {
        list->fill(page_table, 0, std::uint64_t{push.table_pages} * waves * 4, 0);
        list->fill(books, 0, GPUVM_BOOK_WORDS * 4, 0);
    }
    if (changed) {
        machine.copy(upload->mapped().data(), seen.data(), state_bytes() + exchanged_bytes());
        list->copy(upload, 0, state, 0, state_bytes());
        list->copy(upload, state_bytes(), exchange, 0, exchanged_bytes());
    }
    auto bound = bindings();
    if (machine.timed) {
        list->fill(clocks, 0, clock_words() * 4, 0);
        bound.push_back({clocks});
    }
    list->barrier();
    list->timestamp("uploaded");
    for (std::uint32_t i = 0; i < slices; ++i) {
        list->fill(books, GPUVM_BOOK_RUNNING * 4, 4, 0);
        list->barrier();
        push.task = i;
        list->dispatch(machine.run, bound, bytes_of(push), {waves, 1, 1});
        list->barrier();
    }
    list->timestamp("executed");
    std::uint64_t at = 0;
    std::uint32_t sum = 0;
    const compute::BufferPtr from[] = {state, exchange, books};
    for (std::size_t i = 0; i < 3; ++i) {
        // For all that is known, the checksum kernel could write every buffer that is bound to it.
        record_checksums(*list, from[i], parts()[i], checksums, sum);
        list->barrier();
        list->copy(from[i], 0, download, at * 4, parts()[i] * 4);
        list->barrier();
        at += parts()[i];
        sum += checksum_count(parts()[i]);
    }
    list->copy(checksums, 0, download, at * 4, std::uint64_t{sum} * 4);
    if (machine.timed) list->copy(clocks, 0, download, (at + sum) * 4, clock_words() * 4);
    list->timestamp("read");
}

void BatchState::record_checksums(compute::CommandList& commands, const compute::BufferPtr& of,
                                  std::uint64_t words, const compute::BufferPtr& to,
                                  std::uint32_t at) const {
    if (words == 0) return;
    auto bound = bindings();
    bound[3] = {of};
    bound[9] = {to};
    Push now = push;
    now.task = GPUVM_PAGES_SUM;
    now.jobs = static_cast<std::uint32_t>(words);
    now.value_table = at;
    commands.dispatch(machine.transfer, bound, bytes_of(now), {checksum_count(words), 1, 1});
}

Status BatchState::check_download() {
    const auto* const down = reinterpret_cast<const std::uint32_t*>(download->mapped().data());
    arrived.resize(seen.size());
    machine.copy(arrived.data(), down, seen.size() * sizeof *down);
    std::size_t at = 0, sum = seen.size();
    for (const std::uint64_t words : parts()) {
        const std::uint32_t summed = checksum_count(words);
        if (const Status whole =
                machine.check(std::span(arrived).subspan(at, words), std::span(down + sum, summed));
            !whole)
            return whole;
        at += words;
        sum += summed;
    }
    seen.swap(arrived);
    return {};
}

Status BatchState::read_times() {
    auto moments = list->timestamps();
    if (!moments) return moments.error();
    if (moments->size() < 4) return {};
    times.upload += (*moments)[1].at - (*moments)[0].at;
    times.execute += (*moments)[2].at - (*moments)[1].at;
    times.readback += (*moments)[3].at - (*moments)[2].at;
    if (machine.timed) {
        const std::uint64_t before = machine.clock.clamped();
        read_clocks((*moments)[1].at, (*moments)[2].at);
        times.clamped += machine.clock.clamped() - before;
    }
    if (machine.options.submitted)
        machine.options.submitted({(*moments)[0].at, (*moments)[1].at, (*moments)[2].at,
                                   (*moments)[3].at, count, Lanes::interpreted, submission});
    return {};
}

Result<bool> KernelBatch::advance(const std::stop_token& stop,
                                  const std::function<void()>& launched) {
    BatchState& s = *state_;
    s.stops.clear();
    s.wave_times.clear();
    s.lane_times.clear();
    if (stop.stop_requested()) return Error{ErrorCode::cancelled, "gpuvm: cancelled"};
    if (const Status clear = s.list->clear(); !clear) return clear.error();
    const std::uint32_t slices = s.machine.options.slices;
    s.record_slices(slices);
    if (s.machine.options.launched) s.submission = s.machine.options.launched(s.count);
    if (const Status done = s.machine.finish(s.list, stop, launched); !done) return done.error();
    s.begun = true;
    s.changed = false;
    s.frames_known = s.logs_known = s.globals_known = false;
    s.loaded.clear();
    s.dispatches += slices;
    ++s.times.submissions;
    s.times.dispatches = s.dispatches;
    if (const Status whole = s.check_download(); !whole) return whole.error();
    if (const Status read = s.read_times(); !read) return read.error();
    s.collect_stops();
    return s.counter(GPUVM_BOOK_RUNNING) != 0;
}

void BatchState::collect_stops() {
    // Every wave of every dispatch must have come to its end; a driver that cuts loops short is
    // detected here, and results of unfinished waves are not trusted.
    const bool whole = counter(GPUVM_BOOK_CUT) == 0 &&
                       counter(GPUVM_BOOK_ENDED) == static_cast<std::uint32_t>(waves * dispatches);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (phases[i] != Phase::running) continue;
        Stop stop;
        stop.invocation = i;
        switch (word(GPUVM_STATUS, i)) {
        case GPUVM_RETURNED:
            stop.kind = StopKind::returned;
            break;
        case GPUVM_TRAPPED:
            stop.kind = StopKind::trapped;
            break;
        case GPUVM_YIELDED:
            stop.kind = StopKind::host_call;
            stop.import = word(GPUVM_DETAIL, i);
            break;
        case GPUVM_EJECTED:
            stop.kind = StopKind::ejected;
            stop.ejection = static_cast<Ejection>(word(GPUVM_DETAIL, i));
            break;
        case GPUVM_RUNNING:
            if (whole) continue;
            [[fallthrough]];
        default:
            stop.kind = StopKind::ejected;
            stop.ejection = Ejection::fault;
        }
        if (!whole) {
            stop.kind = StopKind::ejected;
            stop.ejection = Ejection::fault;
        }
        phases[i] = Phase::stopped;
        stops.push_back(stop);
    }
}

std::span<const Stop> KernelBatch::stops() const noexcept {
    return state_->stops;
}

std::size_t KernelBatch::size() const noexcept {
    return state_->count;
}

Times KernelBatch::times() const noexcept {
    return state_->times;
}

Work KernelBatch::work() const noexcept {
    const BatchState& s = *state_;
    Work work;
    if (!s.begun) return work;
    work.instructions = s.counter(GPUVM_BOOK_STEPS) | std::uint64_t{s.counter(GPUVM_BOOK_STEPS + 1)}
                                                          << 32;
    work.rounds = s.counter(GPUVM_BOOK_ROUNDS);
    work.frames = std::min(s.counter(GPUVM_BOOK_FRAMES), s.push.pool_frames);
    return work;
}

} // namespace blockloom::gpuvm
