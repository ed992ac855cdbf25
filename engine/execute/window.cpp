#include "execute/window.h"

#include "alkanes/state_keys.h"
#include "execute/accepted_block.h"
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

/// Ends an execution that reads what its transaction did not declare.
class DeclaredView final : public state::StateView {
public:
    DeclaredView(const state::StateView& below, const DeclaredSets& declared)
        : below_(&below), declared_(&declared) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        // A blind write is compared with what it replaces: that is no read of the contract.
        if (!is_declared(key.bytes) || declared_->may_read(key.bytes) ||
            declared_->may_write(key.bytes))
            return below_->get(key);
        return Error{ErrorCode::bad_input, "a read outside the declared set"};
    }

private:
    /// The tokens on a transaction's inputs are looked up before it is known whether that is an
    /// access, and stored code is named by a key whose read is one.
    static bool is_declared(std::string_view key) noexcept {
        if (key.empty()) return true;
        const auto kind = static_cast<alkanes::KeyKind>(key.front());
        return kind != alkanes::KeyKind::sheet && kind != alkanes::KeyKind::bytecode;
    }

    const state::StateView* below_;
    const DeclaredSets* declared_;
};

bool writes_as_declared(const state::TransactionLog& log, const DeclaredSets& declared) {
    return std::all_of(log.writes.begin(), log.writes.end(),
                       [&](const auto& write) { return declared.may_write(write.first); });
}

/// Which tasks of an accepted execution, the first of them `first` in its block, the host ran.
void note_host_tasks(const ExecutionResult& execution, bool in_order, std::uint32_t first,
                     BlockRounds& book) {
    const auto& records = execution.result.records;
    for (std::uint32_t i = 0; i < records.size(); ++i) {
        if (records[i].engine == alkanes::Engine::vulkan) continue;
        const std::string why = !execution.ejection.empty() ? execution.ejection
                                : in_order                  ? host_reasons::in_order
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
    for (std::uint32_t block = 0; block < contexts_.size(); ++block) {
        const alkanes::BlockContext& context = *contexts_[block];
        const std::size_t count = context.block->transactions.size();
        std::vector<std::uint8_t> concerned(count);
        std::mutex guard;
        Status status;
        pool_.each(count, listing_grain, [&](unsigned, std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const auto answer =
                    alkanes::concerns_alkanes(context, static_cast<std::uint32_t>(i), before_);
                if (answer) {
                    concerned[i] = *answer;
                } else {
                    const std::lock_guard lock(guard);
                    status = answer.error();
                }
            }
        });
        if (!status) return status;
        for (std::uint32_t i = 0; i < count; ++i)
            if (concerned[i] != 0)
                tasks_.push_back({block, i,
                                  strategy_.candidates == Candidates::all ||
                                      std::binary_search(context.candidates.begin(),
                                                         context.candidates.end(), i)});
    }
    executions_.resize(tasks_.size());
    fresh_.resize(tasks_.size());
    attempts_.resize(tasks_.size());
    claims_.resize(tasks_.size());
    for (std::size_t i = 0; i < tasks_.size(); ++i)
        claims_[i] = {tasks_[i].block,
                      alkanes::vfsize_of(*contexts_[tasks_[i].block], tasks_[i].transaction),
                      {}};
    return {};
}

Attempt WindowRun::attempt_of(std::uint32_t task, const state::StateView& view) const {
    const WindowTask& at = tasks_[task];
    // Before the first check nothing is known of what the transactions before it use.
    const std::uint64_t budget =
        versions_there_ ? check_.budget(task) : tanks_[at.block].budget_for(claims_[task].vfsize);
    return {task, contexts_[at.block].get(), at.transaction, &view, budget};
}

/// Takes what an executor returns; called by any worker.
class WindowRun::Receiver {
public:
    Receiver(WindowRun& run, const How& how, bool declared)
        : run_(run), how_(how), declared_(declared) {}

    /// `predicted`: it was given values that were predicted.
    bool take(std::uint32_t task, bool predicted, Result<Attempted> attempted) {
        if (!attempted) {
            const ErrorCode code = attempted.error().code;
            if (declared_ && code == ErrorCode::bad_input)
                return give_to_host(task, host_reasons::undeclared_read, 0);
            return fail(attempted.error());
        }
        if (how_.dry) {
            run_.found_[task] = sets_of(attempted->result.log);
            return true;
        }
        if (declared_ && !writes_as_declared(attempted->result.log, how_.hints->declared[task]))
            return give_to_host(task, host_reasons::undeclared_write,
                                attempted->result.records.size());
        const bool on_window_start = !run_.versions_there_ && !predicted;
        auto execution =
            make_execution_result(std::move(attempted->result), run_.before_, on_window_start);
        if (!execution) return fail(execution.error());
        execution->ejection = std::move(attempted->ejection);
        execution->attempt = ++run_.attempts_[task];
        execution->on_window_start = on_window_start;
        execution->exact = task == run_.accepted_ && !predicted;
        run_.fresh_[task] = std::make_unique<ExecutionResult>(*std::move(execution));
        return true;
    }

    [[nodiscard]] const Status& status() const noexcept { return status_; }
    /// A task that left its declared sets, in which way, and what it had executed by then.
    struct Left {
        std::uint32_t task;
        const char* why;
        std::size_t executed;
    };
    [[nodiscard]] std::vector<Left> left() {
        std::sort(left_.begin(), left_.end(),
                  [](const Left& a, const Left& b) { return a.task < b.task; });
        return std::move(left_);
    }

private:
    bool fail(const Error& error) {
        const std::lock_guard lock(guard_);
        if (status_) status_ = error;
        return false;
    }
    bool give_to_host(std::uint32_t task, const char* why, std::size_t executed) {
        const std::lock_guard lock(guard_);
        left_.push_back({task, why, executed});
        return true;
    }

    WindowRun& run_;
    const How& how_;
    bool declared_;
    std::mutex guard_;
    Status status_;
    std::vector<Left> left_;
};

Status WindowRun::run_round(const Round& round, const How& how) {
    const DriverSpan span(recording_, SpanName::round, profile::Category::round,
                          round.tasks.size());
    const bool declared =
        !how.dry && strategy_.access == Access::declared && !how.hints->declared.empty();
    const std::size_t count = round.tasks.size();
    std::vector<WindowView> views;
    std::vector<PredictedView> predicted;
    std::vector<DeclaredView> fences;
    if (versions_there_) views.reserve(count);
    if (round.predicted != nullptr) predicted.reserve(count);
    if (declared) fences.reserve(count);
    std::vector<const state::StateView*> open; // without the fences
    open.reserve(count);
    std::vector<Attempt> attempts;
    attempts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t task = round.tasks[i];
        const state::StateView* view = &before_;
        if (versions_there_) view = &views.emplace_back(check_.versions(), before_, task);
        if (round.predicted != nullptr)
            view = &predicted.emplace_back(*view, round.predicted->of(i));
        open.push_back(view);
        if (declared) view = &fences.emplace_back(*view, how.hints->declared[task]);
        attempts.push_back(attempt_of(task, *view));
        if (round.predicted != nullptr) attempts.back().budget = round.predicted->budget(i);
    }
    const auto is_predicted = [&](std::size_t i) {
        return round.predicted != nullptr && !round.predicted->of(i).empty();
    };
    alkanes::TransactionOptions options = options_;
    options.dry_run = how.dry;
    if (how.dry) options.record = options.events = false;

    Receiver receiver(*this, how, declared);
    std::size_t most = strategy_.batch_max != 0 ? strategy_.batch_max : rounds_.largest_batch();
    if (most == 0) most = attempts.size();
    std::vector<std::uint64_t> tried(contexts_.size());
    for (std::size_t begin = 0; begin < attempts.size(); begin += most) {
        const auto batch = std::span<const Attempt>(attempts).subspan(
            begin, std::min(most, attempts.size() - begin));
        {
            const DriverSpan batch_span(recording_, SpanName::batch, profile::Category::batch,
                                        batch.size());
            const Status ran = rounds_.run(
                batch, options, [&](unsigned, std::size_t i, Result<Attempted> attempted) {
                    return receiver.take(batch[i].task, is_predicted(begin + i),
                                         std::move(attempted));
                });
            if (!ran) return ran;
            if (!receiver.status()) return receiver.status();
        }
        ++batches_run_;
        if (how.dry) continue;
        std::vector<std::uint64_t> sizes(contexts_.size());
        for (const Attempt& attempt : batch) ++sizes[tasks_[attempt.task].block];
        for (std::size_t block = 0; block < sizes.size(); ++block) {
            if (sizes[block] != 0) made_.rounds[block].batches.push_back(sizes[block]);
            tried[block] += sizes[block];
        }
    }
    ++rounds_run_;
    if (how.dry) return {};
    for (std::size_t block = 0; block < tried.size(); ++block)
        made_.rounds[block].rounds += tried[block] != 0;

    // What left its sets runs again, with all access, on the host.
    const auto left = receiver.left();
    std::vector<Attempt> again;
    std::vector<std::size_t> places;
    for (const auto& [task, why, executed] : left) {
        made_.rounds[tasks_[task].block].executions += executed;
        places.push_back(static_cast<std::size_t>(
            std::lower_bound(round.tasks.begin(), round.tasks.end(), task) - round.tasks.begin()));
        again.push_back(attempts[places.back()]);
        again.back().view = open[places.back()];
    }
    if (!again.empty()) {
        Receiver host(*this, how, false);
        const Status ran =
            host_.run(again, options, [&](unsigned, std::size_t i, Result<Attempted> attempted) {
                return host.take(again[i].task, is_predicted(places[i]), std::move(attempted));
            });
        if (!ran) return ran;
        if (!host.status()) return host.status();
        for (const auto& [task, why, executed] : left)
            if (fresh_[task] != nullptr) fresh_[task]->ejection = why;
        made_.notes.push_back(fmt::format("access: {} of {} transactions left their declared sets "
                                          "and were re-executed on the host",
                                          again.size(), attempts.size()));
    }
    for (std::string& note : rounds_.take_notes()) made_.notes.push_back(std::move(note));
    return take_over(round.tasks);
}

/// What a round made takes the place of earlier executions, and is counted.
Status WindowRun::take_over(std::span<const std::uint32_t> tasks) {
    std::atomic<bool> all_there{true}, any_ejected{false};
    std::vector<std::atomic<std::uint64_t>> executed(contexts_.size());
    // Earlier executions hold many small pieces, which all workers free together.
    pool_.each(tasks.size(), tasks_a_part, [&](unsigned, std::size_t from, std::size_t to) {
        std::uint64_t records = 0; // of the block of the task before
        for (std::size_t i = from; i < to; ++i) {
            const std::uint32_t task = tasks[i];
            if (fresh_[task] == nullptr) {
                all_there = false;
                return;
            }
            executions_[task] = std::move(fresh_[task]);
            const ExecutionResult& execution = *executions_[task];
            claims_[task].use = execution.result.fuel;
            if (!execution.ejection.empty()) any_ejected = true;
            records += execution.result.records.size();
            const std::uint32_t block = tasks_[task].block;
            if (i + 1 == to || tasks_[tasks[i + 1]].block != block)
                executed[block] += std::exchange(records, 0);
        }
    });
    if (!all_there) return cancelled_error();
    for (std::size_t block = 0; block < executed.size(); ++block)
        made_.rounds[block].executions += executed[block];
    if (!any_ejected) return {};
    for (const std::uint32_t task : tasks)
        if (const std::string& why = executions_[task]->ejection; !why.empty())
            ++made_.rounds[tasks_[task].block].ejected[why];
    return {};
}

void WindowRun::book_round(Nanoseconds wall) {
    // A device has its own clock: no part may exceed what is left of the whole.
    const Phases beside = rounds_.take_phases();
    for (std::size_t i = 0; i < phase_count; ++i) {
        const Nanoseconds part = std::min(beside.ns[i], wall);
        made_.phases.ns[i] += part;
        wall -= part;
    }
    made_.phases[Phase::execute] += wall;
}

void WindowRun::check() {
    WorkWatch watch(gate_);
    const DriverSpan span(recording_, SpanName::check, profile::Category::check, tasks_.size());
    check_.run(executions_, claims_, tanks_, accepted_, pool_);
    accepted_ = check_.accepted();
    versions_there_ = true;
    if (recording_ != nullptr) recording_->accepted(accepted_);
    made_.phases[Phase::commit] += watch.lap();
    tell(accepted_, made_.phases);
}

Result<Hints> WindowRun::find_hints() {
    Hints hints;
    const bool levels = strategy_.strategy == Strategy::levels;
    if (!levels && strategy_.access == Access::open) return hints;
    WorkWatch watch(gate_);
    const DriverSpan span(recording_, Phase::schedule);
    found_.assign(tasks_.size(), {});
    if (strategy_.sets == SetsFrom::truth) {
        WindowExecution truth;
        truth.rounds.resize(contexts_.size());
        SilentProgress silent;
        if (const Status ran = finish(0, truth, silent); !ran) return ran.error();
        for (std::uint32_t task = 0; task < tasks_.size(); ++task) {
            const auto& done = truth.blocks[tasks_[task].block].transactions;
            const auto at = std::lower_bound(
                done.begin(), done.end(), tasks_[task].transaction,
                [](const auto& result, std::uint32_t i) { return result.transaction < i; });
            if (at != done.end() && at->transaction == tasks_[task].transaction)
                found_[task] = sets_of(at->log);
        }
        made_.phases[Phase::trace] += watch.lap();
    } else {
        Round round;
        round.tasks.resize(tasks_.size());
        std::iota(round.tasks.begin(), round.tasks.end(), 0);
        if (const Status ran = run_round(round, {nullptr, true}); !ran) return ran.error();
        book_round(watch.lap()); // a dry run is execution
    }
    if (levels) hints.levels = levels_of(found_, strategy_.multi_version);
    if (strategy_.access == Access::declared) hints.declared = std::move(found_);
    made_.phases[Phase::schedule] += watch.lap();
    return hints;
}

Status WindowRun::run_rounds(const Hints& hints, RoundStrategy& strategy, ProgressSink& progress) {
    for (;;) {
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
                            rounds_.width()};
        const bool more = strategy.next(now, round);
        made_.phases[Phase::schedule] += watch.lap();
        if (!round.note.empty()) made_.notes.push_back(std::move(round.note));
        if (!more) return {};
        if (versions_there_) progress.report({"execute", accepted_, tasks_.size()});
        if (const Status ran = run_round(round, {&hints}); !ran) return ran;
        book_round(watch.lap());
        check();
        if (round.predicted != nullptr) count_predictions(round);
    }
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

/// Neither the host's part in a run on a device, nor what the Inspector shows, has to be noted for
/// each transaction.
bool WindowRun::has_nothing_else_to_do() const noexcept {
    return !options_.record && &rounds_ == &host_;
}

bool WindowRun::can_be_joined() const noexcept {
    return has_nothing_else_to_do() && versions_there_ && accepted_ == tasks_.size() &&
           tasks_.size() >= tasks_a_part;
}

Result<WindowExecution> WindowRun::join() {
    LayeredState below(&before_);
    std::uint32_t first = 0;
    for (std::uint32_t block = 0; block < contexts_.size(); ++block) {
        const std::uint32_t end = end_of(block, first);
        if (const Status joined = join_block(block, first, end, below, nullptr); !joined)
            return joined.error();
        first = end;
    }
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
                             LayeredState& below, WorkerPool* pool) {
    auto joined =
        join_accepted(*contexts_[block], std::span(executions_).subspan(first, end - first),
                      std::span(claims_).subspan(first, end - first), tanks_[block], below, pool);
    if (!joined) return joined.error();
    made_.rounds[block].accepted_first += joined->accepted_first;
    if (block + 1 < contexts_.size()) below.apply(joined->execution.changes);
    made_.blocks.push_back(std::move(joined->execution));
    made_.without_digest.push_back(true);
    return {};
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
        if (&into == &made_ && end <= accepted && end - task >= tasks_a_part &&
            has_nothing_else_to_do()) {
            const auto joined = join_block(block, task, end, below, &pool_);
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
            if (&rounds_ != &host_)
                note_host_tasks(*execution, execution == &in_order, records, book);
            records += static_cast<std::uint32_t>(execution->result.records.size());
            tank.settle(vfsize, execution->result.fuel);
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
