// Windows whose transactions are scripts: what a strategy makes of any reads and writes, without
// contracts.
#pragma once

#include "execute/window.h"
#include "state/memory_state.h"
#include "state/overlay.h"

#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace scripted {

using namespace blockloom;

/// What a transaction does; `fuel` is to be filled, its budget is there. True: it is void.
using Script = std::function<bool(state::Overlay&, alkanes::FuelUse& fuel)>;

/// What scripts read and write: a number, 0 if there is no value.
[[nodiscard]] state::Value number(std::uint64_t value);
[[nodiscard]] std::uint64_t read(state::Overlay& overlay, const char* key);
void write(state::Overlay& overlay, const char* key, std::uint64_t value);

/// Runs scripts by block and transaction on a pool's workers.
class ScriptExecutor final : public execute::Executor {
public:
    explicit ScriptExecutor(execute::WorkerPool& pool) : pool_(pool) {}

    Status run(std::span<const execute::Attempt> attempts,
               const alkanes::TransactionOptions& options,
               const execute::AttemptDone& done) override;
    [[nodiscard]] bool runs_sources() const noexcept override { return one_by_one; }
    void run_source(execute::AttemptSource& source,
                    const alkanes::TransactionOptions& options) override;
    [[nodiscard]] unsigned workers() const noexcept override { return pool_.workers(); }
    [[nodiscard]] double width() const noexcept override { return wide; }
    [[nodiscard]] std::size_t largest_batch() const noexcept override { return batch; }

    /// By context and transaction.
    std::function<Script(const alkanes::BlockContext&, std::uint32_t)> script;
    double wide = 8;
    std::size_t batch = 0;
    bool one_by_one = true;            ///< false: as a device, which only runs batches
    std::set<std::uint32_t> ejects;    ///< transactions whose results say that the host ran them
    std::function<void()> before_each; ///< called before every attempt, if set

private:
    Result<execute::Attempted> run_one(const execute::Attempt& attempt,
                                       const alkanes::TransactionOptions& options);

    execute::WorkerPool& pool_;
};

using Contexts = std::vector<std::shared_ptr<const alkanes::BlockContext>>;

/// Joined contexts of blocks with about `tasks` transactions each that have protostones. By
/// `recipe` their messages are of one kind each, or of few kinds.
[[nodiscard]] Contexts contexts_of(std::uint32_t blocks, std::uint32_t tasks,
                                   const char* recipe = "independent");

/// The blocks in their order, one transaction after the other.
[[nodiscard]] std::vector<alkanes::BlockExecution>
serial_run(const Contexts& contexts, const state::StateView& before, ScriptExecutor& executor);

/// The first difference, block by block, the transactions' logs and budgets included.
[[nodiscard]] std::string difference(const std::vector<alkanes::BlockExecution>& a,
                                     const std::vector<alkanes::BlockExecution>& b);

} // namespace scripted
