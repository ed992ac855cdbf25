// Standard output and standard error: what a document is written to, and whether it arrived.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace blockloom::cli {

/// First in main: a stream that is closed is opened on nothing, so that no file gets its number and
/// is printed into, and a reader that has gone is an error of writing, not a signal.
void secure_standard_streams();

/// Writes to standard output; `finish_output` says whether it arrived. Whatever names in it hold,
/// it does not steer the terminal (printable_document()); names that must stay on their line are
/// given through printable().
void print(const std::string& text);

/// Writes to standard error. That nobody can read it changes nothing.
void print_error(std::string_view text);

/// Flushes standard output. Fails where anything of it was lost, now or before.
[[nodiscard]] Status finish_output();

/// Whether a write to standard output is waiting for its reader: no request to stop ends that.
[[nodiscard]] bool output_waits() noexcept;

} // namespace blockloom::cli
