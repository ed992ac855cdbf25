// blockloom-cli state: put, get, undo, check and repair the state in the workspace.
#include "state.h"

#include <memory>
#include <vector>

namespace blockloom::cli {

Command add_state(CLI::App& app) {
    CLI::App* group = app.add_subcommand(
        "state", "The state in the workspace: put, get, list, digest, bundle, undo, check, repair");
    group->require_subcommand(1);
    group->fallthrough();
    group->footer("Example: blockloom-cli state put-code 2:19 free_mint.wasm\n"
                  "Without --workspace: $XDG_DATA_HOME/blockloom/workspace, which is "
                  "~/.local/share/blockloom/workspace.");
    const auto commands = std::make_shared<std::vector<Command>>();
    add_state_puts(*group, *commands);
    add_state_looks(*group, *commands);
    add_state_bundle(*group, *commands);
    add_state_repair(*group, *commands);
    for (const Command& command : *commands) command.parser->fallthrough();
    return {group, [commands](const Context& context) -> Result<int> {
                for (const Command& command : *commands)
                    if (command.parser->parsed()) return command.run(context);
                return status_of(ErrorCode::wrong_usage);
            }};
}

} // namespace blockloom::cli
