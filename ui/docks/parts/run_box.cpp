#include "docks/parts/run_box.h"

#include <QAbstractItemView>
#include <QEvent>

namespace blockloom::ui {
namespace {

constexpr int roomy_box = 1100, narrowest = 120, narrow = 240, widest_box = 560; // px

} // namespace

RunBox::RunBox(QWidget* bar, const QString& name, int characters) : QComboBox(bar) {
    setAccessibleName(name);
    setToolTip(name);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumContentsLength(characters);
    setMinimumWidth(narrowest); // whatever size its names would need
    fit(bar->width());
    bar->installEventFilter(this);
}

void RunBox::fit(int room) {
    setMaximumWidth(room >= roomy_box ? widest_box : narrow);
    setSizeAdjustPolicy(room >= roomy_box ? AdjustToContents
                                          : AdjustToMinimumContentsLengthWithIcon);
}

bool RunBox::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) fit(static_cast<QWidget*>(watched)->width());
    return QComboBox::eventFilter(watched, event);
}

void RunBox::showPopup() {
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + 24);
    QComboBox::showPopup();
}

} // namespace blockloom::ui
