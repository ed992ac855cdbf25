// Texts about spans of a run: tooltips, accessible descriptions, table cells.
#pragma once

#include "profile/timeline.h"
#include "runs/kept_run.h"

#include <QString>

namespace blockloom::ui {

/// "message, task 412 of block 960,105: 35.0 µs from +10.600 ms, worker 3".
[[nodiscard]] QString span_words(const profile::Timeline& timeline, profile::SpanRef at);
/// Of a folded block: its count, duration and busy share.
[[nodiscard]] QString item_words(const profile::Timeline& timeline, std::size_t row,
                                 const profile::TimelineItem& item);
/// Why the attempt that a span of the run shows was aborted: "aborted: read an outdated value (…)".
/// Empty: it was not, the run recorded no reason, or the span is of something else.
[[nodiscard]] QString abort_words(const runs::KeptRun& run, const profile::Timeline& timeline,
                                  profile::SpanRef at);
/// A time in the run, to the nanosecond: "+10.600 123 ms".
[[nodiscard]] QString moment_text(Nanoseconds time);
/// The unit of a span's detail: "invocations", "attempts"; empty if it has none.
[[nodiscard]] QString detail_words(const profile::Timeline& timeline, const profile::Span& span);

} // namespace blockloom::ui
