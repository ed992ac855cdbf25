// A measured sweep of settings: map, curve, the best point and its band, the batch slider.
#pragma once

#include "docks/dock.h"
#include "models/tuning_words.h"

#include <QList>

#include <initializer_list>

class QButtonGroup;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace blockloom::ui {

class ChartView;
class LegendStrip;
class PanelBar;
class Runs;
class Session;
class SortedRows;
class Table;
class TuningCard;
class TuningMap;
class TuningModel;
class Tunings;
class TuningSetup;

class TuningDock : public Dock {
    Q_OBJECT

public:
    TuningDock(Session* session, Runs* runs, Tunings* tunings, QWidget* parent = nullptr);
    [[nodiscard]] TuningMap* map() const { return map_; }
    [[nodiscard]] ChartView* chart() const { return chart_; }
    [[nodiscard]] TuningModel* model() const { return model_; }
    [[nodiscard]] Table* table() const { return table_; }
    /// The setting that is shown: the best point until another one is chosen.
    [[nodiscard]] std::optional<runs::TuningSetting> chosen() const;
    /// Format by extension: JSON, TSV, PNG or SVG.
    [[nodiscard]] Status exportTo(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeLeft();
    QWidget* makeRight();
    PanelBar* makeBar();
    void choose(std::size_t point);
    void showSeen();
    void showMap();
    void showChart();
    void showLegend();
    void showPage();
    void fillBackends();
    void fillStrategies();
    [[nodiscard]] std::optional<execute::Strategy> shownStrategy() const;
    [[nodiscard]] QString alsoFixed(const execute::StrategyOptions& how) const;
    [[nodiscard]] QList<runs::TuningAxis>
    variedAxes(std::initializer_list<runs::TuningAxis> without) const;
    void askExport();

    Session* session_;
    Runs* runs_;
    Tunings* tunings_;
    PanelBar* bar_;
    QPushButton* start_;
    QComboBox *rows_, *columns_, *on_, *strategy_, *value_;
    QLabel *coverage_, *empty_;
    QButtonGroup* views_;
    QWidget *segments_, *canvases_, *side_ = nullptr;
    QStackedWidget* pages_;
    TuningMap* map_;
    ChartView* chart_;
    LegendStrip* legend_;
    TuningModel* model_;
    SortedRows* sorted_;
    Table* table_;
    TuningCard* card_;
    TuningSetup* setup_;
    std::optional<runs::TuningSetting> chosen_; ///< by the user; else the best point
    std::optional<execute::Strategy> picked_;   ///< by the user; else that of the chosen point
    bool as_table_ = false, narrow_ = false;
    bool settings_by_default_ = false; ///< a narrow panel shows them because there was no sweep
};

} // namespace blockloom::ui
