// What the commands share: the options before the command's name, and how a command is registered
// and returns.
#pragma once

#include "alkanes/contract.h"
#include "base/progress.h"
#include "base/result.h"
#include "execute/replayer.h"
#include "option_numbers.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::cli {

/// The global options, and the stop requested by SIGINT and SIGTERM.
struct Context {
    std::string workspace; ///< folder for state and runs; empty: the user's own
    std::string log = "warn";
    bool quiet = false;
    std::stop_token stop;
    /// Compiled contracts and executed blocks. They outlive the command, because waiting for the
    /// compiler and freeing blocks may take longer than a cancellation should.
    std::shared_ptr<alkanes::Contracts> contracts = std::make_shared<alkanes::Contracts>();
    std::shared_ptr<std::vector<std::shared_ptr<const execute::ReplayedBlock>>> executed =
        std::make_shared<std::vector<std::shared_ptr<const execute::ReplayedBlock>>>();
};

/// Runs a command. A value is its exit status (0 or 1); an error is printed on standard error and
/// mapped by `status_of`.
using Action = std::function<Result<int>(const Context&)>;

/// What main needs of a command: its parser and its action.
struct Command {
    CLI::App* parser = nullptr;
    Action run;
};

/// The exit status of an error (docs/cli.md#exit-status): 1 verification, 2 usage, 3 input, 4
/// device, 130 cancelled.
[[nodiscard]] int status_of(ErrorCode code) noexcept;

Command add_analyze(CLI::App& app);
Command add_report(CLI::App& app);
Command add_compare(CLI::App& app);
Command add_tune(CLI::App& app);
Command add_scaling(CLI::App& app);
Command add_render(CLI::App& app);
Command add_color(CLI::App& app);
Command add_synth(CLI::App& app);
Command add_devices(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_wasm(CLI::App& app);
Command add_alkanes(CLI::App& app);
Command add_state(CLI::App& app);
Command add_replay(CLI::App& app);
Command add_runs(CLI::App& app);

} // namespace blockloom::cli
