#include "runs_what_if.h"

#include "base/number_text.h"
#include "execute/strategy.h"
#include "kept_runs.h"
#include "report/what_if_json.h"
#include "runs/kept_runs.h"
#include "runs/run_verification.h"
#include "runs/what_if.h"
#include "runs/what_if_replay.h"
#include "state_options.h"
#include "terminal.h"
#include "workspace.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace blockloom::cli {
namespace {

struct WhatIfOptions {
    std::string run, strategy;
    std::vector<std::string> relax, ignore, commutative, predicted, split, sources;
    std::uint64_t workers = 0, batch_min = 0, batch_max = 0, keys = 10;
    CLI::Option *batch_min_given = nullptr, *batch_max_given = nullptr;
    unsigned repeat = 5;
    bool no_barrier = false, free_transfer = false, free_commit = false, verify = false,
         no_keep = false, json = false;
    StateOptions state;
};

Result<runs::WhatIfPlan> plan_of(const WhatIfOptions& options) {
    runs::WhatIfPlan plan;
    std::vector<std::string> relaxed = options.relax;
    for (const auto& [keys, how] : {std::pair{&options.ignore, "=ignore"},
                                    {&options.commutative, "=commutative"},
                                    {&options.predicted, "=predicted"}})
        for (const std::string& key : *keys) relaxed.push_back(key + how);
    for (const std::string& key : options.split) {
        const std::size_t equals = key.rfind('=');
        if (equals == std::string::npos)
            return Error{ErrorCode::wrong_usage,
                         fmt::format("--split {}: expected KEY=N", printable(key))};
        relaxed.push_back(key.substr(0, equals) + "=split:" + key.substr(equals + 1));
    }
    for (const std::string& text : relaxed) {
        auto key = runs::key_relaxation(text);
        if (!key) return key.error();
        plan.keys.push_back(*std::move(key));
    }
    plan.strategy = options.strategy;
    plan.workers = static_cast<unsigned>(options.workers);
    if (options.batch_min_given->count() != 0) plan.batch_min = options.batch_min;
    if (options.batch_max_given->count() != 0) plan.batch_max = options.batch_max;
    plan.no_barrier = options.no_barrier;
    plan.free_transfer = options.free_transfer;
    plan.free_commit = options.free_commit;
    return plan;
}

std::string heights_of(const runs::WhatIfWindow& window) {
    return window.first == window.last ? fmt::format("{}", window.first)
                                       : fmt::format("{}–{}", window.first, window.last);
}

std::string ratio_of(Nanoseconds before, Nanoseconds after) {
    return after <= 0 ? "—" : ratio_text(static_cast<double>(before) / static_cast<double>(after));
}

std::string predictable_text(const runs::WhatIfKey& key) {
    const auto rate = key.hit_rate();
    if (!rate) return "—";
    return fmt::format("{} {}", percent_text(*rate), runs::main_effect(key.effects));
}

std::string what_if_text(const runs::KeptRun& run, const runs::WhatIfPlan& plan,
                         const runs::WhatIf& result, std::span<const runs::WhatIfKey> keys) {
    std::string text =
        fmt::format("Run      {} · {} · {} · {}\nWhat if  {}\n\n", printable(run.id), run.backend,
                    run.strategy, counted(run.workers, "worker"), printable(text_of(plan)));
    Table windows(
        {"Block", "Tasks", "Work", "Critical path", "relaxed", "Executions", "what if", "Gain"});
    constexpr std::size_t most_windows = 20;
    for (std::size_t i = 0; i < std::min(result.windows.size(), most_windows); ++i) {
        const runs::WhatIfWindow& window = result.windows[i];
        windows.add({heights_of(window), count_text(window.tasks), time_text(window.work),
                     time_text(window.span_before), time_text(window.span),
                     time_text(window.before), time_text(window.predicted),
                     ratio_of(window.before, window.predicted)});
    }
    text += windows.text();
    if (result.windows.size() > most_windows)
        text += fmt::format("… and {} (--json has all)\n",
                            counted(result.windows.size() - most_windows, "more", "more"));
    text += "Work: measured. All other times: predicted, the run re-scheduled.\n\n";
    if (!keys.empty()) {
        Table ranked({"Key", "Readers", "Writers", "Pairs", "Gain if relaxed", "<Predictable"});
        for (const runs::WhatIfKey& key : keys)
            ranked.add({printable(shortened(key.key, 48, 16)), count_text(key.readers),
                        count_text(key.writers), count_text(key.conflict_pairs),
                        ratio_text(key.gain_if_relaxed), predictable_text(key)});
        text += ranked.text() + "\n";
    }
    text += fmt::format("Wall time    {} measured\n", time_text(result.measured));
    text += fmt::format("As it was    {} predicted\n", time_text(result.before));
    text += fmt::format("What if      {} predicted: {}\n", time_text(result.predicted),
                        ratio_text(result.gain()));
    for (const std::string& line : result.assumptions) text += fmt::format("{}.\n", line);
    return text;
}

std::string advice_text(std::span<const runs::Advice> advice) {
    if (advice.empty())
        return fmt::format("\nNothing that is known here would gain more than {}.\n",
                           ratio_text(runs::least_advised_gain));
    std::string text = "\nWhat limits this run, by the predicted gain of changing it:\n";
    for (const runs::Advice& one : advice)
        text += fmt::format("  {}{}\n", printable(text_of(one)),
                            one.why_not.empty() ? " (--verify tries it)" : "");
    return text;
}

/// Keeps a replay in the workspace; its id.
Result<std::string> keep_replay(const Context& context, runs::MeasuredRun& run) {
    const auto runs = open_runs(context);
    if (!runs) return runs.error();
    const Status kept = runs::keep_run(*runs, run.record, runs::provenance_now(BLOCKLOOM_VERSION),
                                       run.spans ? &*run.spans : nullptr);
    return kept ? Result<std::string>(run.record.id) : kept.error();
}

Result<int> what_if(const WhatIfOptions& options, const Context& context) {
    const auto plan = plan_of(options);
    if (!plan) return plan.error();
    const auto state = options.state.chosen();
    if (!state) return state.error();
    const auto whole = find_whole_run(context, options.run);
    if (!whole) return whole.error();
    const runs::KeptRun& run = whole->run;
    if (whole->spans == nullptr)
        return Error{ErrorCode::bad_input,
                     fmt::format("run {}: expected spans, from which the times of its tasks come, "
                                 "found none (replay without --no-spans keeps them)",
                                 run.id)};
    if (options.verify)
        if (const std::string why = why_not_replayable(run, *plan); !why.empty())
            return Error{ErrorCode::wrong_usage, "--verify: " + why};
    runs::RunPlaces places;
    places.sources = options.sources;
    places.workspace = run.workspace;
    if (state->given()) {
        places.state = *state;
        places.workspace.clear();
    }
    places.contracts = context.contracts;
    runs::KeptRun as_given = run;
    if (!options.sources.empty()) as_given.sources = options.sources;
    as_given.workspace = places.workspace;
    if (const std::string why = runs::why_not_verifiable(as_given); !why.empty())
        return Error{ErrorCode::bad_input,
                     fmt::format("run {}: its access sets are unavailable: {}", run.id, why)};
    TerminalProgress progress(context.quiet);
    const auto again = runs::reopen_run(run, places, progress, context.stop);
    progress.clear();
    if (!again)
        return again.error().code == ErrorCode::cancelled
                   ? again.error()
                   : Error{again.error().code,
                           fmt::format("run {}: {}", run.id, again.error().message)};
    auto executed = runs::execute_again(run, **again, progress, context.stop);
    progress.clear();
    if (!executed) return executed.error();
    const auto work = runs::recorded_work(run, *whole->spans, *executed);
    // Freeing them takes longer than a cancellation should.
    context.executed->insert(context.executed->end(), executed->begin(), executed->end());
    if (!work) return work.error();
    const auto result = runs::what_if(*work, *plan, context.stop);
    if (!result) return result.error();
    auto keys = runs::rank_keys(*work, context.stop);
    if (!keys) return keys.error();
    const auto advice = runs::advise(run, *work, *keys, context.stop);
    if (!advice) return advice.error();
    if (!options.json && keys->size() > options.keys) keys->resize(options.keys);
    std::optional<runs::WhatIfReplay> replay;
    report::ReplayedWhatIf replayed;
    if (options.verify) {
        auto made = runs::replay_what_if(run, **again, *plan, *result, options.repeat, progress,
                                         context.stop);
        progress.clear();
        if (!made) return made.error();
        replay = *std::move(made);
        replayed.replay = &*replay;
        if (!options.no_keep) {
            auto kept = keep_replay(context, replay->run);
            if (kept)
                replayed.run = *std::move(kept);
            else
                spdlog::warn("the replay was not kept: {}", printable(kept.error().message));
        }
    }
    if (options.json) {
        print(report::what_if_json(*work, *plan, *result, *keys, *advice, replayed));
    } else {
        std::string text = what_if_text(run, *plan, *result, *keys);
        if (plan->changes_nothing()) text += advice_text(*advice);
        if (replay) {
            text += fmt::format("Replay       wall time {}\n", text_of(replay->wall));
            text += fmt::format("             executions {}\n", text_of(replay->execute));
            text += fmt::format(
                "             {} · {} · median of {}{}\n", replay->run.record.strategy,
                counted(replay->run.record.workers, "worker"),
                counted(options.repeat, "repetition"),
                replayed.run.empty() ? std::string() : " · kept as " + printable(replayed.run));
            if (result->database != 0)
                text += fmt::format("             predicted without {} of waiting for the "
                                    "database: a replay writes nothing\n",
                                    time_text(result->database));
            if (!replay->difference.empty())
                text += fmt::format("Results      MISMATCH: {}\n", printable(replay->difference));
        }
        print(text);
    }
    return replay && !replay->difference.empty() ? 1 : 0;
}

} // namespace

Command add_what_if(CLI::App& runs) {
    auto options = std::make_shared<WhatIfOptions>();
    CLI::App* command = runs.add_subcommand(
        "what-if", "Predict a run's time with keys, workers or overheads relaxed");
    command->fallthrough();
    command->add_option("RUN", options->run, "Id of the run, or a file written by runs export")
        ->required()
        ->type_name("");
    const auto keys = [&](const char* name, std::vector<std::string>& into, const char* text,
                          const char* type) {
        command->add_option(name, into, text)
            ->type_name(type)
            ->default_str("")
            ->allow_extra_args(false);
    };
    keys("--relax", options->relax,
         "Relax a key: HOW is ignore, commutative, predicted or split:N. KEY is printed by this "
         "command, or a pattern as in analyze --ignore",
         "KEY=HOW");
    keys("--ignore", options->ignore, "The same as --relax KEY=ignore: its accesses do not count",
         "KEY");
    keys("--commutative", options->commutative,
         "The same as --relax KEY=commutative: its updates do not conflict with each other", "KEY");
    keys("--predicted", options->predicted,
         "The same as --relax KEY=predicted: tasks get its value before it is written, as with "
         "--strategy predict",
         "KEY");
    keys("--split", options->split,
         "The same as --relax KEY=split:N: its updates are distributed over N keys", "KEY=N");
    command->add_option("--workers", options->workers, "Threads [those of the run]")
        ->check(CLI::Range(1U, 1024U))
        ->type_name("P")
        ->default_str("");
    std::vector<std::string> names;
    for (const execute::Strategy one : execute::all_strategies) names.emplace_back(name_of(one));
    command->add_option("--strategy", options->strategy, "Strategy [that of the run]")
        ->check(CLI::IsMember(names))
        ->default_str("");
    options->batch_min_given =
        command->add_option("--batch-min", options->batch_min, "A smaller batch runs serially")
            ->type_name("N")
            ->default_str("");
    options->batch_max_given = command
                                   ->add_option("--batch-max", options->batch_max,
                                                "Maximum number of tasks in a batch; 0: no limit")
                                   ->type_name("N")
                                   ->default_str("");
    command->add_flag("--no-barrier", options->no_barrier,
                      "Dependency-driven, instead of levels or rounds with barriers");
    command->add_flag("--free-transfer", options->free_transfer,
                      "Packing and copies to and from a device take no time");
    command->add_flag("--free-commit", options->free_commit,
                      "Acceptance, assembling and writing results take no time");
    command->add_flag("--verify", options->verify,
                      "Replay the run as planned and compare its time with the predicted one; "
                      "refused for what no strategy can run");
    command->add_option("--repeat", options->repeat, "Repetitions of that replay")
        ->check(CLI::Range(1U, 10'000U))
        ->type_name("N");
    command->add_flag("--no-keep", options->no_keep, "Do not keep that replay as a run");
    command->add_option("--keys", options->keys, "Keys to list, by gain")->type_name("N");
    command
        ->add_option("--source", options->sources,
                     "Where the blocks are, instead of where the run read them")
        ->type_name("PATH")
        ->default_str("");
    options->state.add_to(*command, "State before the run");
    command->add_flag("--json", options->json,
                      "One JSON document (blockloom.what_if/1) on standard output");
    command->footer(
        "Example: blockloom-cli runs what-if RUN --predicted storage:2:0:/totalsupply --workers 8\n"
        "The run's blocks are executed once in block order, which gives their access sets; its "
        "spans give\n"
        "the time of each task. Everything but the run's own times is predicted. Exit status: 0 "
        "done;\n"
        "1 the replay of --verify has different results; 2 --verify for a plan that cannot be run; "
        "3 "
        "spans,\n"
        "source, state or rules are gone or changed.");
    return {command, [options](const Context& context) { return what_if(*options, context); }};
}

} // namespace blockloom::cli
