// blockloom-cli replay: executes the messages of blocks, verifies them and keeps the run.
#include "replay.h"

#include "base/heap.h"
#include "base/number_text.h"
#include "follow.h"
#include "node_options.h"
#include "range/chain_rules.h"
#include "range/database_source.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "range/state_rules.h"
#include "report/json.h"
#include "rule_options.h"
#include "runs/kept_runs.h"
#include "runs/measured_run.h"
#include "runs/replay_tuning.h"
#include "runs/run_json.h"
#include "runs/statistics_line.h"
#include "state_options.h"
#include "store/location.h"
#include "strategy_options.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <charconv>

namespace blockloom::cli {
namespace {

struct ReplayOptions {
    range::RangeOptions range;
    std::string backend = "auto", engine = "native", model;
    RuleOptions rules;
    StateOptions state;
    StrategyChoice strategy;
    FollowOptions follow;
    std::uint64_t from = 0, to = 0, height = 0;
    std::vector<std::uint32_t> devices;
    std::uint32_t slice = 0; ///< of a device, as tuned; 0: chosen by device
    CLI::Option *from_given = nullptr, *to_given = nullptr, *height_given = nullptr,
                *device_given = nullptr;
    unsigned repeat = 1;
    bool baseline = false, verify = false, check = false, estimate = false, bulk = false,
         empty_state = false, begin = false, switch_branch = false, tuned = false, no_keep = false,
         no_spans = false, no_usage = false, json = false;
};

runs::Provenance made_now() {
    return runs::provenance_now(BLOCKLOOM_VERSION);
}

/// Whether the backend is one that never runs on the CPU's own engines.
bool is_device(std::string_view backend) {
    return backend == "vulkan" || backend == "cuda" || backend == "simt";
}

/// Refuses what this version cannot do, rather than doing it in another way.
Status check(const ReplayOptions& options) {
    if (options.devices.size() > 1 && options.backend != "vulkan" && options.backend != "cuda")
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--device with {} devices: expected --backend vulkan or cuda, "
                                 "found --backend {}",
                                 options.devices.size(), options.backend)};
    if (options.range.state.given())
        for (const auto& [given, name] : {std::pair{options.bulk, "--bulk"},
                                          {options.empty_state, "--empty-state"},
                                          {options.switch_branch, "--switch-branch"}})
            if (given)
                return Error{ErrorCode::wrong_usage,
                             fmt::format("{}: not with --state: the state is only read, and "
                                         "nothing is committed",
                                         name)};
    if (options.follow.on && options.height_given->count() != 0)
        return Error{ErrorCode::wrong_usage,
                     "--height: not with --follow: each block has a height of its own"};
    if (options.check && !options.range.state.given())
        return Error{ErrorCode::wrong_usage,
                     "--check: expected --state metashrew:DIR or metashrew:URL, with whose traces "
                     "the replay is compared"};
    const execute::StrategyOptions chosen = options.strategy.chosen();
    if (is_device(options.backend) && chosen.strategy == execute::Strategy::serial)
        return Error{ErrorCode::wrong_usage,
                     fmt::format("--backend {}: expected a strategy other than serial; the serial "
                                 "strategy only runs on the CPU",
                                 options.backend)};
    return {};
}

/// One replay of the blocks: into the workspace, or on a state in memory.
class Replay {
public:
    Replay(const ReplayOptions& options, const Context& context)
        : options_(options), context_(context) {}

    Status prepare() {
        range::RangeOptions listing = options_.range;
        listing.chain = "bitcoin"; // blocks only; this command interprets them
        TerminalProgress progress(context_.quiet);
        auto sources = range::gather_sources(listing, progress, context_.stop);
        progress.clear();
        if (!sources) return sources.error();
        sources_ = *std::move(sources);
        for (const range::LeftOut& out : sources_.left_out)
            spdlog::warn("left out: {}: {}", printable(out.source), printable(out.reason));
        range_ = options_.range;
        options_.rules.apply(range_, sources_.manifest);
        if (options_.height_given->count() != 0) how_.height = options_.height;
        how_.engine =
            options_.engine == "native" ? alkanes::Engine::native : alkanes::Engine::interpreter;
        how_.contracts = context_.contracts; // repetitions compile once
        how_.verify = options_.verify;
        how_.strategy = options_.strategy.chosen();
        const bool serial = how_.strategy.strategy == execute::Strategy::serial;
        how_.estimate = options_.estimate || (serial && options_.strategy.sets == "estimated");
        how_.model = *report::model_named(options_.model);
        for (const range::Pending& pending : sources_.pending)
            blocks_.push_back(range::replay_source(pending));
        auto device = runs::open_run_device({.backend = options_.backend,
                                             .devices = options_.devices,
                                             .slice = options_.slice,
                                             .batch_min_given = options_.strategy.batch_min_given(),
                                             .place = "--backend",
                                             .device_place = "--device"},
                                            how_);
        if (!device) return device.error();
        device_ = *std::move(device);
        if (!serial && !context_.quiet && !device_.reason.empty())
            spdlog::info("{}", device_.reason);
        return open_workspace();
    }

    /// Of the first block; after `prepare`.
    [[nodiscard]] const Hash256& first_hash() const { return blocks_.front().block.hash; }

    Result<runs::RunRecord> run() {
        std::unique_ptr<state::StateView> past;
        runs::MeasuredRunPlan plan{.blocks = blocks_, .how = how_, .device = device_};
        plan.sources = options_.range.sources;
        plan.workspace = folder_;
        if (state_.view) plan.state = &state_;
        plan.before = state_.view.get();
        if (workspace_ != nullptr) {
            // For blocks that are already committed: the state before the first of them.
            const auto above =
                execute::committed_above(*workspace_, blocks_.front(), join_.beginning);
            if (!above) return above.error();
            if (*above) {
                auto view = workspace_->state_before(**above);
                if (!view) return view.error();
                past = *std::move(view);
            }
            plan.before = past != nullptr ? past.get() : &workspace_->state();
            plan.into = workspace_.get();
            plan.join = join_;
        }
        if (options_.check) plan.check = state_.records.get();
        plan.repetitions = options_.repeat;
        plan.baseline = options_.baseline;
        plan.spans = !options_.no_spans;
        plan.usage = !options_.no_usage;
        plan.keep_going = options_.range.keep_going;
        TerminalProgress progress(context_.quiet);
        runs::MeasuredRunEvents events;
        events.block = [&](const execute::ReplayedBlock& block, const runs::RunBlock&) {
            if (!block.notes.empty() || spdlog::should_log(spdlog::level::info)) progress.clear();
            for (const std::string& note : block.notes)
                spdlog::warn("block {}: {}", block.height(), note);
            if (block.index && spdlog::should_log(spdlog::level::info))
                spdlog::info(
                    "{}", runs::statistics_line(block, how_.device != nullptr ? "Vulkan" : "CPU"));
        };
        auto run = runs::measure_run(plan, events, progress, context_.stop);
        progress.clear();
        if (!run) return run.error();
        if (state_.notes)
            for (const std::string& note : state_.notes()) spdlog::warn("{}", printable(note));
        spans_ = std::move(run->spans);
        return std::move(run->record);
    }

    /// The folder of the workspace that keeps the run: that of the state, else the user's own.
    Result<std::string> keep(runs::RunRecord& record) {
        std::filesystem::path folder = folder_;
        if (workspace_ == nullptr && !context_.workspace.empty()) {
            folder = context_.workspace; // with --state
        } else if (workspace_ == nullptr) {
            auto own = store::default_folder();
            if (!own) return own.error();
            folder = *std::move(own);
        }
        const auto runs = store::open_runs(folder);
        if (!runs) return runs.error();
        const Status kept = runs::keep_run(*runs, record, made_now(), spans_ ? &*spans_ : nullptr);
        return kept ? Result<std::string>(folder.string()) : kept.error();
    }

private:
    /// --state: nothing is committed; a workspace only has the modules, and keeps the run.
    Status open_state() {
        range_.state.declared = options_.begin;
        auto state = range::open_state(range_.state, blocks_.front(), context_.stop);
        if (!state) return state.error();
        state_ = *std::move(state);
        if (options_.check && state_.records == nullptr)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("--check: expected --state metashrew:DIR or metashrew:URL, an "
                                     "indexer, found {}, which has no records of a node",
                                     range_.state.place)};
        std::unique_ptr<store::Workspace> modules;
        std::error_code unknown;
        if (std::filesystem::exists(std::filesystem::path(context_.workspace) / "format",
                                    unknown)) {
            auto opened = store::Workspace::open(context_.workspace, {.read_only = true});
            if (!opened) return opened.error();
            modules = *std::move(opened);
        }
        return range::choose_rules(how_, range_, sources_.manifest, modules.get(), false,
                                   state_.records.get());
    }

    Status open_workspace() {
        if (range_.state.given()) return open_state();
        const execute::ReplaySource& first = blocks_.front();
        join_.beginning = range::beginning_of(first, sources_.manifest);
        join_.beginning.declared = options_.begin || options_.empty_state;
        join_.switch_branch = options_.switch_branch;
        folder_ = context_.workspace;
        if (folder_.empty() && !options_.empty_state) {
            auto folder = range::workspace_for({}, sources_.manifest);
            if (!folder) return folder.error();
            folder_ = *std::move(folder);
        }
        if (folder_.empty()) {
            keep_freed_memory();
            if (join_.beginning.of_chain || options_.empty_state)
                return range::choose_rules(how_, range_, sources_.manifest, nullptr, false);
            return execute::missing_state(first);
        }
        return_large_pieces(); // as many blocks as there are, in the memory of a few
        auto opened = store::Workspace::open(folder_, {.bulk = options_.bulk});
        if (!opened) return opened.error();
        workspace_ = *std::move(opened);
        if (options_.empty_state && !workspace_->tip()) {
            const auto empty = workspace_->is_empty_before(0);
            if (!empty) return empty.error();
            if (!*empty)
                return Error{ErrorCode::wrong_usage,
                             fmt::format("--empty-state: expected no state in {}, found one; use "
                                         "--begin if it is the state before the first block",
                                         folder_)};
        }
        if (const Status chosen = range::choose_rules(
                how_, range_, sources_.manifest, workspace_.get(), workspace_->tip().has_value());
            !chosen)
            return chosen;
        if (const Status set = workspace_->set_label("chain", "alkanes"); !set) return set;
        const auto recorded = range::record_rules(*workspace_, how_);
        if (!recorded) return recorded.error();
        for (const std::string& note : *recorded) spdlog::warn("{}", printable(note));
        return {};
    }

    const ReplayOptions& options_;
    const Context& context_;
    range::Sources sources_;
    range::RangeOptions range_; ///< with the options' rules
    std::vector<execute::ReplaySource> blocks_;
    execute::JoinOptions join_;
    execute::ReplayOptions how_;
    std::optional<profile::Trace> spans_; ///< of the last repetition
    runs::RunDevice device_;
    std::string folder_;     ///< of the state; empty: it is kept in memory
    range::OpenState state_; ///< of --state
    std::unique_ptr<store::Workspace> workspace_;
};

/// The index in a kept backend "vulkan:1"; the first device if there is none.
std::uint32_t device_of(std::string_view number) {
    std::uint32_t device = 0;
    std::from_chars(number.data(), number.data() + number.size(), device);
    return device;
}

/// Applies the setting that `tune --apply` kept in the workspace.
Status take_tuned(ReplayOptions& options, const Context& context) {
    const auto tunings = open_tunings(context);
    if (!tunings) return tunings.error();
    const auto kept = runs::kept_tuning(*tunings, {}, {});
    if (!kept) return kept.error();
    if (!*kept)
        return Error{ErrorCode::bad_input,
                     fmt::format("--tuned: no settings are kept in {}; run tune SOURCE --apply",
                                 tunings->folder().parent_path().string())};
    const runs::TuningSetting& setting = **kept;
    if (!context.quiet) spdlog::info("tuned: {}", text_of(setting));
    // A sweep of the window names the device, too.
    const auto colon = setting.backend.find(':');
    options.backend = setting.backend.substr(0, colon);
    if (colon != std::string::npos && options.devices.empty())
        options.devices = {device_of(std::string_view(setting.backend).substr(colon + 1))};
    options.slice = setting.slice;
    options.strategy.strategy = name_of(setting.how.strategy);
    options.strategy.sets = setting.how.sets ? name_of(*setting.how.sets) : "";
    options.strategy.how.workers = setting.how.workers;
    options.strategy.how.batch_min = setting.how.batch_min;
    options.strategy.how.batch_max = setting.how.batch_max;
    options.strategy.how.window = setting.how.window;
    options.strategy.hybrid = setting.how.hybrid ? "on" : "off";
    return {};
}

/// Runs what is prepared and keeps the run, unless it must not be kept.
Result<runs::RunRecord> run_and_keep(Replay& replay, const ReplayOptions& options,
                                     std::string& kept_in) {
    auto run = replay.run();
    if (!run || options.no_keep) return run;
    if (auto kept = replay.keep(*run)) {
        kept_in = *std::move(kept);
    } else {
        spdlog::warn("the run was not kept: {}", printable(kept.error().message));
        run->id.clear();
    }
    return run;
}

/// Neither differs from the serial reference nor from the node.
bool is_right(const runs::RunRecord& run) {
    const bool differs = run.check && run.check->total().differences != 0;
    return run.verified().value_or(true) && !differs;
}

/// Replays each new block of the only source as a run of its own.
Result<int> follow(const ReplayOptions& options, const Context& context) {
    Followed what{.range = options.range, .recorded = options.check};
    what.first = options.range.from;
    what.last = options.range.to;
    bool right = true, replaced = false;
    range::ChainEvents events;
    events.removed = [&](const node::NodeBlock& block) {
        replaced = true;
        return print_removed(block, options.json);
    };
    events.added = [&](const node::NodeBlock& block) -> Result<bool> {
        ReplayOptions one = options;
        one.range.from = one.range.to = block.height;
        // The node has decided for the other branch, which need not be longer yet.
        one.switch_branch = options.switch_branch || replaced;
        Replay replay(one, context);
        if (const Status prepared = replay.prepare(); !prepared) return prepared.error();
        if (replay.first_hash() != block.hash) return false;
        std::string kept_in;
        const auto run = run_and_keep(replay, one, kept_in);
        if (!run) return run.error();
        right = right && is_right(*run);
        if (!options.json) print(followed_line(*run));
        const Status printed = options.json
                                   ? print_added(block, "run", runs::run_json(*run, made_now()))
                                   : finish_output();
        return printed ? Result<bool>(true) : printed.error();
    };
    const Status followed = follow_source(what, options.follow, std::move(events), context);
    if (!followed) return followed.error();
    return right ? 0 : 1;
}

Result<int> replay(ReplayOptions& options, const Context& context) {
    if (options.tuned)
        if (const Status taken = take_tuned(options, context); !taken) return taken.error();
    options.strategy.settle(is_device(options.backend));
    auto state = options.state.chosen();
    if (!state) return state.error();
    options.range.state = *std::move(state);
    if (context.workspace.empty())
        options.range = range::with_state_of_source(std::move(options.range));
    if (const Status checked = check(options); !checked) return checked.error();
    if (options.from_given->count() != 0) options.range.from = options.from;
    if (options.to_given->count() != 0) options.range.to = options.to;
    if (options.follow.on) return follow(options, context);
    Replay replay(options, context);
    if (const Status prepared = replay.prepare(); !prepared) return prepared.error();
    std::string kept_in;
    auto run = run_and_keep(replay, options, kept_in);
    if (!run) return run.error();
    if (options.json)
        print(runs::run_json(*run, made_now()));
    else
        print(run_text(*run, kept_in));
    return is_right(*run) ? 0 : 1;
}

} // namespace

Command add_replay(CLI::App& app) {
    auto options = std::make_shared<ReplayOptions>();
    CLI::App* command = app.add_subcommand(
        "replay",
        "Execute the messages of blocks, optionally verify the results, and keep the run");
    command->fallthrough();
    command
        ->add_option("SOURCE", options->range.sources,
                     "Files, folders, demo, an indexer's database (metashrew:DIR with --from and "
                     "--to), or a node: core:URL, rest:URL, metashrew:URL with --from")
        ->required()
        ->type_name("")
        ->default_str("");
    options->from_given = command->add_option("--from", options->from, "First height")
                              ->type_name("H")
                              ->default_str("");
    options->to_given =
        command->add_option("--to", options->to, "Last height")->type_name("H")->default_str("");
    command->add_flag("--keep-going", options->range.keep_going,
                      "Report malformed blocks and continue");
    command
        ->add_option(
            "--backend", options->backend,
            "Where messages run; cuda: contracts compiled for an NVIDIA GPU; simt: the same "
            "code on the CPU, for tests")
        ->check(CLI::IsMember({"auto", "cpu", "vulkan", "cuda", "simt"}));
    options->device_given =
        command
            ->add_option("--device", options->devices,
                         "Devices of the backend, by index; several (0,1) share each batch")
            ->delimiter(',')
            ->allow_extra_args(false)
            ->type_name("N[,N]")
            ->default_str("");
    command->add_option("--engine", options->engine, "How the CPU runs contracts")
        ->check(CLI::IsMember({"interpreter", "native"}));
    options->strategy.add_to(*command);
    options->model = "single-version";
    command->add_option("--model", options->model, "Which conflicts order tasks")
        ->check(CLI::IsMember({"single-version", "multi-version"}));
    options->rules.add_to(*command);
    options->state.add_to(*command);
    add_node_options(*command, options->range);
    options->follow.add_to(*command, "Wait for new blocks of a node or an indexer's database and "
                                     "replay each as it comes, a run each; a line each, with "
                                     "--json a document each");
    options->height_given = command
                                ->add_option("--height", options->height,
                                             "Use this height instead of the one in the block")
                                ->type_name("H")
                                ->default_str("");
    command->add_flag(
        "--baseline", options->baseline,
        "Also run serially on one thread with each repetition, to compute measured_speedup");
    command->add_flag("--verify", options->verify,
                      "Execute each block again, serially on the CPU with the engine that was not "
                      "chosen, and compare every message");
    command->add_flag("--check", options->check,
                      "Compare messages and written keys with what the indexer of --state "
                      "metashrew:DIR or metashrew:URL recorded of the blocks, in a replay of its "
                      "own that is not measured");
    command->add_flag("--estimate", options->estimate,
                      "Compare the access sets of messages run alone with the true ones");
    command
        ->add_option("--repeat", options->repeat,
                     "Number of repetitions; only the last one commits")
        ->check(CLI::Range(1, 10'000))
        ->type_name("N");
    command->add_flag(
        "--bulk", options->bulk,
        "Commit without a write-ahead log: faster, but a kill loses the blocks since the last "
        "checkpoint");
    command->add_flag("--empty-state", options->empty_state,
                      "Begin on an empty state; recorded in the workspace");
    command->add_flag(
        "--begin", options->begin,
        "Treat the workspace's state as the one before the first block; recorded there");
    command->add_flag("--switch-branch", options->switch_branch,
                      "Undo committed blocks for a shorter or an unrelated branch");
    command->add_flag("--tuned", options->tuned,
                      "Use backend, strategy, workers and batches kept by tune --apply");
    command->add_flag("--no-spans", options->no_spans,
                      "Do not record when each message, batch and phase ran");
    command->add_flag("--no-usage", options->no_usage,
                      "Do not record the use of processor, memory and devices over time");
    command->add_flag("--no-keep", options->no_keep, "Do not keep the run");
    command->add_flag("--json", options->json,
                      "One JSON document (blockloom.run/1) on standard output");
    command->footer(
        "Example: blockloom-cli --workspace w replay demo\n"
        "Where the state is: with --workspace DIR, in DIR. Without it, real blocks use your own\n"
        "workspace (the one filled by state put-... and state seed); generated blocks and\n"
        "--empty-state run in memory: nothing is committed, and a second replay starts over.\n"
        "Unless --no-keep is given, the run is kept (runs list): in the workspace with the state,\n"
        "or in your own if the state is in memory.\n"
        "--state metashrew:DIR reads the state before the first block from an indexer's database,\n"
        "running or stopped, --state metashrew:URL by its JSON-RPC, and changes nothing there.\n"
        "What an interrupted command has received of a node is kept until it runs again\n"
        "(~/.cache/blockloom/nodes).\n"
        "--follow replays new blocks as they come, until --to or an interrupt; a block waits\n"
        "until the indexer of --state has the state before it. In a workspace, blocks that\n"
        "another branch of the node replaces are undone.\n"
        "In a workspace blocks are committed one by one, each on its parent. An interrupted\n"
        "replay continues after the last committed block; if all blocks are committed, they\n"
        "are executed again and compared. Blocks are undone automatically for a longer branch "
        "that\n"
        "forks off at a committed block; any other branch needs --switch-branch. If no block is\n"
        "committed, the workspace must record to which block its state belongs (state seed\n"
        "--after), unless the first block begins a generated chain. A replay into a workspace\n"
        "must use the network, rules and fuel of the blocks already committed there.");
    return {command, [options](const Context& context) { return replay(*options, context); }};
}

} // namespace blockloom::cli
