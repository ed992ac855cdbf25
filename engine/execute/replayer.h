// Blocks executed on a state, one or several at a time, by any strategy (docs/execution.md).
#pragma once

#include "alkanes/block_trace.h"
#include "compute/provider.h"
#include "conflict/index_conflicts.h"
#include "execute/contract_code.h"
#include "execute/device/placement_choice.h"
#include "execute/replayed_block.h"
#include "execute/strategy.h"
#include "gpuvm/machine.h"

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::execute {

class ExecutedWindow;
class LiveRun;
class Recording;
struct StrategyMemory;
class WorkerPool;

/// How blocks are replayed. Nothing here changes a digest except the network, its rules, its code
/// and the height.
struct ReplayOptions {
    alkanes::Network network = alkanes::Network::mainnet;
    alkanes::RuleLine line = alkanes::RuleLine::released;
    wasm::FuelRule fuel = wasm::FuelRule::counted;
    /// Code by height; null: all code is in the state.
    std::shared_ptr<const alkanes::BuiltInCode> built_ins{};
    std::optional<std::uint64_t> height; ///< overrides the block's own height
    alkanes::Engine engine = alkanes::Engine::native;
    StrategyOptions strategy;
    /// The device on which rounds run; null: on CPU workers. What the device cannot run, they run.
    std::shared_ptr<compute::Provider> device{};
    std::vector<std::shared_ptr<compute::Provider>>
        more_devices{}; ///< further devices that share its batches
    /// Small batches have few pages to share. Waves are timed if spans are recorded.
    gpuvm::Options device_options{.pool_pages = 64, .wave_times = true};
    bool fallback = true; ///< false: a device that fails ends the replay
    /// The device was chosen automatically, not named: block windows run where they are faster
    /// (placement_choice.h).
    bool device_must_pay = false;
    /// Spans of the replay; null: none. One replay at a time.
    std::shared_ptr<Recording> recording{};
    /// For progress and pausing; null: none, at no cost.
    std::shared_ptr<LiveRun> live{};
    bool record = false; ///< record host calls and storage before and after, for the Inspector
    bool events = false; ///< note the events of calls, for a comparison with an indexer's traces
    bool trace = true;   ///< make the true access sets and their dependency edges
    conflict::ConflictModel model = conflict::ConflictModel::single_version;
    bool estimate = false; ///< also execute each transaction alone on the state before the block
    bool verify = false; ///< execute each block again on the other engine and compare every record
    /// The native engine waits for machine code, as with `verify`.
    bool await_code = false;
    /// Compiled contracts, to share them between replays; null: not shared. With the native engine,
    /// the interpreter runs a contract until its machine code is ready, unless `verify` is set.
    std::shared_ptr<alkanes::Contracts> contracts{};
};

/// What the pieces of a block's analysis have found so far.
struct BlockAnalysis {
    BlockAnalysis(conflict::ConflictModel model, std::size_t trace_pieces, std::size_t index_pieces)
        : tracing(trace_pieces), indexing(model, index_pieces) {}

    alkanes::BlockTracing tracing;
    conflict::ConflictIndexing indexing;
};

/// Executes blocks; keeps compiled contracts, instances and workers between them. For one calling
/// thread. A lack of memory, threads or files on this machine is an error (ErrorCode::system) and
/// never the result of a block.
class Replayer {
public:
    explicit Replayer(ReplayOptions options);
    ~Replayer();

    /// The thread on which a stage of a block runs: a worker of the pool, or (absent) the caller's.
    using Worker = std::optional<unsigned>;

    /// Reads and decodes a block. Needs no state: may be called for several blocks at once, on any
    /// thread.
    [[nodiscard]] Result<OpenedBlock> decode(const ReplaySource& source, Worker worker = {}) const;
    /// Looks up what the block needs of the state before its block window.
    Status begin(OpenedBlock& block, const state::StateView& before) const;
    /// Both of the above.
    [[nodiscard]] Result<OpenedBlock> open(const ReplaySource& source,
                                           const state::StateView& before) const;

    /// Executes the blocks of a block window on the state before it. Commits nothing.
    [[nodiscard]] Result<std::vector<ReplayedBlock>> execute(std::vector<OpenedBlock> window,
                                                             const state::StateView& before,
                                                             ProgressSink& progress,
                                                             const std::stop_token& stop);
    /// The same, but leaves digests to `analyse`, and, if every execution was accepted, putting the
    /// blocks together to `join`: both can run beside the execution of the next block window, which
    /// reads the state that the window left. Without a pool nothing is left. `before` must outlive
    /// the result.
    [[nodiscard]] Result<std::shared_ptr<ExecutedWindow>>
    execute_ahead(std::vector<OpenedBlock> window, const state::StateView& before,
                  ProgressSink& progress, const std::stop_token& stop);
    /// Finds what changed in one part of the keys of an incomplete window, if it was divided into
    /// parts (ExecutedWindow::divide), on any thread; adds its time to `work`.
    Status join_part(ExecutedWindow& window, std::size_t part, Phases& work,
                     Worker worker = {}) const;
    /// Puts the blocks of an incomplete window together, after its parts: first this for each
    /// block, also several at once, then each piece, likewise, then the end, then pieces that part
    /// what the blocks changed for the state, likewise, on any threads; each adds its time to
    /// `work`.
    Status begin_join(ExecutedWindow& window, std::size_t block, std::size_t pieces, Phases& work,
                      Worker worker = {}) const;
    Status join_piece(ExecutedWindow& window, std::size_t piece, Phases& work,
                      Worker worker = {}) const;
    Status end_join(ExecutedWindow& window, Phases& work, Worker worker = {}) const;
    Status part_changes(ExecutedWindow& window, std::size_t piece, std::size_t pieces, Phases& work,
                        Worker worker = {}) const;
    /// All of it on this thread, the parts as well, if the window was not divided.
    Status join(ExecutedWindow& window, Phases& work, Worker worker = {}) const;
    /// Frees beside other work what a window no longer needs.
    void release(std::shared_ptr<ExecutedWindow> window);

    /// Makes the digest of an executed block, if that was left, and its access sets and their
    /// dependency edges, if the options ask for them; adds its times to `phases`. May be called for
    /// several blocks at once, on any thread.
    Status analyse(ReplayedBlock& block, Phases& phases, const std::stop_token& stop,
                   Worker worker = {}) const;
    /// The same in pieces, on several threads at once: the digest beside all others; the access
    /// sets of ranges of the transactions; after those their index, and its pieces.
    Status digest(ReplayedBlock& block, Phases& phases, Worker worker = {}) const;
    Status trace_piece(const ReplayedBlock& block, BlockAnalysis& analysis, std::size_t piece,
                       Phases& phases, Worker worker = {}) const;
    Status begin_index(ReplayedBlock& block, BlockAnalysis& analysis, Phases& phases,
                       Worker worker = {}) const;
    Status index_piece(const ReplayedBlock& block, BlockAnalysis& analysis, std::size_t piece,
                       Phases& phases, const std::stop_token& stop, Worker worker = {}) const;
    Status end_index(ReplayedBlock& block, BlockAnalysis& analysis) const;

    /// The pool on which stages of other blocks may run beside an execution; null: there is none,
    /// because the strategy runs on one thread or devices have the workers to themselves.
    [[nodiscard]] WorkerPool* pool();

    /// What was given to the device so far, by module, the most calls first; nothing if none was
    /// used.
    [[nodiscard]] std::vector<ContractCode> contract_code();

    [[nodiscard]] const ReplayOptions& options() const noexcept { return options_; }

private:
    struct Workers;

    [[nodiscard]] Workers& workers();
    template <typename Work>
    Status assemble(const ExecutedWindow& window, Phases& work, Worker worker,
                    const Work& stage) const;
    [[nodiscard]] Result<OpenedBlock> read(const ReplaySource& source, Worker worker) const;
    [[nodiscard]] Result<std::shared_ptr<ExecutedWindow>> run(std::vector<OpenedBlock> window,
                                                              const state::StateView& before,
                                                              bool ahead, ProgressSink& progress,
                                                              const std::stop_token& stop);
    Status run_serially(const ExecutedBlocks& blocks, const state::StateView& before,
                        const alkanes::TransactionOptions& how, ProgressSink& progress);
    Status run_window(ExecutedWindow& window, const state::StateView& before, bool ahead,
                      const alkanes::TransactionOptions& how, ProgressSink& progress);
    Status estimate(ReplayedBlock& block, const state::StateView& before,
                    const alkanes::TransactionOptions& how, ProgressSink& progress);
    Status verify(const ExecutedBlocks& blocks, const state::StateView& before,
                  const alkanes::TransactionOptions& how);

    ReplayOptions options_;
    std::shared_ptr<alkanes::Contracts> contracts_;
    alkanes::Runtime runtime_;
    std::optional<alkanes::Runtime> other_; ///< of the other engine, for `verify`
    PlacementChoice placement_;
    std::unique_ptr<StrategyMemory> strategy_memory_;
    std::unique_ptr<Workers> workers_; ///< created when they are first needed
};

} // namespace blockloom::execute
