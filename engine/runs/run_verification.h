// Compares the results of a run with the serial reference: its blocks are executed again in block
// order, on the engine that the run did not use. It is not part of any measured time.
#pragma once

#include "execute/replay.h"
#include "runs/kept_run.h"
#include "runs/reopened_run.h"
#include "runs/run_record.h"

#include <span>
#include <string>
#include <vector>

namespace blockloom::runs {

/// The results of a block, as a run recorded them. Hashes and digests in hexadecimal.
struct BlockResult {
    std::uint64_t height = 0;
    std::string hash, digest;
    std::uint64_t tasks = 0, succeeded = 0, reverted = 0, fuel = 0;
};
[[nodiscard]] BlockResult result_of(const RunBlock& block);
[[nodiscard]] BlockResult result_of(const KeptBlock& block);

/// Executes the blocks of `results`, which are found in `blocks` by their hash, on `before` (null:
/// the empty state), and compares digest, counts and fuel of each; ends at the first difference.
/// `how` as the run had it: its network, rules and engine. Error: a block is not among `blocks`, or
/// cannot be executed.
[[nodiscard]] Result<Verification> verify_blocks(std::span<const BlockResult> results,
                                                 std::span<const execute::ReplaySource> blocks,
                                                 const state::StateView* before,
                                                 execute::ReplayOptions how, ProgressSink& progress,
                                                 const std::stop_token& stop);

/// What to verify a kept run with.
struct VerificationPlan : RunPlaces {
    std::string version; ///< of the program that verifies
};

/// Why a kept run cannot be verified, according to its document and its folders, a sentence
/// without a full stop; empty: nothing known is in the way. Looks at files, reads none.
[[nodiscard]] std::string why_not_verifiable(const KeptRun& run);

/// Lists the sources of a kept run and verifies it. Error: sources, blocks, rules or state are
/// unavailable or changed; the message says which.
[[nodiscard]] Result<Verification> verify_run(const KeptRun& run, const VerificationPlan& plan,
                                              ProgressSink& progress, const std::stop_token& stop);

/// What exactly was compared, and with which result: one sentence without a full stop.
[[nodiscard]] std::string verification_words(const KeptRun& run);

} // namespace blockloom::runs
