#include "simt/lane_batch.h"

#include "compute/errors.h"
#include "simt/in_parts.h"
#include "wasm/instance.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace blockloom::simt {

using gpuvm::Ejection;
using gpuvm::small_page;
using gpuvm::StopKind;
using native::Exit;

namespace {

/// A lane that runs cannot be cancelled: its code is never given more, and leaves when it is spent.
constexpr std::uint64_t most_fuel = std::uint64_t{1} << 33;
/// More lanes at once are slower for each (docs/gpuvm.md#compiled-lanes).
constexpr std::size_t lanes_a_wave = 65'536;
/// Lanes that run on the host while the memory of a program is not known.
constexpr std::size_t pilots = 64;
/// Lanes that a thread prepares at once.
constexpr std::size_t lanes_together = 128;

const Tape no_tape;

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
    case Exit::cold:
        return Ejection::cold;
    case Exit::host:
    case Exit::none:
        break;
    }
    return Ejection::fault;
}

} // namespace

Status LaneBatch::check(std::span<const gpuvm::Invocation> invocations,
                        const gpuvm::Inputs& inputs) const {
    for (std::size_t i = 0; i < invocations.size(); ++i) {
        const gpuvm::Invocation& each = invocations[i];
        if (each.program >= programs_.size() ||
            each.function >= programs_[each.program]->program().functions.size())
            return Error{compute::misused,
                         fmt::format("compiled lanes: invocation {}: no function {} of program {}",
                                     i, each.function, each.program)};
        for (const gpuvm::Piece& blob : each.blobs)
            if (blob.offset != gpuvm::no_blob.offset &&
                std::uint64_t{blob.offset} + blob.bytes > inputs.bytes.size())
                return Error{compute::misused,
                             fmt::format("compiled lanes: invocation {}: a blob lies outside the "
                                         "inputs",
                                         i)};
    }
    return {};
}

Status LaneBatch::start(std::span<const gpuvm::Invocation> invocations,
                        const gpuvm::Inputs& inputs) {
    abandon_launched();
    if (const Status taken = inputs_.take(inputs, options_); !taken) return taken;
    for (auto& wave : waves_) idle_.push_back(std::move(wave));
    waves_.clear();
    stops_.clear();
    times_ = {};
    work_ = {};
    if (Status checked = check(invocations, inputs); !checked) {
        lanes_.clear();
        return checked;
    }
    lanes_.resize(invocations.size());
    in_parts(options_, lanes_.size(), lanes_together, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            Lane& lane = lanes_[i];
            lane = {};
            lane.program = programs_[invocations[i].program].get();
            lane.given = invocations[i];
            lane.held_back = lane.given.fuel - std::min(lane.given.fuel, most_fuel);
        }
    });
    // The caller's arguments are its own.
    std::size_t cells = 0;
    for (const gpuvm::Invocation& each : invocations) cells += each.arguments.size();
    arguments_.clear();
    if (cells == 0) return {};
    arguments_.reserve(cells);
    for (Lane& lane : lanes_) {
        const std::span<const wasm::Cell> given = lane.given.arguments;
        const std::size_t at = arguments_.size();
        arguments_.insert(arguments_.end(), given.begin(), given.end());
        lane.given.arguments = std::span(arguments_).subspan(at, given.size());
    }
    return {};
}

LaneWave& LaneBatch::wave_for(const compute::ProviderPtr& provider) {
    const auto found = std::ranges::find_if(
        idle_, [&](const auto& wave) { return wave->provider() == provider.get(); });
    if (found == idle_.end()) {
        waves_.push_back(std::make_unique<LaneWave>(provider, lane_));
    } else {
        waves_.push_back(std::move(*found));
        idle_.erase(found);
    }
    return *waves_.back();
}

void LaneBatch::stop_lane(std::uint32_t number, StopKind kind, Ejection ejection) {
    Lane& lane = lanes_[number];
    lane.phase = Phase::stopped;
    lane.stop = {number, kind, ejection, 0};
    stops_.push_back(lane.stop);
}

/// Lanes that have no code yet stay as they are if options ask to wait for it, and are left to the
/// caller if not.
Result<std::vector<LaneBatch::Group>>
LaneBatch::place_lanes(std::span<const std::uint32_t> running) {
    using Key = std::tuple<CompiledProgram*, std::uint32_t, const LaneVariant*>;
    std::map<Key, std::size_t> by_code;
    std::map<DeviceCode*, std::size_t> trying;
    std::vector<Group> groups;
    const Lane* before = nullptr; // the last one that was placed, and its group
    std::size_t its_group = 0;
    for (const std::uint32_t number : running) {
        Lane& lane = lanes_[number];
        const std::uint32_t function = lane.given.function;
        if (before != nullptr && before->program == lane.program &&
            before->given.function == function && before->place == lane.place &&
            groups[its_group].variant->compiled && groups[its_group].lanes.size() < lanes_a_wave) {
            groups[its_group].lanes.push_back(number);
            continue;
        }
        const bool foreign = lane.program->image().foreign_globals ||
                             function < lane.program->program().module->imported_functions;
        if (foreign) {
            stop_lane(number, StopKind::ejected, Ejection::foreign);
            continue;
        }
        std::shared_ptr<const LaneVariant> variant;
        DeviceCode* const device =
            lane.place == Place::any ? lane.program->on_device(function) : nullptr;
        if (device != nullptr) {
            if (options_.wait_for_code && device->state() == DeviceCode::State::compiling)
                device->wait();
            auto there = lane.program->device_variant(function);
            if (!there) return there.error();
            variant = *std::move(there);
            if (!variant) {
                const DeviceCode::State state = device->state();
                if (state == DeviceCode::State::refused)
                    if (auto error = device->error(); error && error->code == compute::device_lost)
                        return *std::move(error);
                if (!options_.wait_for_code && !device->pays()) {
                    device->want(1);
                    stop_lane(number, StopKind::ejected, Ejection::compiling);
                    continue;
                }
                if (state != DeviceCode::State::profiling) {
                    stop_lane(number, StopKind::ejected,
                              state == DeviceCode::State::refused ? Ejection::program
                                                                  : Ejection::compiling);
                    continue;
                }
                if (++trying[device] > pilots) {
                    if (!options_.wait_for_code)
                        stop_lane(number, StopKind::ejected, Ejection::compiling);
                    continue;
                }
            }
        }
        if (!variant) {
            const Reach reach = lane.place == Place::whole ? Reach::whole : Reach::declared;
            if (lane.program->has_device() && !options_.wait_for_code &&
                !lane.program->is_on_host(reach)) {
                stop_lane(number, StopKind::ejected,
                          lane.place == Place::any ? Ejection::compiling : Ejection::window);
                continue;
            }
            auto found = lane.program->on_host(reach, function);
            if (!found) return found.error();
            variant = *std::move(found);
        }
        if (!variant) {
            stop_lane(number, StopKind::ejected, Ejection::program);
            continue;
        }
        std::size_t& group =
            by_code.try_emplace({lane.program, function, variant.get()}, groups.size())
                .first->second;
        if (group == groups.size() || groups[group].lanes.size() == lanes_a_wave) {
            group = groups.size();
            groups.push_back({variant, {}});
        }
        groups[group].lanes.push_back(number);
        before = &lane, its_group = group;
    }
    return groups;
}

Status LaneBatch::launch_groups(std::vector<Group> groups) {
    launched_.reserve(groups.size());
    for (Group& group : groups) {
        LaneWave& wave = wave_for(group.variant->provider);
        const auto task = [&](std::uint32_t i) {
            const Lane& lane = lanes_[group.lanes[i]];
            return LaneTask{&lane.given, lane.dialogue ? &lane.dialogue->tape : &no_tape,
                            lane.held_back};
        };
        // Lanes on the host show a device's code the memory that it needs.
        gpuvm::Options options = options_;
        const Lane& first = lanes_[group.lanes.front()];
        options.keep_memories |=
            !group.variant->compiled && first.program->on_device(first.given.function) != nullptr;
        if (!group.variant->compiled && first.program->has_device()) options.launched = {};
        if (options_.submitted)
            options.submitted = [submitted = options_.submitted,
                                 lanes = !group.variant->compiled && first.program->has_device()
                                             ? gpuvm::Lanes::profiled
                                             : gpuvm::Lanes::compiled](auto times) {
                times.lanes = lanes;
                submitted(times);
            };
        if (const Status started =
                wave.launch(group.variant, inputs_, static_cast<std::uint32_t>(group.lanes.size()),
                            task, options);
            !started)
            return started;
        launched_.emplace_back(std::move(group), &wave);
    }
    return {};
}

Status LaneBatch::finish_groups(const std::stop_token& stop) {
    for (const auto& [group, wave] : launched_) {
        if (const Status done = wave->finish(stop, times_); !done) {
            // What hangs is not waited for again, nor is what is lost; the rest still is.
            const ErrorCode code = done.error().code;
            if (code == compute::timed_out || code == compute::device_lost) launched_.clear();
            return done;
        }
        for (std::uint32_t i = 0; i < group.lanes.size(); ++i) {
            lanes_[group.lanes[i]].wave = wave;
            lanes_[group.lanes[i]].number = i;
        }
    }
    for (const auto& [group, wave] : launched_)
        for (const std::uint32_t number : group.lanes) look_at(number);
    launched_.clear();
    return {};
}

/// Their buffers are about to be used for something else.
void LaneBatch::abandon_launched() noexcept {
    for (const auto& [group, wave] : launched_) wave->abandon();
    launched_.clear();
    ahead_ = false;
}

std::uint64_t LaneBatch::word(const Lane& lane, std::uint32_t row) const {
    return lane.wave->row(row, lane.number);
}

bool LaneBatch::dumped(const Lane& lane) const {
    // One that trapped did so in a host call, whose memory it gave.
    return lane.wave != nullptr && lane.phase == Phase::stopped &&
           lane.stop.kind != StopKind::ejected &&
           (lane.wave->done(lane.number) & LANE_DONE_DUMPED) != 0;
}

void LaneBatch::learn_from(std::uint32_t number) {
    const Lane& lane = lanes_[number];
    DeviceCode* const device = lane.program->on_device(lane.given.function);
    if (device == nullptr || !dumped(lane)) return;
    device->saw(lane.wave->pages(lane.number));
    learned_.emplace_back(device, number);
}

/// Compiles what lanes on the host have shown. Those that ran there only to show it run again on
/// the device, if the options ask to wait for it.
void LaneBatch::compile_learned() {
    std::set<DeviceCode*> learned;
    for (const auto& [device, lane] : learned_) learned.insert(device);
    for (DeviceCode* const device : learned) device->compile();
    if (options_.wait_for_code)
        for (DeviceCode* const device : learned) device->wait();
    for (const auto& [device, number] : learned_) {
        Lane& lane = lanes_[number];
        if (!options_.wait_for_code || lane.place != Place::any ||
            device->state() != DeviceCode::State::ready)
            continue;
        lane.phase = Phase::running;
        --work_.on_host;
        std::erase_if(stops_, [&](const gpuvm::Stop& stop) { return stop.invocation == number; });
    }
    learned_.clear();
}

void LaneBatch::look_at(std::uint32_t number) {
    Lane& lane = lanes_[number];
    const std::uint32_t exit = lane.wave->exit(lane.number);
    const bool compiled = lane.wave->variant().compiled;
    if (exit == LANE_NO_DUMP) return; // it runs again
    if (exit == static_cast<u32>(Exit::none) || exit == static_cast<u32>(Exit::host)) {
        if (!lane.wave->intact(lane.number)) {
            stop_lane(number, StopKind::ejected, Ejection::fault);
            return;
        }
        work_.instructions += so_far(number).steps;
        ++(compiled ? work_.compiled : work_.on_host);
        if (exit == static_cast<u32>(Exit::none)) {
            stop_lane(number, StopKind::returned, Ejection::none);
            if (!compiled) learn_from(number);
            return;
        }
        const std::size_t answers = lane.dialogue ? lane.dialogue->tape.size() : 0;
        if (answers >= options_.tapes) {
            stop_lane(number, StopKind::ejected, Ejection::tapes);
            return;
        }
        stop_lane(number, StopKind::host_call, Ejection::none);
        stops_.back().import = lane.stop.import = lane.wave->import(lane.number);
        return;
    }
    const bool shows = compiled && (exit == static_cast<u32>(Exit::window) ||
                                    exit == static_cast<u32>(Exit::cold));
    const bool is_to_show = shows && lane.program->on_device(lane.given.function)->missed();
    if (shows || exit == static_cast<u32>(Exit::window)) {
        // What the code does not have on a device shows on the host.
        const Place wider = compiled                          ? Place::declared
                            : lane.place == Place::whole      ? Place::any
                            : lane.program->reaches_further() ? Place::whole
                                                              : Place::any;
        // The caller's own engine is faster for the others.
        const bool may_show = options_.wait_for_code || !compiled || is_to_show;
        if (wider != Place::any && may_show) {
            lane.place = wider;
            return;
        }
    }
    stop_lane(number, StopKind::ejected,
              exit < native::exit_kinds ? ejection_of(static_cast<Exit>(exit)) : Ejection::fault);
}

/// Waves of which no lane that has stopped is left serve the next launch.
void LaneBatch::reuse_waves() {
    std::set<const LaneWave*> needed;
    for (const Lane& lane : lanes_)
        if (lane.phase == Phase::stopped) needed.insert(lane.wave);
    for (auto& wave : waves_)
        if (!needed.contains(wave.get())) idle_.push_back(std::move(wave));
    std::erase(waves_, nullptr);
    for (Lane& lane : lanes_)
        if (lane.phase != Phase::stopped) lane.wave = nullptr;
}

/// Also ends those whose host call failed.
std::vector<std::uint32_t> LaneBatch::lanes_to_run() {
    std::vector<std::uint32_t> running;
    for (std::uint32_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        if (lane.phase != Phase::running) continue;
        if (lane.dialogue && lane.dialogue->failed)
            stop_lane(i, StopKind::trapped, Ejection::none);
        else
            running.push_back(i);
    }
    return running;
}

Status LaneBatch::launch() {
    stops_.clear();
    running_ = lanes_to_run();
    reuse_waves();
    ahead_ = true;
    auto groups = place_lanes(running_);
    return groups ? launch_groups(*std::move(groups)) : groups.error();
}

bool LaneBatch::has_landed() {
    return std::ranges::all_of(launched_,
                               [](const auto& each) { return each.second->has_landed(); });
}

Result<bool> LaneBatch::advance(const std::stop_token& stop,
                                const std::function<void()>& launched) {
    const bool ahead = std::exchange(ahead_, false);
    if (!ahead) {
        stops_.clear();
        running_ = lanes_to_run();
        reuse_waves();
    }
    for (bool first = true; !running_.empty(); first = false) {
        if (stop.stop_requested()) return Error{ErrorCode::cancelled, "compiled lanes: cancelled"};
        if (!first || !ahead) {
            auto groups = place_lanes(running_);
            if (!groups) return groups.error();
            if (const Status started = launch_groups(*std::move(groups)); !started)
                return started.error();
        }
        const bool none = launched_.empty();
        if (first && launched) launched();
        if (const Status finished = finish_groups(stop); !finished) return finished.error();
        compile_learned();
        std::erase_if(running_, [&](std::uint32_t i) { return lanes_[i].phase != Phase::running; });
        if (none && !running_.empty())
            return Error{compute::misused, "compiled lanes: no lane has code"};
    }
    std::ranges::sort(stops_, {}, &gpuvm::Stop::invocation);
    return false;
}

void LaneBatch::read_end(std::uint32_t invocation, gpuvm::Ended& to) const {
    const Lane& lane = lanes_[invocation];
    const std::uint64_t left = fuel_left(invocation);
    to.run.fuel_used = lane.given.fuel - left;
    to.run.steps = to.run.fuel_used - word(lane, LANE_ROW_FEES);
    to.submission = lane.wave->submission();
    to.pages = memory_pages(invocation);
    to.fuel_read = (lane.wave->done(lane.number) & LANE_DONE_FUEL_READ) != 0;
    to.least_left = std::min(word(lane, LANE_ROW_LEAST), left);
    to.on_host = lane.program->has_device() && !lane.wave->variant().compiled;
    if (lane.stop.kind == StopKind::trapped) {
        to.run.outcome = wasm::Outcome::trapped;
        to.run.trap = lane.dialogue->trap;
        to.run.results.clear();
    } else {
        to.run.outcome = wasm::Outcome::returned;
        to.run.trap = {};
        lane.wave->read_cells(lane.number,
                              lane.program->program().functions[lane.given.function].results,
                              to.run.results);
    }
}

wasm::RunResult LaneBatch::so_far(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    wasm::RunResult run;
    if (lane.wave == nullptr) return run;
    run.fuel_used = lane.given.fuel - fuel_left(invocation);
    run.steps = run.fuel_used - word(lane, LANE_ROW_FEES);
    return run;
}

Status LaneBatch::read_log(std::uint32_t invocation, std::vector<std::uint32_t>& to) {
    const Lane& lane = lanes_[invocation];
    to.clear();
    if (lane.wave != nullptr) lane.wave->read_log(lane.number, to);
    return {};
}

bool LaneBatch::read_kept(std::uint32_t invocation, std::uint32_t pointer,
                          std::string& bytes) const {
    const Lane& lane = lanes_[invocation];
    if (lane.stop.kind != StopKind::returned ||
        (lane.wave->done(lane.number) & LANE_DONE_RESPONSE) == 0 ||
        static_cast<std::uint32_t>(word(lane, LANE_ROW_CELLS)) != pointer)
        return false;
    lane.wave->read_response(lane.number, bytes);
    return true;
}

Result<std::vector<wasm::Cell>> LaneBatch::globals(std::uint32_t invocation) {
    const Lane& lane = lanes_[invocation];
    std::vector<wasm::Cell> cells = lane.program->image().globals;
    if (dumped(lane))
        for (std::uint32_t g = 0; g < cells.size(); ++g)
            cells[g] = lane.wave->global(lane.number, g);
    return cells;
}

std::uint32_t LaneBatch::dropped_segments(std::uint32_t invocation) const {
    const auto& dropped = lanes_[invocation].program->image().dropped_data;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(dropped.size(), 32); ++i)
        bits |= dropped[i] ? 1u << i : 0;
    return bits;
}

std::vector<wasm::Cell> LaneBatch::arguments(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    if (lane.stop.kind != StopKind::host_call) return {};
    std::vector<wasm::Cell> cells;
    lane.wave->read_cells(lane.number,
                          lane.program->program().functions[lane.stop.import].parameters, cells);
    return cells;
}

std::uint64_t LaneBatch::fuel_left(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    return lane.wave == nullptr ? lane.given.fuel : word(lane, LANE_ROW_LEFT) + lane.held_back;
}

std::uint32_t LaneBatch::memory_pages(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    return lane.wave == nullptr ? lane.program->image().pages
                                : static_cast<std::uint32_t>(word(lane, LANE_ROW_MEMORY) >> 16);
}

bool LaneBatch::page_now(std::uint32_t number, std::uint32_t page, std::span<Byte> to) const {
    const Lane& lane = lanes_[number];
    if (lane.wave != nullptr && !dumped(lane)) return false;
    ByteView now = lane.program->page(page);
    if (lane.wave != nullptr) {
        const auto pages = lane.wave->pages(lane.number);
        const auto at = std::lower_bound(pages.begin(), pages.end(), page);
        if (at != pages.end() && *at == page)
            now = lane.wave->page(lane.number, static_cast<std::size_t>(at - pages.begin()));
    }
    if (lane.dialogue) {
        const TapeEntry& next = lane.dialogue->next;
        for (std::size_t i = next.page_numbers.size(); i-- > 0;)
            if (next.page_numbers[i] == page) {
                now = ByteView(next.page_bytes).subspan(i * small_page, small_page);
                break;
            }
    }
    if (now.empty())
        std::ranges::fill(to, Byte{0});
    else
        std::ranges::copy(now, to.begin());
    return true;
}

std::vector<std::uint32_t> LaneBatch::resident(std::uint32_t invocation) const {
    const Lane& lane = lanes_[invocation];
    if (!dumped(lane)) return {};
    const auto pages = lane.wave->pages(lane.number);
    return {pages.begin(), pages.end()};
}

Status LaneBatch::read_pages(std::span<const gpuvm::PageRead> pages, std::span<Byte> to) {
    for (std::size_t i = 0; i < pages.size(); ++i)
        if (!page_now(pages[i].invocation, pages[i].page, to.subspan(i * small_page, small_page)))
            return Error{compute::misused, "compiled lanes: expected a lane that keeps its memory "
                                           "(Options::keep_memories), found one that does not"};
    return {};
}

Status LaneBatch::write_pages(std::span<const gpuvm::PageRead> pages, ByteView from) {
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const ByteView bytes = from.subspan(i * small_page, small_page);
        Lane& lane = lanes_[pages[i].invocation];
        if (!lane.dialogue) lane.dialogue = std::make_unique<LaneDialogue>();
        TapeEntry& next = lane.dialogue->next;
        next.page_numbers.push_back(pages[i].page);
        next.page_bytes.insert(next.page_bytes.end(), bytes.begin(), bytes.end());
    }
    return {};
}

Status LaneBatch::load_memories(std::span<const std::uint32_t> invocations,
                                std::span<wasm::Instance* const> instances) {
    for (std::size_t i = 0; i < invocations.size(); ++i) {
        const auto memory = instances[i]->memory();
        if (!memory) continue;
        if (const std::uint32_t pages = memory_pages(invocations[i]); memory->pages() < pages)
            memory->grow(pages - memory->pages());
        for (const std::uint32_t page : resident(invocations[i])) {
            const std::uint64_t address = std::uint64_t{page} * small_page;
            if (!memory->in_bounds(address, small_page)) continue;
            memory->mark_range(address, small_page);
            (void)page_now(invocations[i], page, {memory->data() + address, small_page});
        }
    }
    return {};
}

Status LaneBatch::store_memories(std::span<const std::uint32_t> invocations,
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
                if (page_now(number, page, then) &&
                    std::memcmp(now.data(), then.data(), small_page) == 0)
                    continue;
                const gpuvm::PageRead write{number, page};
                if (const Status wrote = write_pages({&write, 1}, now); !wrote) return wrote;
            }
        }
        if (memory->pages() != memory_pages(number)) {
            Lane& lane = lanes_[number];
            if (!lane.dialogue) lane.dialogue = std::make_unique<LaneDialogue>();
            lane.dialogue->next.pages = memory->pages();
        }
    }
    return {};
}

void LaneBatch::answer(std::uint32_t invocation, const gpuvm::HostReply& reply) {
    Lane& lane = lanes_[invocation];
    if (!lane.dialogue) lane.dialogue = std::make_unique<LaneDialogue>();
    LaneDialogue& dialogue = *lane.dialogue;
    lane.phase = Phase::running; // also if it traps: the next advance reports it
    if (!reply.error.empty()) {
        dialogue.failed = true;
        dialogue.trap.kind = wasm::TrapKind::host;
        dialogue.trap.text = reply.error;
        const wasm::Program& program = lane.program->program();
        const std::uint32_t pc = lane.wave->call_place(lane.number);
        dialogue.trap.offset = program.offset[pc];
        for (std::uint32_t f = 0; f < program.functions.size(); ++f)
            if (program.functions[f].entry <= pc && pc < program.functions[f].end)
                dialogue.trap.function = f;
        return;
    }
    TapeEntry entry = std::move(dialogue.next);
    dialogue.next = {};
    entry.import = lane.stop.import;
    entry.results.assign(reply.results.begin(), reply.results.end());
    entry.fee = reply.fee;
    entry.values = reply.values;
    entry.calls = reply.calls;
    entry.bytes = reply.bytes;
    if (reply.pages != 0) entry.pages = reply.pages;
    dialogue.tape.push_back(std::move(entry));
}

void LaneBatch::drop(std::uint32_t invocation) {
    lanes_[invocation].phase = Phase::over;
}

} // namespace blockloom::simt
