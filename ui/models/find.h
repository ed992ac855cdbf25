// Finding a transaction, a key or a block by what the user types.
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

/// Looks for `text` in the block of `row` (tasks by number "1009" or "#1,009" and by name, keys by
/// their printable form) and among the blocks (height, hash). At most `most` answers, exact ones
/// first; looks at no more than a quarter of a million names, and says so in `whole`.
struct FindResult {
    QList<Found> found;
    bool whole = true; ///< false: there are more names than were looked at
};
[[nodiscard]] FindResult find_in(const range::Range& range, int row,
                                 const range::BlockRecord* current, const QString& text,
                                 int most = 30);

/// The same names in all blocks but that of `row`, from there on and around: for another thread.
/// Names only: a number is a task of every block. At most `most` answers, after at most eight
/// million names.
[[nodiscard]] FindResult find_elsewhere(const range::Range& range, int row, const QString& text,
                                        int most, const std::stop_token& stop);

} // namespace blockloom::ui
