// Spans of a run in words: tooltips, what a screen reader says, cells of tables.
#pragma once

#include "profile/timeline.h"

#include <QString>

namespace blockloom::ui {

/// "message, task 412 of block 960,105: 35.0 µs from +10.600 ms, worker 3".
[[nodiscard]] QString span_words(const profile::Timeline& timeline, profile::SpanRef at);
/// Of a folded block: how many, how long, how busy.
[[nodiscard]] QString item_words(const profile::Timeline& timeline, std::size_t row,
                                 const profile::TimelineItem& item);
/// A moment of the run, to the nanosecond: "+10.600 123 ms".
[[nodiscard]] QString moment_text(Nanoseconds time);
/// The unit's name of a span's detail: "invocations", "attempts"; empty where it says nothing.
[[nodiscard]] QString detail_words(const profile::Span& span);

} // namespace blockloom::ui
