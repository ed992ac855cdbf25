// Finds a transaction, a key or a block by typed text.
#pragma once

#include "range/range.h"

#include <QList>
#include <QString>

#include <optional>
#include <stop_token>

namespace blockloom::ui {

struct Found {
    int row = -1; ///< block
    std::optional<quint32> task, key;
    QString title, detail;
};

/// Searches the block of `row` (tasks by number "1009" or "#1,009" and by name, keys by their
/// printable form) and the list of blocks (height, hash). At most `most` results, exact ones first;
/// searches no more than a quarter of a million names, in which case `whole` is false.
struct FindResult {
    QList<Found> found;
    bool whole = true; ///< false: there are more names than were searched
};
[[nodiscard]] FindResult find_in(const range::Range& range, int row,
                                 const range::BlockRecord* current, const QString& text,
                                 int most = 30);

/// Searches all blocks except that of `row`, starting after it and wrapping around: for another
/// thread. Names only, because a number matches a task in every block. At most `most` results from
/// at most eight million names.
[[nodiscard]] FindResult find_elsewhere(const range::Range& range, int row, const QString& text,
                                        int most, const std::stop_token& stop);

} // namespace blockloom::ui
