#include "range/wait_story.h"

#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

using schedule::WaitFor;
using schedule::WaitPart;

constexpr std::uint32_t raw = 1, war = 2;
/// A key's text is shortened in the middle beyond this many characters; its own row shows all of
/// it.
constexpr std::size_t longest_key = 48, key_front = 28, key_back = 12;

std::string task_text(const BlockRecord& record, conflict::TaskId task) {
    return fmt::format("#{}", count_text(record.analysis.index->trace->task_in_block(task)));
}

std::string shortened(const std::string& key) {
    if (key.size() <= longest_key) return key;
    const std::string_view whole = key;
    return fmt::format("{}…{}", whole.substr(0, key_front), whole.substr(whole.size() - key_back));
}

std::string key_text(const BlockRecord& record, conflict::KeyId key) {
    const auto& keys = record.analysis.index->trace->keys;
    return shortened(keys ? keys->printable(key) : fmt::format("key {}", key));
}

/// "which writes K", of the earlier task.
std::string deed(const BlockRecord& record, const WaitPart& part) {
    if (part.key == conflict::no_key) return "which precedes it in its transaction";
    const char* const verb = (part.kinds & raw) != 0   ? "which writes"
                             : (part.kinds & war) != 0 ? "which reads"
                                                       : "which also writes";
    return fmt::format("{} {}", verb, key_text(record, part.key));
}

/// `attempts`: the aborted ones, which together are one part.
std::string reason_text(const BlockRecord& record, const WaitPart& part, std::uint32_t attempts) {
    const std::string aborted =
        attempts > 1 ? fmt::format("during {} aborted attempts", count_text(attempts))
                     : "during an aborted attempt";
    switch (part.reason) {
    case WaitFor::task:
        return fmt::format("for {}, {}", task_text(record, *part.task), deed(record, part));
    case WaitFor::attempt:
        if (!part.task) return aborted + ": it had read values that its predecessors then changed";
        if (part.key == conflict::no_key)
            return fmt::format("{}: {} had not run yet", aborted, task_text(record, *part.task));
        return fmt::format("{}: {} wrote {}, which it had read", aborted,
                           task_text(record, *part.task), key_text(record, part.key));
    case WaitFor::barrier:
        return fmt::format("for the barrier, which {} reached last", task_text(record, *part.task));
    case WaitFor::worker:
        return fmt::format("for a free worker, while {} ran", task_text(record, *part.task));
    case WaitFor::other:
        return "between tasks: nothing it depends on was running";
    }
    return {};
}

/// The parts that waited for the same kind of thing.
struct PartsOfReason {
    const WaitPart* longest = nullptr;
    std::uint64_t length = 0;
    std::size_t count = 0;
};

/// In the order in which the kinds came first.
std::vector<PartsOfReason> by_reason(const std::vector<WaitPart>& parts) {
    std::vector<PartsOfReason> reasons;
    for (const WaitPart& part : parts) {
        auto of = std::find_if(reasons.begin(), reasons.end(), [&](const PartsOfReason& known) {
            return known.longest->reason == part.reason;
        });
        if (of == reasons.end()) of = reasons.insert(of, PartsOfReason{&part});
        if (part.length > of->longest->length) of->longest = &part;
        of->length += part.length;
        ++of->count;
    }
    return reasons;
}

/// A task of a busy worker waits in dozens of pieces: their sums and the longest one of each kind.
std::string summary(const BlockRecord& record, const schedule::TaskWait& wait,
                    const LengthText& length) {
    const std::vector<WaitPart>& parts = wait.parts;
    std::uint64_t whole = 0;
    for (const WaitPart& part : parts) whole += part.length;
    std::string sentence =
        fmt::format("It waited {} over {} intervals", length(whole), count_text(parts.size()));
    const char* comma = ": ";
    for (const PartsOfReason& reason : by_reason(parts)) {
        sentence += fmt::format("{}{}", comma, length(reason.length));
        if (reason.count > 1)
            sentence += fmt::format(" over {} intervals (longest {})", count_text(reason.count),
                                    length(reason.longest->length));
        sentence += fmt::format(" {}", reason_text(record, *reason.longest, wait.aborted));
        comma = "; ";
    }
    return sentence + ".";
}

std::string ns_text(std::uint64_t length) {
    return time_text(static_cast<Nanoseconds>(length));
}

} // namespace

std::string wait_sentence(const BlockRecord& record, const schedule::TaskWait& wait,
                          const LengthText& length) {
    if (wait.parts.empty()) return "It did not wait: it started as soon as the block began.";
    constexpr std::size_t most_listed = 4;
    if (wait.parts.size() > most_listed) return summary(record, wait, length);
    std::string sentence = "It waited ";
    for (const WaitPart& part : wait.parts) {
        if (&part != &wait.parts.front()) sentence += "; then ";
        sentence +=
            fmt::format("{} {}", length(part.length), reason_text(record, part, wait.aborted));
    }
    return sentence + ".";
}

namespace {

/// Why it was aborted, as the run recorded it.
std::string recorded_text(const BlockRecord& record, const schedule::RecordedAbort& abort) {
    std::string text = abort.reason ? words_of(*abort.reason) : "for an unknown reason";
    if (abort.key.empty()) return text;
    text += fmt::format(" ({}", shortened(abort.key));
    if (abort.writer && abort.writer_height)
        text += fmt::format(", written by transaction {} of block {}", count_text(*abort.writer),
                            count_text(*abort.writer_height));
    else if (abort.writer) {
        const auto task = schedule::first_task_of(*record.analysis.index, *abort.writer);
        text += ", written by " +
                (task ? task_text(record, *task) : "transaction " + count_text(*abort.writer));
    }
    return text + ")";
}

std::string inferred_text(const BlockRecord& record, const schedule::AbortedAttempt& attempt) {
    const std::string by = task_text(record, *attempt.by);
    if (attempt.key == conflict::no_key)
        return fmt::format("{}, which precedes it in its transaction, ended only after it had "
                           "begun",
                           by);
    const std::string key = key_text(record, attempt.key);
    if ((attempt.kinds & raw) != 0)
        return fmt::format("{} wrote {} only after it had begun, so what it read there was "
                           "outdated or predicted wrongly",
                           by, key);
    return fmt::format("{}, which also accesses {}, ended only after it had begun", by, key);
}

/// The task that a row of the attempt names.
std::optional<conflict::TaskId> task_of(const BlockRecord& record,
                                        const schedule::RecordedAbort& abort) {
    if (!abort.writer || abort.writer_height) return std::nullopt;
    return schedule::first_task_of(*record.analysis.index, *abort.writer);
}

} // namespace

std::string abort_text(const BlockRecord& record, const schedule::AbortedAttempt& attempt) {
    if (attempt.recorded) return recorded_text(record, *attempt.recorded);
    if (!attempt.by)
        return "every task that it depends on had ended before it began, so the recorded times do "
               "not show the cause: a predicted value, a fuel budget or access sets may have been "
               "wrong";
    return inferred_text(record, attempt) + " (inferred from the times)";
}

namespace {

/// A row for each aborted attempt: when and where it ran, and why it was aborted. Then those that
/// left no execution in the schedule.
void add_attempts(DetailSection& section, const BlockRecord& record,
                  const schedule::MeasuredSchedule& measured, conflict::TaskId task) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    const auto attempts = schedule::aborted_attempts(index, measured, task);
    if (!attempts.empty())
        section.rows.push_back({"Aborted attempts", count_text(attempts.size())});
    for (std::size_t i = 0; i < std::min(attempts.size(), most_detail_rows); ++i) {
        const schedule::AbortedAttempt& attempt = attempts[i];
        DetailRow row{fmt::format("Attempt {}", i + 1),
                      fmt::format("{}, starting at {}, on {}; aborted: {}",
                                  ns_text(attempt.slot.end - attempt.slot.start),
                                  ns_text(attempt.slot.start), measured.lanes[attempt.slot.worker],
                                  abort_text(record, attempt))};
        row.task = attempt.recorded ? task_of(record, *attempt.recorded) : attempt.by;
        section.rows.push_back(std::move(row));
    }
    const auto others = schedule::aborted_without_result(index, measured, task);
    for (std::size_t i = 0; i < std::min(others.size(), most_detail_rows); ++i) {
        DetailRow row{"Without result", recorded_text(record, others[i])};
        if (others[i].at) row.value = fmt::format("at {}: {}", ns_text(*others[i].at), row.value);
        row.task = task_of(record, others[i]);
        section.rows.push_back(std::move(row));
    }
}

} // namespace

DetailSection measured_section(const BlockRecord& record,
                               const schedule::MeasuredSchedule& measured, const std::string& run,
                               conflict::TaskId task) {
    DetailSection section{measured_title, run, {}, {}};
    const auto wait =
        schedule::wait_of(*record.analysis.index, measured.schedule, task, measured.stands_under);
    if (!wait) {
        section.sentence =
            measured.device.empty()
                ? "The run recorded no span for this task."
                : "A device ran it in a batch with other tasks: it has no separate span.";
        return section;
    }
    section.rows.push_back({"Lane", measured.lanes[wait->worker]});
    section.rows.push_back(
        {"Ran", fmt::format("{}, starting at {}", ns_text(wait->end - wait->start),
                            ns_text(wait->start))});
    add_attempts(section, record, measured, task);
    if (measured.stands_under[task] != task)
        section.rows.push_back(
            {"Executed with",
             task_text(record, measured.stands_under[task]) + " of its transaction", false,
             measured.stands_under[task]});
    section.sentence = wait_sentence(record, *wait, ns_text);
    return section;
}

} // namespace blockloom::range
