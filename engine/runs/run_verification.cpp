#include "runs/run_verification.h"

#include "base/number_text.h"
#include "range/database_source.h"
#include "range/node_blocks.h"
#include "range/sources.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <unordered_map>

namespace blockloom::runs {
namespace {

using execute::ReplaySource;

alkanes::Engine other_engine(alkanes::Engine engine) noexcept {
    return engine == alkanes::Engine::native ? alkanes::Engine::interpreter
                                             : alkanes::Engine::native;
}

/// One thread, nothing but execution.
execute::ReplayOptions serial_reference(execute::ReplayOptions how) {
    how.engine = other_engine(how.engine);
    how.await_code = true; // otherwise the interpreter might replace the native engine
    how.strategy = {};
    how.device = nullptr;
    how.more_devices.clear();
    how.live = nullptr;
    how.recording = nullptr;
    how.verify = how.estimate = how.record = how.trace = false;
    return how;
}

/// The first figure that differs; empty: none does.
std::string difference(const BlockResult& run, const BlockResult& reference) {
    const std::string block = fmt::format("block {}: ", run.height);
    for (const auto& [what, a, b] : {std::tuple{"tasks", run.tasks, reference.tasks},
                                     {"succeeded messages", run.succeeded, reference.succeeded},
                                     {"reverted messages", run.reverted, reference.reverted},
                                     {"units of fuel", run.fuel, reference.fuel}})
        if (a != b)
            return fmt::format("{}the run has {} {}, the serial reference {}", block, count_text(a),
                               what, count_text(b));
    if (run.digest != reference.digest)
        return fmt::format("{}the run has the digest {}, the serial reference {}", block,
                           run.digest, reference.digest);
    return {};
}

/// Reports of a replay under another name.
class Renamed final : public ProgressSink {
public:
    explicit Renamed(ProgressSink& below) : below_(below) {}
    void report(const Progress& progress) override {
        below_.report({"Verifying blocks", progress.done, progress.total});
    }

private:
    ProgressSink& below_;
};

} // namespace

BlockResult result_of(const RunBlock& block) {
    return {block.height,
            to_reversed_hex(block.hash),
            to_hex(block.digest),
            block.tasks,
            block.succeeded,
            block.reverted,
            block.fuel};
}

BlockResult result_of(const KeptBlock& block) {
    return {block.height,    block.hash,     block.digest, block.tasks,
            block.succeeded, block.reverted, block.fuel};
}

Result<Verification> verify_blocks(std::span<const BlockResult> results,
                                   std::span<const ReplaySource> blocks,
                                   const state::StateView* before, execute::ReplayOptions how,
                                   ProgressSink& progress, const std::stop_token& stop) {
    std::unordered_map<std::string, const ReplaySource*> by_hash;
    for (const ReplaySource& block : blocks)
        by_hash.emplace(to_reversed_hex(block.block.hash), &block);
    std::vector<ReplaySource> wanted;
    for (const BlockResult& result : results) {
        const auto found = by_hash.find(result.hash);
        if (found == by_hash.end())
            return Error{ErrorCode::bad_input,
                         fmt::format("expected block {} with the hash {}, found no such block in "
                                     "the sources: they have changed",
                                     result.height, result.hash)};
        wanted.push_back(*found->second);
    }
    how = serial_reference(std::move(how));
    Verification made;
    made.engine = name_of(how.engine);
    const auto done = [&](const std::shared_ptr<const execute::ReplayedBlock>& block) -> Status {
        const BlockResult& result = results[made.blocks];
        made.difference = difference(result, result_of(summary_of(*block)));
        if (!made.difference.empty()) return Error{ErrorCode::verification, made.difference};
        ++made.blocks;
        return {};
    };
    Renamed renamed(progress);
    const auto replayed = execute::replay_on(before, wanted, how, false, done, renamed, stop);
    if (!replayed && made.difference.empty()) return replayed.error();
    made.date = run_date(std::time(nullptr));
    return made;
}

std::string why_not_verifiable(const KeptRun& run) {
    if (run.blocks.empty()) return "The run has no blocks";
    for (const KeptBlock& block : run.blocks)
        if (block.digest.empty())
            return fmt::format("The run's document has no digest of block {}", block.height);
    if (run.sources.empty()) return "The run's document does not name its source";
    for (const std::string& source : run.sources) {
        std::error_code unknown;
        if (source != "demo" && !range::is_node_source(source) &&
            !range::is_database_source(source) && !std::filesystem::exists(source, unknown))
            return fmt::format("Its source is gone: {}", source);
    }
    std::error_code unknown;
    if (!run.workspace.empty() && !range::is_state_place(run.workspace) &&
        !std::filesystem::exists(run.workspace, unknown))
        return fmt::format("The state before its first block is gone: {}", run.workspace);
    return {};
}

Result<Verification> verify_run(const KeptRun& run, const VerificationPlan& plan,
                                ProgressSink& progress, const std::stop_token& stop) {
    auto opened = reopen_run(run, plan, progress, stop);
    if (!opened) return opened.error();
    ReopenedRun& again = **opened;
    std::vector<BlockResult> results;
    for (const KeptBlock& block : run.blocks) results.push_back(result_of(block));
    auto made =
        verify_blocks(results, again.blocks, again.before.view(), again.how, progress, stop);
    if (const Status same = still_same(again, stop); made && !same) return same.error();
    if (made) made->version = plan.version;
    return made;
}

std::string verification_words(const KeptRun& run) {
    const std::string blocks = counted(run.blocks.size(), "block");
    if (run.verification) {
        const Verification& by = *run.verification;
        if (by.equal())
            return fmt::format("Verified on {}: {} executed again in block order by the {} "
                               "engine (serial reference); the digest of every block, the number "
                               "of its succeeded and reverted messages and its fuel are equal",
                               by.date, blocks, by.engine);
        return fmt::format("Mismatch with the serial reference, executed on {} by the {} engine: "
                           "{}",
                           by.date, by.engine, by.difference);
    }
    if (!run.verified)
        return "Not verified: its results have not been compared with a serial reference";
    if (!*run.verified) {
        for (const KeptBlock& block : run.blocks)
            if (!block.difference.empty())
                return "Mismatch with the serial reference: " + block.difference;
        return "Mismatch with the serial reference";
    }
    if (run.verify)
        return fmt::format(
            "Verified during the run: {} executed again in block order on the CPU, by the engine "
            "that the run did not use (serial reference); every digest and every message's "
            "status, fuel, response and writes are equal",
            blocks);
    return fmt::format("Compared with the blocks that had been committed before: the digests of "
                       "{} are equal",
                       blocks);
}

} // namespace blockloom::runs
