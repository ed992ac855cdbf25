#include "models/span_words.h"

#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

namespace blockloom::ui {
QString moment_text(Nanoseconds time) {
    // Whole milliseconds, and what is below them in groups of three.
    const auto ns = static_cast<quint64>(std::max<Nanoseconds>(time, 0));
    const auto three = [](quint64 value) {
        return QStringLiteral("%1").arg(value, 3, 10, QLatin1Char('0'));
    };
    QString text =
        QStringLiteral("+%1.%2").arg(count_text(ns / 1'000'000), three(ns / 1000 % 1000));
    if (ns % 1000 != 0) text += QChar(0x202F) + three(ns % 1000); // a narrow space
    return text + QStringLiteral(" ms");
}

namespace {

/// Whether the span is one of a wave of compiled lanes, which ran each of its messages to its next
/// stop; its time divided by their number is a message's.
bool is_whole(const std::string& name) {
    return name == "compiled lanes" || name == "profiled lanes";
}

} // namespace

QString detail_words(const profile::Timeline& timeline, const profile::Span& span) {
    switch (span.category) {
    case profile::Category::round:
        return counted(span.detail, words("transaction"), words("transactions"));
    case profile::Category::batch:
        return counted(span.detail, words("invocation"), words("invocations"));
    case profile::Category::slice:
        if (is_whole(timeline.names()[span.name]))
            return words("%1, %2 per message")
                .arg(counted(span.detail, words("message"), words("messages")),
                     time_text(span.duration() / std::max(span.detail, 1U)));
        return words("%1 alive")
            .arg(counted(span.detail, words("invocation"), words("invocations")));
    default:
        return {};
    }
}

QString span_words(const profile::Timeline& timeline, profile::SpanRef at) {
    const profile::Span& span = timeline.span(at);
    QString what = to_qt(timeline.names()[span.name]);
    if (const auto height = timeline.height_of(span)) {
        if (span.task != profile::none)
            what += words(", task %1 of block %2").arg(count_text(span.task), count_text(*height));
        else
            what += words(", block %1").arg(count_text(*height));
    } else if (span.wave() != 0) {
        what += words(", wave %1").arg(count_text(span.wave()));
    }
    if (const QString detail = detail_words(timeline, span); !detail.isEmpty())
        what += words(", ") + detail;
    return words("%1: %2 from %3, %4")
        .arg(what, time_text(span.duration()), moment_text(span.begin),
             to_qt(timeline.row(at.row).name));
}

QString abort_words(const runs::KeptRun& run, const profile::Timeline& timeline,
                    profile::SpanRef at) {
    const profile::Span& span = timeline.span(at);
    const bool attempt = span.category == profile::Category::message ||
                         (span.category == profile::Category::other && span.task != profile::none &&
                          timeline.names()[span.name] != "dry run");
    const auto height = timeline.height_of(span);
    if (!attempt || !height) return {};
    const runs::KeptAborts aborts = runs::aborts_of(run, *height);
    const runs::KeptAbort* const found = runs::abort_of(aborts, span.detail, span.begin);
    return found == nullptr ? QString()
                            : words("aborted: %1").arg(to_qt(runs::abort_words(*found, *height)));
}

QString item_words(const profile::Timeline& timeline, std::size_t row,
                   const profile::TimelineItem& item) {
    if (!item.folded()) return span_words(timeline, {static_cast<std::uint32_t>(row), item.first});
    const auto length = static_cast<double>(std::max<Nanoseconds>(item.time.length(), 1));
    return words("%1 merged, %2 from %3, %4 busy, %5. Zoom in to see each.")
        .arg(counted(item.count, words("span"), words("spans")), time_text(item.time.length()),
             moment_text(item.time.begin), percent_text(static_cast<double>(item.busy) / length),
             to_qt(timeline.row(row).name));
}

} // namespace blockloom::ui
