#include "docks/timeline/timeline_page.h"

#include "canvas/legend_strip.h"
#include "docks/parts/minimap.h"
#include "docks/timeline/timeline_bar.h"
#include "docks/timeline/timeline_canvas.h"
#include "docks/timeline/timeline_side.h"
#include "docks/timeline/timeline_twin.h"
#include "look/plain_text.h"
#include "look/theme_style.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int side_width = 310;

} // namespace

TimelinePage::TimelinePage(QWidget* parent)
    : QWidget(parent), bar(new TimelineBar(this)), twin(new TimelineTwin),
      pages_(new QStackedWidget(this)), views_(new QStackedWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    auto* split = new QSplitter(Qt::Horizontal);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    views_->addWidget(makeDrawn());
    views_->addWidget(twin);
    side = new TimelineSide;
    // The table of kinds shows four columns, whatever the font.
    side->setMinimumWidth(std::max(side_width, 60 * fontMetrics().averageCharWidth()));
    split->addWidget(views_);
    split->addWidget(side);
    split->setStretchFactor(0, 1);
    split->setSizes({10'000, 1}); // the side keeps its minimum
    pages_->addWidget(split);
    pages_->addWidget(makeInstead());
    column->addWidget(pages_, 1);
    connectParts();
}

QWidget* TimelinePage::makeDrawn() {
    auto* drawn = new QWidget;
    auto* lines = new QVBoxLayout(drawn);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    scene::Minimap look;
    look.left = report::timeline_gutter;
    look.right = report::timeline_right;
    look.inset = 5;
    look.words_left = 24;
    minimap = new Minimap(look, 40, drawn);
    minimap->setObjectName(QStringLiteral("timelineMinimap"));
    minimap->setToolTip(
        tr("The whole run: how busy the host (grey) and the device (colour) were over time. "
           "Drag to move the visible part."));
    canvas = new TimelineCanvas(drawn);
    scroll_ = new QScrollBar(Qt::Vertical, drawn);
    scroll_->setAccessibleName(tr("Lanes"));
    legend = new LegendStrip(drawn);
    // The strip above is as wide as the canvas: one time, one place.
    auto* grid = new QGridLayout;
    grid->setSpacing(0);
    grid->addWidget(minimap, 0, 0);
    grid->addWidget(canvas, 1, 0);
    grid->addWidget(scroll_, 1, 1);
    grid->setColumnStretch(0, 1);
    grid->setRowStretch(1, 1);
    lines->addLayout(grid, 1);
    lines->addWidget(legend);
    return drawn;
}

QWidget* TimelinePage::makeInstead() {
    auto* instead = new QWidget;
    auto* centre = new QVBoxLayout(instead);
    centre->setContentsMargins(24, 24, 24, 24);
    centre->setSpacing(12);
    sentence_ = new QLabel(instead);
    sentence_->setWordWrap(true);
    sentence_->setAlignment(Qt::AlignCenter);
    set_role(sentence_, "second");
    act = new QPushButton(instead);
    act->setAccessibleName(tr("Run: replay the open range"));
    centre->addStretch(1);
    centre->addWidget(sentence_);
    centre->addWidget(act, 0, Qt::AlignHCenter);
    centre->addStretch(1);
    return instead;
}

void TimelinePage::connectParts() {
    connect(bar->back, &QToolButton::clicked, canvas, &TimelineCanvas::goBack);
    connect(bar->forward, &QToolButton::clicked, canvas, &TimelineCanvas::goForward);
    connect(bar->fit, &QToolButton::clicked, canvas, &TimelineCanvas::fit);
    connect(canvas, &TimelineCanvas::painted, this,
            [this] { legend->setCoverage(coverage_text(canvas->coverage())); });
    connect(canvas, &TimelineCanvas::cleared, side, &TimelineSide::clearBrush);
    connect(canvas, &TimelineCanvas::findAsked, bar->find, [this] {
        bar->find->setFocus(Qt::ShortcutFocusReason);
        bar->find->selectAll();
    });
    connect(canvas, &TimelineCanvas::focusedChanged, this,
            [this] { twin->setCurrent(canvas->marks().focused); });
    connect(canvas, &TimelineCanvas::scrolled, this, [this] {
        const QSignalBlocker quiet(scroll_);
        const int range = canvas->scrollRange();
        scroll_->setRange(0, range);
        scroll_->setPageStep(canvas->height());
        scroll_->setSingleStep(20);
        scroll_->setValue(static_cast<int>(canvas->view().scroll));
        scroll_->setVisible(range > 0);
    });
    connect(scroll_, &QScrollBar::valueChanged, canvas, &TimelineCanvas::scrollTo);
    connect(minimap, &Minimap::windowAsked, this, [this](double from, double) {
        const auto timeline = canvas->timeline();
        if (!timeline) return;
        const auto begin =
            static_cast<Nanoseconds>(from * static_cast<double>(timeline->duration()));
        // The length stays what it is to the nanosecond.
        canvas->pan({begin, begin + canvas->shown().length()});
    });
}

void TimelinePage::setTable(bool table) {
    views_->setCurrentIndex(table ? 1 : 0);
}

bool TimelinePage::showsTable() const {
    return views_->currentIndex() == 1;
}

void TimelinePage::showMessage(const QString& sentence, const QString& button) {
    show_sentence(*sentence_, sentence);
    act->setText(button);
    act->setVisible(!button.isEmpty());
    pages_->setCurrentIndex(sentence.isEmpty() ? 0 : 1);
}

QString TimelinePage::message() const {
    return pages_->currentIndex() == 0 ? QString() : sentence_->text();
}

} // namespace blockloom::ui
