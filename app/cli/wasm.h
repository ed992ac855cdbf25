// Common parts of the wasm commands.
#pragma once

#include "command.h"
#include "wasm/program.h"

#include <optional>

namespace blockloom::cli {

/// A module from a file: decoded, validated, lowered. Unavailable if exact fuel is not certain.
[[nodiscard]] Result<std::shared_ptr<const wasm::Program>>
open_program(const std::string& file, wasm::FuelRule fuel = wasm::FuelRule::counted);

/// A function by export name, name in the name section, or index.
[[nodiscard]] std::optional<std::uint32_t> find_function(const wasm::Module& module,
                                                         const std::string& name);

/// The type of an import: "(i32) -> (i64)", "1 to 4 pages".
[[nodiscard]] std::string import_text(const wasm::Module& module, const wasm::Import& import);

/// `--engine interpreter|native`. What the chosen engine cannot run is ejected (exit status 4);
/// there is no fallback to the other engine.
void add_engine(CLI::App& command, std::string& engine);
inline constexpr const char* native_engine = "native";

Command add_wasm_inspect(CLI::App& group);
Command add_wasm_run(CLI::App& group);
Command add_wasm_spectest(CLI::App& group);
Command add_wasm_cache(CLI::App& group);

} // namespace blockloom::cli
