#include "report/range_document.h"

#include "base/number_text.h"
#include "report/block_parts.h"
#include "report/charts.h"
#include "report/definitions.h"
#include "report/document_html.h"
#include "report/json.h"
#include "report/share.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace blockloom::report {
namespace {

double parallelism_of(const range::RangeTotals& totals) {
    return totals.span == 0 ? 1.0 : share(totals.work, totals.span);
}

/// The blocks that get a section: those with the most conflict pairs, the earlier where they are
/// equal.
std::vector<bool> choose_detailed(const range::Range& range, std::size_t most) {
    std::vector<std::size_t> order(range.blocks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return range.blocks[a]->analysis.index->pairs.any >
               range.blocks[b]->analysis.index->pairs.any;
    });
    std::vector<bool> chosen(range.blocks.size(), false);
    for (std::size_t i = 0; i < std::min(most, order.size()); ++i) chosen[order[i]] = true;
    return chosen;
}

std::vector<Fact> cards(const range::Range& range) {
    const range::RangeTotals& totals = range.totals;
    return {{totals.blocks == 1 ? "block" : "blocks", count_text(totals.blocks)},
            {"tasks", count_text(totals.tasks)},
            {"conflict pairs", count_text(totals.conflict_pairs)},
            {"of the tasks conflict", percent_text(share(totals.conflicting_tasks, totals.tasks))},
            {"levels of the deepest block", count_text(totals.most_levels)},
            {"parallelism of the range, predicted", ratio_text(parallelism_of(totals))}};
}

/// The predicted speed-up of all blocks, one after another, on the largest simulated number of
/// workers.
std::string speedup_sentence(const range::Range& range) {
    std::uint32_t workers = 0;
    for (const std::uint32_t at : range.options.analysis.workers) workers = std::max(workers, at);
    std::uint64_t list = 0, work = 0;
    for (const auto& record : range.blocks)
        for (const schedule::Makespans& at : record->analysis.makespans)
            if (at.workers == workers) {
                list += at.list;
                work += record->analysis.index->work;
            }
    if (list == 0) return {};
    return fmt::format(" If the blocks ran one after another on {}, each by a dependency-driven "
                       "schedule, the range would be {} as fast as on one worker (predicted).",
                       counted(workers, "worker"), ratio_text(share(work, list)));
}

Section summary_section(const range::Range& range) {
    const auto& blocks = range.blocks;
    const auto by_parallelism = [](const auto& a, const auto& b) {
        return a->analysis.index->parallelism() < b->analysis.index->parallelism();
    };
    const std::uint64_t apart = range.totals.tasks - range.totals.conflicting_tasks;
    std::string text =
        fmt::format("{} of {} {} with no other task of the same block.", count_text(apart),
                    counted(range.totals.tasks, "task"), apart == 1 ? "conflicts" : "conflict");
    text += speedup_sentence(range);
    if (blocks.size() > 1) {
        const auto [least, most] =
            std::minmax_element(blocks.begin(), blocks.end(), by_parallelism);
        text +=
            fmt::format(" The most parallel block is {} ({}), the least {} ({}).", label_of(**most),
                        three_digits((*most)->analysis.index->parallelism()), label_of(**least),
                        three_digits((*least)->analysis.index->parallelism()));
    }
    Section section;
    section.id = "summary";
    section.title = "Summary";
    section.parts.emplace_back(Paragraph{std::move(text), Tone::normal});
    if (range.unknown.total() != 0)
        section.parts.emplace_back(
            Paragraph{fmt::format("Not certain: {}. Every figure of this report rests on them.",
                                  range::unknown_text(range.unknown)),
                      Tone::bad});
    section.parts.emplace_back(
        Paragraph{fmt::format("Model {}; policy: {}. Schedules are simulated and their figures are "
                              "predicted; only phase times are measured.",
                              name_of(range.options.analysis.model),
                              trace::describe(range.options.analysis.policy)),
                  Tone::second});
    return section;
}

Section blocks_section(const range::Range& range, std::vector<bool> detailed) {
    const auto sections =
        static_cast<std::size_t>(std::count(detailed.begin(), detailed.end(), true));
    Section section;
    section.id = "blocks";
    section.title = "Blocks";
    section.parts.emplace_back(Heading{"Parallelism, predicted"});
    section.parts.emplace_back(
        ChartFigure{range_chart(range),
                    "Work / span of each block in the chosen model, on a logarithmic scale; hollow "
                    "and dashed bars are predicted.",
                    1080, 210});
    section.parts.emplace_back(Heading{"Figures"});
    section.parts.emplace_back(blocks_table(range, std::move(detailed)));
    if (sections < range.blocks.size())
        section.parts.emplace_back(
            Paragraph{fmt::format("{} for the {} with the most conflict pairs.",
                                  sections == 1 ? "A section follows" : "Sections follow",
                                  sections == 1 ? "block" : fmt::format("{} blocks", sections)),
                      Tone::quiet});
    return section;
}

Section left_out_section(const range::Range& range) {
    Table table;
    table.columns = {text_column("Source", true, true), text_column("Kind"),
                     text_column("Reason", true)};
    table.rows = range.left_out.size();
    table.row = [&range](std::size_t row) -> std::vector<TableCell> {
        const range::LeftOut& out = range.left_out[row];
        return {TableCell{out.source}, TableCell{out.stale ? "stale branch" : "not analysed"},
                TableCell{out.reason}};
    };
    Section section;
    section.id = "left-out";
    section.title = "Left out";
    section.parts.emplace_back(std::move(table));
    return section;
}

Section definitions_section() {
    Terms terms;
    for (const Definition& definition : definitions())
        terms.facts.push_back({std::string(definition.name), std::string(definition.text)});
    Section section;
    section.id = "definitions";
    section.title = "What the figures mean";
    section.parts.emplace_back(std::move(terms));
    return section;
}

Part inputs(const range::Range& range) {
    if (range.files.empty())
        return Paragraph{
            "No files: the blocks were generated by Blockloom (demo) and are the same every time.",
            Tone::second};
    Table table;
    table.columns = {text_column("Input", true), number_column("Size"),
                     text_column("SHA-256", true, true)};
    table.rows = range.files.size();
    table.row = [&range](std::size_t row) -> std::vector<TableCell> {
        const range::SourceFile& file = range.files[row];
        return {TableCell{file.path}, TableCell{size_text(file.bytes)},
                TableCell{file.sha256.empty() ? "not computed" : file.sha256}};
    };
    return table;
}

Section provenance_section(const range::Range& range, const runs::Provenance& provenance) {
    const runs::Machine& machine = provenance.machine;
    Terms terms;
    const auto term = [&terms](const char* name, std::string value) {
        terms.facts.push_back({name, value.empty() ? "unknown" : std::move(value)});
    };
    term("Program", "Blockloom " + provenance.version);
    term("Made", provenance.date);
    term("Chain", range.chain);
    if (!range.state.empty()) term("State before", range.state);
    term("Model", std::string(name_of(range.options.analysis.model)));
    term("Policy", trace::describe(range.options.analysis.policy));
    term("Cost", range.blocks.empty() ? "unit" : std::string(cost_name(*range.blocks.front())));
    term("Processor", machine.processor);
    term("Cores", count_text(machine.cores));
    term("Memory", machine.memory == 0 ? "" : size_text(machine.memory));
    term("Kernel", machine.kernel);
    term("Compiler", machine.compiler);
    Section section;
    section.id = "provenance";
    section.title = "Provenance";
    section.parts.emplace_back(std::move(terms));
    section.parts.emplace_back(Heading{"Inputs"});
    section.parts.push_back(inputs(range));
    return section;
}

} // namespace

Document range_document(const range::Range& range, const RangeReportOptions& options,
                        const std::stop_token& stop) {
    Document document;
    document.title = range.title;
    document.version = options.provenance.version;
    document.date = options.provenance.date;
    document.subtitle =
        fmt::format("Blockloom report · {} · analysis of dependencies", options.provenance.date);
    document.cards = cards(range);
    document.sections.push_back(summary_section(range));
    const std::vector<bool> detailed = choose_detailed(range, options.detailed_blocks);
    document.sections.push_back(blocks_section(range, detailed));
    for (std::size_t i = 0; i < range.blocks.size(); ++i)
        if (detailed[i])
            document.sections.push_back(block_section(*range.blocks[i], i, options.workers, stop));
    if (!range.left_out.empty()) document.sections.push_back(left_out_section(range));
    document.sections.push_back(definitions_section());
    document.sections.push_back(provenance_section(range, options.provenance));
    return document;
}

Result<std::string> range_html(const range::Range& range, const RangeReportOptions& options,
                               ProgressSink& progress, std::stop_token stop) {
    return html_of(range_document(range, options, stop), progress, stop);
}

} // namespace blockloom::report
