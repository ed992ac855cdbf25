#include "range/message_rows.h"

#include "alkanes/state_keys.h"
#include "base/number_text.h"
#include "range/stored_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

namespace blockloom::range {
namespace {

using alkanes::CallStatus;
using alkanes::MessageRecord;

/// Ids of the keys that a task touches in an analysis, by their names.
class KeyLinks {
public:
    KeyLinks(const BlockRecord& record, conflict::TaskId task) {
        const trace::PolicedTrace& trace = *record.analysis.index->trace;
        if (!trace.keys) return;
        for (const trace::Access access : trace.access_sets().of(task))
            ids_.emplace(trace.keys->printable(access.key()), access.key());
    }
    [[nodiscard]] DetailRow row(const char* label, std::string_view key) const {
        DetailRow made{label, alkanes::key_text(key), true};
        if (const auto found = ids_.find(made.value); found != ids_.end()) made.key = found->second;
        return made;
    }

private:
    std::unordered_map<std::string, conflict::KeyId> ids_;
};

void tell_rest(DetailSection& section, std::size_t count) {
    if (count > most_detail_rows)
        section.sentence = fmt::format("And {} more.", count_text(count - most_detail_rows));
}

/// What the target resolved to.
std::string resolved_text(const MessageRecord& record) {
    if (record.code == Hash256{}) return "no code found";
    if (record.myself == record.target) return alkanes::id_text(record.myself);
    return fmt::format("{}, created", alkanes::id_text(record.myself));
}

std::string candidate_text(const alkanes::BlockContext& context, const MessageRecord& record) {
    if (!record.candidate) return "no: it has no prefix (8, 8)";
    const auto& kept = context.candidates;
    if (std::binary_search(kept.begin(), kept.end(), record.transaction))
        return "yes: it has the prefix (8, 8)";
    return "demoted: it spends an output of another candidate";
}

Tone tone_of(CallStatus status) {
    return status == CallStatus::success ? Tone::ok : Tone::warning;
}

/// A value below the row of its key.
DetailRow value_row(std::string text) {
    return {"", std::move(text), true};
}

} // namespace

std::optional<ExecutedTask> executed_task(const alkanes::BlockExecution& execution,
                                          trace::TaskId task) {
    std::size_t left = task;
    for (const alkanes::TransactionResult& transaction : execution.transactions) {
        if (left < transaction.records.size()) return ExecutedTask{&transaction, left};
        left -= transaction.records.size();
    }
    return std::nullopt;
}

std::string outcome_text(CallStatus status) {
    switch (status) {
    case CallStatus::success:
        return "succeeded";
    case CallStatus::revert:
        return "reverted";
    case CallStatus::trap:
        return "trapped";
    case CallStatus::out_of_fuel:
        return "out of fuel";
    case CallStatus::error:
        return "failed";
    case CallStatus::ejected:
        return "not run: this engine cannot execute it";
    }
    return "?";
}

std::shared_ptr<const std::vector<bool>> failed_tasks(const BlockRecord& record) {
    if (!record.replayed || !record.analysis.index) return nullptr;
    std::vector<bool> in_block;
    for (const alkanes::TransactionResult& result : record.replayed->execution->transactions)
        for (const MessageRecord& message : result.records) in_block.push_back(!message.ok());
    const trace::PolicedTrace& trace = *record.analysis.index->trace;
    auto failed = std::make_shared<std::vector<bool>>(trace.tasks(), false);
    for (trace::TaskId task = 0; task < trace.tasks(); ++task) {
        const trace::TaskId at = trace.task_in_block(task);
        (*failed)[task] = at < in_block.size() && in_block[at];
    }
    return failed;
}

DetailSection message_section(const execute::ReplayedBlock& block, const ExecutedTask& task) {
    const MessageRecord& record = task.record();
    DetailSection section{record.is_message ? "Message" : "Protostone", "", {}, {}};
    auto& rows = section.rows;
    if (record.is_message) {
        rows.push_back({"Outcome", outcome_text(record.status)});
        rows.back().tone = tone_of(record.status);
    } else {
        rows.push_back({"Outcome", "not a message: it only moves tokens by edicts"});
    }
    if (!record.text.empty()) rows.push_back({"Reason", record.text});
    rows.push_back({"Protostone", fmt::format("{} in its transaction · shadow output {}",
                                              record.protostone, record.shadow_vout)});
    if (record.is_message) {
        rows.push_back({"Target", alkanes::id_text(record.target)});
        rows.push_back({"Resolved to", resolved_text(record)});
        if (record.code != Hash256{}) rows.push_back({"Code", to_hex(record.code), true});
        rows.push_back({"Opcode", record.opcode ? u128_text(*record.opcode) : "none"});
        const bool more = record.inputs.size() > 1;
        rows.push_back(
            {"Inputs", inputs_text({record.inputs.begin() + (more ? 1 : 0),
                                    more ? record.inputs.end() : record.inputs.begin()})});
        if (block.context->rules.candidate_prefix)
            rows.push_back({"Candidate", candidate_text(*block.context, record)});
        rows.push_back({"Fuel", fmt::format("{} used of {}", count_text(record.fuel_used),
                                            count_text(record.fuel_budget))});
        if (!record.fuel_doubt.empty())
            rows.back().value += fmt::format(" · uncertain: {}", record.fuel_doubt);
        rows.push_back({"Steps", fmt::format("{} · {}", count_text(record.steps),
                                             alkanes::name_of(record.engine))});
        rows.push_back({"Memory", fmt::format("{} of 4 KiB used · {} of 64 KiB at the end",
                                              counted(record.touched_pages, "page"),
                                              counted(record.final_pages, "page"))});
        rows.push_back({"Tokens in", tokens_text(record.incoming)});
        rows.push_back({"Tokens out", tokens_text(record.transfers)});
        rows.push_back({"Returned", bytes_text(record.data), true});
    }
    if (!task.transaction->void_reason.empty())
        section.sentence =
            fmt::format("The transaction is void: {}.", task.transaction->void_reason);
    return section;
}

DetailSection writes_section(const BlockRecord& record, conflict::TaskId task,
                             const ExecutedTask& executed) {
    const state::TaskLog& log = executed.log();
    const auto& changes = executed.record().changes;
    const std::size_t count = log.writes.size() + log.attempted.size();
    DetailSection section{"State before and after",
                          count == 0 ? "nothing written" : counted(log.writes.size(), "key"),
                          {},
                          {}};
    const KeyLinks links(record, task);
    for (std::size_t i = 0; i < std::min(log.writes.size(), most_detail_rows); ++i) {
        const auto& [key, value] = log.writes[i];
        section.rows.push_back(links.row("W", key));
        // One entry a written key, in their order, where the execution was recorded.
        const std::string before =
            i < changes.size() ? stored_text(key, changes[i].before) + " " : std::string();
        section.rows.push_back(value_row(fmt::format("{}→ {}", before, stored_text(key, value))));
    }
    for (std::size_t i = 0; i < std::min(log.attempted.size(), most_detail_rows); ++i) {
        section.rows.push_back(links.row("W", log.attempted[i]));
        section.rows.push_back(value_row("rolled back"));
    }
    tell_rest(section, std::max(log.writes.size(), log.attempted.size()));
    return section;
}

DetailSection reads_section(const BlockRecord& record, conflict::TaskId task,
                            const ExecutedTask& executed) {
    const state::TaskLog& log = executed.log();
    DetailSection section{
        "Reads", log.reads.empty() ? "none" : counted(log.reads.size(), "key"), {}, {}};
    const KeyLinks links(record, task);
    for (std::size_t i = 0; i < std::min(log.reads.size(), most_detail_rows); ++i) {
        const state::Read& read = log.reads[i];
        section.rows.push_back(links.row("R", read.key));
        section.rows.push_back(value_row(stored_text(read.key, read.value) +
                                         (read.inside ? " · written by its own transaction" : "")));
    }
    for (const state::CounterAbove& predicate : log.predicates) {
        section.rows.push_back(links.row("R", predicate.key));
        section.rows.push_back(
            value_row(fmt::format("only compared: above {}", amount_text(predicate.value))));
    }
    tell_rest(section, log.reads.size());
    return section;
}

DetailSection profile_offer(const ExecutedTask& task) {
    DetailSection section;
    if (task.record().code == Hash256{} || task.record().fuel_used == 0) return section;
    section.title = "Fuel by function";
    section.note = "not profiled";
    section.command = "Profile this message";
    return section;
}

DetailSection profile_section(const execute::MessageProfile& profile) {
    DetailSection section{
        "Fuel by function", counted(profile.functions.size(), "function"), {}, {}};
    std::uint64_t all = 0;
    for (const execute::ProfiledFunction& function : profile.functions) all += function.self_fuel;
    for (std::size_t i = 0; i < std::min(profile.functions.size(), most_detail_rows); ++i) {
        const execute::ProfiledFunction& function = profile.functions[i];
        section.rows.push_back(
            {percent_text(static_cast<double>(function.self_fuel) /
                          static_cast<double>(std::max<std::uint64_t>(all, 1))),
             fmt::format("{} · {} · {}", function.name, count_text(function.self_fuel),
                         counted(function.calls, "call")),
             true});
    }
    tell_rest(section, profile.functions.size());
    section.sentence +=
        fmt::format("{}Fuel of each function itself, including fees, measured by re-executing the "
                    "message on the interpreter. A nested call counts as a fee of its caller.",
                    section.sentence.empty() ? "" : " ");
    return section;
}

DetailSection host_call_section(const ExecutedTask& task) {
    const auto& calls = task.record().host_calls;
    DetailSection section{"Host calls", counted(calls.size(), "call"), {}, {}};
    for (std::size_t i = 0; i < std::min(calls.size(), most_detail_rows); ++i) {
        const alkanes::HostCallRecord& call = calls[i];
        std::string text = fmt::format("{}", fmt::join(call.arguments, ", "));
        if (call.result) text += fmt::format("{}→ {}", text.empty() ? "" : " ", *call.result);
        if (call.fee != 0)
            text += fmt::format("{}fee {}", text.empty() ? "" : " · ", count_text(call.fee));
        std::string indent;
        for (std::uint32_t level = 0; level < call.level; ++level) indent += "\u2003";
        section.rows.push_back({indent + call.name, std::move(text), true});
    }
    tell_rest(section, calls.size());
    return section;
}

} // namespace blockloom::range
