// blockloom-cli synth: generates blocks from a recipe; the same recipe and seed give the same
// bytes.
#include "base/number_text.h"
#include "command.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "terminal.h"

#include <fmt/format.h>

namespace blockloom::cli {
namespace {

struct SynthOptions {
    std::string recipe, folder;
    recipes::RecipeChanges changes;
    bool list = false;
};

std::string recipe_list() {
    Table table({"Recipe", "Blocks", "Tasks", "<Description"});
    for (const recipes::Recipe& recipe : recipes::named_recipes())
        table.add({recipe.name, count_text(recipe.blocks),
                   recipe.shapes.size() == 1 ? count_text(recipe.shapes.front().tasks) : "varies",
                   recipe.description});
    return table.text();
}

Result<int> synth(SynthOptions& options, const Context& context) {
    if (options.list) {
        print(recipe_list());
        return 0;
    }
    if (options.recipe.empty() || options.folder.empty())
        return Error{ErrorCode::wrong_usage,
                     "synth: expected a recipe and -o DIR (synth --list shows the recipes)"};
    auto found = recipes::find_recipe(options.recipe);
    if (!found) return found.error();
    const recipes::Recipe recipe = recipes::with_changes(*std::move(found), options.changes);

    TerminalProgress progress(context.quiet);
    const Status written = recipes::write_blocks(options.folder, recipe, progress, context.stop);
    progress.clear();
    if (!written) return written.error();
    if (!context.quiet)
        print(fmt::format("{} of {} (seed {}) in {}\n", counted(recipe.blocks, "block"),
                          printable(recipe.name), recipe.seed, printable(options.folder)));
    return 0;
}

} // namespace

Command add_synth(CLI::App& app) {
    auto options = std::make_shared<SynthOptions>();
    CLI::App* command = app.add_subcommand(
        "synth", "Generate blocks from a recipe; the same seed gives the same bytes");
    command->add_option("RECIPE", options->recipe, "Name of a recipe (--list) or a JSON file")
        ->type_name("");
    command->add_option("-o,--output", options->folder, "Folder for the blocks; created if missing")
        ->type_name("DIR");
    const auto change = [&](const char* name, auto& value, const char* text) {
        return command->add_option(name, value, text)->group("Changes to the recipe");
    };
    recipes::RecipeChanges& changes = options->changes;
    change(
        "--blocks", changes.blocks,
        "Number of blocks; in recipes with messages, the first of several only deploys contracts");
    change("--tasks", changes.tasks,
           "Tasks per block: protostones (recipes with messages) or transactions, including the "
           "coinbase");
    change("--seed", changes.seed, "Seed of the random numbers");
    change("--skew", changes.skew,
           "Zipf exponent: how strongly spends concentrate on a few chains of outputs, and "
           "messages on a few contracts; "
           "0: evenly spread")
        ->check(CLI::Range(0.0, 10.0));
    change("--chained", changes.chained, "Share of tasks that spend an output of their own block")
        ->check(CLI::Range(0.0, 1.0));
    change("--contracts", changes.contracts,
           "Contracts of each kind that messages call; 0: as many as tasks");
    change("--prefixed", changes.prefixed,
           "Share of messages with the (8, 8) prefix, for --network blockloom")
        ->check(CLI::Range(0.0, 1.0));
    command->add_flag("--list", options->list, "List the recipes");
    command->footer("Example: blockloom-cli synth amm -o blocks --blocks 4 --tasks 2000 --seed 7 "
                    "--skew 1.0 --contracts 8");
    return {command, [options](const Context& context) { return synth(*options, context); }};
}

} // namespace blockloom::cli
