#include "docks/breakdown/chart_page.h"

#include "canvas/legend_strip.h"
#include "look/plain_text.h"
#include "look/theme_style.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace blockloom::ui {

ChartPage::ChartPage(const QString& object, const QString& name, QWidget* parent)
    : QWidget(parent), column_(new QVBoxLayout(this)), heading_(new QLabel(tr("In words"))),
      words_(new QLabel) {
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
        chart.view = new ChartView(canvas, side == 0 ? name : tr("%1, B").arg(name));
        chart.view->setLeftOutVisible(false); // the words say it
        lines->addWidget(chart.caption);
        lines->addWidget(chart.view, 1);
        chart.caption->hide();
        chart.view->hide(); // until it has a chart: an empty one would take half of the page
    }
    set_role(heading_, "heading");
    heading_->setContentsMargins(12, 8, 12, 0);
    words_->setObjectName(object + QStringLiteral("Words"));
    words_->setAccessibleName(tr("%1 in words").arg(name));
    words_->setWordWrap(true);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setContentsMargins(12, 4, 12, 10);
    lines->addWidget(heading_);
    lines->addWidget(words_);
    lines->addStretch(); // without a chart the words begin at the top
    scroll->setWidget(body);
    column_->addWidget(scroll, 1);
    setWords({});
}

void ChartPage::addBar(QWidget* bar) {
    column_->insertWidget(0, bar);
}

void ChartPage::setChart(int side, charts::Chart shown, const QString& caption) {
    const Chart& chart = charts_[static_cast<std::size_t>(side)];
    const bool there = !shown.empty();
    chart.caption->setText(caption);
    chart.caption->setToolTip(caption);
    chart.caption->setVisible(there && !caption.isEmpty());
    chart.view->setChart(std::move(shown));
    chart.view->setVisible(there);
    // Legend entries that both share are listed once, at the end.
    const auto& second = *charts_[1].view;
    charts_[0].view->setLegendVisible(second.chart().empty() ||
                                      second.chart().legend != charts_[0].view->chart().legend);
}

void ChartPage::setWords(const QStringList& lines) {
    QString html;
    for (const QString& line : lines) {
        const QString text = line.toHtmlEscaped();
        html += line.contains(QStringLiteral("MISMATCH"))
                    ? QStringLiteral("<p style=\"margin:0 0 4px 0;color:%1\">%2</p>")
                          .arg(qcolor(current_theme().error).name(), text)
                    : QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>").arg(text);
    }
    show_markup(*words_, html);
    heading_->setVisible(!table_ && !lines.isEmpty());
    words_->setVisible(!table_ && !lines.isEmpty());
}

QString ChartPage::words() const {
    return words_->text();
}

void ChartPage::showTable(bool table) {
    table_ = table;
    for (const Chart& chart : charts_) chart.view->showTable(table);
    const bool said = !words_->text().isEmpty();
    heading_->setVisible(!table && said);
    words_->setVisible(!table && said);
}

bool ChartPage::showsTable() const {
    return table_;
}

ChartView* ChartPage::view(int side) const {
    return charts_[static_cast<std::size_t>(side)].view;
}

} // namespace blockloom::ui
