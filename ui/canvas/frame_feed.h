// Hands pictures from a render thread to the GUI thread: at most one picture is being drawn at a
// time, and Cairo takes over when a renderer fails.
#pragma once

#include "scene/render_thread.h"

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace blockloom::ui {

/// Makes a renderer on the render thread; `why` receives the reason if it is not the requested one.
using RendererFactory = std::function<std::unique_ptr<scene::Renderer>(std::string& why)>;

/// A picture and what it shows.
struct ShownFrame {
    QImage image; ///< device pixels, Format_RGB32
    scene::Camera camera;
    std::shared_ptr<const scene::DisplayList> list;
    QSize logicalSize;
    quint64 serial = 0; ///< number of the request it answers
    bool overlayWantsMouse = false;
    std::vector<scene::OverlayChange> overlayChanges;
    qint64 renderNs = 0;
};

/// Lives on the GUI thread. Makes no requests itself.
class FrameFeed : public QObject {
    Q_OBJECT

public:
    FrameFeed(RendererFactory factory, QObject* parent = nullptr);
    ~FrameFeed() override;

    [[nodiscard]] bool busy() const; ///< a picture is being drawn
    [[nodiscard]] bool dead() const; ///< Cairo failed, too: nothing will be drawn
    /// Call only when neither busy nor dead. `logical`: the size of the canvas in logical pixels.
    /// Returns the request's number.
    quint64 request(scene::FrameRequest request, QSize logical);

    [[nodiscard]] quint64 framesDrawn() const;
    [[nodiscard]] QString rendererName() const;
    [[nodiscard]] QString fallbackReason() const; ///< why Cairo draws; empty where it was requested

Q_SIGNALS:
    void arrived(const blockloom::ui::ShownFrame& frame);
    void failed(const QString& message); ///< the renderer failed; request again: Cairo draws now

private:
    struct State;
    void start(RendererFactory factory);
    void receive(quint64 epoch, Result<scene::Frame> result);

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
