// Segmented buttons: exclusive buttons in one frame.
#pragma once

#include <QString>
#include <QStringList>

class QButtonGroup;
class QWidget;

namespace blockloom::ui {

/// One button of `group` for each name, with its index in `names` as id; the first is checked. The
/// accessible name is "`what`: name". `object`: the frame's object name.
[[nodiscard]] QWidget* segments(QButtonGroup* group, const QStringList& names, const QString& what,
                                const char* object);

} // namespace blockloom::ui
