// A chart in a panel: drawn or as an equivalent table, with its legend, what it leaves out and why,
// copy and export.
#pragma once

#include "base/result.h"
#include "charts/chart_canvas.h"

#include <QWidget>

class QLabel;
class QStackedWidget;

namespace blockloom::ui {

class LegendStrip;
class Table;
class TwinModel;

class ChartView : public QWidget {
    Q_OBJECT

public:
    /// `object`: the canvas's object name, from which the others are derived; `name`: its title.
    ChartView(const QString& object, const QString& name, QWidget* parent = nullptr);

    /// An empty chart shows only what it leaves out.
    void setChart(charts::Chart chart);
    [[nodiscard]] const charts::Chart& chart() const { return canvas_->shown(); }
    void setLegendVisible(bool visible); ///< on by default; off if another part shows it
    void setLeftOutVisible(bool visible);
    /// Minimum height of the drawing, for charts without one of their own.
    void setLeastHeight(int pixels);

    void showTable(bool table);
    [[nodiscard]] bool showsTable() const;
    [[nodiscard]] ChartCanvas* canvas() const { return canvas_; }
    [[nodiscard]] TwinModel* model() const;
    [[nodiscard]] Table* table() const;
    [[nodiscard]] LegendStrip* legend() const { return legend_; }

    void copy() const; ///< the picture, and the table as tab-separated text
    /// Format by extension: .png, .svg, .pdf or .csv, in the current theme.
    Status exportTo(const QString& path) const;

protected:
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showSigns();
    void fillTable() const;
    void exportAs(const QString& ending);

    ChartCanvas* canvas_;
    LegendStrip* legend_;
    QLabel* left_out_;
    TwinModel* model_;
    Table* table_;
    QStackedWidget* stack_;
    int least_height_ = 190;
    bool legend_visible_ = true, left_out_visible_ = true;
    mutable bool filled_ = false; ///< the table has the chart's rows
};

} // namespace blockloom::ui
