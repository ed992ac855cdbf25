// The render thread: the newest request wins, input is not lost, nothing runs when nothing is
// asked, the end waits for the frame in work. Also run under the thread sanitizer.
#include "headers/waiting.h"
#include "scene/render_thread.h"

#include <QSemaphore>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

using namespace blockloom;
using namespace blockloom::scene;

namespace {

/// Draws nothing, but only when it is let to, and keeps what it was asked.
struct Gate {
    QSemaphore started, go;
    std::mutex mutex;
    std::vector<FrameRequest> asked;
    std::atomic<int> alive = 0;
};

class GatedRenderer final : public Renderer {
public:
    explicit GatedRenderer(Gate& gate) : gate_(gate) { ++gate_.alive; }
    ~GatedRenderer() override { --gate_.alive; }
    Result<Frame> render(const FrameRequest& request) override {
        {
            const std::lock_guard lock(gate_.mutex);
            gate_.asked.push_back(request);
        }
        gate_.started.release();
        gate_.go.acquire();
        if (request.width < 0) return Error{ErrorCode::wrong_usage, "negative"};
        Frame frame;
        frame.image.width = request.width;
        return frame;
    }
    std::string name() const override { return "Gated"; }

private:
    Gate& gate_;
};

/// What came back, in order.
struct Answers {
    QSemaphore arrived;
    std::mutex mutex;
    std::vector<std::pair<std::uint64_t, int>> frames; // generation and width; -1: an error
    RenderThread::Callback callback() {
        return [this](std::uint64_t generation, Result<Frame> frame) {
            {
                const std::lock_guard lock(mutex);
                frames.emplace_back(generation, frame.ok() ? frame->image.width : -1);
            }
            arrived.release();
        };
    }
    std::vector<std::pair<std::uint64_t, int>> all() {
        const std::lock_guard lock(mutex);
        return frames;
    }
};

FrameRequest sized(int width) {
    FrameRequest request;
    request.width = width;
    request.height = 8;
    return request;
}

FrameRequest with_input(int width, bool pressed, float x, float wheel, const char* text) {
    FrameRequest request = sized(width);
    request.overlay.emplace();
    request.overlay->input.pressed = pressed;
    request.overlay->input.mouse_x = request.overlay->input.mouse_y = x;
    request.overlay->input.wheel = wheel;
    request.overlay->input.text = text;
    return request;
}

std::function<std::unique_ptr<Renderer>()> gated(Gate& gate) {
    return [&gate] { return std::make_unique<GatedRenderer>(gate); };
}

} // namespace

class TestRenderThread : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void newest_request_wins() {
        Gate gate;
        Answers answers;
        RenderThread thread(gated(gate), answers.callback());
        QCOMPARE(thread.request(sized(1)), 1U);
        gate.started.acquire(1); // the first is in work
        for (int i = 2; i <= 9; ++i)
            QCOMPARE(thread.request(sized(i)), static_cast<std::uint64_t>(i));
        gate.go.release(2);
        answers.arrived.acquire(2);
        const std::vector<std::pair<std::uint64_t, int>> expected{{1, 1}, {9, 9}};
        QCOMPARE(answers.all(), expected);
        QCOMPARE(thread.frames_drawn(), 2U);
        QCOMPARE(thread.renderer_name(), std::string("Gated"));
    }

    void input_of_replaced_requests_is_merged() {
        Gate gate;
        Answers answers;
        RenderThread thread(gated(gate), answers.callback());
        thread.request(sized(1));
        gate.started.acquire(1);
        thread.request(with_input(2, true, 30, 1, "a"));
        thread.request(with_input(3, false, 40, -3, "b"));
        thread.request(with_input(4, false, 50, 0.5F, ""));
        gate.go.release(2);
        answers.arrived.acquire(2);
        QCOMPARE(gate.asked.size(), std::size_t{2});
        const OverlayInput& input = gate.asked[1].overlay->input;
        QVERIFY(input.pressed);
        QCOMPARE(input.press_x, 30.0F); // where it was pressed, not where the pointer is now
        QCOMPARE(input.mouse_x, 50.0F);
        QCOMPARE(input.wheel, -1.5F);
        QCOMPARE(input.text, std::string("ab"));
    }

    /// Each picture was asked for: a thread that draws by itself draws more.
    void idle_thread_draws_nothing() {
        constexpr int asked = 100;
        Gate gate;
        Answers answers;
        gate.go.release(10 * asked);
        auto thread = std::make_unique<RenderThread>(gated(gate), answers.callback());
        for (int i = 0; i < asked; ++i) {
            thread->request(sized(1));
            answers.arrived.acquire(1);
        }
        QCOMPARE(thread->frames_drawn(), std::uint64_t{asked});
        thread.reset();
        QCOMPARE(gate.started.available(), asked);
    }

    void errors_come_back_and_are_not_counted() {
        Gate gate;
        Answers answers;
        gate.go.release(10);
        RenderThread thread(gated(gate), answers.callback());
        thread.request(sized(-5));
        answers.arrived.acquire(1);
        QCOMPARE(answers.all().front().second, -1);
        QCOMPARE(thread.frames_drawn(), 0U);
        thread.request(sized(7)); // and the thread continues
        answers.arrived.acquire(1);
        QCOMPARE(thread.frames_drawn(), 1U);
    }

    void without_renderer_every_request_fails() {
        Answers answers;
        RenderThread thread([] { return std::unique_ptr<Renderer>(); }, answers.callback());
        thread.request(sized(1));
        answers.arrived.acquire(1);
        QCOMPARE(answers.all().front().second, -1);
    }

    void end_waits_for_the_frame_in_work_and_drops_the_rest() {
        Gate gate;
        Answers answers;
        auto thread = std::make_unique<RenderThread>(gated(gate), answers.callback());
        thread->request(sized(1));
        gate.started.acquire(1);
        thread->request(sized(2));
        thread->end();
        gate.go.release(10); // the first may be finished; the second would be, too
        thread.reset();
        const std::vector<std::pair<std::uint64_t, int>> expected{{1, 1}};
        QCOMPARE(answers.all(), expected);
        QCOMPARE(gate.alive.load(), 0);
    }

    void end_without_any_request() {
        for (int i = 0; i < 50; ++i) {
            Gate gate;
            Answers answers;
            { const RenderThread thread(gated(gate), answers.callback()); }
            QCOMPARE(gate.alive.load(), 0);
            QVERIFY(answers.all().empty());
        }
    }

    /// Many threads ask one another's canvases at once, with the real Cairo sink.
    void many_ask_at_once() {
        auto list = std::make_shared<DisplayList>();
        list->world = {0, 0, 100, 100};
        Layer layer;
        for (int i = 0; i < 700; ++i)
            layer.lines.push_back({{0, static_cast<float>(i % 100)},
                                   {100, static_cast<float>(i * 7 % 100)},
                                   with_alpha(rgb(0xFFFFFF), 60),
                                   1,
                                   false});
        layer.texts.push_back({{50, 50}, "level 1", rgb(0xFFFFFF), 11});
        list->layers.push_back(layer);
        std::atomic<std::uint64_t> last = 0, frames = 0;
        RenderThread thread([] { return make_cairo_renderer(); },
                            [&](std::uint64_t generation, Result<Frame> frame) {
                                if (!frame.ok()) return;
                                last = generation;
                                ++frames;
                            });
        constexpr int each = 40;
        {
            std::vector<std::jthread> askers;
            for (int t = 0; t < 3; ++t)
                askers.emplace_back([&thread, &list, t] {
                    for (int i = 0; i < each; ++i) {
                        FrameRequest request = sized(160 + t);
                        request.height = 120;
                        request.base = list;
                        request.camera = Camera::fit(list->world, 160, 120, false);
                        thread.request(std::move(request));
                        (void)thread.frames_drawn();
                        (void)thread.renderer_name();
                    }
                });
        }
        WAIT_UNTIL(last.load() == std::uint64_t{3 * each});
        QVERIFY(frames >= 1 && frames <= 3 * each);
        QCOMPARE(thread.frames_drawn(), frames.load());
    }
};

QTEST_GUILESS_MAIN(TestRenderThread)
#include "test_render_thread.moc"
