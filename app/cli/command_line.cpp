#include "command_line.h"

#include "option_numbers.h"

namespace blockloom::cli {
namespace {

/// CLI11 takes an empty word as no value, and as 0 where a number is expected. An empty file name
/// is a mistake in a script; only a value of the state may be empty, and the id of a run that was
/// kept before ids were names.
std::string not_empty(const std::string& word) {
    return word.empty() ? "expected a value, found empty text" : "";
}

void refuse_empty_values(CLI::App& app) {
    for (CLI::Option* option : app.get_options())
        if (option->get_items_expected_max() > 0 && option->get_name() != "VALUE" &&
            option->get_name() != "RUN")
            option->check(CLI::Validator(not_empty, ""));
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        refuse_empty_values(*command);
}

} // namespace

std::vector<Command> add_commands(CLI::App& app, Context& context) {
    app.description("Blockloom: how much of a block can run in parallel, and what prevents more.\n"
                    "Exit status: 0 done, 1 verification failed, 2 wrong usage, 3 bad input, a "
                    "system error or output that could not be written, "
                    "4 device unavailable, 130 cancelled.");
    app.set_version_flag("--version", "blockloom-cli " BLOCKLOOM_VERSION);
    // --json=99999999999999999999 is not a flag.
    app.option_defaults()->always_capture_default()->disable_flag_override();
    app.add_option("--workspace", context.workspace,
                   "Folder for state and runs [~/.local/share/blockloom/workspace]")
        ->type_name("DIR");
    app.add_option("--log", context.log, "Minimum severity reported on standard error")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}))
        ->type_name("LEVEL");
    app.add_flag("--quiet", context.quiet, "Errors only: no progress and no warnings");
    app.failure_message(failure_text);
    app.require_subcommand(1);
    app.footer("Example: blockloom-cli analyze demo\n"
               "COMMAND --help shows the options of a command with defaults and an example.");
    std::vector<Command> commands{
        add_analyze(app), add_report(app), add_render(app),  add_color(app),   add_synth(app),
        add_devices(app), add_bench(app),  add_wasm(app),    add_alkanes(app), add_state(app),
        add_replay(app),  add_runs(app),   add_compare(app), add_tune(app),    add_scaling(app)};
    refuse_empty_values(app);
    return commands;
}

} // namespace blockloom::cli
