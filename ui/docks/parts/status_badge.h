// A verdict in a frame: icon, text and colour of its status.
#pragma once

#include "look/roles.h"

#include <QWidget>

namespace blockloom::ui {

/// "✓ No conflicts inside a level". Never colour alone.
class StatusBadge : public QWidget {
    Q_OBJECT

public:
    explicit StatusBadge(QWidget* parent = nullptr);

    void setVerdict(bool good, const QString& text) {
        setStatus(good ? Mark::ok : Mark::error, text);
    }
    void setStatus(Mark mark, const QString& text);
    [[nodiscard]] bool good() const { return mark_ == Mark::ok; }
    [[nodiscard]] Mark mark() const { return mark_; }
    [[nodiscard]] QString text() const { return text_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Mark mark_ = Mark::ok;
    QString text_;
};

} // namespace blockloom::ui
