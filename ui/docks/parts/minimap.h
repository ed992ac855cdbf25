// A whole run in a strip above a view in time: how busy its parts are, and what is visible.
#pragma once

#include "canvas/list_canvas.h"
#include "scene/minimap.h"

namespace blockloom::ui {

/// Drag or click moves the visible part; Left and Right move it by a tenth of its width.
class Minimap : public ListCanvas {
    Q_OBJECT

public:
    /// `look`: how the strip lies in the widget; its bars and its visible part are set below.
    Minimap(const scene::Minimap& look, int height, QWidget* parent = nullptr);

    void setBars(std::vector<scene::MinimapBars> bars);
    void setWords(const QString& words);    ///< the text at the left
    void setWindow(double from, double to); ///< 0 … 1 of the run
    [[nodiscard]] double from() const { return shown_.from; }
    [[nodiscard]] double to() const { return shown_.to; }
    [[nodiscard]] QSize sizeHint() const override { return {200, height()}; }

Q_SIGNALS:
    void windowAsked(double from, double to); ///< as wide as the one that is shown

protected:
    [[nodiscard]] scene::DisplayList makeList(QSize size) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] double shareAt(double x) const;
    void moveTo(double middle);

    scene::Minimap shown_;
    double grip_ = 0;
};

} // namespace blockloom::ui
