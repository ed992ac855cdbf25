#include "canvas/frame_feed.h"

#include "text/to_qt.h"

#include <mutex>
#include <utility>

namespace blockloom::ui {

namespace {

/// The reason for a fallback, written on the render thread and read on the GUI thread.
struct Reason {
    std::mutex mutex;
    std::string text;
};

QImage imageOf(scene::Image&& picture) {
    if (picture.width <= 0 || picture.height <= 0 ||
        picture.bgra.size() <
            static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 4)
        return {};
    // The image keeps the renderer's bytes alive; nothing is copied.
    auto* pixels = new std::vector<std::uint8_t>(std::move(picture.bgra));
    return QImage(
        pixels->data(), picture.width, picture.height, picture.width * 4, QImage::Format_RGB32,
        [](void* owned) { delete static_cast<std::vector<std::uint8_t>*>(owned); }, pixels);
}

} // namespace

struct FrameFeed::State {
    std::shared_ptr<Reason> reason = std::make_shared<Reason>();
    quint64 epoch = 0;  ///< number of the renderer: answers of older ones are dropped
    quint64 serial = 0; ///< counts requests
    bool busy = false, cairo = false, dead = false;
    quint64 drawnBefore = 0; ///< by renderers that failed
    ShownFrame asked;        ///< what the picture being drawn shows
    std::unique_ptr<scene::RenderThread> thread;
};

FrameFeed::FrameFeed(RendererFactory factory, QObject* parent)
    : QObject(parent), state_(std::make_unique<State>()) {
    start(std::move(factory));
}

FrameFeed::~FrameFeed() {
    // The thread goes first: its callback posts to this object, which must still exist.
    state_->thread.reset();
}

void FrameFeed::start(RendererFactory factory) {
    const quint64 epoch = ++state_->epoch;
    if (state_->thread) state_->drawnBefore += state_->thread->frames_drawn();
    state_->thread.reset();
    auto make = [factory = std::move(factory), reason = state_->reason] {
        std::string why;
        auto renderer = factory(why);
        if (!why.empty()) {
            const std::lock_guard lock(reason->mutex);
            reason->text = why;
        }
        return renderer;
    };
    auto finished = [this, epoch](std::uint64_t, Result<scene::Frame> result) {
        auto shared = std::make_shared<Result<scene::Frame>>(std::move(result));
        QMetaObject::invokeMethod(
            this, [this, epoch, shared] { receive(epoch, std::move(*shared)); },
            Qt::QueuedConnection);
    };
    state_->thread = std::make_unique<scene::RenderThread>(std::move(make), std::move(finished));
}

quint64 FrameFeed::request(scene::FrameRequest request, QSize logical) {
    state_->busy = true;
    state_->asked = {};
    state_->asked.camera = request.camera;
    state_->asked.list = request.base;
    state_->asked.logicalSize = logical;
    state_->asked.serial = ++state_->serial;
    state_->thread->request(std::move(request));
    return state_->serial;
}

void FrameFeed::receive(quint64 epoch, Result<scene::Frame> result) {
    if (epoch != state_->epoch) return;
    state_->busy = false;
    if (!result) {
        const QString message = to_qt(result.error().message);
        if (state_->cairo) {
            state_->dead = true;
            Q_EMIT failed(message);
            return;
        }
        state_->cairo = true;
        start([message = result.error().message](std::string& why) {
            why = message;
            return scene::make_cairo_renderer();
        });
        Q_EMIT failed(message);
        return;
    }
    ShownFrame frame = std::exchange(state_->asked, {});
    frame.image = imageOf(std::move(result->image));
    frame.overlayWantsMouse = result->overlay_wants_mouse;
    frame.overlayChanges = std::move(result->changes);
    frame.renderNs = result->render_ns;
    Q_EMIT arrived(frame);
}

bool FrameFeed::busy() const {
    return state_->busy;
}

bool FrameFeed::dead() const {
    return state_->dead;
}

quint64 FrameFeed::framesDrawn() const {
    return state_->drawnBefore + state_->thread->frames_drawn();
}

QString FrameFeed::rendererName() const {
    return to_qt(state_->thread->renderer_name());
}

QString FrameFeed::fallbackReason() const {
    const std::lock_guard lock(state_->reason->mutex);
    return to_qt(state_->reason->text);
}

} // namespace blockloom::ui
