// Fusion with what a style sheet cannot express: the focus ring, the arrow of combo boxes, and
// hidden tab bars of dock groups (the dock titles show the tabs).
#pragma once

#include <QPointer>
#include <QProxyStyle>

class QApplication;
class QFocusFrame;

namespace blockloom::ui {

class Style : public QProxyStyle {
    Q_OBJECT

public:
    Style();
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option,
                    const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    /// Our own icons, which follow the theme, on the buttons of dialogs and in the file dialog.
    QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                       const QWidget* widget) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                            QPainter* painter, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

/// As many of the parts of `text`, separated by " · ", as fit into `room` px, else an ellipsis: a
/// name without details rather than with half a word of them.
[[nodiscard]] QString fitted_parts(const QString& text, const QFontMetrics& metrics, int room);
/// The longest of several forms that fits into `room` px, else the shortest with an ellipsis in the
/// middle: names of one kind differ at their ends.
[[nodiscard]] QString fitted_form(const QStringList& longestFirst, const QFontMetrics& metrics,
                                  int room);

/// A 2 px accent ring, 1 px outside the control that has the keyboard focus; shown only if the
/// focus was moved by key. One per application; a child of it.
class FocusRing : public QObject {
    Q_OBJECT

public:
    explicit FocusRing(QApplication* app);
    [[nodiscard]] QWidget* ringed() const; ///< the control inside the ring; null: none

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(QWidget* widget);
    QPointer<QFocusFrame> frame_;
    bool by_mouse_ = false; ///< how the focus moved last
};

} // namespace blockloom::ui
