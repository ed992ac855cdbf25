// Pictures made elsewhere, handed to the GUI thread: one render thread, at most one picture in the
// making, and the way down to Cairo when a renderer fails.
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

/// Makes a renderer on the render thread; `why` receives the reason where it is not the wanted one.
using RendererFactory = std::function<std::unique_ptr<scene::Renderer>(std::string& why)>;

/// A picture and what it shows.
struct ShownFrame {
    QImage image; ///< device pixels, Format_RGB32
    scene::Camera camera;
    std::shared_ptr<const scene::DisplayList> list;
    QSize logicalSize;
    quint64 serial = 0; ///< which request it answers
    bool overlayWantsMouse = false;
    std::vector<scene::OverlayChange> overlayChanges;
    qint64 renderNs = 0;
};

/// Lives on the GUI thread. Asks for nothing by itself.
class FrameFeed : public QObject {
    Q_OBJECT

public:
    FrameFeed(RendererFactory factory, QObject* parent = nullptr);
    ~FrameFeed() override;

    [[nodiscard]] bool busy() const; ///< a picture is in the making
    [[nodiscard]] bool dead() const; ///< even Cairo failed: nothing will be drawn
    /// Only when not busy and not dead. `logical`: the canvas in logical pixels. Returns the
    /// serial.
    quint64 request(scene::FrameRequest request, QSize logical);

    [[nodiscard]] quint64 framesDrawn() const;
    [[nodiscard]] QString rendererName() const;
    [[nodiscard]] QString fallbackReason() const; ///< why it is Cairo; empty where it was wanted

Q_SIGNALS:
    void arrived(const blockloom::ui::ShownFrame& frame);
    void failed(const QString& message); ///< the renderer gave up; ask again: Cairo draws now

private:
    struct State;
    void start(RendererFactory factory);
    void receive(quint64 epoch, Result<scene::Frame> result);

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
