#include "execute/abort_log.h"

#include "execute/predict/predicted_values.h"
#include "state/key_shards.h"

#include <algorithm>
#include <unordered_map>

namespace blockloom::execute {
namespace {

/// Rejected executions that a worker explains at once.
constexpr std::size_t explained_at_once = 32;

/// Whether a task of the round was given a predicted value for the key.
bool was_predicted(const Round& round, std::uint32_t task, std::string_view key) {
    if (round.predicted == nullptr) return false;
    const auto at = std::lower_bound(round.tasks.begin(), round.tasks.end(), task);
    if (at == round.tasks.end() || *at != task) return false; // it ran in an earlier round
    const auto given = round.predicted->of(static_cast<std::size_t>(at - round.tasks.begin()));
    return std::any_of(given.begin(), given.end(),
                       [&](const auto& value) { return value.key->bytes() == key; });
}

std::uint32_t tasks_of(const ExecutionResult& execution) {
    return static_cast<std::uint32_t>(execution.result.records.size());
}

} // namespace

/// The latest transaction that wrote a key, of those that have run in block order so far. What they
/// wrote is entered when somebody asks, each transaction once.
class AbortLog::Writers {
public:
    using Writer = AbortedAttempt::Writer;

    [[nodiscard]] std::optional<Writer> of(const state::KeyView& key,
                                           std::span<const alkanes::BlockExecution> made,
                                           const alkanes::BlockExecution& now) {
        for (; blocks_ < made.size(); ++blocks_, transactions_ = 0) enter(made[blocks_]);
        enter(now);
        const auto found = latest_.find(key);
        return found == latest_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    void enter(const alkanes::BlockExecution& block) {
        for (; transactions_ < block.transactions.size(); ++transactions_) {
            const alkanes::TransactionResult& ran = block.transactions[transactions_];
            for (const auto& write : ran.log.writes)
                latest_.insert_or_assign(state::KeyView(write.first),
                                         Writer{block.height, ran.transaction});
        }
    }

    /// The keys lie in the logs, which stay where they are when a block is moved.
    std::unordered_map<state::KeyView, Writer, state::KeyHash> latest_;
    std::size_t blocks_ = 0, transactions_ = 0; ///< of `now`, if all blocks before it are entered
};

AbortLog::AbortLog(std::span<const std::shared_ptr<const alkanes::BlockContext>> contexts,
                   const std::vector<WindowTask>& tasks, std::vector<BlockRounds>& rounds)
    : contexts_(contexts), tasks_(tasks), rounds_(rounds) {}

AbortLog::~AbortLog() = default;

AbortLog::Rejected* AbortLog::rejected(std::uint32_t task) noexcept {
    if (place_of_.empty() || place_of_[task] == 0) return nullptr;
    return &rejected_[place_of_[task] - 1];
}

AbortedAttempt::Writer AbortLog::writer_of(std::uint32_t task) const {
    return {contexts_[tasks_[task].block]->height, tasks_[task].transaction};
}

void AbortLog::note_rejected(const AcceptanceCheck& check,
                             std::span<const std::unique_ptr<ExecutionResult>> executions,
                             const Round& round, WorkerPool& pool) {
    const std::size_t known = rejected_.size();
    for (std::uint32_t task = check.accepted(); task < executions.size(); ++task) {
        const bool holds = check.consistent(task);
        if (holds && place_of_.empty()) continue;
        if (executions[task] == nullptr) continue;
        if (place_of_.empty()) place_of_.resize(executions.size());
        Rejected* const before = rejected(task);
        if (before != nullptr && holds) before->holds_again = true;
        if (holds || (before != nullptr && !before->holds_again)) continue;
        rejected_.emplace_back(task);
        place_of_[task] = static_cast<std::uint32_t>(rejected_.size());
    }
    if (rejected_.size() == known) return;
    const Nanoseconds now = now_ns();
    const std::span<Rejected> fresh = std::span(rejected_).subspan(known);
    pool.each(fresh.size(), explained_at_once, [&](unsigned, std::size_t begin, std::size_t end) {
        for (Rejected& each : fresh.subspan(begin, end - begin)) {
            const Rejection why = check.why_not(*executions[each.task], each.task);
            each.reason = why.reason;
            each.key = why.key;
            each.writer = why.writer;
            each.at = now;
            if (why.reason == trace::AbortReason::outdated_read &&
                was_predicted(round, each.task, why.key))
                each.reason = trace::AbortReason::wrong_prediction;
        }
    });
}

void AbortLog::enter(std::uint32_t task, AbortedAttempt attempt) {
    attempt.transaction = tasks_[task].transaction;
    rounds_[tasks_[task].block].aborted.add(std::move(attempt));
}

void AbortLog::repeated(std::uint32_t task, const ExecutionResult& execution) {
    AbortedAttempt attempt;
    attempt.executions = tasks_of(execution);
    if (Rejected* const why = rejected(task)) {
        attempt.reason = why->reason;
        attempt.key = std::move(why->key);
        if (why->writer != Rejection::nobody) attempt.writer = writer_of(why->writer);
        attempt.at = why->at;
        place_of_[task] = 0;
    } else {
        attempt.reason = trace::AbortReason::replanned;
        attempt.at = now_ns();
    }
    enter(task, std::move(attempt));
}

Status AbortLog::repeated_in_order(std::uint32_t task, const ExecutionResult& execution,
                                   const state::StateView& before,
                                   std::span<const alkanes::BlockExecution> made,
                                   const alkanes::BlockExecution& now) {
    if (const Rejected* const why = rejected(task); why != nullptr && !why->holds_again) {
        repeated(task, execution);
        return {};
    }
    const auto broken = broken_probe(execution, before);
    if (!broken) return broken.error();
    AbortedAttempt attempt;
    attempt.reason = trace::AbortReason::wrong_budget;
    attempt.executions = tasks_of(execution);
    attempt.at = now_ns();
    if (*broken != nullptr) {
        const state::Key& key = key_of(execution, **broken);
        attempt.reason = reason_of((*broken)->kind);
        attempt.key = key.bytes();
        if (writers_ == nullptr) writers_ = std::make_unique<Writers>();
        attempt.writer = writers_->of(key, made, now);
    }
    enter(task, std::move(attempt));
    return {};
}

void AbortLog::add(Aborted aborted) {
    AbortedAttempt attempt;
    attempt.reason = aborted.reason;
    attempt.executions = aborted.executions;
    attempt.key = std::move(aborted.key);
    if (aborted.writer != Rejection::nobody) attempt.writer = writer_of(aborted.writer);
    attempt.at = aborted.at;
    enter(aborted.task, std::move(attempt));
}

} // namespace blockloom::execute
