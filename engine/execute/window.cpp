#include "execute/window.h"

#include "alkanes/state_keys.h"
#include "execute/flow/flow.h"
#include "execute/layered_state.h"
#include "execute/live_run.h"
#include "execute/predict/predicted_values.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <numeric>

namespace blockloom::execute {
namespace {

/// Transactions whose inputs a worker looks up at once.
constexpr std::size_t listing_grain = 64;
/// Transactions whose results a worker takes over at once.
constexpr std::size_t tasks_a_part = 256;

/// Where the tasks of an accepted execution ran, the first of which is `first` in its block.
void note_places(const ExecutionResult& execution, bool in_order, std::uint32_t first,
                 BlockRounds& book) {
    const auto& records = execution.result.records;
    for (std::uint32_t i = 0; i < records.size(); ++i) {
        if (is_device(records[i].engine)) {
            if (execution.submission != gpuvm::no_submission)
                book.note_wave(execution.submission, first + i);
            continue;
        }
        const std::string why = !execution.ejection.empty()        ? execution.ejection
                                : execution.not_offered != nullptr ? execution.not_offered
                                : in_order                         ? host_reasons::in_order
                                : records[i].engine == alkanes::Engine::native
                                    ? host_reasons::profiled
                                    : host_reasons::nothing;
        book.on_host[why].push_back(first + i);
    }
}

/// What a blind write replaced depends on the state and is not logged.
Status renew_changes(alkanes::TransactionResult& result, const state::StateView& before) {
    std::map<state::Key, state::Value> left;
    for (alkanes::MessageRecord& record : result.records)
        for (alkanes::StorageChange& change : record.changes) {
            const auto known = left.find(change.key);
            if (known == left.end()) {
                auto there = before.get(change.key);
                if (!there) return there.error();
                change.before = *std::move(there);
            }
            left.insert_or_assign(change.key, change.after);
        }
    return {};
}

} // namespace

WindowRun::WindowRun(std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts,
                     const state::StateView& before, const StrategyOptions& strategy,
                     const alkanes::TransactionOptions& options, Executor& rounds, Executor& host,
                     WorkerPool& pool, AcceptanceCheck& check)
    : contexts_(contexts), before_(before), strategy_(strategy), options_(options), rounds_(rounds),
      host_(host), pool_(pool), check_(check) {
    made_.rounds.resize(contexts.size());
    for (const auto& context : contexts)
        tanks_.emplace_back(context->rules, context->messages.vfsize);
}

void WindowRun::follow(LiveRun* live) noexcept {
    live_ = live;
    gate_ = live == nullptr ? nullptr : &live->gate();
}

void WindowRun::tell(std::uint32_t accepted, const Phases& phases) {
    if (live_ != nullptr)
        live_->at_hand({tasks_.size(), accepted, rounds_run_, batches_run_}, phases);
}

Status WindowRun::list() {
    const DriverSpan span(recording_, Phase::gather);
    std::size_t most = 0;
    for (const auto& context : contexts_) most += context->block->transactions.size();
    tasks_.reserve(most);
    claims_.reserve(most);
    for (std::uint32_t block = 0; block < contexts_.size(); ++block) {
        const alkanes::BlockContext& context = *contexts_[block];
        const std::size_t count = context.block->transactions.size();
        std::vector<std::uint8_t> concerned(count);
        std::vector<std::uint32_t> unsure; // only the state tells
        for (std::uint32_t i = 0; i < count; ++i) {
            concerned[i] = alkanes::surely_concerns_alkanes(context, i);
            if (concerned[i] == 0) unsure.push_back(i);
        }
        std::mutex guard;
        Status status;
        pool_.each(unsure.size(), listing_grain, [&](unsigned, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto answer = alkanes::concerns_alkanes(context, unsure[i], before_);
                if (answer) {
                    concerned[unsure[i]] = *answer;
                } else {
                    const std::lock_guard lock(guard);
                    status = answer.error();
                }
            }
        });
        if (!status) return status;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (concerned[i] == 0) continue;
            tasks_.push_back(
                {block, i,
                 strategy_.candidates == Candidates::all ||
                     std::binary_search(context.candidates.begin(), context.candidates.end(), i)});
            claims_.push_back({block, alkanes::vfsize_of(context, i), {}});
        }
    }
    executions_.resize(tasks_.size());
    fresh_.resize(tasks_.size());
    attempts_.resize(tasks_.size());
    return {};
}

std::uint64_t WindowRun::gas() const noexcept {
    std::uint64_t sum = 0;
    for (const FuelClaim& claim : claims_) sum += claim.use.gas;
    return sum;
}

/// That the versions leave.
std::uint64_t WindowRun::budget_of(std::uint32_t task) const {
    // Before the first check nothing is known of what the transactions before it use.
    return versions_there_ ? check_.budget(task)
                           : tanks_[tasks_[task].block].budget_for(claims_[task].vfsize);
}

Attempt WindowRun::attempt_of(std::uint32_t task, const state::StateView& view,
                              std::uint64_t budget) const {
    const WindowTask& at = tasks_[task];
    return {task, contexts_[at.block].get(), at.transaction, &view, budget};
}

void WindowRun::check() {
    WorkWatch watch(gate_);
    const DriverSpan span(recording_, SpanName::check, profile::Category::check, tasks_.size());
    check_.run(std::span(executions_).first(ran_to_), claims_, tanks_, accepted_, pool_);
    accepted_ = check_.accepted();
    versions_there_ = true;
    if (recording_ != nullptr) recording_->accepted(accepted_);
    made_.phases[Phase::commit] += watch.lap();
    tell(accepted_, made_.phases);
}

Result<Hints> WindowRun::find_hints() {
    Hints hints;
    const bool levels = strategy_.strategy == Strategy::levels;
    const bool graph = strategy_.strategy == Strategy::dag;
    const SetsFrom sets = strategy_.sets_used();
    const bool open = strategy_.access == Access::open;
    if (open && (sets == SetsFrom::learned || !(levels || graph))) return hints;
    WorkWatch watch(gate_);
    const DriverSpan span(recording_, Phase::schedule);
    found_.assign(tasks_.size(), {});
    hints.fuel.resize(tasks_.size());
    if (sets != SetsFrom::estimate) {
        WindowExecution truth;
        truth.rounds.resize(contexts_.size());
        SilentProgress silent;
        if (const Status ran = finish(0, truth, silent); !ran) return ran.error();
        for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
            const auto& done = truth.blocks[tasks_[task].block].transactions;
            const auto at = std::lower_bound(
                done.begin(), done.end(), tasks_[task].transaction,
                [](const auto& result, std::uint32_t i) { return result.transaction < i; });
            if (at == done.end() || at->transaction != tasks_[task].transaction) continue;
            found_[task] = sets_of(at->log);
            hints.fuel[task] = claims_[task].use = at->fuel;
        }
        made_.phases[Phase::trace] += watch.lap();
    } else {
        Round round;
        round.tasks.resize(tasks_.size());
        std::iota(round.tasks.begin(), round.tasks.end(), 0);
        if (const Status ran = run_round(round, {nullptr, true}); !ran) return ran.error();
        for (std::uint32_t task = 0; task < tasks_.size(); ++task)
            hints.fuel[task] = claims_[task].use;
        book_round(watch.lap()); // a dry run is execution
    }
    if (levels) hints.levels = levels_of(found_, strategy_.multi_version);
    if (graph || (levels && open)) hints.sets = found_;
    if (!open) hints.declared = std::move(found_);
    made_.phases[Phase::schedule] += watch.lap();
    return hints;
}

Executor::Busy WindowRun::busy() noexcept {
    const Executor::Busy latest = host_.take_busy();
    busy_.ns += latest.ns;
    busy_.attempts += latest.attempts;
    return busy_;
}

Status WindowRun::run_rounds(const Hints& hints, RoundStrategy& strategy, ProgressSink& progress) {
    (void)host_.take_busy();
    busy_ = {};
    Nanoseconds wall = 0;
    for (WorkWatch whole(gate_);; wall += whole.lap()) {
        WorkWatch watch(gate_);
        Round round;
        const WindowNow now{contexts_,
                            tasks_,
                            executions_,
                            claims_,
                            tanks_,
                            before_,
                            versions_there_ ? &check_ : nullptr,
                            accepted_,
                            rounds_.width(),
                            rounds_.runs_sources(),
                            pool_,
                            wall,
                            busy()};
        const bool more = [&] {
            const DriverSpan span(recording_, Phase::schedule);
            return strategy.next(now, round);
        }();
        made_.phases[Phase::schedule] += watch.lap();
        if (!round.note.empty()) made_.notes.push_back(std::move(round.note));
        if (!more) return {};
        if (versions_there_) progress.report({"execute", accepted_, tasks_.size()});
        if (!round.tasks.empty()) ran_to_ = std::max(ran_to_, round.tasks.back() + 1);
        const Status ran = round.flow != nullptr ? run_flow(round) : run_round(round, {&hints});
        if (!ran) return ran;
        const Nanoseconds took = watch.lap();
        book_round(took);
        if (round.flow != nullptr && round.flow->is_block_order())
            made_.phases.execute_serial += took;
        check();
        if (round.predicted != nullptr) count_predictions(round);
        note_rejected(round);
    }
}

void WindowRun::note_rejected(const Round& round) {
    if (accepted_ == tasks_.size()) return;
    WorkWatch watch(gate_);
    aborts_.note_rejected(check_, executions_, round, pool_);
    made_.phases[Phase::commit] += watch.lap();
}

void WindowRun::count_predictions(const Round& round) {
    for (std::size_t i = 0; i < round.tasks.size(); ++i) {
        if (round.predicted->of(i).empty()) continue;
        const std::uint32_t task = round.tasks[i];
        BlockRounds& book = made_.rounds[tasks_[task].block];
        ++book.predicted;
        book.mispredicted += task >= accepted_ && !check_.consistent(task);
    }
}

Result<WindowExecution> WindowRun::finish(ProgressSink& progress) {
    if (const Status done = finish(accepted_, made_, progress); !done) return done.error();
    return std::move(made_);
}

Result<WindowExecution> WindowRun::perform(const Hints& hints, RoundStrategy& strategy,
                                           ProgressSink& progress) {
    if (const Status ran = run_rounds(hints, strategy, progress); !ran) return ran.error();
    return finish(progress);
}

bool WindowRun::can_be_joined() const noexcept {
    return !options_.record && versions_there_ && accepted_ == tasks_.size() &&
           tasks_.size() >= tasks_a_part;
}

void WindowRun::divide(std::size_t parts) {
    part_changes_.assign(parts, {});
    joins_.resize(contexts_.size());
    firsts_.assign(1, 0);
    for (std::uint32_t block = 0; block < contexts_.size(); ++block)
        firsts_.push_back(end_of(block, firsts_.back()));
}

Status WindowRun::join_part(std::size_t part) {
    LayeredState below(&before_);
    for (std::uint32_t block = 0; block < contexts_.size(); ++block) {
        const std::uint32_t first = firsts_[block], tasks = firsts_[block + 1] - first;
        auto changes = changes_of_part(std::span(executions_).subspan(first, tasks), part,
                                       part_changes_.size(), below);
        if (!changes) return changes.error();
        if (block + 1 < contexts_.size()) below.apply(*changes);
        part_changes_[part].push_back(*std::move(changes));
    }
    return {};
}

void WindowRun::begin_join(std::uint32_t block, std::size_t pieces) {
    const std::uint32_t first = firsts_[block], end = firsts_[block + 1];
    std::vector<std::vector<state::Change>> changes;
    for (auto& part : part_changes_) changes.push_back(std::move(part.at(block)));
    note_block_places(block, first, end);
    joins_[block]
        .emplace(*contexts_[block], std::span(executions_).subspan(first, end - first),
                 std::span(claims_).subspan(first, end - first), tanks_[block])
        .begin(std::move(changes), pieces);
}

void WindowRun::join_piece(std::size_t piece) {
    for (std::optional<BlockJoin>& join : joins_) join->run_piece(piece);
}

WindowExecution WindowRun::end_join() {
    for (std::uint32_t block = 0; block < contexts_.size(); ++block)
        add(joins_[block]->end(), block);
    joins_.clear();
    return std::move(made_);
}

Result<ExecutionResult> WindowRun::run_in_order(std::uint32_t task, bool trial,
                                                const state::StateView& now, std::uint64_t budget) {
    const WindowTask& at = tasks_[task];
    const Attempt attempt{task, contexts_[at.block].get(), at.transaction, &now, budget, trial};
    Result<Attempted> ran = cancelled_error();
    const Status status =
        host_.run({&attempt, 1}, options_, [&](unsigned, std::size_t, Result<Attempted> attempted) {
            ran = std::move(attempted);
            return true;
        });
    if (!status) return status.error();
    if (!ran) return ran.error();
    ExecutionResult execution;
    execution.result = std::move(ran->result);
    execution.ejection = std::move(ran->ejection);
    return execution;
}

/// Past the last transaction of a block, which begins with `first`.
std::uint32_t WindowRun::end_of(std::uint32_t block, std::uint32_t first) const {
    const auto end = std::find_if(tasks_.begin() + first, tasks_.end(),
                                  [&](const WindowTask& each) { return each.block != block; });
    return static_cast<std::uint32_t>(end - tasks_.begin());
}

/// All executions of the block were accepted: no transaction has to wait for the one before it.
Status WindowRun::join_block(std::uint32_t block, std::uint32_t first, std::uint32_t end,
                             LayeredState& below) {
    note_block_places(block, first, end);
    auto joined =
        join_accepted(*contexts_[block], std::span(executions_).subspan(first, end - first),
                      std::span(claims_).subspan(first, end - first), tanks_[block], below, pool_);
    if (!joined) return joined.error();
    if (block + 1 < contexts_.size()) below.apply(joined->execution.changes);
    add(*std::move(joined), block);
    return {};
}

/// Where the executions of an accepted block ran, if there is a device.
void WindowRun::note_block_places(std::uint32_t block, std::uint32_t first, std::uint32_t end) {
    if (&rounds_ == &host_) return;
    std::uint32_t records = 0; // of this block so far
    for (std::uint32_t task = first; task < end; ++task) {
        note_places(*executions_[task], false, records, made_.rounds[block]);
        records += static_cast<std::uint32_t>(executions_[task]->result.records.size());
    }
}

void WindowRun::add(AcceptedBlock joined, std::uint32_t block) {
    made_.rounds[block].accepted_first += joined.accepted_first;
    made_.blocks.push_back(std::move(joined.execution));
    made_.without_digest.push_back(true);
}

Status WindowRun::finish(std::uint32_t accepted, WindowExecution& into, ProgressSink& progress) {
    WorkWatch watch(gate_);
    const DriverSpan span(recording_, Phase::commit);
    LayeredState below(&before_);        // with what earlier blocks of the window left
    std::optional<DriverSpan> executing; // of a stretch that runs in order, within the span
    std::uint32_t task = 0;
    Nanoseconds serial = 0;
    for (std::uint32_t block = 0; block < contexts_.size(); ++block) {
        BlockRounds& book = into.rounds[block];
        const std::uint32_t end = end_of(block, task);
        // What the Inspector shows has to be noted for each transaction.
        if (&into == &made_ && end <= accepted && end - task >= tasks_a_part && !options_.record) {
            const auto joined = join_block(block, task, end, below);
            if (!joined) return joined;
            task = end;
            continue;
        }
        alkanes::BlockExecution done = alkanes::begin_execution(*contexts_[block]);
        state::BlockState state(below);
        alkanes::FuelTank tank = tanks_[block];
        bool ran_any = false;
        std::uint32_t records = 0; // of this block so far
        for (; task < tasks_.size() && tasks_[task].block == block; ++task) {
            if (options_.stop.stop_requested()) return cancelled_error();
            if (task % 64 == 0) {
                progress.report({"execute", task, tasks_.size()});
                if (&into == &made_ && task >= accepted) {
                    Phases so_far = made_.phases;
                    so_far[Phase::execute] += serial;
                    so_far.execute_serial += serial;
                    tell(task, so_far);
                }
            }
            const std::uint64_t vfsize = claims_[task].vfsize;
            const std::uint64_t budget = tank.budget_for(vfsize);
            ExecutionResult* execution = executions_[task].get();
            ExecutionResult in_order;
            bool keep = execution != nullptr;
            if (keep && task >= accepted) {
                const auto holds = holds_on(*execution, state, budget);
                if (!holds) return holds.error();
                keep = *holds;
                if (!keep)
                    if (const Status noted =
                            aborts_.repeated_in_order(task, *execution, state, into.blocks, done);
                        !noted)
                        return noted;
            }
            if (keep) {
                executing.reset();
                if (execution->attempt == 1)
                    book.accepted_first += execution->result.records.size();
                set_budget(execution->result, budget);
                if (options_.record)
                    if (const Status renewed = renew_changes(execution->result, state); !renewed)
                        return renewed;
            } else {
                if (!executing) executing.emplace(recording_, Phase::execute);
                WorkWatch lap(gate_);
                auto again = run_in_order(task, &into != &made_, state, budget);
                serial += lap.lap();
                if (!again) return again.error();
                in_order = *std::move(again);
                execution = &in_order;
                const std::size_t tasks = in_order.result.records.size();
                ran_any = true;
                book.executions += tasks;
                book.serial += tasks;
                if (attempts_[task] == 0) book.accepted_first += tasks;
                if (!in_order.ejection.empty()) ++book.ejected[in_order.ejection];
            }
            if (&rounds_ != &host_) note_places(*execution, execution == &in_order, records, book);
            records += static_cast<std::uint32_t>(execution->result.records.size());
            tank.settle(vfsize, execution->result.fuel);
            if (&into == &made_) claims_[task].use = execution->result.fuel;
            state.apply(execution->result.log.writes);
            alkanes::append(done, std::move(execution->result), budget);
        }
        executing.reset();
        if (ran_any) ++book.rounds;
        if (const Status finished = alkanes::finish_execution(done, state); !finished)
            return finished;
        if (block + 1 < contexts_.size()) below.apply(done.changes);
        into.blocks.push_back(std::move(done));
        into.without_digest.push_back(false);
    }
    into.phases[Phase::execute] += serial;
    into.phases.execute_serial += serial;
    into.phases[Phase::commit] += watch.lap() - serial;
    return {};
}

} // namespace blockloom::execute
