// How a block is worded in tables and figures.
#pragma once

#include "look/roles.h"
#include "range/range.h"

#include <QList>
#include <QString>

namespace blockloom::ui {

/// What a block is called: its height, or what its source calls it.
[[nodiscard]] QString block_label(const range::BlockRecord& record);
/// The sign of a block's checks and what they say in words.
[[nodiscard]] Mark check_mark(const range::Checks& checks);
[[nodiscard]] QString check_words(const range::Checks& checks);
/// Fuel in millions, as the table's column has it.
[[nodiscard]] QString fuel_text(std::uint64_t fuel);
/// At most `most` sizes: neighbours are merged by their maximum, so that no peak is lost.
[[nodiscard]] QList<quint32> merged_sizes(const std::vector<std::uint32_t>& sizes, int most);

} // namespace blockloom::ui
