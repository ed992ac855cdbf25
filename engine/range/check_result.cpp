#include "range/check_result.h"

#include "base/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace blockloom::range {

std::string check_words(const NodeCheck& check) {
    const CheckedBlock all = check.total();
    const std::string compared =
        fmt::format("{} of {} and {}", counted(all.values, "value"),
                    counted(all.messages, "message"), counted(all.keys, "key"));
    if (all.differences != 0) {
        const auto wrong = static_cast<std::uint64_t>(
            std::count_if(check.blocks.begin(), check.blocks.end(),
                          [](const CheckedBlock& block) { return block.differences != 0; }));
        return fmt::format("MISMATCH: {} in {} of {}; {} were compared",
                           counted(all.differences, "difference"), count_text(wrong),
                           counted(check.blocks.size(), "block"), compared);
    }
    return all.values == 0
               ? "nothing was compared"
               : fmt::format("equal: {} in {}", compared, counted(check.blocks.size(), "block"));
}

std::string place_words(const CheckDifference& difference) {
    std::string text = fmt::format("block {}", difference.height);
    if (difference.transaction) text += fmt::format(", transaction {}", *difference.transaction);
    if (!difference.txid.empty()) text += fmt::format(" ({})", difference.txid);
    if (difference.protostone) text += fmt::format(", protostone {}", *difference.protostone);
    if (difference.event) text += fmt::format(", event {}", *difference.event);
    text += ": " + difference.field;
    if (!difference.key.empty()) text += " of " + difference.key;
    return text;
}

} // namespace blockloom::range
