#include "execute/range_run.h"

#include "execute/junction.h"
#include "execute/live_run.h"
#include "execute/recording.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::execute {
namespace {

/// Decoding and finishing a block are single tasks: with many workers, several blocks are decoded
/// and finished at once.
constexpr std::size_t most_around = 8;
/// Each part passes over all writes of the window, so more parts take more time in all: large
/// windows have more, each of so many transactions.
constexpr std::size_t usual_join_parts = 4, most_join_parts = 8;
constexpr std::size_t tasks_a_join_part = 2048;

std::size_t join_parts(const ExecutedWindow& window, const WorkerPool& pool) {
    const std::size_t most =
        std::clamp(window.tasks() / tasks_a_join_part, usual_join_parts, most_join_parts);
    return std::clamp<std::size_t>(pool.workers() / 2, 1, most);
}

std::size_t blocks_around(const WorkerPool* pool) {
    return pool == nullptr ? 0 : std::min<std::size_t>(pool->workers(), most_around);
}

/// Whether an error is about the block and not about what it is executed on.
bool can_skip(const Error& error) noexcept {
    return error.code == ErrorCode::bad_input;
}

Error in_place(const Error& error, const ReplaySource& source) {
    const std::string name = source.block.source();
    if (error.message.find(name) != std::string::npos) return error;
    return {error.code, fmt::format("{}: {}", name, error.message)};
}

} // namespace

RangeRun::RangeRun(std::span<const ReplaySource> blocks, Replayer& replayer, RangeTarget target,
                   bool keep_going, const BlockDone& done, ReplaySummary& summary,
                   ProgressSink& progress, const std::stop_token& stop)
    : blocks_(blocks), replayer_(replayer), target_(std::move(target)), keep_going_(keep_going),
      done_(done), summary_(summary), progress_(progress), stop_(stop), pool_(replayer.pool()),
      around_(blocks_around(pool_)),
      ahead_(blocks, replayer, pool_, around_ + std::max(replayer.options().strategy.window, 1U),
             stop),
      in_flight_(
          replayer, pool_, target_.keep,
          [this](std::size_t place, std::shared_ptr<ReplayedBlock> block, const Status& status) {
              return finished(place, std::move(block), status);
          },
          stop) {
    if (pool_ != nullptr && target_.kept_state) pending_.emplace(target_.before());
}

/// Without what is still being put together.
const state::StateView& RangeRun::complete_state() const {
    return pending_ ? static_cast<const state::StateView&>(*pending_) : target_.before();
}

/// The state that the last executed window left.
const state::StateView& RangeRun::state() const {
    return joining_ ? joining_->after : complete_state();
}

Status RangeRun::perform() {
    LiveRun* const live = replayer_.options().live.get();
    Recording* const recording = replayer_.options().recording.get();
    if (recording != nullptr && pool_ != nullptr) recording->prepare(pool_->workers());
    const StrategyOptions& how = replayer_.options().strategy;
    if (live != nullptr)
        live->expect(blocks_.size(),
                     how.strategy == Strategy::serial ? 1 : WorkerPool::count(how.workers));
    const std::size_t pauses_before = live == nullptr ? 0 : live->gate().pauses().size();
    WorkWatch watch(live == nullptr ? nullptr : &live->gate());
    progress_.report({"Replaying", 0, blocks_.size()});
    const Status ran = run_blocks();
    // What was executed before an error is finished first, as if there had been no later block.
    const Status joined = finish_joining();
    const Status reported = in_flight_.report(0);
    if (!reported) return reported;
    if (!joined) return joined;
    if (!ran) return ran;
    summary_.wall = watch.lap();
    summary_.code = replayer_.contract_code();
    if (recording != nullptr) recording->note_compilations(summary_.code);
    if (live != nullptr) {
        live->repetition_over();
        note_pauses(*live, pauses_before);
    }
    return {};
}

Status RangeRun::run_blocks() {
    LiveRun* const live = replayer_.options().live.get();
    const std::size_t most = std::max(replayer_.options().strategy.window, 1U);
    while (next_ < blocks_.size()) {
        if (live != nullptr) live->gate().pass(stop_);
        if (stop_.stop_requested()) return cancelled_error();
        Status broken; // the blocks before it are executed and kept first
        std::vector<OpenedBlock> window;
        std::vector<std::size_t> places;
        for (; next_ < blocks_.size() && window.size() < most; ++next_) {
            Status opened = on_parent(next_, places);
            if (opened) {
                auto block = ahead_.take(next_);
                opened = block ? replayer_.begin(*block, state()) : Status(block.error());
                if (opened) {
                    window.push_back(*std::move(block));
                    places.push_back(next_);
                    continue;
                }
            }
            broken = leave_out(next_, opened.error());
            if (!broken) break;
        }
        if (const Status ran = run(std::move(window), places); !ran) return ran;
        if (!broken) return broken;
    }
    return {};
}

/// A block is executed only on its parent: the one before it in the window, or the last that was
/// executed. The caller is responsible for the first one's parent.
Status RangeRun::on_parent(std::size_t place, const std::vector<std::size_t>& window) const {
    const auto before = window.empty() ? last_ : std::optional(window.back());
    if (before) return check_link(at(*before), at(place));
    if (place == 0) return {};
    // The block that should have been first was left out.
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: the blocks below it were left out",
                             block_text(height_of(at(place)), at(place).block.hash))};
}

/// The timeline shows the time as it went by: pauses are separate spans.
void RangeRun::note_pauses(const LiveRun& live, std::size_t first) const {
    Recording* const recording = replayer_.options().recording.get();
    if (recording == nullptr) return;
    const auto all = live.gate().pauses();
    for (std::size_t i = first; i < all.size(); ++i)
        recording->note(SpanName::paused, profile::Category::wait, all[i].begin, all[i].end);
}

Status RangeRun::run(std::vector<OpenedBlock> window, const std::vector<std::size_t>& places) {
    if (window.empty()) return {};
    auto executed = replayer_.execute_ahead(std::move(window), state(), silent_, stop_);
    // Now nothing reads the state but the window below, which has to be complete.
    if (const Status joined = finish_joining(); !joined) return joined;
    if (!executed) {
        if (places.size() == 1) return leave_out(places.front(), executed.error());
        if (!can_skip(executed.error())) return in_place(executed.error(), at(places.front()));
        return run_one_by_one(places);
    }
    if (!(*executed)->is_complete()) {
        start_to_join(*std::move(executed), places);
        return {};
    }
    const Status passed = pass_on((*executed)->blocks(), places);
    replayer_.release(*std::move(executed));
    return passed;
}

/// The next window is executed on what this one left, while a worker puts its blocks together.
void RangeRun::start_to_join(std::shared_ptr<ExecutedWindow> window,
                             const std::vector<std::size_t>& places) {
    last_ = places.back();
    joining_ = std::make_unique<Joining>(std::move(window), complete_state(), places.front());
    Joining& joining = *joining_;
    LiveRun* const live = replayer_.options().live.get();
    const std::size_t parts = join_parts(*joining.window, *pool_);
    const std::size_t pieces = DividedTask::pieces_for(joining.window->tasks(), pool_);
    joining.window->divide(parts);
    joining.parts.post(
        *pool_, parts,
        [this, &joining](unsigned worker, std::size_t part, Phases& work) {
            return replayer_.join_part(*joining.window, part, work, worker);
        },
        [&joining](unsigned, Status found, const Phases& work) {
            joining.work += work;
            *joining.status = std::move(found);
        },
        live, stop_);
    // Stages after one that failed do nothing.
    const auto unless_failed = [&joining](auto work) {
        return [&joining, work](unsigned worker, std::size_t piece, Phases& took) {
            return *joining.status ? work(worker, piece, took) : Status();
        };
    };
    joining.beginnings.post(
        *pool_, joining.window->blocks().size(),
        unless_failed([this, &joining, pieces](unsigned worker, std::size_t block, Phases& work) {
            return replayer_.begin_join(*joining.window, block, pieces, work, worker);
        }),
        [&joining](unsigned, Status begun, const Phases& work) {
            joining.work += work;
            if (*joining.status) *joining.status = std::move(begun);
        },
        live, stop_, {&joining.parts.last(), 1});
    joining.pieces.post(
        *pool_, pieces,
        unless_failed([this, &joining](unsigned worker, std::size_t piece, Phases& work) {
            return replayer_.join_piece(*joining.window, piece, work, worker);
        }),
        [this, &joining](unsigned worker, Status done, const Phases& work) {
            joining.work += work;
            if (*joining.status)
                *joining.status = done ? replayer_.end_join(*joining.window, joining.work, worker)
                                       : std::move(done);
        },
        live, stop_, {&joining.beginnings.last(), 1});
    joining.parting.post(
        *pool_, pieces,
        unless_failed([this, &joining, pieces](unsigned worker, std::size_t piece, Phases& work) {
            return replayer_.part_changes(*joining.window, piece, pieces, work, worker);
        }),
        [&joining](unsigned, Status parted, const Phases& work) {
            joining.work += work;
            joining.parted = std::move(parted);
        },
        live, stop_, {&joining.pieces.last(), 1});
    const ExecutedBlocks& blocks = joining.window->blocks();
    for (std::size_t i = 0; i < places.size(); ++i)
        joining.kept.push_back(
            in_flight_.add(places[i], blocks[i], joining.pieces.last(), joining.status));
}

/// Adds the changes of a window that a worker put together to the state, which nothing may read
/// meanwhile.
Status RangeRun::finish_joining() {
    if (!joining_) return {};
    Nanoseconds waited = 0;
    if (!joining_->parting.last().is_done()) {
        const LiveRun* const live = replayer_.options().live.get();
        const DriverSpan span(replayer_.options().recording.get(),
                              static_cast<SpanName>(Phase::commit), profile::Category::wait, 0,
                              static_cast<std::uint32_t>(joining_->window->height()));
        WorkWatch watch(live == nullptr ? nullptr : &live->gate());
        pool_->wait_for(joining_->parting.last());
        waited = watch.lap();
    }
    const std::unique_ptr<Joining> joined = std::move(joining_);
    // It was the last to read what the window below left.
    if (below_) replayer_.release(std::move(below_));
    below_ = joined->window;
    for (const Status& status : {*joined->status, joined->parted})
        if (!status) return in_place(status.error(), at(joined->first_place));
    const ExecutedBlocks& blocks = joined->window->blocks();
    blocks.front()->phases += waited_for(joined->work, waited);
    for (std::size_t i = 0; i < blocks.size(); ++i)
        add_to_state(*blocks[i], joined->window->changes(i), joined->kept[i]);
    return in_flight_.report(around_);
}

void RangeRun::add_to_state(ReplayedBlock& block, const PartedChanges& changes,
                            const WorkerPool::Task& kept) {
    const DriverSpan span(replayer_.options().recording.get(), Phase::commit);
    if (pending_) pending_->apply(changes, kept, pool_);
    if (!target_.apply) return;
    Stopwatch watch;
    target_.apply(changes, pool_);
    block.phases[Phase::commit] += watch.lap();
}

/// Adds executed blocks to the state and starts to finish them.
Status RangeRun::pass_on(const ExecutedBlocks& blocks, const std::vector<std::size_t>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (i != 0 && stop_.stop_requested()) return cancelled_error();
        ReplayedBlock& block = *blocks[i];
        if (block.verified == false) // not kept
            return in_place({ErrorCode::verification,
                             fmt::format("block {}: differs from the serial execution and is not "
                                         "committed: {}",
                                         block.height(), block.difference)},
                            at(places[i]));
        const WorkerPool::Task kept = in_flight_.add(places[i], blocks[i]);
        add_to_state(block, block.execution->changes, kept);
        last_ = places[i];
        if (const Status reported = in_flight_.report(around_); !reported) return reported;
    }
    return {};
}

Status RangeRun::finished(std::size_t place, std::shared_ptr<ReplayedBlock> block,
                          const Status& status) {
    if (!status) return in_place(status.error(), at(place));
    if (LiveRun* const live = replayer_.options().live.get()) {
        live->gate().pass(stop_);
        live->finished(*block);
    }
    progress_.report({"Replaying", ++counted_, blocks_.size()});
    return done_(std::move(block));
}

/// One of the blocks cannot be executed; the others are.
Status RangeRun::run_one_by_one(const std::vector<std::size_t>& places) {
    for (const std::size_t place : places) {
        if (stop_.stop_requested()) return cancelled_error();
        if (const Status linked = on_parent(place, {}); !linked) {
            if (const Status out = leave_out(place, linked.error()); !out) return out;
            continue;
        }
        auto opened = replayer_.open(at(place), state());
        if (!opened) return in_place(opened.error(), at(place));
        std::vector<OpenedBlock> one;
        one.push_back(*std::move(opened));
        if (const Status ran = run(std::move(one), {place}); !ran) return ran;
    }
    return {};
}

/// An error, unless the block may be left out.
Status RangeRun::leave_out(std::size_t place, const Error& why) {
    const Error error = in_place(why, at(place));
    if (!keep_going_ || !can_skip(error)) return error;
    summary_.left_out.push_back({at(place).block.source(), error.message});
    progress_.report({"Replaying", ++counted_, blocks_.size()});
    return {};
}

} // namespace blockloom::execute
