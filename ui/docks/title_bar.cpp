#include "docks/title_bar.h"

#include "look/icons.h"

#include <QAction>
#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QStyle>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>

namespace blockloom::ui {
namespace {

constexpr int button_width = 24, last_rank = 1000;
/// Of a tab beside its name, from a wide panel to a narrow one: as resources/style.qss has it.
constexpr int tab_paddings[] = {29, 15, 11};

} // namespace

TitleBar::TitleBar(QDockWidget* dock)
    : QWidget(dock), dock_(dock), tabs_(new QTabBar(this)),
      before_(new QLabel(tr("out of date"), this)), row_(new QHBoxLayout(this)),
      more_(new QToolButton(this)) {
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
    before_->setToolTip(
        tr("These results are from before the last change; new ones are being computed"));
    before_->hide();
    row_->setContentsMargins(0, 0, 4, 0);
    row_->setSpacing(2);
    row_->addWidget(tabs_, 0, Qt::AlignBottom);
    row_->addWidget(before_);
    row_->addStretch(1);
    more_->setIcon(icon("more"));
    more_->setIconSize({14, 14});
    more_->setFixedSize(button_width, 22);
    more_->setFocusPolicy(Qt::TabFocus);
    more_->setPopupMode(QToolButton::InstantPopup);
    more_->setAccessibleName(tr("More commands of this panel"));
    more_->setToolTip(tr("More commands of this panel"));
    more_->setMenu(new QMenu(more_));
    more_->setProperty("rank", last_rank);
    connect(more_->menu(), &QMenu::aboutToShow, this, &TitleBar::fillMore);
    row_->addWidget(more_);
    more_->hide();
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
    button->setFixedSize(button_width, 22);
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

void TitleBar::fillMore() {
    more_->menu()->clear();
    for (int i = 0; i < row_->count(); ++i)
        if (auto* button = qobject_cast<QToolButton*>(row_->itemAt(i)->widget());
            button != nullptr && button != more_ && button->isHidden())
            more_->menu()->addAction(button->defaultAction());
}

void TitleBar::fit() {
    QList<QToolButton*> buttons;
    for (int i = 0; i < row_->count(); ++i)
        if (auto* button = qobject_cast<QToolButton*>(row_->itemAt(i)->widget());
            button != nullptr && button != more_)
            buttons.append(button);
    const auto tabs = [this](int padding) {
        int sum = 0;
        for (int i = 0; i < tabs_->count(); ++i)
            sum += tabs_->fontMetrics().horizontalAdvance(tabs_->tabText(i)) + padding;
        return sum;
    };
    const int gap = row_->spacing(), margin = row_->contentsMargins().right() + gap,
              label = before_->isHidden() ? 0 : before_->sizeHint().width() + gap;
    const int all = static_cast<int>(buttons.size()) * (button_width + gap) + margin + label;
    const int folded = 2 * (button_width + gap) + margin + label; // one button and "more"
    const bool fold = tabs(tab_paddings[1]) + all > width();
    const int tight = tabs(tab_paddings[0]) + all <= width()                     ? 0
                      : tabs(tab_paddings[1]) + (fold ? folded : all) <= width() ? 1
                                                                                 : 2;
    if (tabs_->property("tight").toInt() != tight) {
        tabs_->setProperty("tight", tight);
        tabs_->style()->unpolish(tabs_);
        tabs_->style()->polish(tabs_);
        QEvent changed(QEvent::StyleChange); // its tabs are laid out again
        QCoreApplication::sendEvent(tabs_, &changed);
    }
    // The way to take it out of its group stays visible, unless it would hide a tab.
    const int kept = tabs(tab_paddings[tight]) + folded <= width() ? 1 : 0;
    for (int i = 0; i < buttons.size(); ++i)
        buttons[i]->setVisible(!fold || i >= buttons.size() - kept);
    more_->setVisible(fold);
}

void TitleBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void TitleBar::setBefore(bool before) {
    before_->setVisible(before);
    fit();
}

QSize TitleBar::sizeHint() const {
    return {row_->sizeHint().width(), height_px};
}

QSize TitleBar::minimumSizeHint() const {
    return {60, height_px};
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
    fit();
}

} // namespace blockloom::ui
