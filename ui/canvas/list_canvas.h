// A small view: shows a display list that is laid out for the widget's own size.
#pragma once

#include "scene/display_list.h"

#include <QWidget>

#include <memory>

namespace blockloom::ui {

/// Its list is made when it is drawn or asked for, and again after a change of size, theme or
/// focus. It has no camera; drawn on the calling thread, as vectors in a drawing.
class ListCanvas : public QWidget {
    Q_OBJECT

public:
    explicit ListCanvas(QWidget* parent = nullptr);
    [[nodiscard]] const scene::DisplayList& list() const;

protected:
    [[nodiscard]] virtual scene::DisplayList makeList(QSize size) const = 0;
    void remake(); ///< what it shows has changed

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    mutable std::unique_ptr<const scene::DisplayList> list_; ///< null: to be made
};

} // namespace blockloom::ui
