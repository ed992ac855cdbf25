// Runs the WebAssembly test scripts in the format of wabt's `wast2json`.
#pragma once

#include "base/result.h"
#include "wasm/run.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::wasm {

struct ScriptFailure {
    std::string file; ///< the script that the JSON was made from
    std::uint32_t line = 0;
    std::string what; ///< expected and found
};

/// Each command but `register` counts once. Skipped: modules in the text format, and commands that
/// need a feature that this engine does not support (wasm/features.h). Ejected: actions that the
/// engine cannot run; their expectations are not checked.
struct ScriptResult {
    std::uint64_t passed = 0, failed = 0, skipped = 0, ejected = 0;
    std::map<std::string, std::uint64_t> ejections; ///< counts by reason
    std::vector<ScriptFailure> failures;            ///< the first `ScriptOptions::most_failures`
};

/// Runs a function of an instance; fails if this engine cannot run it at all. If the error is
/// `unavailable`, the instance is unchanged and the action counts as ejected; the interpreter then
/// runs it, so that the following commands find the state that the script expects.
using ScriptEngine =
    std::function<Result<RunResult>(Instance& instance, std::uint32_t function,
                                    std::span<const Cell> arguments, const RunLimits& limits)>;

struct ScriptOptions {
    std::uint64_t steps = 2'000'000'000; ///< of one action; more is a failure
    std::size_t most_failures = 50;
    std::stop_token stop;                    ///< the remaining commands fail as cancelled
    std::uint32_t memory_pages = most_pages; ///< memory.grow beyond fails
    ScriptEngine
        engine; ///< runs the actions; empty: the interpreter (which always runs start functions)
};

/// Runs a script, whose modules are in the same folder as the JSON. Only fails if the JSON itself
/// cannot be read. Modules are kept until the end.
[[nodiscard]] Result<ScriptResult> run_spec_script(const std::filesystem::path& json,
                                                   const ScriptOptions& options = {});

} // namespace blockloom::wasm
