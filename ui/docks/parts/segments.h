// Buttons of which one is chosen, in one frame.
#pragma once

#include <QString>
#include <QStringList>

class QButtonGroup;
class QWidget;

namespace blockloom::ui {

/// A button of `group` for each name, its id the place in `names`; the first is checked. A screen
/// reader hears "`what`: name". `object` names the frame.
[[nodiscard]] QWidget* segments(QButtonGroup* group, const QStringList& names, const QString& what,
                                const char* object);

} // namespace blockloom::ui
