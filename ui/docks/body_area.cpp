#include "docks/body_area.h"

#include <QEvent>
#include <QLayout>

#include <algorithm>

namespace blockloom::ui {
namespace {

/// Between area and body: QScrollArea would give a body whose height depends on its width its
/// preferred height instead of the minimum.
class Holder final : public QWidget {
public:
    explicit Holder(QWidget* body) : body_(body) {
        body_->setParent(this);
        body_->installEventFilter(this);
    }

    [[nodiscard]] QSize minimumSizeHint() const override {
        const QSize hint = body_->minimumSizeHint().expandedTo(body_->minimumSize());
        const QLayout* layout = body_->layout();
        if (layout == nullptr || !layout->hasHeightForWidth()) return hint;
        return {hint.width(),
                std::max(body_->minimumHeight(),
                         layout->minimumHeightForWidth(std::max(width(), hint.width())))};
    }
    [[nodiscard]] QSize sizeHint() const override { return body_->sizeHint(); }

protected:
    void resizeEvent(QResizeEvent*) override {
        body_->setGeometry(rect());
        const QLayout* layout = body_->layout();
        if (layout != nullptr && layout->hasHeightForWidth()) updateGeometry();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::LayoutRequest) updateGeometry();
        return QWidget::eventFilter(watched, event);
    }

private:
    QWidget* body_;
};

} // namespace

BodyArea::BodyArea(QWidget* body, QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setWidgetResizable(true);
    setWidget(new Holder(body));
    // The panel's own background is below.
    widget()->setAutoFillBackground(false);
    viewport()->setAutoFillBackground(false);
}

} // namespace blockloom::ui
