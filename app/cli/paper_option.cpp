#include "paper_option.h"

namespace blockloom::cli {

void add_paper_option(CLI::App& command, std::string& paper) {
    command.add_option("--paper", paper, "Page size of a .pdf [from the locale, else A4]")
        ->check(CLI::IsMember({"a4", "letter"}))
        ->type_name("PAPER")
        ->default_str("");
}

report::Paper paper_choice(const std::string& paper) {
    return report::paper_named(paper).value_or(report::paper_of_locale());
}

} // namespace blockloom::cli
