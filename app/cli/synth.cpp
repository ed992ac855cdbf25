// blockloom-cli synth: makes blocks from a recipe; same recipe and seed, same bytes.
#include "command.h"
#include "range/number_text.h"
#include "recipes/recipe.h"
#include "terminal.h"

#include <fmt/format.h>

namespace blockloom::cli {
namespace {

struct Options {
    std::string recipe, folder;
    recipes::RecipeChanges changes;
    std::uint32_t blocks = 0, tasks = 0;
    std::uint64_t seed = 0;
    double skew = 0, chained = 0;
    CLI::Option *blocks_given = nullptr, *tasks_given = nullptr, *seed_given = nullptr,
                *skew_given = nullptr, *chained_given = nullptr;
    bool list = false;
};

std::string recipe_list() {
    Table table({"Recipe", "Blocks", "Tasks", "<What it is"});
    for (const recipes::Recipe& recipe : recipes::named_recipes())
        table.add(
            {recipe.name, range::count_text(recipe.blocks),
             recipe.shapes.size() == 1 ? range::count_text(recipe.shapes.front().tasks) : "varies",
             recipe.description});
    return table.text();
}

Result<int> synth(Options& options, const Context& context) {
    if (options.list) {
        print(recipe_list());
        return 0;
    }
    if (options.recipe.empty() || options.folder.empty())
        return Error{ErrorCode::wrong_usage,
                     "synth: expected a recipe and -o DIR (synth --list names the recipes)"};
    auto found = recipes::find_recipe(options.recipe);
    if (!found) return found.error();
    if (options.blocks_given->count() != 0) options.changes.blocks = options.blocks;
    if (options.tasks_given->count() != 0) options.changes.tasks = options.tasks;
    if (options.seed_given->count() != 0) options.changes.seed = options.seed;
    if (options.skew_given->count() != 0) options.changes.skew = options.skew;
    if (options.chained_given->count() != 0) options.changes.chained = options.chained;
    const recipes::Recipe recipe = recipes::with_changes(*std::move(found), options.changes);

    TerminalProgress progress(context.quiet);
    const Status written = recipes::write_blocks(options.folder, recipe, progress, context.stop);
    progress.clear();
    if (!written) return written.error();
    if (!context.quiet)
        print(fmt::format("{} blocks of {} (seed {}) in {}\n", range::count_text(recipe.blocks),
                          printable(recipe.name), recipe.seed, printable(options.folder)));
    return 0;
}

} // namespace

Command add_synth(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("synth", "Make blocks from a recipe; same seed, same bytes");
    command->add_option("RECIPE", options->recipe, "A recipe's name (--list) or a JSON file")
        ->type_name("");
    command->add_option("-o,--output", options->folder, "Folder for the blocks, made if absent")
        ->type_name("DIR");
    const auto change = [&](const char* name, auto& value, const char* text) {
        return command->add_option(name, value, text)
            ->default_str("")
            ->group("Changes to the recipe");
    };
    options->blocks_given = change("--blocks", options->blocks, "How many blocks");
    options->tasks_given =
        change("--tasks", options->tasks, "Transactions of a block, the coinbase included");
    options->seed_given = change("--seed", options->seed, "Where the random numbers begin");
    options->skew_given = change("--skew", options->skew,
                                 "Zipf exponent of how spends crowd on few lanes, 0: evenly");
    options->chained_given =
        change("--chained", options->chained, "Share of tasks that spend within their block");
    command->add_flag("--list", options->list, "Name the recipes and end");
    command->footer("Example: blockloom-cli synth chained -o blocks --blocks 4 --tasks 2000 --seed "
                    "7 --skew 1.0");
    return {command, [options](const Context& context) { return synth(*options, context); }};
}

} // namespace blockloom::cli
