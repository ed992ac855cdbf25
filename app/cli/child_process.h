// Runs another program and waits for it.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace blockloom::cli {

/// Runs a program with our standard error, and our standard output unless `captured` is given. A
/// stop request ends it with SIGTERM. Returns its exit status, 128 + the signal that ended it, or
/// an error.
[[nodiscard]] Result<int> run_program(const std::filesystem::path& program,
                                      std::vector<std::string> arguments,
                                      const std::stop_token& stop, std::string* captured = nullptr);

} // namespace blockloom::cli
