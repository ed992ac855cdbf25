// The bar of the Graph dock: views as segments, options as combo boxes, the matrix's verdict, fit
// and zoom.
#pragma once

#include "canvas/panel_bar.h"
#include "scene/views.h"

#include <vector>

class QAction;
class QActionGroup;
class QButtonGroup;
class QComboBox;
class QLabel;
class QMenu;

namespace blockloom::ui {

class StatusBadge;

/// Shows what is chosen and requests changes; decides nothing. The options button's menu has every
/// choice, too, so combo boxes may be hidden.
class GraphBar : public PanelBar {
    Q_OBJECT

public:
    explicit GraphBar(QWidget* parent = nullptr);

    void showOptions(const scene::ViewOptions& options);
    void showModel(conflict::ConflictModel model);
    /// Colour classes can be chosen only if there is a colouring; otherwise `why` is the tooltip.
    void allowClasses(bool there, const QString& why);
    /// The verdict of a matrix in `order`; none: no badge.
    void showMarksInside(std::optional<std::uint64_t> marks, scene::MatrixOrder order);
    void showZoom(int percent);
    void showHud(bool shown);

Q_SIGNALS:
    void viewChosen(scene::View view);
    void colourChosen(scene::ColourBy colour);
    void orderChosen(scene::MatrixOrder order);
    void modelChosen(conflict::ConflictModel model);
    void chainChosen(bool shown);
    void hudChosen(bool shown);
    void fitAsked();

private:
    /// A choice as a combo box and as a submenu, kept in step.
    struct Choice {
        QComboBox* combo = nullptr;
        QMenu* menu = nullptr;
        std::vector<QAction*> actions;
        void show(int index) const;
        void allow(int index, bool there, const QString& why) const;
    };
    template <typename Values, typename Ask>
    Choice makeChoice(const QString& caption, int yields, QMenu* menu, const Values& values,
                      Ask ask);

    QButtonGroup* views_;
    Choice colour_, order_, model_;
    QLabel* zoom_;
    StatusBadge* badge_;
    QAction *chain_, *hud_;
};

} // namespace blockloom::ui
