#include "scene/render_thread.h"

#include "scene/overlay_input.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace blockloom::scene {

struct RenderThread::State {
    std::function<std::unique_ptr<Renderer>()> make;
    Callback finished;
    mutable std::mutex mutex;
    std::condition_variable_any wake;
    std::optional<FrameRequest> waiting;
    std::uint64_t generation = 0;
    std::atomic<std::uint64_t> drawn = 0;
    std::string name;
    std::jthread thread; // last: joined before anything it uses is destroyed

    /// Lack of memory or threads is an error, not a frame.
    static Result<Frame> draw(Renderer* renderer, const FrameRequest& request) {
        if (renderer == nullptr) return Error{ErrorCode::unavailable, "no renderer could be made"};
        try {
            return renderer->render(request);
        } catch (const std::bad_alloc&) {
            return Error{ErrorCode::system, "drawing: not enough memory for the picture"};
        }
    }

    std::unique_ptr<Renderer> made() const {
        try {
            return make();
        } catch (const std::bad_alloc&) {
            return nullptr;
        } catch (const std::system_error&) { // a thread of the renderer's own
            return nullptr;
        }
    }

    void run(const std::stop_token& stop) {
        const std::unique_ptr<Renderer> renderer = made();
        if (renderer) {
            const std::lock_guard lock(mutex);
            name = renderer->name();
        }
        while (true) {
            std::unique_lock lock(mutex);
            if (!wake.wait(lock, stop, [this] { return waiting.has_value(); })) return;
            if (stop.stop_requested()) return;
            const FrameRequest request = *std::exchange(waiting, std::nullopt);
            const std::uint64_t asked = generation;
            lock.unlock();
            Result<Frame> frame = draw(renderer.get(), request);
            if (frame.ok() && !frame->reused) ++drawn;
            finished(asked, std::move(frame));
        }
    }
};

RenderThread::RenderThread(std::function<std::unique_ptr<Renderer>()> make, Callback finished)
    : state_(std::make_unique<State>()) {
    state_->make = std::move(make);
    state_->finished = std::move(finished);
    state_->thread =
        std::jthread([state = state_.get()](std::stop_token stop) { state->run(stop); });
}

RenderThread::~RenderThread() = default; // the thread is asked to stop and joined

void RenderThread::end() noexcept {
    state_->thread.request_stop();
}

std::uint64_t RenderThread::request(FrameRequest request) {
    const std::lock_guard lock(state_->mutex);
    if (state_->waiting) merge_overlay_input(*state_->waiting, request);
    state_->waiting = std::move(request);
    state_->wake.notify_one();
    return ++state_->generation;
}

std::uint64_t RenderThread::frames_drawn() const noexcept {
    return state_->drawn;
}

std::string RenderThread::renderer_name() const {
    const std::lock_guard lock(state_->mutex);
    return state_->name;
}

} // namespace blockloom::scene
