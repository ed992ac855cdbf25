#include "runs/run_divergence.h"

#include "base/number_text.h"
#include "compute/selection.h"
#include "execute/layered_state.h"
#include "execute/replay.h"
#include "range/chain_rules.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "range/stored_value.h"
#include "runs/divergence_place.h"
#include "runs/run_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::runs {
namespace {

using execute::ReplayedBlock;

/// The first block whose digests differ.
std::optional<std::size_t> first_different_block(const KeptRun& a, const KeptRun& b) {
    for (std::size_t i = 0; i < a.blocks.size() && i < b.blocks.size(); ++i)
        if (!a.blocks[i].digest.empty() && !b.blocks[i].digest.empty() &&
            a.blocks[i].digest != b.blocks[i].digest)
            return i;
    return std::nullopt;
}

/// The blocks of the run up to `last`, in the sources; by hash.
Result<std::vector<execute::ReplaySource>> find_blocks(const KeptRun& run, std::size_t last,
                                                       const range::Sources& sources,
                                                       const std::vector<std::string>& names) {
    std::vector<execute::ReplaySource> blocks;
    for (std::size_t i = 0; i <= last; ++i) {
        const KeptBlock& wanted = run.blocks[i];
        const auto found =
            std::find_if(sources.pending.begin(), sources.pending.end(), [&](const auto& pending) {
                return pending.block && to_reversed_hex(pending.block->hash) == wanted.hash;
            });
        if (found != sources.pending.end()) {
            blocks.push_back(range::replay_source(*found));
            continue;
        }
        std::string instead = "no block of that height";
        for (const range::Pending& pending : sources.pending)
            if (pending.block && pending.height == wanted.height)
                instead = to_reversed_hex(pending.block->hash);
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected block {} with the hash {}, as in both runs, found "
                                 "{}; the runs executed different blocks",
                                 fmt::join(names, ", "), wanted.height, wanted.hash, instead)};
    }
    return blocks;
}

/// Names the run in progress reports.
class Named final : public ProgressSink {
public:
    Named(ProgressSink& below, std::string name) : below_(below), name_(std::move(name)) {}
    void report(const Progress& progress) override {
        Progress named = progress;
        named.phase = name_ + ": " + progress.phase;
        below_.report(named);
    }

private:
    ProgressSink& below_;
    std::string name_;
};

Result<execute::ReplayOptions> options_of(const KeptRun& run, const DivergencePlan& plan,
                                          execute::ReplayOptions how,
                                          std::vector<std::string>& lines, const char* letter) {
    how.contracts = plan.contracts;
    how.engine = run.engine == name_of(alkanes::Engine::interpreter) ? alkanes::Engine::interpreter
                                                                     : alkanes::Engine::native;
    how.record = true;
    how.trace = false;
    if (run.backend == "cpu" || run.backend.empty()) return how;
    const auto device = plan.device ? plan.device(run)
                                    : Result<std::shared_ptr<compute::Provider>>(
                                          Error{ErrorCode::unavailable, "no device was opened"});
    if (!device) {
        if (device.error().code == ErrorCode::cancelled) return device.error();
        lines.push_back(
            fmt::format("{} ran on {} ({}), which is not available here ({}): its block "
                        "was executed on the CPU instead",
                        letter, run.device, run.backend, device.error().message));
        return how;
    }
    how.device = *device;
    how.strategy.strategy = execute::Strategy::speculative;
    how.strategy.workers = std::max(1U, run.workers);
    how.strategy.batch_min = 0;
    how.strategy.batch_max = run.batch_max;
    return how;
}

/// Replays all blocks and gives the last.
Result<std::shared_ptr<const ReplayedBlock>>
replay_to(const std::vector<execute::ReplaySource>& blocks, const state::StateView* before,
          execute::ReplayOptions how, ProgressSink& progress, const std::stop_token& stop) {
    how.contracts = how.contracts ? how.contracts : std::make_shared<alkanes::Contracts>();
    execute::LayeredState state(before);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (stop.stop_requested()) return cancelled_error();
        progress.report({"replay", i, blocks.size()});
        const bool last = i + 1 == blocks.size();
        execute::ReplayOptions with = how;
        if (!last) {
            // The blocks before are the same for both: executed in the quickest way.
            with.record = false;
            with.device.reset();
            with.strategy = {};
        }
        execute::Replayer replayer(with);
        auto opened = replayer.open(blocks[i], state);
        if (!opened) return opened.error();
        std::vector<execute::OpenedBlock> window;
        window.push_back(*std::move(opened));
        SilentProgress silent;
        auto made = replayer.execute(std::move(window), state, silent, stop);
        if (!made) return made.error();
        if (last) return std::make_shared<const ReplayedBlock>(std::move(made->front()));
        state.apply(made->front().execution->changes);
    }
    return Error{ErrorCode::bad_input, "expected blocks to replay, found none"};
}

std::string place_text(const CodePlace& place) {
    return fmt::format("function {} ({}), byte {:#x} of code {}…", place.function, place.name,
                       place.offset, to_hex(place.code).substr(0, 12));
}

/// What the new results mean.
void judge(RunDivergence& found) {
    const bool a = found.again_a == found.kept_a, b = found.again_b == found.kept_b;
    if (found.in_block) {
        if (!a || !b)
            found.lines.push_back(
                fmt::format("When executed again, {} gave a different digest from the one that its "
                            "run recorded; the place below is that of the new execution",
                            a   ? "B"
                            : b ? "A"
                                : "each"));
        return;
    }
    const std::string now = found.again_a.substr(0, 16) + "…";
    if (found.again_a != found.kept_a && found.again_a != found.kept_b)
        found.lines.push_back(fmt::format(
            "When executed again, both give {}, which neither run recorded: the runs began on a "
            "different state, or were made by a different version of Blockloom",
            now));
    else
        found.lines.push_back(
            fmt::format("When executed again, both give {}, which run {} recorded: the result of "
                        "run {} could not be reproduced. Its state before the block, its version, "
                        "its device or its document differed",
                        now, found.again_a == found.kept_a ? "A" : "B",
                        found.again_a == found.kept_a ? "B" : "A"));
}

} // namespace

Result<std::shared_ptr<compute::Provider>> open_device_of(const KeptRun& run) {
    auto settings = compute::read_settings();
    if (!settings) return settings.error();
    for (const compute::Description& device : compute::list_devices(*settings))
        if (device.backend == run.backend && device.name == run.device)
            return compute::open_device(device, *settings);
    return Error{ErrorCode::unavailable, "this machine has no such device"};
}

std::string workspace_of(std::string_view document) {
    const auto run = JsonDocument::parse(document, "run", run_limits);
    if (!run) return {};
    return std::string(run->root()["settings"]["workspace"].text(4096).value_or(""));
}

std::vector<std::string> divergence_lines(const BlockDivergence& divergence) {
    std::vector<std::string> lines;
    std::string place =
        fmt::format("Block {}, transaction {}", divergence.height, divergence.transaction);
    if (divergence.protostone) place += fmt::format(", protostone {}", *divergence.protostone);
    if (divergence.task) place += fmt::format(" (task #{})", count_text(*divergence.task));
    lines.push_back(fmt::format("{}: {}", place, divergence.what));
    if (divergence.call) {
        const auto& call = *divergence.call;
        const auto text = [](const std::string& made) {
            return made.empty() ? std::string("no further call") : made;
        };
        lines.push_back(
            call.a == call.b
                ? fmt::format("Host call {}: {}, with different answers", call.index, call.a)
                : fmt::format("Host call {}: A {}; B {}", call.index, text(call.a), text(call.b)));
    } else if (divergence.protostone) {
        lines.push_back("Host calls: all equal; the runs differ after the last one");
    }
    if (divergence.key)
        lines.push_back(fmt::format("Key {}: A {} {}, B {} {}",
                                    alkanes::key_text(divergence.key->key),
                                    divergence.key->read ? "read" : "wrote",
                                    range::stored_text(divergence.key->key, divergence.key->a),
                                    divergence.key->read ? "read" : "wrote",
                                    range::stored_text(divergence.key->key, divergence.key->b)));
    if (divergence.first_different)
        lines.push_back("Instruction: the call at " + place_text(*divergence.first_different));
    if (divergence.last_same)
        lines.push_back(fmt::format("{} {}",
                                    divergence.first_different
                                        ? "The last call equal in both runs:"
                                        : "Instruction: after the last call, at",
                                    place_text(*divergence.last_same)));
    if (!divergence.first_different && !divergence.last_same)
        lines.push_back("Instruction: not found" +
                        (divergence.no_place.empty() ? std::string() : ": " + divergence.no_place));
    const auto a = divergence.a_as_interpreter, b = divergence.b_as_interpreter;
    if (a && b) {
        if (*a && *b)
            lines.push_back("Given the values that each side read, the interpreter reproduces that "
                            "side's result: the values differ, not the engines");
        else if (*a != *b)
            lines.push_back(
                fmt::format("Given the values that each side read, the interpreter reproduces the "
                            "result of {}, but not that of {}: {} is wrong",
                            *a ? "A" : "B", *a ? "B" : "A", *a ? "B" : "A"));
        else
            lines.push_back("The interpreter reproduces neither the result of A nor that of B");
    }
    return lines;
}

Result<RunDivergence> find_divergence(const KeptRun& a, const KeptRun& b,
                                      const DivergencePlan& plan, ProgressSink& progress,
                                      const std::stop_token& stop) {
    if (const std::string why = input_difference(a, b); !why.empty())
        return Error{ErrorCode::bad_input, "not compared: " + why};
    const auto differs = first_different_block(a, b);
    if (!differs)
        return Error{ErrorCode::wrong_usage,
                     "the runs do not diverge: the digests of all blocks are equal"};
    RunDivergence found;
    found.height = a.blocks[*differs].height;
    found.hash = a.blocks[*differs].hash;
    found.kept_a = a.blocks[*differs].digest;
    found.kept_b = b.blocks[*differs].digest;

    range::RangeOptions listing;
    listing.sources = plan.sources.empty() ? a.sources : plan.sources;
    listing.chain = "bitcoin";
    listing.from = a.blocks.front().height;
    listing.to = found.height;
    listing.nodes = plan.nodes;
    progress.report({"list the sources", 0, 0});
    const auto sources = range::gather_sources(listing, progress, stop);
    if (!sources) return sources.error();
    const auto blocks = find_blocks(a, *differs, *sources, listing.sources);
    if (!blocks) return blocks.error();
    const auto network = alkanes::network_from_name(a.network);
    if (!network)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected the rules of a known network, found \"{}\"", a.id,
                                 a.network)};

    std::shared_ptr<const ReplayedBlock> sides[2];
    for (const auto side : {0, 1}) {
        const KeptRun& run = side == 0 ? a : b;
        const char* const letter = side == 0 ? "A" : "B";
        range::RangeOptions where;
        where.workspace = side == 0 ? plan.workspace_a : plan.workspace_b;
        where.state = side == 0 ? plan.state_a : plan.state_b;
        const auto before =
            range::state_before(where, sources->pending.front(), sources->manifest, stop);
        if (!before) return before.error();
        execute::ReplayOptions chain;
        range::RangeOptions by;
        by.network = network;
        by.line = alkanes::rule_line_from_name(run.rules.line);
        by.fuel = wasm::fuel_rule_from_name(run.rules.fuel).value_or(wasm::FuelRule::counted);
        by.code_in_state = run.rules.code != "height";
        if (const Status chosen = range::choose_rules(chain, by, sources->manifest, *before);
            !chosen)
            return chosen.error();
        auto how = options_of(run, plan, std::move(chain), found.lines, letter);
        if (!how) return how.error();
        Named named(progress, fmt::format("re-execute run {}", letter));
        if (const Status read = range::read_ahead(before->source, *blocks, *how, named, stop);
            !read)
            return read.error();
        auto block = replay_to(*blocks, before->view(), *std::move(how), named, stop);
        if (!block) return block.error();
        sides[side] = *std::move(block);
        (side == 0 ? found.again_a : found.again_b) = to_hex(sides[side]->execution->digest);
    }
    progress.report({"compare both", 0, 0});
    found.in_block = first_divergence(*sides[0]->execution, *sides[1]->execution);
    if (found.in_block) {
        if (const Status done = locate(*found.in_block, *sides[0], *sides[1], stop); !done)
            return done.error();
        auto lines = divergence_lines(*found.in_block);
        found.lines.insert(found.lines.begin(), lines.begin(), lines.end());
    }
    judge(found);
    return found;
}

} // namespace blockloom::runs
