// The bar of the Graph dock: views as segments, options as combo boxes, the matrix's verdict, fit
// and zoom.
#pragma once

#include "scene/views.h"

#include <QWidget>

class QAction;
class QButtonGroup;
class QComboBox;
class QLabel;
class QToolButton;

namespace blockloom::ui {

class StatusBadge;

/// Says what is chosen and asks for changes; decides nothing.
class GraphBar : public QWidget {
    Q_OBJECT

public:
    explicit GraphBar(QWidget* parent = nullptr);

    void showOptions(const scene::ViewOptions& options);
    void showModel(conflict::ConflictModel model);
    /// Colour classes can be chosen only where there is a colouring; else `why` is the tooltip.
    void allowClasses(bool there, const QString& why);
    void showMarksInside(std::optional<std::uint64_t> marks); ///< none: no badge
    void showZoom(int percent);
    void showOverlay(bool shown);

Q_SIGNALS:
    void viewChosen(scene::View view);
    void colourChosen(scene::ColourBy colour);
    void orderChosen(scene::MatrixOrder order);
    void modelChosen(conflict::ConflictModel model);
    void chainChosen(bool shown);
    void overlayChosen(bool shown);
    void fitAsked();

private:
    QButtonGroup* views_;
    QComboBox *colour_, *order_, *model_;
    QLabel *order_label_, *zoom_;
    StatusBadge* badge_;
    QAction *chain_, *overlay_;
};

/// A caption beside a control; the caption's buddy, so that the control has its name.
QLabel* add_caption(QWidget* bar, const QString& text, QWidget* control);
/// A tool button of a panel bar with icon, name and tooltip.
QToolButton* add_bar_button(QWidget* bar, const char* icon, const QString& name);

} // namespace blockloom::ui
