// A verdict in a frame: sign, words and colour of its status.
#pragma once

#include <QWidget>

namespace blockloom::ui {

/// "✓ 0 marks inside blocks". Never colour alone.
class StatusBadge : public QWidget {
    Q_OBJECT

public:
    explicit StatusBadge(QWidget* parent = nullptr);

    void setVerdict(bool good, const QString& text);
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] QString text() const { return text_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool good_ = true;
    QString text_;
};

} // namespace blockloom::ui
