// A label that gives way: where its text has no room it ends in an ellipsis, and the whole of it is
// in the tooltip.
#pragma once

#include <QLabel>

namespace blockloom::ui {

class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QString shownText() const; ///< as much of text() as there is room for

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
};

} // namespace blockloom::ui
