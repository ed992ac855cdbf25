// The page size of a report written as PDF.
#pragma once

#include "report/paper.h"

#include <CLI/CLI.hpp>

#include <string>

namespace blockloom::cli {

/// Adds --paper, which takes "a4" or "letter" into `paper`.
void add_paper_option(CLI::App& command, std::string& paper);

/// The paper that was asked for, else that of the user's locale.
[[nodiscard]] report::Paper paper_choice(const std::string& paper);

} // namespace blockloom::cli
