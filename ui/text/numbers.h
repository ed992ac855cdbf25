// Numbers as QString, formatted the same way everywhere (digits by base/number_text.h).
#pragma once

#include <QString>

#include <cstdint>

namespace blockloom::ui {

[[nodiscard]] QString count_text(std::uint64_t value);              ///< "2,489"
[[nodiscard]] QString significant_text(double value);               ///< "35.0", "0.103", "−1.20"
[[nodiscard]] QString ratio_text(double value);                     ///< "1.92×"
[[nodiscard]] QString percent_text(double share);                   ///< share of 1: "81.2 %"
[[nodiscard]] QString time_text(std::int64_t nanoseconds);          ///< "35.0 ms"
[[nodiscard]] QString size_text(std::uint64_t bytes);               ///< "1.14 MiB"
[[nodiscard]] QString signed_text(double value);                    ///< "+1.20", "−1.20", "="
[[nodiscard]] QString range_text(std::uint64_t a, std::uint64_t b); ///< "3–9"
/// "1 task", "2,489 tasks".
[[nodiscard]] QString counted(std::uint64_t value, const QString& one, const QString& many);

/// A long key, hash or path: its first and last characters with an ellipsis between them; unchanged
/// if it is short. Always on one line.
[[nodiscard]] QString shortened(const QString& text, int first = 10, int last = 8);
/// A printable key on one line without its kind, the middle cut ("6b27dcefc1…:13").
[[nodiscard]] QString short_key(const QString& printable);

/// "—": not applicable.
[[nodiscard]] QString not_applicable();

} // namespace blockloom::ui
