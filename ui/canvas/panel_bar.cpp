#include "canvas/panel_bar.h"

#include "look/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <climits>

namespace blockloom::ui {
namespace {

constexpr int bar_side = 8, bar_gap = 8, bar_height = 34;

} // namespace

PanelBar::PanelBar(QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("panelBar"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(bar_height);
    row_->setContentsMargins(bar_side, 0, bar_side, 1);
    row_->setSpacing(bar_gap);
    row_->setSizeConstraint(QLayout::SetNoConstraint);
}

void PanelBar::add(QWidget* widget, int yields) {
    items_.push_back({widget, nullptr, yields});
    row_->addWidget(widget);
}

void PanelBar::addCaptioned(const QString& caption, QWidget* control, int yields) {
    auto* label = new QLabel(caption, this);
    label->setProperty("role", QStringLiteral("second"));
    label->setBuddy(control);
    control->setAccessibleName(caption);
    if (control->toolTip().isEmpty()) control->setToolTip(caption); // the caption may be hidden
    items_.push_back({control, label, yields});
    row_->addWidget(label);
    row_->addWidget(control);
}

void PanelBar::addStretch() {
    row_->addStretch(1);
}

void PanelBar::setWanted(QWidget* widget, bool wanted) {
    for (Item& item : items_)
        if (item.widget == widget) item.wanted = wanted;
    refit();
}

QToolButton* PanelBar::makeButton(const char* icon_name, const QString& name) {
    auto* button = new QToolButton(this);
    button->setIcon(icon(icon_name));
    button->setIconSize({16, 16});
    button->setFixedSize(26, 24);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

int PanelBar::widthOf(const QWidget* widget) {
    const int hint = std::max(widget->sizeHint().width(), widget->minimumSizeHint().width());
    return std::clamp(hint, widget->minimumWidth(), widget->maximumWidth());
}

/// Of all wanted widgets that yield less than `leastYields`.
int PanelBar::needed(int leastYields, bool captions) const {
    int sum = 2 * bar_side;
    for (const Item& item : items_) {
        if (!item.wanted || (item.yields != 0 && item.yields >= leastYields)) continue;
        sum += widthOf(item.widget) + bar_gap;
        if (captions && item.caption != nullptr) sum += widthOf(item.caption) + bar_gap;
    }
    return sum;
}

void PanelBar::refit() {
    if (fitting_) return;
    fitting_ = true;
    const bool captions = needed(INT_MAX, true) <= width();
    int least = INT_MAX;
    while (least > 1 && needed(least, captions) > width()) {
        int next = 0; // the highest that is still there
        for (const Item& item : items_)
            if (item.yields < least) next = std::max(next, item.yields);
        if (next == 0) break;
        least = next;
    }
    for (const Item& item : items_) {
        const bool there = item.wanted && (item.yields == 0 || item.yields < least);
        item.widget->setVisible(there);
        if (item.caption != nullptr) item.caption->setVisible(there && captions);
    }
    fitting_ = false;
}

QSize PanelBar::sizeHint() const {
    return {needed(INT_MAX, true), bar_height};
}

QSize PanelBar::minimumSizeHint() const {
    int sum = needed(1, false);
    for (const Item& item : items_) // a stated minimum is its narrowest width
        if (item.wanted && item.yields == 0 && item.widget->minimumWidth() > 0)
            sum -= widthOf(item.widget) - item.widget->minimumWidth();
    return {sum, bar_height};
}

void PanelBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    refit();
}

bool PanelBar::event(QEvent* event) {
    // A control requested another size.
    if (event->type() == QEvent::LayoutRequest) refit();
    return QWidget::event(event);
}

} // namespace blockloom::ui
