#include "report/csv.h"

#include "base/utf8.h"
#include "report/json.h"

#include <fmt/format.h>

#include <vector>

namespace blockloom::report {
namespace {

std::string truth(const std::optional<bool>& value) {
    return !value ? "" : *value ? "true" : "false";
}

void add_row(std::string& csv, const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) csv += (i == 0 ? "" : ",") + fields[i];
    csv += "\r\n";
}

std::vector<std::string> header(const range::Range& range) {
    std::vector<std::string> names{"height",
                                   "hash",
                                   "source",
                                   "model",
                                   "policy",
                                   "cost",
                                   "tasks",
                                   "accesses",
                                   "keys",
                                   "conflict_pairs",
                                   "raw_pairs",
                                   "war_pairs",
                                   "waw_pairs",
                                   "dependency_edges",
                                   "conflicting_tasks",
                                   "isolated",
                                   "groups",
                                   "largest_group",
                                   "levels",
                                   "level_sizes",
                                   "single_conflict_rate",
                                   "group_conflict_rate",
                                   "parallel_ratio",
                                   "work",
                                   "span",
                                   "parallelism",
                                   "colouring_algorithm",
                                   "colours",
                                   "reordered_pairs",
                                   "merkle",
                                   "witness_commitment"};
    for (const std::uint32_t workers : range.options.analysis.workers)
        for (const char* strategy : {"levels", "list", "optimistic"})
            names.push_back(fmt::format("makespan_{}_{}", strategy, workers));
    for (const char* phase : {"read", "decode", "trace", "analyse", "schedule"})
        names.push_back(fmt::format("time_ns_{}", phase));
    names.emplace_back("time_ns_execute"); // empty where nothing was executed
    return names;
}

std::vector<std::string> row(const range::Range& range, const range::BlockRecord& record) {
    const schedule::BlockAnalysis& analysis = record.analysis;
    const conflict::ConflictIndex& index = *analysis.index;
    const double tasks = index.tasks() == 0 ? 1.0 : static_cast<double>(index.tasks());
    const auto number = [](auto value) { return fmt::format("{}", value); };
    const auto& block = record.trace->block;
    std::vector<std::string> fields{block.height ? number(*block.height) : "",
                                    csv_field(block.hash),
                                    csv_field(record.source),
                                    std::string(name_of(range.options.analysis.model)),
                                    csv_field(trace::describe(range.options.analysis.policy)),
                                    std::string(cost_name(record)),
                                    number(index.tasks()),
                                    number(index.accesses),
                                    number(index.keys),
                                    number(index.pairs.any),
                                    number(index.pairs.raw),
                                    number(index.pairs.war),
                                    number(index.pairs.waw),
                                    number(index.edges()),
                                    number(index.conflicting_tasks),
                                    number(index.isolated()),
                                    number(index.groups),
                                    number(index.largest_group),
                                    number(index.level_sizes.size()),
                                    fmt::format("{}", fmt::join(index.level_sizes, " ")),
                                    number(static_cast<double>(index.conflicting_tasks) / tasks),
                                    number(static_cast<double>(index.largest_group) / tasks),
                                    number(index.parallel_ratio()),
                                    number(index.work),
                                    number(index.span),
                                    number(index.parallelism())};
    if (analysis.colouring) {
        fields.emplace_back(schedule::name_of(analysis.colouring->colouring.algorithm));
        fields.push_back(number(analysis.colouring->colouring.colours));
        fields.push_back(number(analysis.colouring->reordered_pairs));
    } else {
        fields.insert(fields.end(), 3, "");
    }
    fields.push_back(truth(record.checks.merkle));
    fields.push_back(truth(record.checks.witness_commitment));
    for (const schedule::Makespans& at : analysis.makespans)
        for (const std::uint64_t makespan : {at.levels, at.list, at.optimistic})
            fields.push_back(number(makespan));
    const range::BlockTimes& times = record.times;
    for (const Nanoseconds time :
         {times.read, times.decode, times.trace, times.analyse, times.schedule})
        fields.push_back(number(time));
    fields.push_back(record.replayed ? number(times.execute) : "");
    return fields;
}

} // namespace

std::string csv_field(const std::string& text) {
    std::string safe = valid_utf8(text);
    if (!safe.empty() && std::string("=+-@\t\r").find(safe.front()) != std::string::npos)
        safe.insert(0, 1, '\'');
    if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
    std::string quoted = "\"";
    for (const char c : safe) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

std::string analysis_csv(const range::Range& range) {
    std::string csv;
    add_row(csv, header(range));
    for (const auto& record : range.blocks) add_row(csv, row(range, *record));
    return csv;
}

} // namespace blockloom::report
