#include "text/numbers.h"

#include "base/number_text.h"
#include "text/to_qt.h"

#include <cmath>

namespace blockloom::ui {
namespace {

constexpr QChar minus(0x2212);
constexpr QChar ellipsis(0x2026);

} // namespace

QString count_text(std::uint64_t value) {
    return to_qt(blockloom::count_text(value));
}

QString significant_text(double value) {
    QString text = to_qt(blockloom::three_digits(std::abs(value)));
    return value < 0 && text != QLatin1StringView("0") ? minus + text : text;
}

QString ratio_text(double value) {
    return significant_text(value) + QChar(0x00D7);
}

QString percent_text(double share) {
    const QString text = to_qt(blockloom::percent_text(std::abs(share)));
    return share < -0.0005 ? minus + text : text;
}

QString time_text(std::int64_t nanoseconds) {
    return to_qt(blockloom::time_text(nanoseconds));
}

QString size_text(std::uint64_t bytes) {
    return to_qt(blockloom::size_text(bytes));
}

QString signed_text(double value) {
    const QString text = to_qt(blockloom::three_digits(std::abs(value)));
    if (text == QLatin1StringView("0")) return QStringLiteral("=");
    return (value < 0 ? minus : QLatin1Char('+')) + text;
}

QString range_text(std::uint64_t a, std::uint64_t b) {
    return a == b ? count_text(a) : count_text(a) + QChar(0x2013) + count_text(b);
}

QString counted(std::uint64_t value, const QString& one, const QString& many) {
    return count_text(value) + QLatin1Char(' ') + (value == 1 ? one : many);
}

QString shortened(const QString& text, int first, int last) {
    QString fitted =
        text.size() <= first + last + 1 ? text : text.left(first) + ellipsis + text.right(last);
    for (QChar& c : fitted)
        if (c == QLatin1Char('\n') || c == QLatin1Char('\r') || c == QChar::LineSeparator ||
            c == QChar::ParagraphSeparator)
            c = QLatin1Char(' ');
    return fitted;
}

QString short_key(const QString& printable) {
    const QString text = printable.section(QLatin1Char(':'), 1);
    if (text.isEmpty()) return shortened(printable);
    // The part after the last colon (an output's index, a slot) distinguishes keys of one owner.
    const qsizetype colon = text.lastIndexOf(QLatin1Char(':'));
    if (colon < 0) return shortened(text, 10, 4);
    return shortened(text.left(colon), 10, 4) + shortened(text.mid(colon), 10, 4);
}

QString not_applicable() {
    return QString(QChar(0x2014));
}

} // namespace blockloom::ui
