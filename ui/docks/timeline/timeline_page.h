// The layout of the Timeline panel: the bar, the minimap, lanes, legend and statistics, or a
// sentence if there is nothing to show.
#pragma once

#include <QWidget>

class QPushButton;

namespace blockloom::ui {

class LegendStrip;
class TimelineBar;
class TimelineCanvas;
class Minimap;
class TimelineSide;
class TimelineTwin;

/// Parts that only move each other are connected here; their contents come from the dock.
class TimelinePage : public QWidget {
    Q_OBJECT

public:
    explicit TimelinePage(QWidget* parent = nullptr);

    TimelineBar* bar;
    Minimap* minimap;
    TimelineCanvas* canvas;
    TimelineSide* side;
    TimelineTwin* twin;
    LegendStrip* legend;
    QPushButton* act; ///< below the sentence

    void setTable(bool table); ///< shows the table in place of the canvas
    [[nodiscard]] bool showsTable() const;
    /// Empty: the run is shown. `button` empty: no button.
    void showMessage(const QString& sentence, const QString& button = {});
    [[nodiscard]] QString message() const;

private:
    QWidget* makeDrawn();
    QWidget* makeInstead();
    void connectParts();

    class QStackedWidget *pages_, *views_; ///< views or sentence; canvas or table
    class QScrollBar* scroll_;
    class QLabel* sentence_;
};

} // namespace blockloom::ui
