// The dock "Schedule": the predicted Gantt of the current block on equal workers.
#pragma once

#include "canvas/frame_feed.h"
#include "docks/dock.h"
#include "scene/renderer.h"
#include "scene/views.h"

#include <memory>
#include <vector>

namespace blockloom::ui {

class SceneCanvas;
class Session;
class ViewPane;

/// Simulated, never measured: bars are hollow and every figure says "predicted".
class ScheduleDock : public Dock {
    Q_OBJECT

public:
    explicit ScheduleDock(Session* session, QWidget* parent = nullptr);
    /// With a renderer of the caller's: tests.
    ScheduleDock(Session* session, RendererFactory factory, QWidget* parent = nullptr);
    ~ScheduleDock() override;

    [[nodiscard]] ViewPane* pane() const;
    [[nodiscard]] SceneCanvas* canvas() const;
    void setColourBy(scene::ColourBy colour);

Q_SIGNALS:
    void rendererNote(const QString& note);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct State;
    QWidget* makeBar();
    void build();
    void remake();
    void listShown();
    [[nodiscard]] std::vector<scene::Layer> axes(const scene::Camera& camera, QSize size) const;
    void showWindow(); ///< in the minimap, as the canvas is

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
