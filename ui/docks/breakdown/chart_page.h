// A page of a dock: a chart (or one for A and one for B), each with its table, and a text.
#pragma once

#include "charts/chart_view.h"

#include <QWidget>

#include <array>

class QLabel;
class QVBoxLayout;

namespace blockloom::ui {

class ChartPage : public QWidget {
    Q_OBJECT

public:
    /// `object`: the prefix of object names; `name`: the chart's title.
    ChartPage(const QString& object, const QString& name, QWidget* parent = nullptr);

    /// The chart of A (0) or B (1); an empty chart hides it with its caption.
    void setChart(int side, charts::Chart chart, const QString& caption);
    /// Lines of text; those about a wrong result use the colour of errors.
    void setWords(const QStringList& lines);
    void addBar(QWidget* bar); ///< above the chart

    void showTable(bool table);
    [[nodiscard]] bool showsTable() const;
    [[nodiscard]] ChartView* view(int side = 0) const;
    [[nodiscard]] ChartCanvas* canvas(int side = 0) const { return view(side)->canvas(); }
    [[nodiscard]] TwinModel* model() const { return view()->model(); }
    [[nodiscard]] Table* table() const { return view()->table(); }
    [[nodiscard]] QString words() const;

private:
    struct Chart {
        QLabel* caption = nullptr;
        ChartView* view = nullptr;
    };
    QVBoxLayout* column_;
    std::array<Chart, 2> charts_;
    QLabel *heading_, *words_;
    bool table_ = false;
};

} // namespace blockloom::ui
