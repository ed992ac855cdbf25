// Makes a state bundle of a range: executes it and keeps what is read of the state before it.
#pragma once

#include "base/progress.h"
#include "range/range.h"
#include "range/state_bundle.h"

#include <stop_token>

namespace blockloom::range {

/// Executes the blocks serially on the state before them, and each transaction alone on the state
/// before its block, as estimates and first attempts do. `made_by`: the program's version.
[[nodiscard]] Result<StateBundle> make_bundle(const RangeOptions& options,
                                              const std::string& made_by, ProgressSink& progress,
                                              const std::stop_token& stop);

} // namespace blockloom::range
