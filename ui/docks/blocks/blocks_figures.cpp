#include "docks/blocks/blocks_figures.h"

#include "charts/chart_view.h"
#include "look/elided_label.h"
#include "look/icons.h"
#include "look/theme_style.h"
#include "models/block_figures.h"
#include "models/block_words.h"
#include "models/blocks_model.h"
#include "report/charts.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <numeric>

namespace blockloom::ui {

BlocksFigures::BlocksFigures(Session* session, QWidget* parent)
    : QWidget(parent), session_(session), heading_(new QLabel(this)), check_icon_(new QLabel(this)),
      check_words_(new ElidedLabel(this)), levels_text_(new ElidedLabel(this)),
      grid_(new QGridLayout),
      bars_(new ChartView(QStringLiteral("levelBars"), tr("Tasks per level"), this)) {
    set_role(heading_, "heading");
    set_role(levels_text_, "caption");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(4);

    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(heading_);
    head->addStretch(1);
    head->addWidget(check_icon_);
    head->addWidget(check_words_);
    column->addLayout(head);

    grid_->setHorizontalSpacing(12);
    grid_->setVerticalSpacing(3);
    grid_->setColumnStretch(1, 2);
    grid_->setColumnStretch(3, 3);
    column->addLayout(grid_);

    auto* caption = new QHBoxLayout;
    auto* name = new QLabel(tr("Tasks per level"), this);
    set_role(name, "caption");
    caption->addWidget(name);
    caption->addStretch(1);
    caption->addWidget(levels_text_);
    column->addSpacing(4);
    column->addLayout(caption);
    bars_->setCompact(48);
    column->addWidget(bars_, 1);

    connect(session_, &Session::blockChanged, this, &BlocksFigures::showBlock);
    connect(session_, &Session::selectionChanged, this, &BlocksFigures::showLevels);
    showBlock();
}

void BlocksFigures::showBlock() {
    const auto block = session_->currentBlock();
    setVisible(block != nullptr);
    if (!block) return;
    heading_->setText(tr("Block %1").arg(block_label(*block)));
    const trace::BlockIdentity& id = block->trace->block;
    heading_->setToolTip(
        to_qt(id.label.empty() || id.label == id.hash ? id.hash : id.label + "\n" + id.hash));
    showChecks();

    const BlockFigures figures = figures_of(*block);
    const auto put = [this](int at, const Figure& figure) {
        while (labels_.size() <= at) {
            labels_.append(new QLabel(this));
            values_.append(new QLabel(this));
            set_role(labels_.last(), "second");
            values_.last()->setTextInteractionFlags(Qt::TextSelectableByMouse);
        }
        labels_[at]->setText(figure.label);
        labels_[at]->setToolTip(figure.tip);
        values_[at]->setText(figure.value);
        values_[at]->setToolTip(figure.tip);
        values_[at]->setAccessibleName(figure.label + QLatin1Char(' ') + figure.value);
    };
    const auto rows = std::max(figures.left.size(), figures.right.size());
    const auto none = Figure{}; // every row has its four labels, so that blocks of any kind fit
    int at = 0;
    for (int row = 0; row < rows; ++row) {
        put(at++, row < figures.left.size() ? figures.left.at(row) : none);
        put(at++, row < figures.right.size() ? figures.right.at(row) : none);
    }
    for (; at < labels_.size(); ++at)
        for (QLabel* label : {labels_[at], values_[at]}) label->clear();
    place();
    showLevels();
}

void BlocksFigures::setRoom(int width) {
    if (width == room_) return;
    room_ = width;
    place();
}

/// Figures at even places belong at the left, those at odd places at the right or below.
void BlocksFigures::place() {
    std::array<int, 4> widest{};
    for (int at = 0; at < labels_.size(); ++at) {
        auto* const column = widest.data() + 2 * (at % 2);
        column[0] = std::max(column[0], labels_[at]->sizeHint().width());
        column[1] = std::max(column[1], values_[at]->sizeHint().width());
    }
    const int needed =
        std::accumulate(widest.begin(), widest.end(),
                        3 * grid_->horizontalSpacing() + layout()->contentsMargins().left() +
                            layout()->contentsMargins().right());
    stacked_ = room_ > 0 && needed > room_;
    const int rows = static_cast<int>(labels_.size() + 1) / 2;
    for (int at = 0; at < labels_.size(); ++at) {
        const bool right = at % 2 == 1;
        const int row = at / 2 + (right && stacked_ ? rows : 0),
                  column = right && !stacked_ ? 2 : 0;
        for (QLabel* label : {labels_[at], values_[at]}) {
            grid_->removeWidget(label);
            grid_->addWidget(label, row, label == labels_[at] ? column : column + 1);
            label->setVisible(!labels_[at]->text().isEmpty());
        }
    }
    grid_->setColumnStretch(3, stacked_ ? 0 : 3);
}

void BlocksFigures::showLevels() {
    const auto block = session_->currentBlock();
    if (!block) return;
    const conflict::ConflictIndex& index = *block->analysis.index;
    const auto task = session_->selectedTask();
    std::optional<quint32> level;
    if (task && *task < index.tasks()) level = index.level[*task];
    levels_text_->setText(tr("%1, log scale").arg(level_sizes_text(index.level_sizes, 5)));
    charts::Chart chart = report::level_chart(index, level);
    if (charted_ == block->analysis.index) {
        bars_->setBands(std::move(chart.bands), std::move(chart.summary)); // only the selection
    } else {
        bars_->setChart(std::move(chart));
        charted_ = block->analysis.index;
    }
}

void BlocksFigures::showChecks() {
    const auto block = session_->currentBlock();
    if (!block) return;
    const Mark mark = check_mark(block->checks);
    const scene::Theme& theme = current_theme();
    const double ratio = devicePixelRatioF();
    const bool wrong = mark == Mark::error, unknown = mark == Mark::unknown;
    check_icon_->setPixmap(icon_pixmap(wrong     ? "error"
                                       : unknown ? "ring"
                                                 : "check",
                                       wrong     ? theme.error
                                       : unknown ? theme.text3
                                                 : theme.ok,
                                       14, ratio));
    const QString words = check_words(block->checks);
    // Valid checks are named briefly; failures in full.
    const bool both = block->checks.witness_commitment.has_value();
    check_words_->setText(wrong || unknown ? words
                          : both           ? tr("merkle root, witness")
                                           : tr("merkle root"));
    check_words_->setToolTip(words);
    check_words_->setAccessibleName(words);
    set_role(check_words_, wrong ? "error" : "caption");
}

void BlocksFigures::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showChecks();
}

} // namespace blockloom::ui
