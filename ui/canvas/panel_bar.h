// The 34 px bar under a dock's title. Controls that do not fit are hidden in a given order; nothing
// is ever cut off.
#pragma once

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace blockloom::ui {

/// Left to right. Whatever is hidden must be reachable elsewhere (a menu, a tooltip).
class PanelBar : public QWidget {
    Q_OBJECT

public:
    explicit PanelBar(QWidget* parent = nullptr);

    /// `yields` 0: always shown; otherwise the highest number is hidden first.
    void add(QWidget* widget, int yields = 0);
    /// A caption with its control. The caption is hidden first, the control by `yields`.
    void addCaptioned(const QString& caption, QWidget* control, int yields = 0);
    void addStretch();
    /// Whether a widget (with its caption) should be shown, if there is room.
    void setWanted(QWidget* widget, bool wanted);
    void refit(); ///< call after a text changed

    /// An icon button with a name that is also its tooltip.
    QToolButton* makeButton(const char* icon, const QString& name);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Item {
        QWidget* widget;
        QLabel* caption;
        int yields;
        bool wanted = true;
    };
    [[nodiscard]] static int widthOf(const QWidget* widget);
    [[nodiscard]] int needed(int leastYields, bool captions) const;

    QHBoxLayout* row_;
    std::vector<Item> items_;
    bool fitting_ = false;
};

} // namespace blockloom::ui
