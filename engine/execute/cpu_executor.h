// Transactions on CPU workers.
#pragma once

#include "execute/executor.h"
#include "execute/recording.h"
#include "execute/worker_pool.h"

#include <memory>
#include <vector>

namespace blockloom::execute {

/// One runtime per worker; the compiled contracts are shared.
class CpuExecutor final : public Executor {
public:
    /// `pool` must outlive this object. `wait_for_code`: as for alkanes::Runtime.
    CpuExecutor(WorkerPool& pool, const std::shared_ptr<alkanes::Contracts>& contracts,
                alkanes::Engine engine, bool wait_for_code);

    [[nodiscard]] bool runs_sources() const noexcept override { return true; }
    void run_source(AttemptSource& source, const alkanes::TransactionOptions& options) override;
    Status run(std::span<const Attempt> attempts, const alkanes::TransactionOptions& options,
               const AttemptDone& done) override;

    /// From now on records transactions as spans, on the lanes from `first_worker` on; null: stops.
    void record_on(Recording* recording, unsigned first_worker = 0);
    void follow(LiveRun* live) noexcept override { live_ = live; }

    [[nodiscard]] Busy take_busy() noexcept override;
    [[nodiscard]] unsigned workers() const noexcept override { return pool_.workers(); }
    [[nodiscard]] double width() const noexcept override { return pool_.workers(); }
    [[nodiscard]] std::size_t largest_batch() const noexcept override { return 0; }

private:
    Result<Attempted> run_one(unsigned worker, const Attempt& attempt,
                              const alkanes::TransactionOptions& options);

    WorkerPool& pool_;
    Recording* recording_ = nullptr;
    unsigned first_worker_ = 0;
    LiveRun* live_ = nullptr;
    std::vector<std::unique_ptr<alkanes::Runtime>> runtimes_;
    std::vector<TransactionSpans> spans_; ///< one per worker
    struct alignas(64) OwnBusy : Busy {};
    std::vector<OwnBusy> busy_; ///< by worker
};

} // namespace blockloom::execute
