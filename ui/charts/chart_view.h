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

/// Its widgets are made when it is first shown, or when one of them is asked for: most panels are
/// hidden when the window opens.
class ChartView : public QWidget {
    Q_OBJECT

public:
    /// `object`: the canvas's object name, from which the others are derived; `name`: its title.
    ChartView(const QString& object, const QString& name, QWidget* parent = nullptr);

    /// An empty chart shows only what it leaves out.
    void setChart(charts::Chart chart);
    /// Other bands and another summary for the same data: costs far less than a chart.
    void setBands(std::vector<charts::Band> bands, std::string summary);
    [[nodiscard]] const charts::Chart& chart() const {
        return canvas_ != nullptr ? canvas_->shown() : waiting_;
    }
    void setLegendVisible(bool visible); ///< on by default; off if another part shows it
    void setLeftOutVisible(bool visible);
    /// Minimum height of the drawing, for charts without one of their own.
    void setLeastHeight(int pixels);

    /// For a small place: neither legend nor titles, only the axis below.
    void setCompact(int height);

    void showTable(bool table);
    [[nodiscard]] bool showsTable() const { return shows_table_; }
    [[nodiscard]] bool isBuilt() const { return canvas_ != nullptr; }
    [[nodiscard]] ChartCanvas* canvas();
    [[nodiscard]] TwinModel* model();
    [[nodiscard]] Table* table();
    [[nodiscard]] LegendStrip* legend();

    void copy(); ///< the picture, and the table as tab-separated text
    /// Format by extension: .png, .svg, .pdf or .csv, in the current theme.
    Status exportTo(const QString& path);

    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void chosen(std::size_t series, std::size_t id); ///< a point, by click or Enter

protected:
    virtual void built() {} ///< the canvas was made
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void build();
    void fitHeight();
    void showSigns();
    void fillModel();
    void bringUp(QWidget* page);
    void exportAs(const QString& ending);
    [[nodiscard]] int neededHeight() const; ///< of the drawing, if its rows decide; else 0

    QString object_, name_;
    charts::Chart waiting_; ///< shown once there is a canvas
    ChartCanvas* canvas_ = nullptr;
    LegendStrip* legend_ = nullptr;
    QLabel* left_out_ = nullptr;
    TwinModel* model_;
    Table* table_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    int least_height_ = 190;
    bool legend_visible_ = true, left_out_visible_ = true, shows_table_ = false, compact_ = false;
    bool filled_ = false; ///< the model has the chart's rows
};

} // namespace blockloom::ui
