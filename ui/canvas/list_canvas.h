// A chart that the engine lays out for the size it has: drawn once, shown as it is until the size,
// the theme or the figures change.
#pragma once

#include "base/result.h"
#include "scene/display_list.h"
#include "scene/theme.h"

#include <QImage>
#include <QPointF>
#include <QRectF>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace blockloom::ui {

/// Reads as its summary; arrow keys walk its marks, which say what they are as their tooltips do.
class ListCanvas : public QWidget {
    Q_OBJECT

public:
    /// A place that says something, logical pixels.
    struct Mark {
        QPointF at;
        QString words;
        QRectF area{}; ///< what it covers; empty: a point
    };
    struct Content {
        scene::DisplayList list; ///< screen space
        std::vector<Mark> marks;
    };
    using Make = std::function<Content(const scene::Theme& theme, float width, float height)>;

    ListCanvas(const char* object, const QString& name, QWidget* parent = nullptr);

    void setMake(Make make); ///< null: nothing is shown
    /// As many pixels as the content takes, whatever room there is; 0: it fills the room.
    void setContentHeight(int pixels);
    [[nodiscard]] const Content& content() const { return content_; }
    /// By the ending: .png, .svg or .pdf.
    Status exportTo(const QString& path) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void remake();
    void draw();
    [[nodiscard]] const Mark* markNear(QPointF at) const;

    Make make_;
    Content content_;
    QImage image_; ///< of `content_`, in device pixels
    bool stale_ = true;
    int height_ = 0;
    std::optional<std::size_t> at_; ///< the mark that the keyboard is on
};

} // namespace blockloom::ui
