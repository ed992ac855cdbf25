// The head-up display of a canvas's renderer: how long frames take, what they draw, and which kinds
// of items are drawn at all.
#pragma once

#include "scene/renderer.h"

#include <QObject>

#include <memory>

namespace blockloom::ui {

class SceneCanvas;

/// Belongs to its canvas. While it is hidden everything is drawn.
class RendererHud : public QObject {
    Q_OBJECT

public:
    explicit RendererHud(SceneCanvas* canvas);

    void setShown(bool shown);
    [[nodiscard]] bool shown() const { return shown_; }

private:
    void refresh();
    void changed(const QString& id, int value);

    SceneCanvas* canvas_;
    std::weak_ptr<const scene::DisplayList> counted_;
    scene::DrawnKinds drawn_;
    bool shown_ = false, collapsed_ = false;
};

} // namespace blockloom::ui
