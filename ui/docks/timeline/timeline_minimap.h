// A whole run in a strip: how busy host and device are over time, and which part is visible.
#pragma once

#include "scene/colour.h"

#include <QWidget>

#include <vector>

namespace blockloom::ui {

/// Drag or click moves the visible part, Left and Right move it by a tenth of its width. As wide as
/// the timeline below it, including the gutter.
class TimelineMinimap : public QWidget {
    Q_OBJECT

public:
    explicit TimelineMinimap(QWidget* parent = nullptr);

    /// Shares of time, 0 … 1; `device` empty: there is none. `words`: the text at the left.
    void setShares(std::vector<float> host, std::vector<float> device, const QString& words);
    void setDeviceColour(scene::Colour colour);
    void setWindow(double from, double to); ///< 0 … 1 of the run
    [[nodiscard]] double from() const { return from_; }
    [[nodiscard]] double to() const { return to_; }
    QSize sizeHint() const override { return {200, 40}; }

Q_SIGNALS:
    void windowAsked(double from, double to);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] QRectF strip() const;
    void moveTo(double middle);

    std::vector<float> host_, device_;
    scene::Colour device_colour_;
    QString words_;
    double from_ = 0, to_ = 1, grip_ = 0;
};

} // namespace blockloom::ui
