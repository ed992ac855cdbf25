#include "range/describe_key.h"

#include "alkanes/state_keys.h"
#include "base/number_text.h"
#include "range/message_rows.h"
#include "range/stored_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace blockloom::range {
namespace {

using conflict::KeyId;
using conflict::TaskId;

std::vector<std::pair<TaskId, trace::Mode>> accesses_of(const trace::PolicedTrace& trace,
                                                        KeyId key) {
    std::vector<std::pair<TaskId, trace::Mode>> found;
    for (TaskId task = 0; task < trace.tasks(); ++task)
        for (const trace::Access access : trace.access_sets().of(task))
            if (access.key() == key) found.emplace_back(task, access.mode());
    return found;
}

/// "100 → 99", "100" where it was only read; empty: not recorded.
std::string values_text(const BlockRecord& record, const std::string& name, TaskId in_block) {
    if (!record.replayed) return {};
    const auto executed = executed_task(*record.replayed->execution, in_block);
    if (!executed) return {};
    const state::TaskLog& log = executed->log();
    const auto& changes = executed->record().changes;
    for (std::size_t i = 0; i < log.writes.size(); ++i) {
        const auto& [key, value] = log.writes[i];
        if (alkanes::key_text(key) != name) continue;
        const std::string after = "→ " + stored_text(key, value);
        return i < changes.size() ? stored_text(key, changes[i].before) + " " + after : after;
    }
    for (const std::string_view key : log.attempted)
        if (alkanes::key_text(key) == name) return "write rolled back";
    for (const state::Read& read : log.reads)
        if (alkanes::key_text(read.key) == name) return stored_text(read.key, read.value);
    return {};
}

DetailSection contention_section(const BlockRecord& record, KeyId key, std::size_t readers,
                                 std::size_t writers) {
    DetailSection section{"Contention", "", {}, {}, relax_command};
    section.rows.push_back({"Readers", counted(readers, "task")});
    section.rows.push_back({"Writers", counted(writers, "task")});
    const auto& hot = record.analysis.hot_keys;
    const auto at = std::find_if(hot.begin(), hot.end(),
                                 [key](const auto& ranked) { return ranked.key == key; });
    if (at == hot.end()) {
        section.sentence = "This key is not among those that cause the most conflict pairs.";
        return section;
    }
    section.note =
        fmt::format("rank {} of {}", count_text(static_cast<std::uint64_t>(at - hot.begin() + 1)),
                    count_text(hot.size()));
    section.rows.push_back({"Conflict pairs", count_text(at->conflict_pairs)});
    section.rows.push_back(
        {"Gain if relaxed", ratio_text(at->gain_if_relaxed) + " parallelism, predicted"});
    return section;
}

} // namespace

TaskDetails describe_key(const BlockRecord& record, KeyId key) {
    TaskDetails details;
    const trace::PolicedTrace& trace = *record.analysis.index->trace;
    if (key >= trace.access_sets().key_count) return details;
    const auto accesses = accesses_of(trace, key);
    const std::string name = trace.keys ? trace.keys->printable(key) : fmt::format("key:{}", key);
    details.title = "Key";
    details.hash = name;
    const auto count = [&](trace::Mode mode) {
        return static_cast<std::size_t>(
            std::count_if(accesses.begin(), accesses.end(), [mode](const auto& access) {
                return (static_cast<unsigned>(access.second) & static_cast<unsigned>(mode)) != 0;
            }));
    };
    details.sections.push_back(
        contention_section(record, key, count(trace::Mode::read), count(trace::Mode::write)));
    DetailSection section{"Tasks that access it", counted(accesses.size(), "task")};
    bool valued = false;
    for (std::size_t i = 0; i < std::min(accesses.size(), most_detail_rows); ++i) {
        const auto& [task, mode] = accesses[i];
        const TaskId in_block = trace.task_in_block(task);
        const std::string values = values_text(record, name, in_block);
        valued = valued || !values.empty();
        const char* const how = mode == trace::Mode::read    ? "R"
                                : mode == trace::Mode::write ? "W"
                                                             : "R W";
        section.rows.push_back(
            {fmt::format("#{}", count_text(in_block)),
             values.empty() ? std::string(how) : fmt::format("{} · {}", how, values), true, task});
    }
    if (accesses.size() > most_detail_rows)
        section.sentence =
            fmt::format("And {} more. ", count_text(accesses.size() - most_detail_rows));
    section.sentence += valued ? "Values before → after each task, in block order."
                               : "No values were recorded: the block was not executed here.";
    details.sections.push_back(std::move(section));
    return details;
}

} // namespace blockloom::range
