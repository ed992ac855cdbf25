// Texts about a block in tables and figures.
#pragma once

#include "look/roles.h"
#include "range/range.h"

#include <QList>
#include <QString>

namespace blockloom::ui {

/// A block's name: its height, or the name given by its source.
[[nodiscard]] QString block_label(const range::BlockRecord& record);
/// The result of a block's checks as an icon and in words.
[[nodiscard]] Mark check_mark(const range::Checks& checks);
[[nodiscard]] QString check_words(const range::Checks& checks);
/// Fuel in millions, as in the table's column.
[[nodiscard]] QString fuel_text(std::uint64_t fuel);
/// At most `most` sizes: neighbours are merged to their maximum, so that no peak is lost.
[[nodiscard]] QList<quint32> merged_sizes(const std::vector<std::uint32_t>& sizes, int most);

} // namespace blockloom::ui
