#include "report/check_table.h"

#include "base/number_text.h"

#include <fmt/format.h>

namespace blockloom::report {
namespace {

/// A report is read by people; the rest is in the run's document.
constexpr std::size_t most_rows = 500;

std::string number_or_dash(const std::optional<std::uint32_t>& number) {
    return number ? count_text(*number) : "—";
}

Table differences_table(const range::NodeCheck& check) {
    Table table;
    table.caption = "Differences. Transaction, protostone and event count from 0.";
    table.columns = {number_column("Block"),          number_column("Transaction"),
                     number_column("Protostone"),     number_column("Event"),
                     text_column("Field", true),      text_column("Key", true, true),
                     text_column("Node", true, true), text_column("Replay", true, true)};
    table.rows = std::min(check.differences.size(), most_rows);
    table.row = [&check](std::size_t row) -> std::vector<TableCell> {
        const range::CheckDifference& at = check.differences[row];
        return {TableCell{fmt::format("{}", at.height)},
                TableCell{number_or_dash(at.transaction)},
                TableCell{number_or_dash(at.protostone)},
                TableCell{number_or_dash(at.event)},
                TableCell{at.field},
                TableCell{at.key},
                TableCell{at.node},
                TableCell{at.replay}};
    };
    return table;
}

} // namespace

void add_check(std::vector<Part>& parts, const range::NodeCheck& check) {
    parts.emplace_back(Heading{"Compared with the node"});
    const range::CheckedBlock all = check.total();
    parts.emplace_back(Paragraph{fmt::format("{}: {}.", check.place, range::check_words(check)),
                                 all.differences != 0 ? Tone::bad : Tone::normal});
    if (!check.differences.empty()) parts.emplace_back(differences_table(check));
    if (all.differences > most_rows)
        parts.emplace_back(Paragraph{fmt::format("and {} more (the first {} are in .json)",
                                                 count_text(all.differences - most_rows),
                                                 count_text(check.differences.size())),
                                     Tone::quiet});
    if (check.not_compared.empty()) return;
    Terms terms;
    for (const auto& [what, count] : check.not_compared)
        terms.facts.push_back({"Not compared", fmt::format("{} × {}", count_text(count), what)});
    parts.emplace_back(std::move(terms));
}

} // namespace blockloom::report
