// blockloom-cli alkanes: messages of blocks, and single contract calls.
#include "alkanes.h"

#include <memory>
#include <vector>

namespace blockloom::cli {

Command add_alkanes(CLI::App& app) {
    CLI::App* group =
        app.add_subcommand("alkanes", "Alkanes: decode a block, or make one contract call");
    group->require_subcommand(1);
    group->footer("Example: blockloom-cli alkanes decode 892614.bin");
    const auto commands = std::make_shared<std::vector<Command>>();
    commands->push_back(add_alkanes_decode(*group));
    commands->push_back(add_alkanes_call(*group));
    return {group, [commands](const Context& context) -> Result<int> {
                for (const Command& command : *commands)
                    if (command.parser->parsed()) return command.run(context);
                return status_of(ErrorCode::wrong_usage);
            }};
}

} // namespace blockloom::cli
