// The legend of a canvas, under it: never over the data, readable by a screen reader.
#pragma once

#include "scene/display_list.h"
#include "scene/overlay.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace blockloom::ui {

/// Signs and labels from left to right, in as many rows as the width needs; a label that is longer
/// than a row is broken.
class LegendStrip : public QWidget {
    Q_OBJECT

public:
    explicit LegendStrip(QWidget* parent = nullptr);

    /// What the canvas draws, in words, at the left: "Drawing 922 of 1,113 edges".
    void setCoverage(const QString& text);
    void setItems(std::vector<scene::OverlayLegend> items);
    /// No more rows than this (0: as many as needed). A button at the end says how many signs do
    /// not fit, and opens the whole legend; the tooltip has it in words.
    void setMostRows(int rows);
    void setColumn(bool column);                  ///< the signs below each other
    [[nodiscard]] std::size_t shownItems() const; ///< as many as fit the present width
    [[nodiscard]] QString coverage() const;
    [[nodiscard]] const std::vector<scene::OverlayLegend>& items() const { return items_; }
    [[nodiscard]] QString text() const;             ///< the whole legend in words
    [[nodiscard]] int wholeHeight(int width) const; ///< of all rows
    [[nodiscard]] QToolButton* rest() const {
        return rest_;
    } ///< "+9"; null: nothing was ever limited

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Place {
        QRect rect;
        int item; ///< −1: the coverage
    };
    [[nodiscard]] std::vector<Place> layOut(int width, int most_rows, int& height) const;
    [[nodiscard]] QString shownCoverage(int width, int most_rows) const;
    [[nodiscard]] int rowsOf(const QString& text, int room) const;
    [[nodiscard]] int restWidth() const;
    [[nodiscard]] int widthOf(const scene::OverlayLegend& item) const;
    void retell();
    void makeRest();
    void placeRest();
    void showWhole();

    QString coverage_;
    std::vector<scene::OverlayLegend> items_;
    int most_rows_ = 0;
    bool column_ = false;
    QToolButton* rest_ = nullptr;
    LegendStrip* whole_ = nullptr; ///< in the button's menu
};

/// "Drawing 922 of 1,113 edges · 107 small groups not drawn".
[[nodiscard]] QString coverage_text(const scene::Coverage& coverage);

} // namespace blockloom::ui
