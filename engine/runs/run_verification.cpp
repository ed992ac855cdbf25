#include "runs/run_verification.h"

#include "base/number_text.h"
#include "range/chain_rules.h"
#include "range/database_source.h"
#include "range/node_blocks.h"
#include "range/sources.h"
#include "range/state_before.h"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
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

Error not_verified(const Error& error, const std::string& why) {
    if (error.code == ErrorCode::cancelled) return error;
    return {error.code, fmt::format("{}: {}", why, error.message)};
}

/// The rules of the run, on the state before it. Error: the run was made by others.
Result<execute::ReplayOptions> rules_again(const KeptRun& run, const range::Sources& sources,
                                           const range::StateBefore& before) {
    const auto network = alkanes::network_from_name(run.network);
    if (!network)
        return Error{
            ErrorCode::bad_input,
            fmt::format("expected the rules of a known network, found \"{}\"", run.network)};
    execute::ReplayOptions how;
    range::RangeOptions by;
    by.network = network;
    by.line = alkanes::rule_line_from_name(run.rules.line);
    by.fuel = wasm::fuel_rule_from_name(run.rules.fuel).value_or(wasm::FuelRule::counted);
    by.code_in_state = run.rules.code != "height";
    if (const Status chosen = range::choose_rules(how, by, sources.manifest, before); !chosen)
        return chosen.error();
    const execute::RunRules now = range::rules_of(how);
    if (now != run.rules)
        return Error{ErrorCode::bad_input,
                     fmt::format("expected {}{}, found {}{}", run.rules.text(),
                                 run.rules.built_ins.empty() ? "" : " with its built-in code",
                                 now.text(),
                                 now.built_ins == run.rules.built_ins ? ""
                                                                      : " with other built-in "
                                                                        "code")};
    how.engine = run.engine == name_of(alkanes::Engine::interpreter) ? alkanes::Engine::interpreter
                                                                     : alkanes::Engine::native;
    return how;
}

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
    if (run.blocks.empty())
        return Error{ErrorCode::bad_input, fmt::format("run {}: it has no blocks", run.id)};
    range::RangeOptions listing;
    listing.sources = plan.sources.empty() ? run.sources : plan.sources;
    listing.chain = "bitcoin"; // blocks only
    listing.from = run.blocks.front().height;
    listing.to = run.blocks.back().height;
    listing.keep_going = true; // the run may have left blocks out
    listing.nodes = plan.nodes;
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return not_verified(sources.error(), "its source cannot be read");
    std::vector<ReplaySource> blocks;
    for (const range::Pending& pending : sources->pending)
        if (pending.block) blocks.push_back(range::replay_source(pending));
    const auto first =
        std::find_if(sources->pending.begin(), sources->pending.end(), [&](const auto& pending) {
            return pending.block && to_reversed_hex(pending.block->hash) == run.blocks.front().hash;
        });
    if (first == sources->pending.end())
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected block {} with the hash {}, found no such block: the "
                                 "source has changed",
                                 fmt::join(listing.sources, ", "), run.blocks.front().height,
                                 run.blocks.front().hash)};
    if (plan.workspace.empty() && !plan.state.given() && !run.state.empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("run {}: the state before its first block was read from {}: name "
                                 "the place again (runs verify --state metashrew:DIR)",
                                 run.id, run.state)};
    range::RangeOptions where;
    where.workspace = plan.workspace;
    where.state = plan.state;
    const auto before = range::state_before(where, *first, sources->manifest);
    if (!before)
        return not_verified(before.error(), "the state before its first block is unavailable");
    auto how = rules_again(run, *sources, *before);
    if (!how) return not_verified(how.error(), "its rules have changed");
    how->contracts = plan.contracts;
    if (const Status read = range::read_ahead(before->source, blocks, *how, progress, stop); !read)
        return not_verified(read.error(), "the state before its first block is unavailable");
    std::vector<BlockResult> results;
    for (const KeptBlock& block : run.blocks) results.push_back(result_of(block));
    auto made = verify_blocks(results, blocks, before->view(), *std::move(how), progress, stop);
    if (const Status same = range::confirm(before->source, stop); made && !same)
        return not_verified(same.error(), "the state before its first block has changed");
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
