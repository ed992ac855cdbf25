// The profile of `wasm run` as a document and as a table.
#pragma once

#include "report/profile.h"
#include "wasm/program.h"
#include "wasm/run.h"

#include <string>
#include <vector>

namespace blockloom::cli {

/// What the interpreter recorded: `functions` as filled by `set_profile`.
struct Profiled {
    const wasm::Program& program;
    std::uint32_t invoked = 0;
    const wasm::RunResult& result;
    const std::vector<wasm::FunctionProfile>& functions;
    wasm::CallTree tree;
};

/// Only the name of `file` is kept, so that the document is the same on every machine.
[[nodiscard]] report::Profile make_profile(const Profiled& profiled, const std::string& file);

/// One row per function, the most own fuel first.
[[nodiscard]] std::string profile_table(const report::Profile& profile);

/// "unreachable in f at offset 12".
[[nodiscard]] std::string trap_text(const wasm::Module& module, const wasm::Trap& trap);

} // namespace blockloom::cli
