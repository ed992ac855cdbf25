#include "range/describe_task.h"

#include "base/number_text.h"
#include "range/message_rows.h"
#include "range/schedule_story.h"
#include "range/transaction_rows.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

using conflict::ConflictIndex;
using conflict::KeyId;
using conflict::Reason;
using conflict::TaskId;

std::string task_link(TaskId task) {
    return fmt::format("#{}", count_text(task));
}

std::string name_of_key(const trace::PolicedTrace& trace, KeyId key) {
    return trace.keys ? trace.keys->printable(key) : fmt::format("key:{}", key);
}

std::string kinds_text(std::uint32_t kinds) {
    std::string text;
    for (const auto& [bit, name] : {std::pair{1U, "RAW"}, {2U, "WAR"}, {4U, "WAW"}})
        if ((kinds & bit) != 0) text += text.empty() ? name : fmt::format(", {}", name);
    return text;
}

const char* mode_text(trace::Mode mode) {
    switch (mode) {
    case trace::Mode::read:
        return "R";
    case trace::Mode::write:
        return "W";
    case trace::Mode::read_write:
        return "R W";
    }
    return "";
}

/// The task of a group with the most edges (ties: the first): the centre of the group.
TaskId hub_of(const ConflictIndex& index, std::uint32_t group) {
    std::vector<std::uint32_t> degree(index.tasks(), 0);
    for (TaskId task = 0; task < index.tasks(); ++task) {
        if (index.group[task] != group) continue;
        for (const TaskId before : index.predecessors_of(task)) {
            ++degree[task];
            ++degree[before];
        }
    }
    return static_cast<TaskId>(std::max_element(degree.begin(), degree.end()) - degree.begin());
}

DetailSection place_section(const BlockRecord& record, TaskId task) {
    const ConflictIndex& index = *record.analysis.index;
    DetailSection section;
    const std::uint32_t level = index.level[task];
    section.rows.push_back(
        {"Batch (level)",
         fmt::format("{} of {} · {}", count_text(level), count_text(index.level_sizes.size()),
                     counted(index.level_sizes[level - 1], "task"))});
    const std::uint32_t group = index.group[task];
    const auto members =
        static_cast<std::uint64_t>(std::count(index.group.begin(), index.group.end(), group));
    if (members == 1) {
        section.rows.push_back({"Group", "none: it conflicts with no other task"});
    } else {
        const TaskId hub = hub_of(index, group);
        DetailRow row{"Group",
                      fmt::format("{} around {}", counted(members, "task"), task_link(hub))};
        row.task = hub;
        section.rows.push_back(row);
    }
    section.rows.push_back({"Cost, predicted", cost_text(record, index.trace->cost_of(task))});
    return section;
}

DetailSection access_section(const BlockRecord& record, TaskId task) {
    const trace::PolicedTrace& trace = *record.analysis.index->trace;
    const auto of = trace.access_sets().of(task);
    std::vector<trace::Access> accesses(of.begin(), of.end());
    // Reads and writes first: they say most about the task.
    const auto rank = [](trace::Access a) {
        return a.mode() == trace::Mode::read_write ? 0 : a.reads() ? 1 : 2;
    };
    std::sort(accesses.begin(), accesses.end(), [&](trace::Access a, trace::Access b) {
        return std::pair(rank(a), a.key()) < std::pair(rank(b), b.key());
    });
    DetailSection section{"Reads and writes", counted(accesses.size(), "key"), {}, {}};
    for (std::size_t i = 0; i < std::min(accesses.size(), most_detail_rows); ++i) {
        const KeyId key = accesses[i].key();
        section.rows.push_back(
            {mode_text(accesses[i].mode()), name_of_key(trace, key), true, {}, key});
    }
    if (accesses.size() > most_detail_rows)
        section.sentence =
            fmt::format("And {} more.", count_text(accesses.size() - most_detail_rows));
    if (!record.analysis.options.policy.leaves_all())
        section.sentence += fmt::format("{}Policy: {}. Keys it leaves out are not listed.",
                                        section.sentence.empty() ? "" : " ",
                                        trace::describe(record.analysis.options.policy));
    return section;
}

DetailRow reason_row(const ConflictIndex& index, TaskId shown, const Reason& reason,
                     TaskId distance) {
    return {task_link(index.trace->task_in_block(shown)),
            fmt::format("{} · distance {} · {}", kinds_text(reason.kinds), count_text(distance),
                        name_of_key(*index.trace, reason.key)),
            true, shown, reason.key};
}

DetailSection waits_section(const BlockRecord& record, TaskId task,
                            const schedule::Schedule* schedule) {
    const ConflictIndex& index = *record.analysis.index;
    const auto reasons = conflict::waits_for(index, task);
    DetailSection section{
        "Waits for", reasons.empty() ? "none" : counted(reasons.size(), "task"), {}, {}};
    for (std::size_t i = 0; i < std::min(reasons.size(), most_detail_rows); ++i)
        section.rows.push_back(
            reason_row(index, reasons[i].task, reasons[i], task - reasons[i].task));
    if (reasons.size() > most_detail_rows)
        section.sentence =
            fmt::format("And {} more. ", count_text(reasons.size() - most_detail_rows));
    if (schedule != nullptr)
        section.sentence += schedule_story(record, *schedule, task);
    else if (reasons.empty())
        section.sentence = "It depends on no earlier task of the block.";
    return section;
}

DetailSection waited_for_section(const BlockRecord& record, TaskId task) {
    const ConflictIndex& index = *record.analysis.index;
    std::vector<TaskId> followers;
    for (TaskId later = task + 1; later < index.tasks(); ++later) {
        const auto before = index.predecessors_of(later);
        if (std::binary_search(before.begin(), before.end(), task)) followers.push_back(later);
    }
    DetailSection section{
        "Waited for by", followers.empty() ? "none" : counted(followers.size(), "task"), {}, {}};
    for (std::size_t i = 0; i < std::min(followers.size(), most_detail_rows); ++i)
        for (const Reason& reason : conflict::waits_for(index, followers[i]))
            if (reason.task == task)
                section.rows.push_back(
                    reason_row(index, followers[i], reason, followers[i] - task));
    if (followers.empty())
        section.sentence = record.block && !record.replayed
                               ? "No later task of the block spends its outputs."
                               : "No later task of the block depends on it.";
    else if (followers.size() > most_detail_rows)
        section.sentence =
            fmt::format("And {} more.", count_text(followers.size() - most_detail_rows));
    return section;
}

/// What the block's bytes say about a message's transaction, as separate sections.
void append_its_transaction(TaskDetails& details, const chain::Block& block,
                            std::uint32_t transaction) {
    TaskDetails decoded;
    decoded.sections.push_back(
        {fmt::format("Transaction #{}", count_text(transaction)), "", {}, {}});
    append_transaction(decoded, block, transaction);
    for (DetailSection& section : decoded.sections) details.sections.push_back(std::move(section));
}

/// A message of an executed block: its effects precede their consequences.
void describe_message(TaskDetails& details, const BlockRecord& record, TaskId task,
                      const ExecutedTask& executed, const schedule::Schedule* schedule) {
    const bool estimated = record.trace != record.replayed->trace;
    details.sections.push_back(message_section(*record.replayed, executed));
    details.sections.push_back(place_section(record, task));
    details.sections.push_back(waits_section(record, task, schedule));
    details.sections.push_back(waited_for_section(record, task));
    if (schedule != nullptr) details.sections.push_back(schedule_section(record, *schedule, task));
    details.sections.push_back(writes_section(record, task, executed));
    details.sections.push_back(reads_section(record, task, executed));
    if (estimated || !record.analysis.options.policy.leaves_all()) {
        details.sections.push_back(access_section(record, task));
        details.sections.back().title = estimated ? "Estimated reads and writes" : "Counted keys";
    }
    details.sections.push_back(host_call_section(executed));
    append_its_transaction(details, *record.block, executed.record().transaction);
}

/// A transaction by its bytes, or a task of an imported trace.
void describe_accesses(TaskDetails& details, const BlockRecord& record, TaskId task,
                       const schedule::Schedule* schedule) {
    details.sections.push_back(place_section(record, task));
    if (record.block)
        append_transaction(details, *record.block,
                           record.analysis.index->trace->task_in_block(task));
    details.sections.push_back(access_section(record, task));
    details.sections.push_back(waits_section(record, task, schedule));
    details.sections.push_back(waited_for_section(record, task));
    if (schedule != nullptr) details.sections.push_back(schedule_section(record, *schedule, task));
}

} // namespace

TaskDetails describe_task(const BlockRecord& record, TaskId task,
                          const schedule::Schedule* schedule) {
    TaskDetails details;
    const ConflictIndex& index = *record.analysis.index;
    if (task >= index.tasks()) return details;
    const TaskId in_block = index.trace->task_in_block(task);
    const auto executed =
        record.replayed ? executed_task(*record.replayed->execution, in_block) : std::nullopt;
    const char* const noun = executed       ? executed->record().is_message ? "Message" : "Task"
                             : record.block ? "Transaction"
                                            : "Task";
    details.title = fmt::format("{} {}", noun, task_link(in_block));
    if (record.trace->names) details.hash = record.trace->names->printable(in_block);
    if (executed)
        describe_message(details, record, task, *executed, schedule);
    else
        describe_accesses(details, record, task, schedule);
    return details;
}

} // namespace blockloom::range
