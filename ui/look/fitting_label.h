// A line of text in the longest form that fits: never cut off.
#pragma once

#include <QStringList>
#include <QWidget>

namespace blockloom::ui {

/// Takes the available room, right-aligned by default. The longest form is its tooltip and
/// accessible description.
class FittingLabel : public QWidget {
    Q_OBJECT

public:
    explicit FittingLabel(QWidget* parent = nullptr);

    void setAlignment(Qt::Alignment horizontal);
    void setTexts(const QStringList& longestFirst);
    [[nodiscard]] QString fullText() const;
    [[nodiscard]] QString shownText() const; ///< the form that fits now
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, 20}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QStringList texts_;
    Qt::Alignment horizontal_ = Qt::AlignRight;
};

} // namespace blockloom::ui
