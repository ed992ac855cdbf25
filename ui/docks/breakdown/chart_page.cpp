#include "docks/breakdown/chart_page.h"

#include "canvas/legend_strip.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/twin_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace blockloom::ui {

ChartPage::ChartPage(const QString& object, const QString& name, QWidget* parent)
    : QWidget(parent), column_(new QVBoxLayout(this)), legend_(new LegendStrip),
      heading_(new QLabel(tr("In words"))), words_(new QLabel), model_(new TwinModel(this)),
      table_(new Table(tr("%1 as a table").arg(name))), stack_(new QStackedWidget) {
    setObjectName(object + QStringLiteral("Page"));
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);

    // In a low window the words are below the chart.
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* body = new QWidget;
    body->setBackgroundRole(QPalette::Base);
    body->setAutoFillBackground(true);
    auto* lines = new QVBoxLayout(body);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    for (std::size_t side = 0; side < charts_.size(); ++side) {
        Chart& chart = charts_[side];
        chart.caption = new QLabel;
        set_role(chart.caption, "second");
        chart.caption->setContentsMargins(12, 6, 12, 4);
        chart.caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        const QString canvas =
            object + (side == 0 ? QStringLiteral("Chart") : QStringLiteral("ChartB"));
        chart.canvas = new ListCanvas(qPrintable(canvas), side == 0 ? name : tr("%1, B").arg(name));
        lines->addWidget(chart.caption);
        lines->addWidget(chart.canvas, 1);
        chart.caption->hide();
    }
    charts_[1].canvas->hide();
    lines->addWidget(legend_);
    set_role(heading_, "heading");
    heading_->setContentsMargins(12, 8, 12, 0);
    words_->setObjectName(object + QStringLiteral("Words"));
    words_->setAccessibleName(tr("%1 in words").arg(name));
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setContentsMargins(12, 4, 12, 10);
    lines->addWidget(heading_);
    lines->addWidget(words_);
    scroll->setWidget(body);

    table_->setModel(model_);
    table_->setSortingEnabled(true);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    stack_->addWidget(scroll);
    stack_->addWidget(table_);
    column_->addWidget(stack_, 1);
    setWords({});
}

void ChartPage::addBar(QWidget* bar) {
    column_->insertWidget(0, bar);
}

void ChartPage::setChart(int side, ListCanvas::Make make, const QString& caption) {
    const Chart& chart = charts_[static_cast<std::size_t>(side)];
    chart.caption->setText(caption);
    chart.caption->setToolTip(caption);
    chart.caption->setVisible(make && !caption.isEmpty());
    chart.canvas->setVisible(static_cast<bool>(make));
    chart.canvas->setMake(std::move(make));
}

void ChartPage::setLegend(std::vector<scene::OverlayLegend> items, const QString& note) {
    legend_->setVisible(!items.empty() || !note.isEmpty());
    legend_->setCoverage(note);
    legend_->setItems(std::move(items));
}

void ChartPage::setWords(const QStringList& lines) {
    QString html;
    for (const QString& line : lines) {
        const QString text = line.toHtmlEscaped();
        html += line.contains(QStringLiteral("WRONG"))
                    ? QStringLiteral("<p style=\"margin:0 0 4px 0;color:%1\">%2</p>")
                          .arg(qcolor(current_theme().error).name(), text)
                    : QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(text);
    }
    show_markup(*words_, html);
    heading_->setVisible(!lines.isEmpty());
    words_->setVisible(!lines.isEmpty());
}

QString ChartPage::words() const {
    return words_->text();
}

void ChartPage::setTable(std::shared_ptr<const scene::ViewTable> table) {
    model_->setTable(std::move(table));
    table_->resizeColumnsToContents();
    // Names and reasons leave room for the figures beside them; whole in the tooltip and the copy.
    for (int column = 0; column < model_->columnCount(); ++column)
        table_->setColumnWidth(column, std::min(table_->columnWidth(column), 188));
}

void ChartPage::showTable(bool table) {
    stack_->setCurrentIndex(table ? 1 : 0);
}

bool ChartPage::showsTable() const {
    return stack_->currentIndex() == 1;
}

ListCanvas* ChartPage::canvas(int side) const {
    return charts_[static_cast<std::size_t>(side)].canvas;
}

} // namespace blockloom::ui
