// A canvas's keys work while the pointer is over it, wherever the focus is.
#pragma once

#include <QObject>
#include <QPointer>

class QWidget;

namespace blockloom::ui {

/// W, A, S, D and F go to the canvas under the pointer unless a text field has the focus or a menu
/// is open; other keys go to the widget with the focus. Turning the wheel over a canvas gives it
/// the focus.
class HoverKeys : public QObject {
    Q_OBJECT

public:
    /// The object lives as long as the widget.
    static void give(QWidget* canvas);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit HoverKeys(QWidget* canvas);
    QWidget* canvas_;
};

} // namespace blockloom::ui
