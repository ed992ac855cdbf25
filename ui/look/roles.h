// Typed roles that models offer and delegates read.
#pragma once

#include <QList>
#include <QMetaType>
#include <QString>

namespace blockloom::ui {

enum Role {
    SortRole = Qt::UserRole + 1, ///< a comparable value: number or text
    StatusRole,                  ///< Mark
    SparklineRole,               ///< QList<quint32>: sizes in order, drawn on a log scale
    BarRole,                     ///< Bar
    DetailRole,                  ///< QString: a second line
    CopyRole,                    ///< QString: the full text that copying the cell gives
    ColourRole,                  ///< swatch: index of a backend's colour (quint32) or a QColor
    KeyRole,                     ///< quint32: key id of the row, where it has one
    FormsRole,                   ///< of an item of a combo box: its text, the longest form first
};

/// Statuses: drawn as an icon, with a text.
enum class Mark { none, ok, warning, error, unknown };

/// A value on a logarithmic scale from 1 to `most`; predicted ones are drawn hollow and dashed.
struct Bar {
    double value = 0, most = 1;
    bool predicted = true;
};

} // namespace blockloom::ui

Q_DECLARE_METATYPE(blockloom::ui::Mark)
Q_DECLARE_METATYPE(blockloom::ui::Bar)
