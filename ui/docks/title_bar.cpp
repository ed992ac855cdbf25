#include "docks/title_bar.h"

#include "look/icons.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

namespace blockloom::ui {

TitleBar::TitleBar(QDockWidget* dock)
    : QWidget(dock), dock_(dock), tabs_(new QTabBar(this)), before_(new QLabel(tr("before"), this)),
      row_(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("dockTitle"));
    setAttribute(Qt::WA_StyledBackground);
    tabs_->setObjectName(QStringLiteral("dockTabs"));
    tabs_->setAccessibleName(tr("Panels of this group"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setElideMode(Qt::ElideNone);
    tabs_->setUsesScrollButtons(true);
    tabs_->setFocusPolicy(Qt::TabFocus);
    tabs_->addTab(dock->windowTitle());
    before_->setProperty("role", QStringLiteral("caption"));
    before_->setToolTip(tr("New results are being made; these are the ones before the change"));
    before_->hide();
    row_->setContentsMargins(0, 0, 4, 0);
    row_->setSpacing(2);
    row_->addWidget(tabs_, 0, Qt::AlignBottom);
    row_->addWidget(before_);
    row_->addStretch(1);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        QTabBar* bar = groupBar();
        if (!following_ && bar != nullptr) bar->setCurrentIndex(index);
    });
    dock->installEventFilter(this);
}

QToolButton* TitleBar::addButton(int rank, const char* icon_name, const QString& name,
                                 const QKeySequence& key, std::function<void()> act) {
    auto* action = new QAction(icon(icon_name), name, dock_);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setProperty("shortcutGroup", tr("In a panel"));
    dock_->addAction(action);
    connect(action, &QAction::triggered, dock_, [act = std::move(act)] { act(); });

    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setIconSize({14, 14});
    button->setFixedSize(24, 22);
    button->setAccessibleName(name);
    button->setToolTip(key.isEmpty() ? name
                                     : QStringLiteral("%1 (%2)").arg(
                                           name, key.toString(QKeySequence::NativeText)));
    button->setFocusPolicy(Qt::TabFocus);
    button->setProperty("rank", rank);
    int at = 3; // after tabs, label and stretch
    while (at < row_->count() && row_->itemAt(at)->widget()->property("rank").toInt() <= rank) ++at;
    row_->insertWidget(at, button);
    return button;
}

void TitleBar::setBefore(bool before) {
    before_->setVisible(before);
}

QSize TitleBar::sizeHint() const {
    return {row_->sizeHint().width(), height_px};
}

QSize TitleBar::minimumSizeHint() const {
    return {120, height_px};
}

bool TitleBar::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::Show:
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::ParentChange:
    case QEvent::WindowTitleChange:
    case QEvent::ZOrderChange:
        // The group is complete only after QMainWindow has laid out.
        QTimer::singleShot(0, this, &TitleBar::followGroup);
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

QTabBar* TitleBar::groupBar() const {
    auto* window = qobject_cast<QMainWindow*>(dock_->parentWidget());
    if (window == nullptr || dock_->isFloating()) return nullptr;
    const auto bars = window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
    for (QTabBar* bar : bars)
        for (int i = 0; i < bar->count(); ++i)
            if (bar->tabData(i).value<quintptr>() == reinterpret_cast<quintptr>(dock_)) return bar;
    return nullptr;
}

void TitleBar::followGroup() {
    following_ = true;
    QStringList names{dock_->windowTitle()};
    int current = 0;
    if (QTabBar* bar = groupBar(); bar != nullptr && bar->count() > 1) {
        names.clear();
        for (int i = 0; i < bar->count(); ++i) {
            names.append(bar->tabText(i));
            if (bar->tabData(i).value<quintptr>() == reinterpret_cast<quintptr>(dock_)) current = i;
        }
        bar->setFocusPolicy(Qt::NoFocus); // it has no size; the copy takes the focus
    }
    while (tabs_->count() > names.size()) tabs_->removeTab(tabs_->count() - 1);
    while (tabs_->count() < names.size()) tabs_->addTab(QString());
    for (int i = 0; i < names.size(); ++i)
        if (tabs_->tabText(i) != names[i]) tabs_->setTabText(i, names[i]);
    tabs_->setCurrentIndex(current);
    following_ = false;
}

} // namespace blockloom::ui
