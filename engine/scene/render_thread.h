// A renderer in a thread of its own: the newest request replaces older ones, nothing runs while
// nothing is asked.
#pragma once

#include "scene/renderer.h"

#include <functional>
#include <memory>

namespace blockloom::scene {

/// Thread-safe. The callback runs on the render thread; it must only hand the frame on. Destruction
/// waits for the frame in work and drops the rest.
class RenderThread {
public:
    using Callback = std::function<void(std::uint64_t generation, Result<Frame>)>;

    RenderThread(std::function<std::unique_ptr<Renderer>()> make, Callback finished);
    ~RenderThread(); ///< end(), then waits for the picture in work
    RenderThread(const RenderThread&) = delete;
    RenderThread& operator=(const RenderThread&) = delete;

    /// Asks for a picture; returns its generation. A request that has not begun is replaced, its
    /// overlay input merged.
    std::uint64_t request(FrameRequest request);

    /// No further picture is begun, and what was asked for is dropped. Does not wait.
    void end() noexcept;

    /// Frames drawn so far: tests prove with it that an idle canvas draws nothing.
    [[nodiscard]] std::uint64_t frames_drawn() const noexcept;
    /// The renderer's name once it is made, else empty.
    [[nodiscard]] std::string renderer_name() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::scene
