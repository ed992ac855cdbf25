#include "execute/acceptance.h"

#include <algorithm>
#include <array>

namespace blockloom::execute {
namespace {

/// Candidates that a worker takes at once, and parts of the index.
constexpr std::size_t executions_at_once = 256, part_grain = 4;
/// Candidates whose probes are read twice in a row, while they are in the nearest cache, and that
/// are compared together.
constexpr std::size_t run_length = 32;
/// How many candidates ahead, and how much of each, is prefetched.
constexpr std::size_t lookups_ahead = 6, most_fetched = 32;

} // namespace

/// From `from` to the end of its block and of that of the task before `end`: what earlier ones used
/// does not change any more, and later ones have not run.
void AcceptanceCheck::share_fuel(std::span<const FuelClaim> claims, const Tanks& tanks,
                                 std::size_t from, std::size_t end) {
    end = std::max(end, std::min(from + 1, claims.size()));
    for (std::size_t task = from; task < end;) {
        const std::uint32_t block = claims[task].block;
        alkanes::FuelTank tank =
            task == from ? accepted_fuel_.before(task, claims, tanks) : tanks[block];
        for (; task < claims.size() && claims[task].block == block; ++task) {
            budgets_[task] = tank.settle(claims[task].vfsize, claims[task].use);
            fuel_holds_[task] = claims[task].use.holds_for(budgets_[task]);
        }
    }
}

/// Tasks before `from` are not probed: they are accepted.
void AcceptanceCheck::gather(std::span<const std::unique_ptr<ExecutionResult>> executions,
                             std::size_t from, unsigned worker, std::size_t begin,
                             std::size_t end) {
    HugePageBuffer<std::uint64_t>& hashes =
        hashes_[(begin - versions_.first()) / versions_.piece_size()];
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if ((i - begin) % run_length == 0)
            versions_.gather(worker, i, std::min(end, i + run_length));
        const ExecutionResult* const execution = executions[i].get();
        Questions& questions = questions_[i];
        questions = {nullptr, 0, execution == nullptr};
        if (questions.missing || i < from) continue;
        hashes.grow(count + execution->probes.size(), count);
        for (const Probe& probe : execution->probes) {
            if (probe.kind == Probe::Kind::write) break; // they are the last
            hashes[count + questions.count++] = (probe.hash & ~VersionIndex::free_bit) |
                                                (probe.holds_before ? VersionIndex::free_bit : 0);
        }
        count += questions.count;
    }
    versions_.sort_out(worker, begin);
    const std::uint64_t* next = hashes.data();
    for (std::size_t i = begin; i < end; ++i) {
        questions_[i].first = next;
        next += questions_[i].count;
    }
}

bool AcceptanceCheck::holds_there(const ExecutionResult& execution, std::size_t place,
                                  std::uint32_t task) const {
    const Probe& probe = execution.probes[place];
    const state::Value* const now = versions_.latest_below(
        task, probe.hash, [&] { return std::string_view(key_of(execution, probe)); });
    return now == nullptr ? probe.holds_before : holds(execution, probe, *now);
}

void AcceptanceCheck::compare(std::span<const std::unique_ptr<ExecutionResult>> executions,
                              std::size_t begin, std::size_t end) {
    std::vector<Written> written;
    for (std::size_t first = begin; first < end; first += run_length) {
        const std::size_t past = std::min(end, first + run_length);
        written.clear();
        for (std::size_t i = first; i < past; ++i) {
            if (i + lookups_ahead < end) {
                const Questions& later = questions_[i + lookups_ahead];
                const std::size_t count = std::min<std::size_t>(later.count, most_fetched);
                for (std::size_t k = 0; k < count; ++k) versions_.prefetch(later.first[k]);
            }
            const Questions& own = questions_[i];
            const std::size_t before = written.size();
            consistent_[i] = !own.missing && ask(own, static_cast<std::uint32_t>(i), written);
            if (written.size() != before) __builtin_prefetch(executions[i].get());
        }
        // What they wrote and what was logged is scattered: each step is fetched for all of them.
        for (const Written& one : written) {
            versions_.prefetch_write(one.task, one.hash);
            __builtin_prefetch(&executions[one.task]->probes[one.place]);
        }
        for (const Written& one : written)
            if (consistent_[one.task] != 0)
                consistent_[one.task] = holds_there(*executions[one.task], one.place, one.task);
    }
}

/// False: something certainly does not hold. Adds what depends on what candidates wrote.
bool AcceptanceCheck::ask(const Questions& own, std::uint32_t task,
                          std::vector<Written>& written) const {
    for (std::uint32_t k = 0; k < own.count; ++k) {
        const std::uint64_t hash = own.first[k];
        if (versions_.surely_none_below(task, hash)) {
            if ((hash & VersionIndex::free_bit) == 0) return false;
            continue;
        }
        versions_.prefetch_with_writes(hash);
        written.push_back({hash, task, k});
    }
    return true;
}

Rejection AcceptanceCheck::why_not(const ExecutionResult& execution, std::uint32_t task) const {
    for (std::size_t place = 0; place < execution.probes.size(); ++place) {
        const Probe& probe = execution.probes[place];
        if (probe.kind == Probe::Kind::write) break; // they are the last
        if (holds_there(execution, place, task)) continue;
        const state::Key& key = key_of(execution, probe);
        return {reason_of(probe.kind), key.bytes(),
                versions_.latest_writer_below(task, {key.bytes(), probe.hash})};
    }
    return {trace::AbortReason::wrong_budget}; // what the check compares besides
}

void AcceptanceCheck::run(std::span<const std::unique_ptr<ExecutionResult>> executions,
                          std::span<const FuelClaim> claims, const Tanks& tanks, std::uint32_t from,
                          WorkerPool& pool) {
    if (from == 0) {
        budgets_.resize(claims.size());
        fuel_holds_.resize(claims.size());
        accepted_fuel_.reset();
        versions_.begin_window(claims.size());
    } else if (versions_.is_worth_keeping(from)) {
        pool.each(versions_.parts(), part_grain, [&](unsigned, std::size_t begin, std::size_t end) {
            versions_.keep(from, begin, end);
        });
        versions_.note_kept(from);
    }
    consistent_.assign(claims.size(), 0);
    std::fill_n(consistent_.begin(), from, std::uint8_t{1});
    questions_.grow(executions.size());
    versions_.begin(executions, pool.workers());
    const std::size_t first = versions_.first();
    hashes_.resize(std::max(hashes_.size(), executions.size() / versions_.piece_size() + 1));

    // The tanks are one pass in block order, which runs beside everything else.
    const std::size_t fuel_end = from == 0 ? claims.size() : executions.size();
    const auto fuel = [&](unsigned, std::size_t, std::size_t) {
        share_fuel(claims, tanks, from, fuel_end);
    };
    const auto take = [&](unsigned worker, std::size_t begin, std::size_t end) {
        gather(executions, from, worker, first + begin, first + end);
    };
    const auto make_room = [&](unsigned, std::size_t, std::size_t) { versions_.make_room(); };
    const auto group = [&](unsigned worker, std::size_t begin, std::size_t end) {
        versions_.group(worker, begin, end);
    };
    const auto hold = [&](unsigned, std::size_t begin, std::size_t end) {
        compare(executions, from + begin, from + end);
    };
    const Work beside(fuel);
    const std::array<WorkerPool::Stage, 4> stages{{
        {executions.size() - first, versions_.piece_size(), take},
        {1, 1, make_room},
        {versions_.parts(), part_grain, group},
        {executions.size() - from, executions_at_once, hold},
    }};
    pool.stages(stages, &beside);

    for (std::size_t i = from; i < executions.size(); ++i) consistent_[i] &= fuel_holds_[i];
    const auto ran = consistent_.begin() + static_cast<std::ptrdiff_t>(executions.size());
    accepted_ = static_cast<std::uint32_t>(std::find(consistent_.begin() + from, ran, 0) -
                                           consistent_.begin());
}

} // namespace blockloom::execute
