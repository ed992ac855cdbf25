// A range of blocks, opened and analysed: what to open (open_range.h does it), and the result.
#pragma once

#include "base/result.h"
#include "chain/block.h"
#include "execute/replayer.h"
#include "range/state_source.h"
#include "schedule/block_analysis.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::range {

/// What to open (docs/cli.md#sources). A source is a file, a directory, a
/// node ("core:URL", "rest:URL", "metashrew:URL") or "demo".
struct RangeOptions {
    std::vector<std::string> sources;
    std::string chain = "auto";
    std::optional<std::uint64_t> from, to; ///< heights, both included
    bool keep_going = false;               ///< report a malformed block and continue
    /// Alkanes: the workspace with the state before the first block; empty: none is needed, because
    /// the range is generated.
    std::string workspace;
    node::NodeAccess nodes{{}, "BLOCKLOOM_NODE_CREDENTIALS", {}}; ///< of sources that are nodes
    StateSource state; ///< Alkanes: where that state is, if not in the workspace
    /// Absent: from the manifest of a generated range, else as the blocks below were executed, else
    /// mainnet, released, alkanes::usual_fuel (choose_rules).
    std::optional<alkanes::Network> network;
    std::optional<alkanes::RuleLine> line;
    std::optional<wasm::FuelRule> fuel;
    bool code_in_state = false; ///< use the state's code, whatever the indexer runs at a height
    alkanes::Engine engine = alkanes::Engine::native;
    bool record = false; ///< record host calls and storage values before and after
    bool estimate =
        false; ///< estimated access sets: each transaction alone on the state before its block
    /// Compiled contracts, to share them between ranges; null: not shared.
    std::shared_ptr<alkanes::Contracts> contracts{};
    /// Also receives every executed block, unless null. Freeing them takes longer than a cancel may
    /// take, so a process that exits after a cancel keeps them here.
    std::shared_ptr<std::vector<std::shared_ptr<const execute::ReplayedBlock>>> executed{};
    schedule::AnalysisOptions analysis;
};

/// Whether the block's own commitments hold; absent if the chain has none or the trace does not
/// contain them.
struct Checks {
    std::optional<bool> merkle, witness_commitment;
};

/// Wall time of each phase of one block, nanoseconds (docs/definitions.md#phases). `read` is the
/// time to read the block's bytes from its file. For an imported trace, its share of the file's
/// time (equal shares) is under `trace`. Only Alkanes blocks are executed.
struct BlockTimes {
    Nanoseconds read = 0, decode = 0, trace = 0, analyse = 0, schedule = 0, execute = 0;
};

/// One block of a range. Immutable once made; a new policy or model makes a new record that shares
/// the trace.
struct BlockRecord {
    std::shared_ptr<const chain::Block> block; ///< null if the trace was imported
    std::shared_ptr<const trace::BlockTrace> trace;
    schedule::BlockAnalysis analysis;
    Checks checks;
    std::string source; ///< the file it came from
    std::shared_ptr<const execute::ReplayedBlock>
        replayed; ///< Alkanes: the execution of its messages
    BlockTimes times;
};

/// A block that could not be read, or is not part of the best chain: shown, never silently dropped.
struct LeftOut {
    std::string source, reason;
    bool stale = false; ///< a valid block of a branch that lost
};

/// Σ over the blocks of a range (levels: the largest).
struct RangeTotals {
    std::uint64_t blocks = 0, tasks = 0, accesses = 0, conflict_pairs = 0, dependency_edges = 0;
    std::uint64_t conflicting_tasks = 0, groups = 0, most_levels = 0, work = 0, span = 0;
    std::uint64_t executed = 0;                         ///< blocks; the next three are theirs
    std::uint64_t messages = 0, reverted = 0, fuel = 0; ///< reverted: did not succeed
};

struct SourceFile {
    std::string path;
    std::uint64_t bytes = 0;
    std::string sha256; ///< provenance in reports; empty until requested
};

/// Immutable once made.
struct Range {
    RangeOptions options;
    std::string title; ///< "bitcoin · 9 blocks"
    std::string chain;
    std::vector<std::shared_ptr<const BlockRecord>> blocks; ///< in chain order
    std::vector<LeftOut> left_out;
    std::vector<SourceFile> files;
    RangeTotals totals;
    /// Alkanes: where else than in a workspace the state before the blocks was read; may be empty.
    std::string state;
    std::vector<std::string> notes; ///< what is to be said about that state
    UnknownValues unknown;          ///< values of it that are not known: every figure rests on them
    /// Those of `unknown` that one block read, by its hash: of blocks that were added one by one.
    std::map<Hash256, UnknownValues> unknown_alone{};

    /// The access sets are those of transactions that ran alone: every figure made from them is
    /// estimated.
    [[nodiscard]] bool estimated_sets() const noexcept {
        return options.estimate && !blocks.empty() && blocks.front()->replayed;
    }
};

} // namespace blockloom::range
