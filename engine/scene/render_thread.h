// A renderer in its own thread: the newest request replaces older ones, and nothing runs
// without a request.
#pragma once

#include "scene/renderer.h"

#include <functional>
#include <memory>

namespace blockloom::scene {

/// Thread-safe. The callback runs on the render thread and must only pass the frame on. The
/// destructor waits for the current frame and drops the rest.
class RenderThread {
public:
    using Callback = std::function<void(std::uint64_t generation, Result<Frame>)>;

    RenderThread(std::function<std::unique_ptr<Renderer>()> make, Callback finished);
    ~RenderThread(); ///< end(), then waits for the current picture
    RenderThread(const RenderThread&) = delete;
    RenderThread& operator=(const RenderThread&) = delete;

    /// Requests a picture; returns its generation. A request that has not begun is replaced, and
    /// its overlay input is merged.
    std::uint64_t request(FrameRequest request);

    /// Starts no further picture and drops pending requests. Does not wait.
    void end() noexcept;

    /// Frames drawn so far; tests use it to check that an idle canvas draws nothing.
    [[nodiscard]] std::uint64_t frames_drawn() const noexcept;
    /// The renderer's name; empty until it has been made.
    [[nodiscard]] std::string renderer_name() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::scene
