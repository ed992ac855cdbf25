#include "docks/parts/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace blockloom::ui {

QWidget* segments(QButtonGroup* group, const QStringList& names, const QString& what,
                  const char* object) {
    auto* holder = new QWidget;
    holder->setObjectName(QLatin1StringView(object));
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(1, 0, 0, 0);
    row->setSpacing(0);
    for (const QString& name : names) {
        auto* button = new QToolButton(holder);
        button->setText(name);
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(QStringLiteral("%1: %2").arg(what, name));
        group->addButton(button, static_cast<int>(group->buttons().size()));
        row->addWidget(button);
    }
    group->buttons().constFirst()->setChecked(true);
    return holder;
}

} // namespace blockloom::ui
