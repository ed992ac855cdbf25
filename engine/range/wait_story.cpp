#include "range/wait_story.h"

#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {
namespace {

using schedule::WaitFor;
using schedule::WaitPart;

constexpr std::uint32_t raw = 1, war = 2;
/// A key's text is cut in the middle beyond so many characters: it is whole in its own row.
constexpr std::size_t longest_key = 48, key_front = 28, key_back = 12;

std::string task_text(const BlockRecord& record, conflict::TaskId task) {
    return fmt::format("#{}", count_text(record.analysis.index->trace->task_in_block(task)));
}

std::string key_text(const BlockRecord& record, conflict::KeyId key) {
    const auto& keys = record.analysis.index->trace->keys;
    const std::string whole = keys ? keys->printable(key) : fmt::format("key {}", key);
    if (whole.size() <= longest_key) return whole;
    return whole.substr(0, key_front) + "…" + whole.substr(whole.size() - key_back);
}

/// "it writes K", of the earlier task.
std::string deed(const BlockRecord& record, const WaitPart& part) {
    if (part.key == conflict::no_key) return "it comes before it in its transaction";
    const char* const verb = (part.kinds & raw) != 0   ? "it writes"
                             : (part.kinds & war) != 0 ? "it reads"
                                                       : "it also writes";
    return fmt::format("{} {}", verb, key_text(record, part.key));
}

/// `attempts`: those in vain, which are one part together.
std::string reason_text(const BlockRecord& record, const WaitPart& part, std::uint32_t attempts) {
    const std::string in_vain = attempts > 1
                                    ? fmt::format("on {} attempts in vain", count_text(attempts))
                                    : "on an attempt in vain";
    switch (part.reason) {
    case WaitFor::task:
        return fmt::format("for {}: {}", task_text(record, *part.task), deed(record, part));
    case WaitFor::attempt:
        if (!part.task) return in_vain + ": it read what its predecessors then changed";
        if (part.key == conflict::no_key)
            return fmt::format("{}: {} had not yet run", in_vain, task_text(record, *part.task));
        return fmt::format("{}: {} wrote {}, which it had read", in_vain,
                           task_text(record, *part.task), key_text(record, part.key));
    case WaitFor::barrier:
        return fmt::format("for the levels below to end, {} last", task_text(record, *part.task));
    case WaitFor::worker:
        return fmt::format("for a free worker, where {} ran", task_text(record, *part.task));
    case WaitFor::other:
        return "between tasks: nothing that it waits for was running";
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

/// A task of a busy worker waits in dozens of pieces: their sums and the longest of each.
std::string summary(const BlockRecord& record, const schedule::TaskWait& wait,
                    const LengthText& length) {
    const std::vector<WaitPart>& parts = wait.parts;
    std::uint64_t whole = 0;
    for (const WaitPart& part : parts) whole += part.length;
    std::string sentence =
        fmt::format("It waited {} in {} parts", length(whole), count_text(parts.size()));
    const char* comma = ": ";
    for (const PartsOfReason& reason : by_reason(parts)) {
        sentence += fmt::format("{}{}", comma, length(reason.length));
        if (reason.count > 1)
            sentence += fmt::format(" in {} parts (longest {})", count_text(reason.count),
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
    if (wait.parts.empty()) return "It did not wait: it ran as soon as the block began.";
    constexpr std::size_t most_told = 4;
    if (wait.parts.size() > most_told) return summary(record, wait, length);
    std::string sentence = "It waited ";
    for (const WaitPart& part : wait.parts) {
        if (&part != &wait.parts.front()) sentence += "; then ";
        sentence +=
            fmt::format("{} {}", length(part.length), reason_text(record, part, wait.aborted));
    }
    return sentence + ".";
}

DetailSection measured_section(const BlockRecord& record,
                               const schedule::MeasuredSchedule& measured, const std::string& run,
                               conflict::TaskId task) {
    DetailSection section{measured_title, run, {}, {}};
    const auto wait =
        schedule::wait_of(*record.analysis.index, measured.schedule, task, measured.stands_under);
    if (!wait) {
        section.sentence = measured.device.empty()
                               ? "The run has no span of this task."
                               : "A device ran it together with others: it has no span of its own.";
        return section;
    }
    section.rows.push_back({"Lane", measured.lanes[wait->worker]});
    section.rows.push_back({"Runs", fmt::format("{} from {} on", ns_text(wait->end - wait->start),
                                                ns_text(wait->start))});
    if (wait->aborted != 0) section.rows.push_back({"Attempts in vain", count_text(wait->aborted)});
    if (measured.stands_under[task] != task)
        section.rows.push_back(
            {"Runs with", task_text(record, measured.stands_under[task]) + " of its transaction",
             false, measured.stands_under[task]});
    section.sentence = wait_sentence(record, *wait, ns_text);
    return section;
}

} // namespace blockloom::range
