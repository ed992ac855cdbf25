// What a SceneCanvas remembers. Private to ui/canvas.
#pragma once

#include "canvas/scene_canvas.h"
#include "canvas/view_camera.h"

#include <QPointF>
#include <QTimer>

namespace blockloom::ui {

/// Whose the pressed button is. With an overlay in the picture only the frame that saw the press
/// can tell.
enum class PressOwner { nobody, unknown, canvas, overlay };

struct SceneCanvas::State {
    State(Axes canvasAxes, RendererFactory factory)
        : axes(canvasAxes), camera(canvasAxes == Axes::horizontal ? ViewCamera::Mode::horizontal
                                                                  : ViewCamera::Mode::stretch),
          feed(std::move(factory)) {}

    Axes axes;
    ViewCamera camera;
    std::shared_ptr<const scene::DisplayList> list;
    std::vector<scene::Layer> marks;
    std::optional<scene::OverlayPanel> panel;
    TooltipText tooltip;

    bool dirty = false;     ///< what is asked for last is no longer what is wanted
    bool scheduled = false; ///< askForFrame() is on its way
    int lastPercent = 100;  ///< as last told by zoomChanged
    ShownFrame shown;       ///< the newest picture
    qreal shownRatio = 1;   ///< device pixels per logical pixel it was asked with
    qreal askedRatio = 1;

    // Pointer.
    PressOwner owner = PressOwner::nobody;
    Qt::MouseButton button = Qt::NoButton;
    bool dragging = false, released = false; ///< released: before the overlay's verdict was known
    QPointF pressedAt, lastAt;
    quint64 pressSerial = 0;          ///< the request that carried the press; 0: not sent yet
    scene::OverlayInput input;        ///< not sent yet
    bool overlayUnderPointer = false; ///< as of the newest picture

    // Hover.
    QTimer hoverTimer;
    QPointF hoverPosition;
    std::optional<quint32> hoveredTask, hoveredKey;

    FrameFeed feed; ///< last: it goes first, and with it the render thread
};

} // namespace blockloom::ui
