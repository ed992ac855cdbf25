// A page of a dock: a chart (or one for A and one for B), its legend, the words, and the table that
// says the same.
#pragma once

#include "canvas/list_canvas.h"
#include "scene/overlay.h"
#include "scene/view_table.h"

#include <QWidget>

#include <array>
#include <memory>

class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace blockloom::ui {

class LegendStrip;
class Table;
class TwinModel;

class ChartPage : public QWidget {
    Q_OBJECT

public:
    /// `object`: the prefix of object names; `name`: what the chart is called.
    ChartPage(const QString& object, const QString& name, QWidget* parent = nullptr);

    /// Of A (0) and B (1); a null function hides it, with its caption.
    void setChart(int side, ListCanvas::Make make, const QString& caption);
    void setLegend(std::vector<scene::OverlayLegend> items, const QString& note = {});
    /// Lines; those with a wrong result are set in the colour of errors.
    void setWords(const QStringList& lines);
    void setTable(std::shared_ptr<const scene::ViewTable> table);
    void addBar(QWidget* bar); ///< above the chart

    void showTable(bool table);
    [[nodiscard]] bool showsTable() const;
    [[nodiscard]] ListCanvas* canvas(int side = 0) const;
    [[nodiscard]] TwinModel* model() const { return model_; }
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] QString words() const;

private:
    struct Chart {
        QLabel* caption = nullptr;
        ListCanvas* canvas = nullptr;
    };
    QVBoxLayout* column_;
    std::array<Chart, 2> charts_;
    LegendStrip* legend_;
    QLabel *heading_, *words_;
    TwinModel* model_;
    Table* table_;
    QStackedWidget* stack_;
};

} // namespace blockloom::ui
