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
    : QWidget(parent), object_(object), name_(name), model_(new TwinModel(this)) {}

void ChartView::build() {
    if (canvas_ != nullptr) return;
    canvas_ = new ChartCanvas;
    legend_ = new LegendStrip;
    left_out_ = new QLabel;
    stack_ = new QStackedWidget;
    canvas_->setObjectName(object_);
    canvas_->setAccessibleName(name_);
    canvas_->viewport()->setAccessibleName(name_);
    left_out_->setObjectName(object_ + QStringLiteral("LeftOut"));
    left_out_->setAccessibleName(tr("Left out of %1").arg(name_));
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
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(stack_);
    auto* copy_action = new QAction(tr("Copy chart"), this);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    connect(copy_action, &QAction::triggered, this, &ChartView::copy);
    canvas_->addAction(copy_action);
    if (compact_) canvas_->setCompact(true);
    connect(canvas_, &ChartCanvas::chosen, this, &ChartView::chosen);
    canvas_->setShown(std::exchange(waiting_, {}));
    fitHeight();
    showSigns();
    stack_->show(); // now, not with the next event, where the view is visible already
    column->activate();
    built();
}

void ChartView::showEvent(QShowEvent* event) {
    build();
    if (shows_table_) bringUp(table());
    QWidget::showEvent(event);
}

void ChartView::setChart(charts::Chart chart) {
    filled_ = false;
    if (canvas_ == nullptr) {
        waiting_ = std::move(chart);
        updateGeometry();
        return;
    }
    canvas_->setVisible(!chart.empty());
    canvas_->setShown(std::move(chart));
    fitHeight();
    if (shows_table_) fillModel();
    showSigns();
}

void ChartView::setBands(std::vector<charts::Band> bands, std::string summary) {
    if (canvas_ != nullptr) return canvas_->setBands(std::move(bands), std::move(summary));
    waiting_.bands = std::move(bands);
    waiting_.summary = std::move(summary);
}

void ChartView::setCompact(int height) {
    compact_ = true;
    setLegendVisible(false);
    setLeftOutVisible(false);
    setLeastHeight(height);
    if (canvas_ != nullptr) canvas_->setCompact(true);
}

int ChartView::neededHeight() const {
    if (compact_) return 0;
    // Qt Charts' axis with its title is taller than the one of documents.
    constexpr int taller_axis = 26;
    const int of_rows = static_cast<int>(charts::height_of(chart()));
    return of_rows > 0 ? of_rows + taller_axis : 0;
}

void ChartView::fitHeight() {
    const int needed = neededHeight();
    canvas_->setMinimumHeight(needed > 0 ? needed : least_height_);
    canvas_->setMaximumHeight(needed > 0 ? needed : QWIDGETSIZE_MAX);
    canvas_->setVisible(!chart().empty());
}

/// Until its widgets are made, it asks for the room that they will need.
QSize ChartView::minimumSizeHint() const {
    if (canvas_ != nullptr) return QWidget::minimumSizeHint();
    const int needed = neededHeight();
    return {0, chart().empty() ? 0 : needed > 0 ? needed : least_height_};
}

QSize ChartView::sizeHint() const {
    return canvas_ != nullptr ? QWidget::sizeHint() : minimumSizeHint();
}

/// Charts of a run in progress change many times a second: their rows are made only when needed.
void ChartView::fillModel() {
    if (std::exchange(filled_, true)) return;
    const auto rows = chart().empty() ? nullptr : charts::table_of(chart());
    model_->setTable(rows);
    if (table_ == nullptr) return;
    table_->resizeColumnsToContents();
    // Names and reasons leave room for the figures beside them; whole in the tooltip and the copy.
    for (int column = 0; column < model_->columnCount(); ++column)
        table_->setColumnWidth(column, std::min(table_->columnWidth(column), 188));
    // Words at the end have what is left.
    table_->horizontalHeader()->setStretchLastSection(rows != nullptr &&
                                                      !rows->columns().back().number);
}

ChartCanvas* ChartView::canvas() {
    build();
    return canvas_;
}

LegendStrip* ChartView::legend() {
    build();
    return legend_;
}

TwinModel* ChartView::model() {
    fillModel();
    return model_;
}

Table* ChartView::table() {
    if (table_ == nullptr) {
        build();
        table_ = new Table(tr("%1 as a table").arg(name_));
        table_->setObjectName(object_ + QStringLiteral("Table"));
        table_->setModel(model_);
        table_->setSortingEnabled(true);
        table_->setTextElideMode(Qt::ElideMiddle);
        table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        stack_->addWidget(table_);
        filled_ = false;
    }
    fillModel();
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
    if (canvas_ != nullptr)
        canvas_->setMinimumHeight(pixels);
    else
        updateGeometry();
}

void ChartView::showSigns() {
    if (canvas_ == nullptr) return;
    auto items = charts::legend_of(chart(), current_theme());
    legend_->setVisible(legend_visible_ && !items.empty());
    legend_->setItems(std::move(items));
    QStringList lines;
    for (const std::string& why : chart().left_out) lines.append(to_qt(why));
    show_sentence(*left_out_, lines.join(QStringLiteral(".\n")));
    left_out_->setVisible(left_out_visible_ && !lines.isEmpty());
}

void ChartView::showTable(bool table) {
    shows_table_ = table;
    if (canvas_ == nullptr) return; // when it is shown
    bringUp(table ? this->table() : stack_->widget(0));
}

/// The page that is not shown needs no room: a table is not as high as its chart, or the panel
/// would scroll beside the table's own scroll bar.
void ChartView::bringUp(QWidget* page) {
    for (int at = 0; at < stack_->count(); ++at) {
        QWidget* each = stack_->widget(at);
        QSizePolicy policy = each->sizePolicy();
        policy.setVerticalPolicy(each != page     ? QSizePolicy::Ignored
                                 : each == table_ ? QSizePolicy::Expanding
                                                  : QSizePolicy::Preferred);
        each->setSizePolicy(policy);
    }
    stack_->setCurrentWidget(page);
}

void ChartView::copy() {
    auto* copied = new QMimeData;
    copied->setImageData(canvas()->grab().toImage());
    copied->setText(table()->wholeAsText());
    QApplication::clipboard()->setMimeData(copied);
}

Status ChartView::exportTo(const QString& path) {
    if (chart().empty())
        return Error{ErrorCode::wrong_usage, "expected a chart to export, found nothing drawn"};
    charts::PictureOptions options;
    options.theme = &current_theme();
    options.width = static_cast<float>(std::max(canvas()->width(), 320));
    options.height = static_cast<float>(std::max(canvas()->height(), 160));
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
    menu->setObjectName(object_ + QStringLiteral("Menu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(showsTable() ? tr("Show the chart") : tr("Show as a table"), this,
                    [this] { showTable(!showsTable()); });
    QAction* all =
        menu->addAction(tr("Show everything (key 0)"), canvas(), &ChartCanvas::resetZoom);
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
    if (event->type() == QEvent::PaletteChange) showSigns();
}

} // namespace blockloom::ui
