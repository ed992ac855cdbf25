// The widget that shows a view: an image drawn by a RenderThread, pan and zoom, picking, marks for
// the selection.
#pragma once

#include "scene/render_thread.h"
#include "scene/views.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace blockloom::ui {

/// Draws nothing while nothing changes. Wheel zooms at the cursor, drag pans, click picks, WASD and
/// arrows move,
/// + − F (fit) by key; the cursor keys with Alt step through targets. Works without a Vulkan device
/// and under the offscreen platform. The accessible description is the list's summary.
class SceneCanvas : public QWidget {
    Q_OBJECT

public:
    enum class Axes { both, horizontal }; ///< horizontal: zoom and pan in x only (Gantt)

    explicit SceneCanvas(Axes axes, QWidget* parent = nullptr);
    ~SceneCanvas() override;

    void setList(std::shared_ptr<const scene::DisplayList> list, bool keepCamera = false);
    void setMarks(std::vector<scene::Layer> marks);
    void
    setOverlay(std::optional<scene::OverlayPanel> panel); ///< Dear ImGui panel; none: not drawn
    void fit();
    void zoomBy(double factor); ///< about the middle

    [[nodiscard]] std::shared_ptr<const scene::DisplayList> list() const;
    [[nodiscard]] scene::FrameRequest currentRequest() const; ///< what is on screen: for exports
    [[nodiscard]] int zoomPercent() const;                    ///< 100: fitted
    [[nodiscard]] quint64 framesDrawn() const;
    [[nodiscard]] bool hasFrame() const; ///< an image of the current list has arrived
    [[nodiscard]] QString rendererName() const;

Q_SIGNALS:
    void picked(std::optional<quint32> task, std::optional<quint32> key);
    void hovered(std::optional<quint32> task, std::optional<quint32> key, QPoint globalPosition);
    void overlayChanged(const QString& id, int value);
    void zoomChanged(int percent);
    void frameShown(qint64 renderNs);
    void renderFailed(const QString& message);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
