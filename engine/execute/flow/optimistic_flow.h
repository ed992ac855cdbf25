// Tasks in block order, executed and validated side by side: Block-STM (arXiv 2203.06871), the
// strategy optimistic (docs/execution.md#without-rounds).
#pragma once

#include "execute/flow/expected_tasks.h"
#include "execute/flow/flow.h"
#include "execute/flow/flow_news.h"
#include "execute/flow/key_readers.h"
#include "execute/flow/live_versions.h"
#include "execute/flow/spin_lock.h"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace blockloom::execute {

/// The collaborative scheduler of Block-STM (algorithms 4 and 5 there) over LiveVersions, with
/// three differences. Validation compares values, so an execution whose reads were written again
/// with the same values stays. Only readers of keys whose values changed are validated again, not
/// all tasks above. A task that waited for another one runs next where that one ran. A task that
/// was aborted leaves estimates; one that meets an estimate waits for its writer.
class OptimisticFlow final : public Flow {
public:
    /// `expected`: what tasks will probably write; readers wait for them from the start. `keep`, by
    /// place: the task's execution of an earlier round holds, as long as nothing that it read
    /// changes; empty: all run. `versions` and `readers` must outlive the flow.
    OptimisticFlow(LiveVersions& versions, KeyReaders& readers, ExpectedWrites expected,
                   std::vector<bool> keep)
        : versions_(versions), readers_(readers), expected_(std::move(expected)),
          keep_(std::move(keep)) {}

    void begin(const FlowStart& start) override;
    [[nodiscard]] bool is_complete() const noexcept override {
        return finished_.load(std::memory_order_acquire);
    }
    [[nodiscard]] Next next(unsigned worker, Attempt& attempt) override;
    void done(unsigned worker, Result<Attempted> attempted) override;
    void abandon() noexcept override;

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    enum class Stage : std::uint8_t { ready, executing, executed, aborting };
    /// A task's state, by place.
    struct alignas(64) Task {
        SpinLock guard;
        Stage stage = Stage::ready;
        std::uint32_t incarnation = 0;
        std::vector<std::uint32_t> waiting; ///< places that met an estimate of this one
        /// The latest; those before it stay readable.
        std::atomic<const ExecutionResult*> made{nullptr};
        /// Something that it read may have changed since it was validated.
        std::atomic<bool> suspect{false};
    };
    /// What a worker is to do next.
    struct Job {
        std::uint32_t place = none, incarnation = 0;
        bool validate = false;
    };
    struct alignas(64) Worker {
        Worker(const LiveVersions& versions, const state::StateView& below)
            : view(versions, below) {}

        Job job;
        LiveView view;
        /// It has a job, or is about to take one.
        alignas(64) std::atomic<bool> active{false};
    };

    [[nodiscard]] bool is_idle() const noexcept;
    void expect_writes();
    [[nodiscard]] Job next_job(Worker& own);
    [[nodiscard]] Job next_to_execute(Worker& own);
    [[nodiscard]] Job next_to_validate(Worker& own);
    [[nodiscard]] std::uint32_t take_released();
    [[nodiscard]] Job try_begin(Worker& own, std::uint32_t place);
    [[nodiscard]] Job validated(unsigned worker, const Job& job);
    [[nodiscard]] Job finish_execution(Worker& own, const Job& job);
    [[nodiscard]] bool wait_for(unsigned worker);
    [[nodiscard]] std::uint32_t resume(std::vector<std::uint32_t>& waiting);
    void add_reads(std::uint32_t place, const ExecutionResult& made);
    void suspect_readers(std::uint32_t place, const state::WriteSet& writes,
                         const state::WriteSet* before);
    void suspect(std::uint32_t place);
    void check_whether_finished() noexcept;
    [[nodiscard]] std::optional<Rejection> why_not(std::uint32_t place) const;
    [[nodiscard]] std::uint32_t place_of(std::uint32_t task) const noexcept;

    LiveVersions& versions_;
    KeyReaders& readers_;
    ExpectedWrites expected_;
    std::vector<bool> keep_;
    std::optional<FlowStart> start_;
    std::uint32_t count_ = 0;
    std::unique_ptr<Task[]> tasks_;
    std::deque<Worker> workers_;
    alignas(64) std::atomic<std::uint32_t> to_execute_{0}; ///< all below it were begun once
    /// No task below the low half is suspect; the high half counts how often that was lowered.
    alignas(64) std::atomic<std::uint64_t> to_validate_{0};
    alignas(64) std::atomic<std::uint32_t> best_released_{none}; ///< the lowest of `released_`
    alignas(64) std::atomic<std::uint32_t> added_{0};            ///< how often work was added
    alignas(64) std::atomic<bool> finished_{false};
    std::atomic<bool> abandoned_{false};
    std::mutex released_guard_;
    std::vector<std::uint32_t> released_; ///< places that no longer wait: a heap, lowest first
    FlowNews news_;
};

} // namespace blockloom::execute
