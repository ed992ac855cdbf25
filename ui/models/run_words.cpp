#include "models/run_words.h"

#include "base/number_text.h"
#include "execute/device/host_reasons.h"
#include "report/phase_charts.h"
#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <QStringList>

#include <cmath>
#include <cstdlib>

namespace blockloom::ui {
range::DetailRow placement_row(const char* letter, const runs::KeptRun& run,
                               const runs::Placement& placement) {
    range::DetailRow row;
    row.label = letter;
    const QString how = run_words(run);
    if (placement.on_device) {
        QString there = to_qt(run.device);
        if (placement.wave) // they are shown from 1
            there = words("%1, wave %2").arg(there, count_text(std::uint64_t{*placement.wave} + 1));
        row.value = words("device: %1, %2 (%3)")
                        .arg(there,
                             run.backend == "vulkan" ? words("by the interpreter's kernel")
                                                     : words("in compiled lanes"),
                             how)
                        .toStdString();
        row.tone = range::Tone::ok;
    } else if (placement.reason.empty()) {
        row.value = words("host: %1").arg(how).toStdString();
    } else {
        row.value =
            words("host, not %1: %2 (%3)")
                .arg(to_qt(run.device), to_qt(execute::host_reason_text(placement.reason)), how)
                .toStdString();
        row.tone = range::Tone::warning;
    }
    return row;
}

range::DetailRow span_row(const char* letter, const runs::TaskSpan& span) {
    range::DetailRow row;
    row.label = words("%1, when").arg(QLatin1StringView(letter)).toStdString();
    const QString time =
        words("at %1 for %2").arg(time_text(span.begin), time_text(span.end - span.begin));
    row.value =
        (span.beside == 0
             ? words("%1, %2").arg(to_qt(span.lane), time)
             : words("%1, %2, together with %3")
                   .arg(to_qt(span.lane), time,
                        counted(span.beside - 1, words("other message"), words("other messages"))))
            .toStdString();
    return row;
}

std::vector<range::DetailRow> code_rows(const char* letter, const runs::KeptRun& run,
                                        const std::string& module) {
    const runs::KeptCode* const code = runs::code_of(run.code, module);
    if (code == nullptr) return {};
    range::DetailRow made, calls;
    made.label = letter;
    made.value = code->code_words();
    if (code->lane_bytes != 0)
        made.value += words("; %1 of memory per lane, in %2")
                          .arg(size_text(code->lane_bytes),
                               counted(code->windows, words("window"), words("windows")))
                          .toStdString();
    if (!code->refusal.empty()) made.tone = range::Tone::warning;
    calls.label = words("%1, calls").arg(QLatin1StringView(letter)).toStdString();
    calls.value = code->call_words();
    return {made, calls};
}

scene::Colour colour_of(const runs::KeptRun& run, const scene::Theme& theme) {
    return theme.*report::ink_of(run);
}

QString TimeUnit::text(Nanoseconds time) const {
    constexpr double least = 0.01;
    return time != 0 && std::abs(of(time)) < least ? time_text(time) : significant_text(of(time));
}

QString TimeUnit::signedText(Nanoseconds time) const {
    if (time == 0) return QStringLiteral("=");
    return (time < 0 ? QString(QChar(0x2212)) : QStringLiteral("+")) + text(std::abs(time));
}

TimeUnit unit_for(Nanoseconds largest) {
    const auto [name, ns] = time_unit(largest);
    return {to_qt(name), ns};
}

QString verdict_words(const runs::RunComparison& comparison) {
    switch (comparison.digests) {
    case runs::Equality::other_input:
        return words("Different inputs");
    case runs::Equality::unequal:
        return words("Mismatch: the results differ");
    case runs::Equality::unknown:
        return words("Unknown whether the results are equal");
    case runs::Equality::equal:
        break;
    }
    const runs::ComparedTime& wall = comparison.wall;
    if (!wall.ratio || *wall.ratio <= 0) return words("No times to compare");
    if (wall.no_difference()) return words("No significant difference");
    return *wall.ratio >= 1 ? words("B is %1 faster, end to end").arg(ratio_text(*wall.ratio))
                            : words("B is %1 slower, end to end").arg(ratio_text(1 / *wall.ratio));
}

QString interval_words(const runs::RunComparison& comparison) {
    return interval_forms(comparison).value(0);
}

QStringList interval_forms(const runs::RunComparison& comparison) {
    if (!comparison.refusal.empty()) return {to_qt(comparison.refusal)};
    if (comparison.digests != runs::Equality::equal) return {};
    const runs::ComparedTime& wall = comparison.wall;
    if (!wall.interval)
        return {words("no interval: too few repetitions of each run; set Repeat to 12 and run both "
                      "again"),
                words("no interval")};
    // In the direction of the verdict: how many times faster, or slower.
    const bool slower = !wall.no_difference() && wall.ratio.value_or(1) < 1;
    const double low = slower ? 1 / wall.interval->high : wall.interval->low;
    const double high = slower ? 1 / wall.interval->low : wall.interval->high;
    const QString ends = QStringLiteral("%1–%2").arg(significant_text(low), significant_text(high));
    const QString of = slower ? words("B / A") : words("A / B");
    return {words("95 % interval %1, ratio of medians %2%3")
                .arg(ends, of, wall.no_difference() ? words(", which contains 1") : QString()),
            words("95 %: %1, %2").arg(ends, of), words("%1, %2").arg(ends, of)};
}

Mark mark_of(runs::Equality equality) {
    switch (equality) {
    case runs::Equality::equal:
        return Mark::ok;
    case runs::Equality::unequal:
        return Mark::error;
    case runs::Equality::other_input:
        return Mark::warning;
    case runs::Equality::unknown:
        break;
    }
    return Mark::unknown;
}

QString digests_words(runs::Equality equality) {
    switch (equality) {
    case runs::Equality::equal:
        return words("Equal digests");
    case runs::Equality::unequal:
        return words("Unequal digests");
    case runs::Equality::other_input:
        return words("Different input");
    case runs::Equality::unknown:
        break;
    }
    return words("No digests");
}

} // namespace blockloom::ui
