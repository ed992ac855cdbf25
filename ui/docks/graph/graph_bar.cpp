#include "docks/graph/graph_bar.h"

#include "docks/graph/graph_choices.h"
#include "docks/parts/status_badge.h"
#include "models/view_words.h"
#include "text/numbers.h"

#include <QAction>
#include <QActionGroup>
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

/// The lowest is hidden last: the verdict just before the segments, which are also in the menu.
enum Yields { stays = 0, segment_row, badge, order, colour, model, zoom };

} // namespace

void GraphBar::Choice::show(int index) const {
    combo->setCurrentIndex(index);
    if (index >= 0 && index < static_cast<int>(actions.size()))
        actions[static_cast<std::size_t>(index)]->setChecked(true);
}

void GraphBar::Choice::allow(int index, bool there, const QString& why) const {
    if (auto* items = qobject_cast<QStandardItemModel*>(combo->model()))
        items->item(index)->setEnabled(there);
    combo->setItemData(index, there ? QVariant() : QVariant(why), Qt::ToolTipRole);
    QAction* action = actions[static_cast<std::size_t>(index)];
    action->setEnabled(there);
    action->setToolTip(there ? QString() : why);
}

template <typename Values, typename Ask>
GraphBar::Choice GraphBar::makeChoice(const QString& caption, int yields, QMenu* menu,
                                      const Values& values, Ask ask) {
    Choice made;
    made.combo = new QComboBox(this);
    made.combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    made.menu = menu->addMenu(caption);
    made.menu->setToolTipsVisible(true);
    auto* group = new QActionGroup(made.menu);
    for (const auto& value : values) {
        made.combo->addItem(title_of(value));
        QAction* action = made.menu->addAction(title_of(value));
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [ask, value] { ask(value); });
        made.actions.push_back(action);
    }
    connect(made.combo, &QComboBox::activated, this,
            [ask, values](int i) { ask(values[static_cast<std::size_t>(i)]); });
    addCaptioned(caption, made.combo, yields);
    return made;
}

GraphBar::GraphBar(QWidget* parent)
    : PanelBar(parent), views_(new QButtonGroup(this)), zoom_(new QLabel(this)),
      badge_(new StatusBadge(this)), chain_(new QAction(tr("Critical path"), this)),
      hud_(new QAction(tr("Renderer statistics"), this)) {
    auto* segmented = new QWidget(this);
    auto* row = new QHBoxLayout(segmented);
    row->setContentsMargins(1, 0, 0, 0);
    row->setSpacing(0);
    for (std::size_t i = 0; i < graph_views.size(); ++i) {
        auto* button = new QToolButton(segmented);
        button->setText(title_of(graph_views[i]));
        button->setCheckable(true);
        button->setProperty("segment", true);
        button->setAccessibleName(tr("%1 view").arg(button->text()));
        button->setFocusPolicy(Qt::TabFocus);
        views_->addButton(button, static_cast<int>(i));
        row->addWidget(button);
    }
    auto* menu = new QMenu(this);
    add(segmented, segment_row);
    auto* viewMenu = menu->addMenu(tr("View"));
    for (std::size_t i = 0; i < graph_views.size(); ++i)
        connect(viewMenu->addAction(title_of(graph_views[i])), &QAction::triggered, this,
                [this, i] { Q_EMIT viewChosen(graph_views[i]); });
    colour_ = makeChoice(tr("Colour"), colour, menu, colours_by,
                         [this](scene::ColourBy value) { Q_EMIT colourChosen(value); });
    order_ = makeChoice(tr("Order"), order, menu, matrix_orders,
                        [this](scene::MatrixOrder value) { Q_EMIT orderChosen(value); });
    model_ = makeChoice(tr("Model"), model, menu, conflict_models,
                        [this](conflict::ConflictModel value) { Q_EMIT modelChosen(value); });
    add(badge_, badge);
    addStretch();
    chain_->setCheckable(true);
    hud_->setCheckable(true);
    // Only a text here: the key itself is the title button's.
    hud_->setText(tr("Renderer statistics\tO"));
    menu->addSeparator();
    menu->addAction(chain_);
    menu->addAction(hud_);
    auto* options = makeButton("settings", tr("View options"));
    options->setMenu(menu);
    options->setPopupMode(QToolButton::InstantPopup);
    add(options);
    auto* fit = makeButton("fit", tr("Fit (F)"));
    add(fit);
    zoom_->setProperty("role", QStringLiteral("second"));
    zoom_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    zoom_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("1,000 %")));
    zoom_->setAccessibleName(tr("Zoom"));
    add(zoom_, zoom);
    showMarksInside(std::nullopt, scene::MatrixOrder::level);
    showZoom(100);

    connect(views_, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT viewChosen(graph_views[static_cast<std::size_t>(id)]); });
    connect(chain_, &QAction::toggled, this, &GraphBar::chainChosen);
    connect(hud_, &QAction::toggled, this, &GraphBar::hudChosen);
    connect(fit, &QToolButton::clicked, this, &GraphBar::fitAsked);
}

void GraphBar::showOptions(const scene::ViewOptions& options) {
    const QSignalBlocker quiet(chain_);
    views_->button(position(graph_views, options.view))->setChecked(true);
    colour_.show(position(colours_by, options.colour_by));
    order_.show(position(matrix_orders, options.order));
    chain_->setChecked(options.critical_chain);
    const bool matrix = options.view == scene::View::matrix;
    setWanted(order_.combo, matrix);
    order_.menu->menuAction()->setVisible(matrix);
}

void GraphBar::showModel(conflict::ConflictModel value) {
    model_.show(position(conflict_models, value));
}

void GraphBar::allowClasses(bool there, const QString& why) {
    order_.allow(position(matrix_orders, scene::MatrixOrder::batch), there, why);
}

void GraphBar::showMarksInside(std::optional<std::uint64_t> marks, scene::MatrixOrder order) {
    if (marks) badge_->setVerdict(*marks == 0, marks_text(*marks, order));
    setWanted(badge_, marks.has_value());
}

void GraphBar::showZoom(int percent) {
    zoom_->setText(tr("%1 %").arg(count_text(static_cast<std::uint64_t>(std::max(percent, 0)))));
}

void GraphBar::showHud(bool shown) {
    const QSignalBlocker quiet(hud_);
    hud_->setChecked(shown);
}

} // namespace blockloom::ui
