// Standard output and standard error, and whether the output was written completely.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace blockloom::cli {

/// To be called first in main: opens closed streams on /dev/null, so that no other file gets their
/// numbers, and turns a closed reader into a write error instead of a signal.
void secure_standard_streams();

/// Writes to standard output; `finish_output` says whether it succeeded. Control characters in
/// names do not reach the terminal (printable_document()); pass names that must stay on their line
/// through printable().
void print(const std::string& text);

/// Writes to standard error; failures are ignored.
void print_error(std::string_view text);

/// Flushes standard output. Fails if any output was lost, now or before.
[[nodiscard]] Status finish_output();

/// Whether a write to standard output is blocked by its reader, which a stop request does not end.
[[nodiscard]] bool output_waits() noexcept;

} // namespace blockloom::cli
