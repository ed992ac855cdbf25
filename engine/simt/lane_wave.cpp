#include "simt/lane_wave.h"

#include "gpuvm/machine_state.h"
#include "simt/in_parts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace blockloom::simt {

using compute::BufferUse;
using native::Exit;

namespace {

/// A longer response is fetched with the lane's memory: 1 KiB and the length.
constexpr std::uint32_t response_rows = 257;
/// Room for pages of lanes that wait for the host; those that find none run again.
constexpr std::uint32_t most_dump_pages = 1u << 17;
constexpr std::size_t lanes_a_part = 64;
/// Room for so many lanes is reserved for fewer, too: the next launch may have more, and new memory
/// would wait for all that runs.
constexpr std::uint32_t least_room = 128;

std::uint32_t pages_of(const native::LanePlan& plan) {
    return plan.frame_bytes / LANE_PAGE + 1;
}

std::uint32_t global_pages(const LaneVariant& variant) {
    return (variant.global_cells * 8 + LANE_PAGE - 1) / LANE_PAGE;
}

/// work(lane) for all.
template <typename Work>
void each_lane(const gpuvm::Options& options, std::size_t count, const Work& work) {
    in_parts(options, count, lanes_a_part, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) work(i);
    });
}

} // namespace

Status LaneWave::reserve_all() {
    const std::size_t result_bytes =
        std::size_t{LANE_ROW_CELLS + push_.cell_rows} * push_.stride * 8;
    const std::size_t log_bytes = std::max<std::size_t>(
        std::size_t{push_.log_rows + push_.response_rows} * push_.stride * 4, 4);
    const std::size_t dump_bytes =
        LANE_DUMP_NUMBERS + std::size_t{push_.dump_pages} * (LANE_PAGE + 4);
    for (const auto& [buffer, bytes] :
         {std::pair(&results_, result_bytes), std::pair(&log_, log_bytes)})
        if (const Status got =
                gpuvm::reserve_rounded(*provider_, *buffer, bytes, BufferUse::download);
            !got)
            return got;
    const compute::Buffer* const before = dump_.get();
    if (const Status got = gpuvm::reserve_rounded(*provider_, dump_, dump_bytes, BufferUse::device);
        !got)
        return got;
    dump_is_empty_ = dump_is_empty_ && dump_.get() == before;
    for (compute::CommandListPtr* list : {&list_, &rest_}) {
        if (*list) continue;
        auto made = provider_->commands(lane_);
        if (!made) return made.error();
        *list = *std::move(made);
    }
    return {};
}

Status LaneWave::launch(std::shared_ptr<const LaneVariant> variant, BatchInputs& inputs,
                        std::uint32_t count, const std::function<LaneTask(std::uint32_t)>& task,
                        const gpuvm::Options& options) {
    variant_ = std::move(variant);
    options_ = options;
    const native::LanePlan& plan = variant_->plan;
    const std::uint32_t parameters = plan.program->functions[variant_->function].parameters;
    push_ = {};
    push_.count = count;
    push_.stride = (count + 31) / 32 * 32;
    push_.log_rows = std::min<std::uint32_t>(options.read_log, LANE_READS);
    push_.keep = options.keep_memories ? 1 : 0;
    push_.response_rows = options.keep_memories ? 0 : response_rows;
    push_.cell_rows = variant_->cell_rows;
    const std::uint32_t one = pages_of(plan) + global_pages(*variant_);
    push_.dump_pages = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        std::uint64_t{one} * std::max(count, least_room), one, std::max(one, most_dump_pages)));
    push_.dump_pages += push_.dump_pages % 2; // cells of 8 bytes follow the numbers
    // Where each lane's arguments and tape are: arguments side by side, then the tapes.
    const std::size_t cells_at = (count * sizeof(LaneInput) + 7) / 8 * 8;
    std::vector<std::size_t> tapes;
    std::size_t all = cells_at + std::size_t{count} * parameters * sizeof(wasm::Cell);
    for (std::uint32_t i = 0; i < count; ++i) {
        const LaneTask each = task(i);
        if (each.tape->empty()) continue;
        if (tapes.empty()) tapes.resize(count);
        tapes[i] = all;
        all += tape_bytes(*each.tape);
    }
    if (all > 0xffff'ffff)
        return Error{compute::out_of_memory,
                     "compiled lanes: the host's answers exceed what a lane can address (4 GiB)"};
    if (const Status got = reserve_all(); !got) return got;
    if (const Status cleared = list_->clear(); !cleared) return cleared;
    list_->timestamp("begin");
    auto known = inputs.on(*provider_, *list_, options_, all);
    if (!known) return known.error();
    compute::Binding lanes{known->buffer, known->beside_at};
    Byte* to = known->beside;
    if (to == nullptr) {
        for (const auto& [buffer, use] :
             {std::pair(&upload_, BufferUse::upload), std::pair(&lanes_, BufferUse::device)})
            if (const Status got = gpuvm::reserve_rounded(*provider_, *buffer, all, use); !got)
                return got;
        list_->copy(upload_, 0, lanes_, 0, all);
        lanes = {lanes_};
        to = reinterpret_cast<Byte*>(upload_->mapped().data());
    }
    each_lane(options_, count, [&](std::size_t i) {
        const LaneTask each = task(static_cast<std::uint32_t>(i));
        LaneInput input{};
        input.fuel = each.given->fuel - each.held_back;
        input.held_back = each.held_back;
        for (std::size_t b = 0; b < LANE_BLOBS; ++b) {
            input.blobs[b][0] = each.given->blobs[b].offset;
            input.blobs[b][1] = each.given->blobs[b].bytes;
        }
        input.owner = each.given->owner;
        input.calls = each.given->calls;
        input.flags =
            (each.given->values ? static_cast<u32>(LANE_FLAG_VALUES) : 0) |
            (each.given->calls != gpuvm::no_owner ? static_cast<u32>(LANE_FLAG_CALLS) : 0);
        const std::size_t cells = cells_at + i * parameters * sizeof(wasm::Cell);
        input.arguments = static_cast<std::uint32_t>(cells);
        const auto& given = each.given->arguments;
        std::memset(to + cells, 0, parameters * sizeof(wasm::Cell));
        if (!given.empty())
            std::memcpy(to + cells, given.data(),
                        std::min<std::size_t>(given.size(), parameters) * sizeof(wasm::Cell));
        if (!each.tape->empty()) {
            input.tape = static_cast<std::uint32_t>(tapes[i]);
            input.tape_count = static_cast<std::uint32_t>(each.tape->size());
            write_tape(*each.tape, to + tapes[i]);
        }
        std::memcpy(to + i * sizeof(LaneInput), &input, sizeof input);
    });
    push_.values = inputs.table();
    push_.value_mask = inputs.mask();
    push_.value_count = inputs.values();
    rows_ = reinterpret_cast<const std::uint64_t*>(results_->mapped().data());
    logged_ = reinterpret_cast<const std::uint32_t*>(log_->mapped().data());
    auto* const states = reinterpret_cast<std::uint32_t*>(results_->mapped().data());
    std::fill_n(states, std::size_t{push_.stride} * 2, static_cast<std::uint32_t>(LANE_RUNNING));
    if (!dump_is_empty_) list_->fill(dump_, 0, LANE_DUMP_NUMBERS, 0);
    dump_is_empty_ = false; // until it is known that nothing was dumped
    list_->barrier();
    list_->timestamp("uploaded");
    const std::array<compute::Binding, LANE_BUFFERS> bindings{
        {{variant_->table}, lanes, {known->buffer}, {results_}, {log_}, {dump_}}};
    const std::uint32_t group = variant_->lanes_per_group;
    list_->dispatch(variant_->kernel, bindings, std::as_bytes(std::span(&push_, 1)),
                    {(count + group - 1) / group, 1, 1});
    list_->barrier();
    list_->timestamp("executed");
    auto submitted = provider_->submit(list_);
    if (!submitted) return submitted.error();
    ticket_ = *submitted;
    submission_ = options_.launched ? options_.launched(count) : gpuvm::no_submission;
    return {};
}

Status LaneWave::finish(const std::stop_token& stop, gpuvm::Times& times) {
    if (const Status done = provider_->wait(ticket_, options_.time_out, stop); !done) return done;
    ++times.submissions, ++times.dispatches;
    const auto stamps = list_->timestamps();
    if (stamps && stamps->size() == 3) {
        const auto& at = *stamps;
        times.upload += at[1].at - at[0].at;
        times.execute += at[2].at - at[1].at;
        if (options_.submitted)
            options_.submitted({at[0].at, at[1].at, at[2].at, at[2].at, push_.count,
                                gpuvm::Lanes::compiled, submission_});
    }
    if (const Status fetched = fetch_dump(stop); !fetched) return fetched;
    check_lanes();
    return {};
}

bool LaneWave::alike(std::uint32_t lane, std::uint32_t other) const {
    return row(LANE_ROW_STATUS, lane) == row(LANE_ROW_STATUS, other) &&
           static_cast<u32>(row(LANE_ROW_RESPONSE, lane)) ==
               static_cast<u32>(row(LANE_ROW_RESPONSE, other));
}

/// Most lanes give as much as their neighbours, so their words lie side by side.
void LaneWave::check_lanes() {
    intact_.assign(push_.count, 0);
    in_parts(options_, push_.count, lanes_a_part, [&](std::size_t begin, std::size_t end) {
        const auto last = static_cast<std::uint32_t>(end);
        for (auto lane = static_cast<std::uint32_t>(begin), next = lane; lane < last; lane = next) {
            next = lane + 1;
            const std::uint32_t ended = exit(lane);
            if (ended != static_cast<u32>(Exit::none) && ended != static_cast<u32>(Exit::host))
                continue;
            const bool alone =
                ended == static_cast<u32>(Exit::host) || (done(lane) & LANE_DONE_DUMPED) != 0;
            while (!alone && next < last && alike(lane, next)) ++next;
            check_alike(lane, next - lane);
        }
    });
}

Status LaneWave::fetch_dump(const std::stop_token& stop) {
    std::uint64_t used = 0;
    bool any = false;
    for (std::uint32_t i = 0; i < push_.count; ++i) {
        if ((done(i) & LANE_DONE_DUMPED) == 0) continue;
        any = true;
        const std::uint32_t ended = exit(i);
        if (ended == static_cast<u32>(Exit::none) || ended == static_cast<u32>(Exit::host))
            used = std::max(used, std::uint64_t{dump_first(i)} + dump_count(i));
    }
    dump_is_empty_ = !any;
    dumped_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(used, push_.dump_pages));
    if (dumped_ == 0) return {};
    if (const Status cleared = rest_->clear(); !cleared) return cleared;
    const std::size_t numbers = std::size_t{dumped_} * 4, bytes = std::size_t{dumped_} * LANE_PAGE;
    if (const Status got =
            gpuvm::reserve_rounded(*provider_, dump_here_, numbers + bytes, BufferUse::download);
        !got)
        return got;
    const std::size_t pages_at = LANE_DUMP_NUMBERS + std::size_t{push_.dump_pages} * 4;
    rest_->copy(dump_, LANE_DUMP_NUMBERS, dump_here_, bytes, numbers);
    rest_->copy(dump_, pages_at, dump_here_, 0, bytes);
    auto submitted = provider_->submit(rest_);
    if (!submitted) return submitted.error();
    return provider_->wait(*submitted, options_.time_out, stop);
}

std::uint32_t LaneWave::exit(std::uint32_t lane) const {
    return static_cast<std::uint32_t>(row(LANE_ROW_STATUS, lane));
}

std::uint32_t LaneWave::done(std::uint32_t lane) const {
    return static_cast<std::uint32_t>(row(LANE_ROW_STATUS, lane) >> 32);
}

std::uint32_t LaneWave::import(std::uint32_t lane) const {
    return static_cast<std::uint32_t>(row(LANE_ROW_CALL, lane));
}

std::uint32_t LaneWave::call_place(std::uint32_t lane) const {
    return static_cast<std::uint32_t>(row(LANE_ROW_CALL, lane) >> 32);
}

std::uint32_t LaneWave::dump_first(std::uint32_t lane) const {
    return static_cast<std::uint32_t>(row(LANE_ROW_DUMP, lane));
}

std::uint32_t LaneWave::dump_count(std::uint32_t lane) const {
    return static_cast<std::uint32_t>(row(LANE_ROW_DUMP, lane) >> 32);
}

std::uint32_t LaneWave::cells_given(std::uint32_t lane) const {
    const wasm::Program& program = *variant_->plan.program;
    if (exit(lane) == static_cast<u32>(Exit::none))
        return program.functions[variant_->function].results;
    return import(lane) < program.module->imported_functions
               ? program.functions[import(lane)].parameters
               : ~0u;
}

/// As lane_give does, for all of them at once.
void LaneWave::check_alike(std::uint32_t first, std::uint32_t count) {
    const std::uint32_t flags = done(first), logged = flags & LANE_READS;
    const std::uint32_t given = cells_given(first);
    const bool responded = (flags & LANE_DONE_RESPONSE) != 0;
    const std::uint32_t words =
        responded ? (static_cast<u32>(row(LANE_ROW_RESPONSE, first)) + 3) / 4 : 0;
    if (given > push_.cell_rows || logged > push_.log_rows || words > push_.response_rows) return;
    std::array<std::uint32_t, lanes_a_part> sums;
    for (std::uint32_t k = 0; k < count; ++k) sums[k] = lane_mix(first + k, exit(first));
    if ((flags & LANE_DONE_DUMPED) != 0) { // `first` alone
        const auto mixed = mix_dumped(sums[0], first);
        if (!mixed) return;
        sums[0] = *mixed;
    }
    const auto mix = [&](const std::uint32_t* row) {
        for (std::uint32_t k = 0; k < count; ++k) sums[k] = lane_mix(sums[k], row[first + k]);
    };
    const auto mix_wide = [&](std::uint32_t which) {
        const std::uint64_t* const row = rows_ + std::size_t{which} * push_.stride + first;
        for (std::uint32_t k = 0; k < count; ++k) sums[k] = lane_mix_wide(sums[k], row[k]);
    };
    for (std::uint32_t i = 0; i < words; ++i) mix(log_row(push_.log_rows + i));
    for (const std::uint32_t which : {LANE_ROW_LEFT, LANE_ROW_FEES, LANE_ROW_MEMORY, LANE_ROW_LEAST,
                                      LANE_ROW_CALL, LANE_ROW_RESPONSE})
        mix_wide(which);
    for (std::uint32_t k = 0; k < count; ++k) sums[k] = lane_mix(sums[k], flags);
    for (std::uint32_t i = 0; i < given; ++i) mix_wide(LANE_ROW_CELLS + i);
    for (std::uint32_t i = 0; i < logged; ++i) mix(log_row(i));
    for (std::uint32_t k = 0; k < count; ++k)
        intact_[first + k] = sums[k] == row(LANE_ROW_SUM, first + k) ? 1 : 0;
}

std::optional<std::uint32_t> LaneWave::mix_dumped(std::uint32_t sum, std::uint32_t lane) const {
    const std::uint64_t end = std::uint64_t{dump_first(lane)} + dump_count(lane);
    if (end > dumped_ || dump_count(lane) < global_pages(*variant_)) return std::nullopt;
    for (std::uint32_t g = 0; g < variant_->global_cells; ++g)
        sum = lane_mix_wide(sum, global(lane, g));
    const auto numbers = pages(lane);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        sum = lane_mix(sum, numbers[i]);
        const ByteView bytes = page(lane, i);
        for (std::size_t k = 0; k < LANE_PAGE; k += 4) {
            std::uint32_t word = 0;
            std::memcpy(&word, bytes.data() + k, sizeof word);
            sum = lane_mix(sum, word);
        }
    }
    return sum;
}

void LaneWave::read_cells(std::uint32_t lane, std::uint32_t count,
                          std::vector<wasm::Cell>& to) const {
    to.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) to[i] = row(LANE_ROW_CELLS + i, lane);
}

void LaneWave::read_log(std::uint32_t lane, std::vector<std::uint32_t>& to) const {
    to.resize(done(lane) & LANE_READS);
    for (std::uint32_t i = 0; i < to.size(); ++i) to[i] = log_row(i)[lane];
}

void LaneWave::read_response(std::uint32_t lane, std::string& to) const {
    const auto size = static_cast<std::uint32_t>(row(LANE_ROW_RESPONSE, lane));
    to.resize((size + 3) / 4 * 4);
    // Their length is before them.
    const std::uint32_t* from = log_row(push_.log_rows + 1) + lane;
    for (std::uint32_t i = 4; i < size; i += 4, from += push_.stride)
        std::memcpy(to.data() + i - 4, from, sizeof *from);
    to.resize(size < 4 ? 0 : size - 4);
}

std::span<const std::uint32_t> LaneWave::pages(std::uint32_t lane) const {
    const std::uint32_t its_globals = global_pages(*variant_);
    const auto* numbers = reinterpret_cast<const std::uint32_t*>(
        dump_here_ ? dump_here_->mapped().data() + std::size_t{dumped_} * LANE_PAGE : nullptr);
    if (dump_count(lane) <= its_globals) return {};
    return {numbers + dump_first(lane) + its_globals, dump_count(lane) - its_globals};
}

ByteView LaneWave::page(std::uint32_t lane, std::size_t index) const {
    const std::size_t at = dump_first(lane) + global_pages(*variant_) + index;
    return {reinterpret_cast<const Byte*>(dump_here_->mapped().data()) + at * LANE_PAGE, LANE_PAGE};
}

wasm::Cell LaneWave::global(std::uint32_t lane, std::uint32_t index) const {
    wasm::Cell cell = 0;
    std::memcpy(&cell,
                dump_here_->mapped().data() + std::size_t{dump_first(lane)} * LANE_PAGE +
                    std::size_t{index} * sizeof cell,
                sizeof cell);
    return cell;
}

} // namespace blockloom::simt
