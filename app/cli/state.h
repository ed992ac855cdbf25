// Common parts of the state commands.
#pragma once

#include "command.h"
#include "state_seed.h"
#include "store/workspace.h"

#include <functional>
#include <string>

namespace blockloom::cli {

/// Opens the workspace, collects writes, applies them in one step and prints them. `after`: the
/// block after which the state is declared to be.
[[nodiscard]] Result<int> put_seeds(const Context& context, bool json,
                                    const std::optional<store::Base>& after,
                                    const std::function<Status(SeedWrites&)>& collect);

void add_state_bundle(CLI::App& group, std::vector<Command>& commands);
void add_state_puts(CLI::App& group, std::vector<Command>& commands);
void add_state_looks(CLI::App& group, std::vector<Command>& commands);
void add_state_repair(CLI::App& group, std::vector<Command>& commands);

} // namespace blockloom::cli
