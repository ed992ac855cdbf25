#include "runs/reopened_run.h"

#include "range/chain_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

namespace blockloom::runs {
namespace {

using execute::ReplaySource;

Error because(const Error& error, const std::string& why) {
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

Result<std::unique_ptr<ReopenedRun>> reopen_run(const KeptRun& run, const RunPlaces& places,
                                                ProgressSink& progress,
                                                const std::stop_token& stop) {
    if (run.blocks.empty())
        return Error{ErrorCode::bad_input, fmt::format("run {}: it has no blocks", run.id)};
    range::RangeOptions listing;
    listing.sources = places.sources.empty() ? run.sources : places.sources;
    listing.chain = "bitcoin"; // blocks only
    listing.from = run.blocks.front().height;
    listing.to = run.blocks.back().height;
    listing.keep_going = true; // the run may have left blocks out
    listing.nodes = places.nodes;
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return because(sources.error(), "its source cannot be read");
    auto again = std::make_unique<ReopenedRun>();
    for (const range::Pending& pending : sources->pending)
        if (pending.block) again->blocks.push_back(range::replay_source(pending));
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
    if (places.workspace.empty() && !places.state.given() && !run.state.empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("run {}: the state before its first block was read from {}: name "
                                 "the place again (--state metashrew:DIR)",
                                 run.id, run.state)};
    range::RangeOptions where;
    where.workspace = places.workspace;
    where.state = places.state;
    auto before = range::state_before(where, *first, sources->manifest);
    if (!before) return because(before.error(), "the state before its first block is unavailable");
    again->before = *std::move(before);
    auto how = rules_again(run, *sources, again->before);
    if (!how) return because(how.error(), "its rules have changed");
    again->how = *std::move(how);
    again->how.contracts = places.contracts;
    if (const Status read =
            range::read_ahead(again->before.source, again->blocks, again->how, progress, stop);
        !read)
        return because(read.error(), "the state before its first block is unavailable");
    return again;
}

Result<std::vector<ReplaySource>> blocks_of(const KeptRun& run,
                                            const std::vector<ReplaySource>& blocks) {
    std::unordered_map<std::string, const ReplaySource*> by_hash;
    for (const ReplaySource& block : blocks)
        by_hash.emplace(to_reversed_hex(block.block.hash), &block);
    std::vector<ReplaySource> wanted;
    for (const KeptBlock& block : run.blocks) {
        const auto found = by_hash.find(block.hash);
        if (found == by_hash.end())
            return Error{ErrorCode::bad_input,
                         fmt::format("expected block {} with the hash {}, found no such block in "
                                     "the sources: they have changed",
                                     block.height, block.hash)};
        wanted.push_back(*found->second);
    }
    return wanted;
}

Status still_same(const ReopenedRun& again, const std::stop_token& stop) {
    if (const Status same = range::confirm(again.before.source, stop); !same)
        return because(same.error(), "the state before its first block has changed");
    return {};
}

Result<std::vector<std::shared_ptr<const execute::ReplayedBlock>>>
execute_again(const KeptRun& run, const ReopenedRun& again, ProgressSink& progress,
              const std::stop_token& stop) {
    const auto wanted = blocks_of(run, again.blocks);
    if (!wanted) return wanted.error();
    execute::ReplayOptions how = again.how;
    how.strategy = {};
    how.trace = true;
    std::vector<std::shared_ptr<const execute::ReplayedBlock>> executed;
    const auto done = [&](const std::shared_ptr<const execute::ReplayedBlock>& block) -> Status {
        const KeptBlock& kept = run.blocks[executed.size()];
        const std::string digest = to_hex(block->execution->digest);
        if (!kept.digest.empty() && kept.digest != digest)
            return Error{ErrorCode::bad_input,
                         fmt::format("block {}: expected the digest of the run, {}, found {}: the "
                                     "state or the rules have changed",
                                     kept.height, kept.digest, digest)};
        executed.push_back(block);
        return {};
    };
    const auto replayed =
        execute::replay_on(again.before.view(), *wanted, how, false, done, progress, stop);
    if (!replayed) return replayed.error();
    if (const Status same = still_same(again, stop); !same) return same.error();
    return executed;
}

} // namespace blockloom::runs
