// blockloom-cli tune: a measured sweep of the settings of replay; the best point and the optimum
// band.
#include "base/number_text.h"
#include "command.h"
#include "compute/selection.h"
#include "execute/worker_pool.h"
#include "node_options.h"
#include "range/database_source.h"
#include "range/executed.h"
#include "range/state_before.h"
#include "rule_options.h"
#include "runs/replay_tuning.h"
#include "runs/tune_replay.h"
#include "state_options.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

namespace blockloom::cli {
namespace {

using runs::ReplayTuning;

struct TuneOptions {
    range::RangeOptions range;
    std::vector<std::string> backends{"cpu"}, strategies{"serial", "speculative"};
    std::vector<unsigned> workers;
    std::vector<std::size_t> batch_min{1, 4, 16, 64}, batch_max{0, 64, 256, 1024};
    std::vector<std::uint32_t> windows{1}, slices{0};
    std::vector<std::string> hybrid{"on"};
    std::string engine = "native";
    RuleOptions rules;
    StateOptions state;
    std::uint64_t from = 0, to = 0;
    CLI::Option *from_given = nullptr, *to_given = nullptr;
    unsigned seconds = 60, first = 3, most = 15;
    bool coarse = false, apply = false, json = false;
};

/// 1, 2, 4 … and the number of cores.
std::vector<unsigned> worker_counts() {
    const unsigned cores = execute::WorkerPool::count(0);
    std::vector<unsigned> counts;
    for (unsigned count = 1; count < cores; count *= 2) counts.push_back(count);
    counts.push_back(cores);
    return counts;
}

Result<runs::TuningSpace> space_of(const TuneOptions& options) {
    runs::TuningSpace space;
    space.backends = options.backends;
    space.strategies.clear();
    for (const std::string& name : options.strategies)
        if (const auto strategy = execute::strategy_named(name))
            space.strategies.push_back(*strategy);
    space.workers = options.workers.empty() ? worker_counts() : options.workers;
    space.batch_min = options.batch_min;
    space.batch_max = options.batch_max;
    space.windows = options.windows;
    space.slices = options.slices;
    space.hybrid.clear();
    for (const std::string& shared : options.hybrid) space.hybrid.push_back(shared == "on" ? 1 : 0);
    if (runs::settings_of(space).empty())
        return Error{ErrorCode::wrong_usage,
                     "tune: the space has no points: every --batch-max is below every --batch-min"};
    return space;
}

std::string tuning_text(const ReplayTuning& tuned) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < tuned.settings.size(); ++i)
        if (!tuned.tuning.points[i].samples.empty()) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto &x = tuned.tuning.points[a], &y = tuned.tuning.points[b];
        return std::tuple(!x.in_band, x.median) < std::tuple(!y.in_band, y.median);
    });
    constexpr std::size_t most_rows = 24;
    Table table({"<Point", "Median", "Time / best, 95 %", "Samples", "<"});
    for (std::size_t k = 0; k < std::min(order.size(), most_rows); ++k) {
        const auto& point = tuned.tuning.points[order[k]];
        table.add(
            {text_of(tuned.settings[order[k]]), time_text(static_cast<Nanoseconds>(point.median)),
             order[k] == tuned.tuning.best ? "best"
             : point.against_best ? fmt::format("{}–{}", three_digits(point.against_best->low),
                                                three_digits(point.against_best->high))
                                  : "—",
             count_text(point.samples.size()),
             order[k] != tuned.tuning.best && point.in_band ? "no significant difference" : ""});
    }
    std::string text = fmt::format("Tune · {} · {} · {} of {}\n\n", tuned.processor,
                                   tuned.device.empty() ? "no device" : tuned.device,
                                   counted(tuned.blocks, "block"), counted(tuned.tasks, "task")) +
                       table.text();
    if (order.size() > most_rows)
        text += fmt::format("and {} more (see --json)\n", order.size() - most_rows);
    if (order.size() < tuned.settings.size())
        text += fmt::format("{} not measured: predicted to be slower, or no time left\n",
                            counted(tuned.settings.size() - order.size(), "point"));
    const auto in_band = std::count_if(tuned.tuning.points.begin(), tuned.tuning.points.end(),
                                       [](const auto& point) { return point.in_band; });
    const bool sure =
        tuned.tuning.points[tuned.tuning.best].samples.size() >= profile::fewest_samples;
    text += fmt::format("\nBest     {}\n", text_of(tuned.best()));
    text += sure ? fmt::format("Band     {} not significantly slower\n",
                               counted(static_cast<std::uint64_t>(in_band), "point"))
                 : "Band     unknown: too few samples for intervals\n";
    text +=
        fmt::format("Measured {} in {}{}\n", counted(tuned.tuning.measurements, "replay"),
                    time_text(tuned.tuning.spent),
                    tuned.tuning.out_of_budget ? "; --seconds ended the sweep, so the result is "
                                                 "less certain than it could be"
                                               : "");
    if (!tuned.state_digest.empty())
        text += fmt::format("Results  equal at every point, state digest {}\n", tuned.state_digest);
    return text;
}

Result<int> tune(TuneOptions& options, const Context& context) {
    const auto space = space_of(options);
    if (!space) return space.error();
    if (options.from_given->count() != 0) options.range.from = options.from;
    if (options.to_given->count() != 0) options.range.to = options.to;
    auto state = options.state.chosen();
    if (!state) return state.error();
    options.range.state = *std::move(state);
    if (context.workspace.empty())
        options.range = range::with_state_of_source(std::move(options.range));
    options.range.chain = "bitcoin";
    TerminalProgress progress(context.quiet);
    const auto sources = range::gather_sources(options.range, progress, context.stop);
    progress.clear();
    if (!sources) return sources.error();
    for (const range::LeftOut& out : sources->left_out)
        spdlog::warn("left out: {}: {}", printable(out.source), printable(out.reason));
    if (sources->pending.empty())
        return Error{ErrorCode::bad_input, "tune: expected blocks to replay, found none"};
    // Generated blocks begin on an empty state: a workspace that only keeps the result need not
    // exist yet.
    std::error_code unknown;
    const bool generated = sources->manifest && sources->manifest->chain == "alkanes";
    const bool there =
        std::filesystem::exists(std::filesystem::path(context.workspace) / "format", unknown);
    options.range.workspace = generated && !there ? std::string() : context.workspace;
    const auto before = range::state_before(options.range, sources->pending.front(),
                                            sources->manifest, context.stop);
    if (!before) return before.error();
    std::vector<execute::ReplaySource> blocks;
    for (const range::Pending& pending : sources->pending)
        if (pending.block) blocks.push_back(range::replay_source(pending));

    runs::TuningInput input;
    input.blocks = blocks;
    input.before = before->view();
    options.rules.apply(options.range, sources->manifest);
    if (const Status chosen =
            range::choose_rules(input.base, options.range, sources->manifest, *before);
        !chosen)
        return chosen.error();
    input.base.engine =
        options.engine == "native" ? alkanes::Engine::native : alkanes::Engine::interpreter;
    if (const Status read =
            range::read_ahead(before->source, blocks, input.base, progress, context.stop);
        !read)
        return read.error();
    input.base.contracts = context.contracts;
    for (const std::string& backend : options.backends) {
        if (backend == "cpu") continue;
        auto device = runs::open_tuning_device(backend, "--backends", input.base);
        if (!device) return device.error();
        input.devices.push_back(*std::move(device));
    }
    profile::TuningOptions how;
    how.first = options.first;
    how.most = options.most;
    how.budget = Nanoseconds{options.seconds} * 1'000'000'000;
    auto tuned = runs::tune_replay(input, *space, how, options.coarse, progress, context.stop);
    progress.clear();
    if (!tuned) return tuned.error();
    if (const Status same = range::confirm(before->source, context.stop); !same)
        return same.error();
    if (before->source.notes)
        for (const std::string& note : before->source.notes()) spdlog::warn("{}", printable(note));
    tuned->sources = options.range.sources;
    if (options.json)
        print(runs::tuning_json(*tuned, runs::provenance_now(BLOCKLOOM_VERSION)));
    else
        print(tuning_text(*tuned));
    if (!options.apply) return 0;
    const auto tunings = open_tunings(context);
    if (!tunings) return tunings.error();
    if (const Status kept = runs::keep_tuning(*tunings, *tuned, tuned->best()); !kept)
        return kept.error();
    // The window shows the sweep when it opens these blocks.
    if (const Status swept =
            runs::keep_sweep(*tunings, *tuned, runs::provenance_now(BLOCKLOOM_VERSION));
        !swept)
        return swept.error();
    if (!options.json)
        print(
            fmt::format("Kept in {} for this device and the contracts {}; replay --tuned uses it\n",
                        printable(tunings->folder().parent_path().string()), tuned->code));
    return 0;
}

} // namespace

Command add_tune(CLI::App& app) {
    auto options = std::make_shared<TuneOptions>();
    CLI::App* command = app.add_subcommand(
        "tune", "Find the fastest batch sizes, workers and strategy by measuring");
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
    command->add_option("--backends", options->backends, "Backends to measure")
        ->delimiter(',')
        ->check(CLI::IsMember({"cpu", "vulkan", "cuda", "simt"}));
    command->add_option("--strategies", options->strategies, "Strategies to measure")
        ->delimiter(',')
        ->check(CLI::IsMember(
            {"serial", "levels", "speculative", "dag", "optimistic", "predict", "auto"}));
    command
        ->add_option("--workers", options->workers,
                     "Numbers of threads [1, 2, 4, … up to one per core]")
        ->delimiter(',')
        ->check(CLI::Range(1U, 1024U))
        ->default_str("");
    command
        ->add_option("--batch-min", options->batch_min,
                     "A batch with fewer transactions runs serially")
        ->delimiter(',');
    command
        ->add_option("--batch-max", options->batch_max,
                     "Maximum number of transactions in a batch (on a device: in a wave); 0: all")
        ->delimiter(',');
    command->add_option("--window", options->windows, "Blocks in a block window, executed together")
        ->delimiter(',')
        ->check(CLI::Range(1U, 4096U));
    command
        ->add_option("--slices", options->slices,
                     "Instructions that a device runs before it returns to the host; 0: chosen by "
                     "the device")
        ->delimiter(',');
    command
        ->add_option("--hybrid", options->hybrid,
                     "Whether the workers run those rounds of a device that they finish sooner")
        ->delimiter(',')
        ->check(CLI::IsMember({"on", "off"}));
    command->add_flag(
        "--coarse", options->coarse,
        "Leave out points that are predicted to be more than a quarter slower than the best");
    command->add_option("--engine", options->engine, "How the CPU runs contracts")
        ->check(CLI::IsMember({"interpreter", "native"}));
    options->rules.add_to(*command);
    options->state.add_to(*command);
    add_node_options(*command, options->range);
    command->add_option("--seconds", options->seconds,
                        "Limit on the total measured time, in seconds; 0: none");
    command->add_option("--first", options->first, "Replays of each point in the first round")
        ->check(CLI::Range(1U, 1000U));
    command->add_option("--most", options->most, "Maximum number of replays of a point")
        ->check(CLI::Range(6U, 1000U));
    command->add_flag("--apply", options->apply,
                      "Keep the best point in the workspace for replay --tuned");
    command->add_flag("--json", options->json,
                      "One JSON document (blockloom.tuning/1) on standard output");
    command->footer(
        "Example: blockloom-cli tune demo --backends cpu,vulkan --seconds 120 --apply\n"
        "Every point is replayed a few times, then the better half more often, and so on\n"
        "(successive halving); a point that is not significantly slower is never dropped. Nothing\n"
        "is committed. Every replay must give the same state; otherwise the exit status is 1.");
    return {command, [options](const Context& context) { return tune(*options, context); }};
}

} // namespace blockloom::cli
