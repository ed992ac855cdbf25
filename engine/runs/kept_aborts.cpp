#include "runs/kept_aborts.h"

#include "base/json.h"
#include "base/number_text.h"
#include "base/utf8.h"
#include "runs/document_limits.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace blockloom::runs {
namespace {

constexpr std::size_t most_reasons = 256;
constexpr std::uint32_t most_transactions = std::numeric_limits<std::uint32_t>::max();

KeptAbort read_abort(JsonValue json, std::uint64_t height, const std::vector<std::string>& keys) {
    KeptAbort read;
    json["transaction"].required().read(read.transaction);
    if (const auto name = json["reason"].required().text(name_bytes))
        read.reason = trace::abort_reason_named(*name);
    if (const auto key = json["key"].whole(); key && *key < keys.size())
        read.key = keys[static_cast<std::size_t>(*key)];
    else if (key)
        json["key"].refuse(fmt::format("an index below {}", keys.size()));
    if (const auto writer = json["writer"].whole(0, most_transactions))
        read.writer = {json["writer_height"].whole().value_or(height),
                       static_cast<std::uint32_t>(*writer)};
    read.at = json["at_ns"].integer(0, most_time);
    return read;
}

} // namespace

KeptAborts read_aborts(JsonValue block) {
    KeptAborts read;
    if (const JsonValue counts = block["aborted"]; !counts.is_absent()) {
        read.counts.emplace();
        for (const auto& [name, count] : counts.members(most_reasons)) {
            if (name.size() > name_bytes)
                count.refuse(fmt::format("a name of at most {} bytes", name_bytes));
            else
                (*read.counts)[std::string(name)] = count.whole().value_or(0);
        }
    }
    const JsonValue attempts = block["aborted_attempts"];
    if (attempts.is_absent()) return read;
    std::vector<std::string> keys;
    for (const JsonValue key : block["aborted_keys"].items())
        keys.push_back(printable(key.required().text(name_bytes).value_or("")));
    const std::uint64_t height = block["height"].whole().value_or(0);
    std::vector<KeptAbort> all;
    for (const JsonValue attempt : attempts.items())
        all.push_back(read_abort(attempt, height, keys));
    read.attempts = std::make_shared<const std::vector<KeptAbort>>(std::move(all));
    return read;
}

const KeptAbort* abort_of(const KeptAborts& aborts, std::uint32_t transaction,
                          Nanoseconds begin) noexcept {
    if (aborts.attempts == nullptr) return nullptr;
    for (const KeptAbort& each : *aborts.attempts)
        if (each.transaction == transaction && each.at && *each.at >= begin) return &each;
    return nullptr;
}

std::string abort_words(const KeptAbort& abort, std::uint64_t height) {
    std::string text = abort.reason ? words_of(*abort.reason) : "for an unknown reason";
    if (abort.key.empty()) return text;
    text += " (" + abort.key;
    if (abort.writer) {
        text += fmt::format(", written by transaction {}", count_text(abort.writer->second));
        if (abort.writer->first != height)
            text += fmt::format(" of block {}", count_text(abort.writer->first));
    }
    return text + ")";
}

std::string aborts_words(const AbortCounts& counts) {
    std::uint64_t all = 0;
    std::vector<std::pair<std::uint64_t, std::string>> most;
    for (const auto& [name, count] : counts) {
        if (count == 0) continue;
        all += count;
        const auto reason = trace::abort_reason_named(name);
        most.emplace_back(count, reason ? words_of(*reason) : printable(name));
    }
    if (most.empty()) return {};
    std::stable_sort(most.begin(), most.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::string text = fmt::format("{} aborted", counted(all, "attempt"));
    const char* comma = ": ";
    for (const auto& [count, words] : most) {
        text += fmt::format("{}{} {}", comma, count_text(count), words);
        comma = ", ";
    }
    return text;
}

} // namespace blockloom::runs
