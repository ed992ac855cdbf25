#include "models/block_words.h"

#include "text/numbers.h"
#include "text/to_qt.h"
#include "text/words.h"

#include <algorithm>

namespace blockloom::ui {
QString block_label(const range::BlockRecord& record) {
    const trace::BlockIdentity& id = record.trace->block;
    // A trace may give a block any name, of any length.
    if (!id.label.empty()) return shortened(to_qt(id.label), 14, 8);
    if (id.height) return QString::number(*id.height);
    return to_qt(id.hash.substr(0, 10));
}

Mark check_mark(const range::Checks& checks) {
    if (checks.merkle == false || checks.witness_commitment == false) return Mark::error;
    return checks.merkle ? Mark::ok : Mark::unknown;
}

QString check_words(const range::Checks& checks) {
    if (checks.merkle == false && checks.witness_commitment == false)
        return words("merkle root and witness commitment invalid");
    if (checks.merkle == false) return words("merkle root invalid");
    if (checks.witness_commitment == false) return words("witness commitment invalid");
    if (!checks.merkle) return words("this source has nothing to check");
    return checks.witness_commitment ? words("merkle root and witness commitment valid")
                                     : words("merkle root valid");
}

QString fuel_text(std::uint64_t fuel) {
    return fuel == 0 ? QStringLiteral("0") : significant_text(static_cast<double>(fuel) / 1e6);
}

QList<quint32> merged_sizes(const std::vector<std::uint32_t>& sizes, int most) {
    const auto count = sizes.size();
    const auto bins = std::min(count, static_cast<std::size_t>(std::max(most, 1)));
    QList<quint32> merged;
    merged.reserve(static_cast<qsizetype>(bins));
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const auto begin = sizes.begin() + static_cast<std::ptrdiff_t>(bin * count / bins);
        const auto end = sizes.begin() + static_cast<std::ptrdiff_t>((bin + 1) * count / bins);
        merged.append(*std::max_element(begin, end));
    }
    return merged;
}

} // namespace blockloom::ui
