// The part of WindowRun that runs one round.
#include "execute/window.h"

#include "execute/declared_view.h"
#include "execute/flow/flow.h"
#include "execute/predict/predicted_values.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <iterator>
#include <mutex>
#include <utility>

namespace blockloom::execute {
namespace {

/// Transactions whose results a worker takes over at once.
constexpr std::size_t results_a_part = 256;

} // namespace

/// Takes what an executor returns; called by any worker.
class WindowRun::Receiver {
public:
    Receiver(WindowRun& run, const How& how, bool declared)
        : run_(run), how_(how), declared_(declared) {}

    /// `on_window_start`: all that it read was of the state before the block window.
    bool take(std::uint32_t task, bool on_window_start, Result<Attempted>&& attempted) {
        if (!attempted) {
            const ErrorCode code = attempted.error().code;
            if (declared_ && code == ErrorCode::bad_input)
                return give_to_host({task, host_reasons::undeclared_read, 0, {}});
            return fail(attempted.error());
        }
        if (how_.dry) {
            run_.found_[task] = sets_of(attempted->result.log);
            run_.claims_[task].use = attempted->result.fuel; // the best guess so far
            return true;
        }
        if (declared_)
            if (const state::Key* const key =
                    undeclared_write(attempted->result.log, how_.hints->declared[task]))
                return give_to_host({task, host_reasons::undeclared_write,
                                     attempted->result.records.size(), std::string(*key)});
        auto execution =
            make_execution_result(std::move(attempted->result), run_.before_, on_window_start);
        if (!execution) return fail(execution.error());
        ExecutionResult& made = **execution;
        made.ejection = std::move(attempted->ejection);
        made.not_offered = attempted->not_offered;
        made.submission = attempted->submission;
        made.attempt = ++run_.attempts_[task];
        run_.fresh_[task] = *std::move(execution);
        return true;
    }

    [[nodiscard]] const Status& status() const noexcept { return status_; }
    /// A task that left its declared sets, in which way, what it had executed by then, and the key
    /// that it wrote.
    struct Left {
        std::uint32_t task;
        const char* why;
        std::size_t executed;
        std::string key;
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
    bool give_to_host(Left left) {
        const std::lock_guard lock(guard_);
        left_.push_back(std::move(left));
        return true;
    }

    WindowRun& run_;
    const How& how_;
    bool declared_;
    std::mutex guard_;
    Status status_;
    std::vector<Left> left_;
};

/// The window's side of a flow.
class WindowRun::FlowSide final : public FlowRound {
public:
    FlowSide(WindowRun& run, const Round& round)
        : run_(run), round_(round), budgets_(round.budgets), workers_(run.pool_.workers()) {
        for (Worker& worker : workers_) worker.repeated.resize(run.contexts_.size());
    }

    [[nodiscard]] std::uint32_t task(std::uint32_t place) const noexcept override {
        return round_.tasks[place];
    }
    [[nodiscard]] Attempt attempt(std::uint32_t place, const state::StateView& view) override {
        const std::uint32_t task = round_.tasks[place];
        return run_.attempt_of(task, view,
                               budgets_.empty() ? run_.budget_of(task) : budgets_[place]);
    }
    void settle(std::uint32_t place) override {
        for (const std::uint32_t end = round_.tasks[place]; settled_ < end; ++settled_) {
            const std::unique_ptr<ExecutionResult>& ran = run_.fresh_[settled_];
            const FuelClaim& claim = run_.claims_[settled_];
            tank_of(settled_).settle(claim.vfsize, ran ? ran->result.fuel : claim.use);
        }
        budgets_[place] = tank_of(settled_).budget_for(run_.claims_[settled_].vfsize);
    }
    [[nodiscard]] const ExecutionResult* take(unsigned worker, std::uint32_t place,
                                              Result<Attempted> attempted) override {
        if (!attempted) {
            fail(attempted.error());
            return nullptr;
        }
        const std::uint32_t task = round_.tasks[place];
        std::unique_ptr<ExecutionResult>& made = run_.fresh_[task];
        if (made != nullptr) {
            Worker& own = workers_[worker];
            own.repeated[run_.tasks_[task].block] += made->result.records.size();
            own.replaced.push_back(std::move(made)); // others may still read it
        }
        made = std::make_unique<ExecutionResult>();
        made->result = std::move(attempted->result);
        made->ejection = std::move(attempted->ejection);
        if (&run_.rounds_ != &run_.host_) made->not_offered = host_reasons::flow;
        made->attempt = ++run_.attempts_[task];
        return made.get();
    }
    void aborted(unsigned worker, std::uint32_t place, const Rejection& why) override {
        const ExecutionResult* const made = run_.fresh_[round_.tasks[place]].get();
        const ExecutionResult* const latest =
            made != nullptr ? made : run_.executions_[round_.tasks[place]].get();
        workers_[worker].aborted.push_back(
            {round_.tasks[place], why.reason,
             latest == nullptr || !has_result(why.reason)
                 ? 0
                 : static_cast<std::uint32_t>(latest->result.records.size()),
             std::string(why.key), why.writer, now_ns()});
    }
    [[nodiscard]] bool make_probes(std::uint32_t place, bool on_start) override {
        const Status made = execute::make_probes(*run_.fresh_[round_.tasks[place]], run_.before_,
                                                 on_start && !run_.versions_there_);
        if (!made) fail(made.error());
        return made.ok();
    }

    [[nodiscard]] const Status& status() const noexcept { return status_; }
    /// Tasks of a block whose executions in this flow were replaced by later ones.
    [[nodiscard]] std::uint64_t repeated(std::size_t block) const noexcept {
        std::uint64_t sum = 0;
        for (const Worker& worker : workers_) sum += worker.repeated[block];
        return sum;
    }
    /// What the flow aborted, in that order.
    [[nodiscard]] std::vector<AbortLog::Aborted> take_aborted() {
        std::vector<AbortLog::Aborted> all;
        for (Worker& worker : workers_)
            std::move(worker.aborted.begin(), worker.aborted.end(), std::back_inserter(all));
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
        return all;
    }

private:
    struct alignas(64) Worker {
        std::vector<std::uint64_t> repeated; ///< tasks, by block
        std::vector<std::unique_ptr<ExecutionResult>> replaced;
        std::vector<AbortLog::Aborted> aborted;
    };

    void fail(const Error& error) {
        const std::lock_guard lock(guard_);
        if (status_) status_ = error;
    }
    alkanes::FuelTank& tank_of(std::uint32_t task) {
        if (tanks_.empty()) tanks_ = run_.tanks_;
        return tanks_[run_.tasks_[task].block];
    }

    WindowRun& run_;
    const Round& round_;
    std::vector<std::uint64_t> budgets_; ///< by place; empty: those that the versions leave
    Tanks tanks_;                        ///< after the tasks before `settled_`; empty: full
    std::uint32_t settled_ = 0;
    std::mutex guard_;
    Status status_;
    std::vector<Worker> workers_;
};

Status WindowRun::run_flow(const Round& round) {
    const DriverSpan span(recording_, SpanName::round, profile::Category::round,
                          round.tasks.size());
    FlowSide side(*this, round);
    std::optional<WindowView> accepted;
    if (versions_there_) accepted.emplace(check_.versions(), before_, accepted_);
    const state::StateView& below =
        accepted ? static_cast<const state::StateView&>(*accepted) : before_;
    round.flow->begin({side, static_cast<std::uint32_t>(round.tasks.size()), below, accepted_,
                       executions_, pool_, recording_});
    rounds_.run_source(*round.flow, options_);
    if (!side.status()) return side.status();
    ++batches_run_;
    ++rounds_run_;
    if (!round.flow->is_complete()) return cancelled_error();
    std::vector<std::uint64_t> sizes(contexts_.size());
    std::vector<std::uint32_t> ran; // the others keep the execution that they had
    for (const std::uint32_t task : round.tasks) {
        if (fresh_[task] == nullptr) continue;
        ran.push_back(task);
        // The flow itself reports those that held when it began.
        if (executions_[task] != nullptr && !check_.consistent(task))
            aborts_.repeated(task, *executions_[task]);
        ++sizes[tasks_[task].block];
        if (round.flow->is_block_order())
            made_.rounds[tasks_[task].block].serial += fresh_[task]->result.records.size();
    }
    for (AbortLog::Aborted& aborted : side.take_aborted()) aborts_.add(std::move(aborted));
    for (std::size_t block = 0; block < sizes.size(); ++block) {
        BlockRounds& book = made_.rounds[block];
        book.executions += side.repeated(block);
        if (sizes[block] == 0) continue;
        book.batches.push_back(sizes[block]);
        ++book.rounds;
    }
    for (std::string& note : rounds_.take_notes()) made_.notes.push_back(std::move(note));
    return take_over(ran);
}

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
        if (round.predicted != nullptr && !round.predicted->of(i).empty())
            view = &predicted.emplace_back(*view, round.predicted->of(i));
        open.push_back(view);
        if (declared) view = &fences.emplace_back(*view, how.hints->declared[task]);
        attempts.push_back(attempt_of(task, *view,
                                      round.predicted != nullptr ? round.predicted->budget(i)
                                      : !round.budgets.empty()   ? round.budgets[i]
                                                                 : budget_of(task)));
    }
    const auto on_window_start = [&](std::size_t i) {
        return !versions_there_ && (round.predicted == nullptr || round.predicted->of(i).empty());
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
                batch, options, [&](unsigned, std::size_t i, Result<Attempted>&& attempted) {
                    return receiver.take(batch[i].task, on_window_start(begin + i),
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
    for (const auto& [task, why, executed, key] : left) {
        made_.rounds[tasks_[task].block].executions += executed;
        places.push_back(static_cast<std::size_t>(
            std::lower_bound(round.tasks.begin(), round.tasks.end(), task) - round.tasks.begin()));
        const bool wrote = why == host_reasons::undeclared_write;
        aborts_.add(
            {task,
             wrote ? trace::AbortReason::undeclared_write : trace::AbortReason::undeclared_read,
             static_cast<std::uint32_t>(executed), wrote ? key : fences[places.back()].left_by(),
             Rejection::nobody, now_ns()});
        again.push_back(attempts[places.back()]);
        again.back().view = open[places.back()];
    }
    if (!again.empty()) {
        Receiver host(*this, how, false);
        const Status ran =
            host_.run(again, options, [&](unsigned, std::size_t i, Result<Attempted> attempted) {
                return host.take(again[i].task, on_window_start(places[i]), std::move(attempted));
            });
        if (!ran) return ran;
        if (!host.status()) return host.status();
        for (const auto& [task, why, executed, key] : left)
            if (fresh_[task] != nullptr) fresh_[task]->ejection = why;
        made_.notes.push_back(fmt::format("access: {} of {} transactions left their declared sets "
                                          "and were re-executed on the host",
                                          again.size(), attempts.size()));
    }
    for (std::string& note : rounds_.take_notes()) made_.notes.push_back(std::move(note));
    for (const std::uint32_t task : round.tasks)
        if (executions_[task] != nullptr) aborts_.repeated(task, *executions_[task]);
    return take_over(round.tasks);
}

/// What a round made takes the place of earlier executions, and is counted.
Status WindowRun::take_over(std::span<const std::uint32_t> tasks) {
    std::atomic<bool> all_there{true}, any_ejected{false};
    std::vector<std::atomic<std::uint64_t>> executed(contexts_.size());
    // Earlier executions hold many small pieces, which all workers free together.
    pool_.each(tasks.size(), results_a_part, [&](unsigned, std::size_t from, std::size_t to) {
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
    for (const std::uint32_t task : tasks) {
        const std::string& why = executions_[task]->ejection;
        if (why.empty()) continue;
        ++made_.rounds[tasks_[task].block].ejected[why];
        if (why != host_reasons::undeclared_read && why != host_reasons::undeclared_write)
            aborts_.add({.task = task, .reason = trace::AbortReason::ejected});
    }
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

} // namespace blockloom::execute
