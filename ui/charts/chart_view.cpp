#include "charts/chart_view.h"

#include "canvas/legend_strip.h"
#include "charts/chart_table.h"
#include "charts/picture.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/twin_model.h"
#include "report/chart_files.h"
#include "text/to_qt.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace blockloom::ui {

ChartView::ChartView(const QString& object, const QString& name, QWidget* parent)
    : QWidget(parent), canvas_(new ChartCanvas), legend_(new LegendStrip), left_out_(new QLabel),
      model_(new TwinModel(this)), table_(new Table(tr("%1 as a table").arg(name))),
      stack_(new QStackedWidget) {
    canvas_->setObjectName(object);
    canvas_->setAccessibleName(name);
    canvas_->viewport()->setAccessibleName(name);
    table_->setObjectName(object + QStringLiteral("Table"));
    table_->setModel(model_);
    table_->setSortingEnabled(true);
    table_->setTextElideMode(Qt::ElideMiddle);
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    left_out_->setObjectName(object + QStringLiteral("LeftOut"));
    left_out_->setAccessibleName(tr("Left out of %1").arg(name));
    left_out_->setWordWrap(true);
    left_out_->setContentsMargins(12, 4, 12, 6);
    left_out_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    set_role(left_out_, "second");
    auto* drawn = new QWidget;
    auto* lines = new QVBoxLayout(drawn);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    lines->addWidget(canvas_, 1);
    lines->addWidget(legend_);
    lines->addWidget(left_out_);
    stack_->addWidget(drawn);
    stack_->addWidget(table_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stack_);
    auto* copy_action = new QAction(tr("Copy chart"), this);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    connect(copy_action, &QAction::triggered, this, &ChartView::copy);
    canvas_->addAction(copy_action);
    setChart({});
}

void ChartView::setChart(charts::Chart chart) {
    // Qt Charts' axis with its title is taller than the one of documents.
    constexpr int taller_axis = 26;
    const int of_rows = static_cast<int>(charts::height_of(chart));
    const int needed = of_rows > 0 ? of_rows + taller_axis : 0;
    canvas_->setMinimumHeight(needed > 0 ? needed : least_height_);
    canvas_->setMaximumHeight(needed > 0 ? needed : QWIDGETSIZE_MAX);
    canvas_->setVisible(!chart.empty());
    canvas_->setShown(std::move(chart));
    filled_ = false;
    if (showsTable()) fillTable();
    showSigns();
}

/// Charts of a run in progress change many times a second: their rows are made only when needed.
void ChartView::fillTable() const {
    if (std::exchange(filled_, true)) return;
    model_->setTable(chart().empty() ? nullptr : charts::table_of(chart()));
    table_->resizeColumnsToContents();
    // Names and reasons leave room for the figures beside them; whole in the tooltip and the copy.
    for (int column = 0; column < model_->columnCount(); ++column)
        table_->setColumnWidth(column, std::min(table_->columnWidth(column), 188));
}

TwinModel* ChartView::model() const {
    fillTable();
    return model_;
}

Table* ChartView::table() const {
    fillTable();
    return table_;
}

void ChartView::setLegendVisible(bool visible) {
    legend_visible_ = visible;
    showSigns();
}

void ChartView::setLeftOutVisible(bool visible) {
    left_out_visible_ = visible;
    showSigns();
}

void ChartView::setLeastHeight(int pixels) {
    least_height_ = pixels;
    canvas_->setMinimumHeight(pixels);
}

void ChartView::showSigns() {
    auto items = charts::legend_of(chart(), current_theme());
    legend_->setVisible(legend_visible_ && !items.empty());
    legend_->setItems(std::move(items));
    QStringList lines;
    for (const std::string& why : chart().left_out) lines.append(to_qt(why));
    show_sentence(*left_out_, lines.join(QStringLiteral(".\n")));
    left_out_->setVisible(left_out_visible_ && !lines.isEmpty());
}

void ChartView::showTable(bool table) {
    if (table) fillTable();
    stack_->setCurrentIndex(table ? 1 : 0);
}

bool ChartView::showsTable() const {
    return stack_->currentIndex() == 1;
}

void ChartView::copy() const {
    auto* copied = new QMimeData;
    copied->setImageData(canvas_->grab().toImage());
    copied->setText(table()->wholeAsText());
    QApplication::clipboard()->setMimeData(copied);
}

Status ChartView::exportTo(const QString& path) const {
    if (chart().empty())
        return Error{ErrorCode::wrong_usage, "expected a chart to export, found nothing drawn"};
    charts::PictureOptions options;
    options.theme = &current_theme();
    options.width = static_cast<float>(std::max(canvas_->width(), 320));
    options.height = static_cast<float>(std::max(canvas_->height(), 160));
    return report::write_chart(chart(), options, path.toStdString());
}

void ChartView::exportAs(const QString& ending) {
    auto* dialog = new QFileDialog(this, tr("Export the chart"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    dialog->setNameFilter(QStringLiteral("*.") + ending);
    dialog->selectFile(QStringLiteral("chart.") + ending);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const Status done = exportTo(path);
        if (done) return;
        auto* box = new QMessageBox(QMessageBox::Warning, tr("Export the chart"),
                                    to_qt(done.error().message), QMessageBox::Ok, this);
        box->setTextFormat(Qt::PlainText);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    dialog->open();
}

void ChartView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setObjectName(canvas_->objectName() + QStringLiteral("Menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(showsTable() ? tr("Show the chart") : tr("Show as a table"), this,
                    [this] { showTable(!showsTable()); });
    QAction* all = menu->addAction(tr("Show all (0)"), canvas_, &ChartCanvas::resetZoom);
    all->setEnabled(canvas_->isZoomed());
    menu->addSeparator();
    menu->addAction(tr("Copy chart"), this, &ChartView::copy);
    menu->addAction(tr("Copy table"), this, [this] { table()->copyAll(); });
    menu->addSeparator();
    for (const char* ending : {"png", "svg", "pdf", "csv"}) {
        const QString name = QLatin1String(ending);
        menu->addAction(tr("Export as %1…").arg(name.toUpper()), this,
                        [this, name] { exportAs(name); });
    }
    menu->popup(event->globalPos());
    event->accept();
}

void ChartView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && left_out_ != nullptr) showSigns();
}

} // namespace blockloom::ui
