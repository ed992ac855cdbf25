// The legend of a canvas, under it: never over the data, readable by a screen reader.
#pragma once

#include "scene/display_list.h"
#include "scene/overlay.h"

#include <QWidget>

#include <vector>

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
    /// In a low panel: no more rows than this (0: as many as needed). What does not fit is an
    /// ellipsis; the tooltip has the whole legend.
    void setMostRows(int rows);
    [[nodiscard]] std::size_t shownItems() const; ///< as many as fit the present width
    [[nodiscard]] QString coverage() const;
    [[nodiscard]] const std::vector<scene::OverlayLegend>& items() const { return items_; }
    [[nodiscard]] QString text() const; ///< the whole legend in words

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
    [[nodiscard]] std::vector<Place> layOut(int width, int& height) const;
    [[nodiscard]] QString shownCoverage(int width) const;
    [[nodiscard]] int rowsOf(const QString& text, int room) const;
    [[nodiscard]] int widthOf(const scene::OverlayLegend& item) const;
    void retell();

    QString coverage_;
    std::vector<scene::OverlayLegend> items_;
    int most_rows_ = 0;
};

/// "Drawing 922 of 1,113 edges · 107 small groups not drawn".
[[nodiscard]] QString coverage_text(const scene::Coverage& coverage);

} // namespace blockloom::ui
