#include "docks/graph_bar.h"

#include "docks/graph_badge.h"
#include "docks/graph_overlay.h"
#include "docks/graph_words.h"
#include "look/icons.h"
#include "look/numbers.h"

#include <QAction>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QToolButton>

#include <algorithm>

namespace blockloom::ui {
namespace {

template <typename Values, typename Value> int position(const Values& values, Value value) {
    return static_cast<int>(std::find(values.begin(), values.end(), value) - values.begin());
}

template <typename Values> QComboBox* combo_of(QWidget* bar, const Values& values) {
    auto* combo = new QComboBox(bar);
    for (const auto& value : values) combo->addItem(title_of(value));
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return combo;
}

} // namespace

QLabel* add_caption(QWidget* bar, const QString& text, QWidget* control) {
    auto* label = new QLabel(text, bar);
    label->setProperty("role", QStringLiteral("second"));
    label->setBuddy(control);
    control->setAccessibleName(text);
    return label;
}

QToolButton* add_bar_button(QWidget* bar, const char* icon_name, const QString& name) {
    auto* button = new QToolButton(bar);
    button->setIcon(icon(icon_name));
    button->setIconSize({16, 16});
    button->setFixedSize(26, 24);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

GraphBar::GraphBar(QWidget* parent)
    : QWidget(parent), views_(new QButtonGroup(this)), colour_(combo_of(this, colours_by)),
      order_(combo_of(this, matrix_orders)), model_(combo_of(this, conflict_models)),
      order_label_(add_caption(this, tr("Order"), order_)), zoom_(new QLabel(this)),
      badge_(new StatusBadge(this)), chain_(new QAction(tr("Critical chain"), this)),
      overlay_(new QAction(tr("Overlay panel"), this)) {
    setObjectName(QStringLiteral("panelBar"));
    setAttribute(Qt::WA_StyledBackground);
    setFixedHeight(34);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 8, 1);
    row->setSpacing(8);

    auto* segments = new QHBoxLayout;
    segments->setContentsMargins(1, 0, 0, 0);
    segments->setSpacing(0);
    for (std::size_t i = 0; i < graph_views.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setText(title_of(graph_views[i]));
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setAccessibleName(tr("%1 view").arg(button->text()));
        button->setFocusPolicy(Qt::TabFocus);
        views_->addButton(button, static_cast<int>(i));
        segments->addWidget(button);
    }
    row->addLayout(segments);
    row->addWidget(add_caption(this, tr("Colour"), colour_));
    row->addWidget(colour_);
    row->addWidget(order_label_);
    row->addWidget(order_);
    row->addWidget(add_caption(this, tr("Model"), model_));
    row->addWidget(model_);
    row->addWidget(badge_);
    row->addStretch(1);

    chain_->setCheckable(true);
    overlay_->setCheckable(true);
    // Only a text here: the key itself is the title button's.
    overlay_->setText(tr("Overlay panel\tO"));
    auto* menu = new QMenu(this);
    menu->addAction(chain_);
    menu->addAction(overlay_);
    auto* options = add_bar_button(this, "settings", tr("View options"));
    options->setMenu(menu);
    options->setPopupMode(QToolButton::InstantPopup);
    row->addWidget(options);
    auto* fit = add_bar_button(this, "fit", tr("Fit (F)"));
    row->addWidget(fit);
    zoom_->setProperty("role", QStringLiteral("second"));
    zoom_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    zoom_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("1,000 %")));
    zoom_->setAccessibleName(tr("Zoom"));
    row->addWidget(zoom_);
    showMarksInside(std::nullopt);
    showZoom(100);

    connect(views_, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT viewChosen(graph_views[static_cast<std::size_t>(id)]); });
    connect(colour_, &QComboBox::activated, this,
            [this](int i) { Q_EMIT colourChosen(colours_by[static_cast<std::size_t>(i)]); });
    connect(order_, &QComboBox::activated, this,
            [this](int i) { Q_EMIT orderChosen(matrix_orders[static_cast<std::size_t>(i)]); });
    connect(model_, &QComboBox::activated, this,
            [this](int i) { Q_EMIT modelChosen(conflict_models[static_cast<std::size_t>(i)]); });
    connect(chain_, &QAction::toggled, this, &GraphBar::chainChosen);
    connect(overlay_, &QAction::toggled, this, &GraphBar::overlayChosen);
    connect(fit, &QToolButton::clicked, this, &GraphBar::fitAsked);
}

void GraphBar::showOptions(const scene::ViewOptions& options) {
    const QSignalBlocker quiet(chain_);
    views_->button(position(graph_views, options.view))->setChecked(true);
    colour_->setCurrentIndex(position(colours_by, options.colour_by));
    order_->setCurrentIndex(position(matrix_orders, options.order));
    chain_->setChecked(options.critical_chain);
    const bool matrix = options.view == scene::View::matrix;
    order_->setVisible(matrix);
    order_label_->setVisible(matrix);
}

void GraphBar::showModel(conflict::ConflictModel model) {
    model_->setCurrentIndex(position(conflict_models, model));
}

void GraphBar::allowClasses(bool there, const QString& why) {
    const int at = position(matrix_orders, scene::MatrixOrder::batch);
    if (auto* items = qobject_cast<QStandardItemModel*>(order_->model()))
        items->item(at)->setEnabled(there);
    order_->setItemData(at, there ? QVariant() : QVariant(why), Qt::ToolTipRole);
}

void GraphBar::showMarksInside(std::optional<std::uint64_t> marks) {
    badge_->setVisible(marks.has_value());
    if (marks)
        badge_->setVerdict(*marks == 0,
                           counted(*marks, tr("mark inside blocks"), tr("marks inside blocks")));
}

void GraphBar::showZoom(int percent) {
    zoom_->setText(tr("%1 %").arg(count_text(static_cast<std::uint64_t>(std::max(percent, 0)))));
}

void GraphBar::showOverlay(bool shown) {
    const QSignalBlocker quiet(overlay_);
    overlay_->setChecked(shown);
}

} // namespace blockloom::ui
