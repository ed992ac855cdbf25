// A label that can shrink: text that does not fit ends in an ellipsis, and the tooltip has all of
// it.
#pragma once

#include <QLabel>

namespace blockloom::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QString shownText() const; ///< the part of text() that fits

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace blockloom::ui
