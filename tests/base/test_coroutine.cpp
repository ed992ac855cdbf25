// Work on a stack of its own: it pauses and resumes with all that stands on the stack, on any
// thread, any number of times.
#include "base/coroutine.h"

#include <QTest>

#include <array>
#include <thread>
#include <vector>

using namespace blockloom;

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;

/// Counts up to `end` and pauses after each step; the count is a local variable of the body.
struct Counter {
    int end = 0;
    std::vector<int> seen;
    int finished = 0;
    std::unique_ptr<Coroutine> coroutine;

    explicit Counter(int up_to) : end(up_to) {
        auto made = Coroutine::make(
            stack_bytes, [](void* self) { static_cast<Counter*>(self)->work(); }, this);
        if (made) coroutine = *std::move(made);
    }
    void work() {
        for (int i = 0; i < end; ++i) {
            seen.push_back(i);
            coroutine->pause();
        }
        ++finished;
    }
};

/// What `stack_left` says so many frames of half a kilobyte below the caller's.
std::size_t left_below(const Coroutine& coroutine, int frames) {
    std::array<volatile char, 512> frame{};
    const std::size_t left =
        frames == 0 ? coroutine.stack_left() : left_below(coroutine, frames - 1);
    frame[0] = 1; // needed after the call: no tail call, each frame is there
    return left;
}

} // namespace

class TestCoroutine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resumes_where_it_paused() {
        Counter counter(5);
        QVERIFY(counter.coroutine);
        for (int i = 0; i < 5; ++i) {
            counter.coroutine->resume();
            QCOMPARE(counter.seen.size(), std::size_t(i + 1));
            QCOMPARE(counter.seen.back(), i);
            QCOMPARE(counter.finished, 0);
        }
        counter.coroutine->resume();
        QCOMPARE(counter.finished, 1);
        // After its end it starts from the beginning.
        counter.coroutine->resume();
        QCOMPARE(counter.seen.back(), 0);
        counter.coroutine->restart();
    }

    void restart_abandons_what_is_paused() {
        Counter counter(5);
        for (int round = 0; round < 3; ++round) {
            counter.coroutine->resume();
            counter.coroutine->resume();
            QCOMPARE(counter.seen.back(), 1);
            counter.coroutine->restart();
        }
        QCOMPARE(counter.finished, 0);
        QCOMPARE(counter.seen, (std::vector<int>{0, 1, 0, 1, 0, 1}));
    }

    void many_stand_side_by_side() {
        std::vector<std::unique_ptr<Counter>> counters;
        for (int i = 0; i < 50; ++i) counters.push_back(std::make_unique<Counter>(i));
        for (int step = 0; step <= 50; ++step)
            for (const auto& counter : counters)
                if (counter->finished == 0) counter->coroutine->resume();
        for (const auto& counter : counters) {
            QCOMPARE(counter->finished, 1);
            QCOMPARE(counter->seen.size(), std::size_t(counter->end));
        }
    }

    void moves_from_thread_to_thread_while_paused() {
        Counter counter(8);
        for (int i = 0; i < 9; ++i) std::jthread([&] { counter.coroutine->resume(); }).join();
        QCOMPARE(counter.finished, 1);
        QCOMPARE(counter.seen.size(), std::size_t(8));
    }

    void tells_what_is_left_of_its_stack() {
        struct Depth {
            std::unique_ptr<Coroutine> coroutine;
            std::vector<std::size_t> left;
        } depth;
        auto made = Coroutine::make(
            stack_bytes,
            [](void* self) {
                auto& at = *static_cast<Depth*>(self);
                for (const int frames : {0, 1, 4, 16})
                    at.left.push_back(left_below(*at.coroutine, frames));
            },
            &depth);
        QVERIFY(made.ok());
        depth.coroutine = *std::move(made);
        depth.coroutine->resume();
        QCOMPARE(depth.left.size(), std::size_t(4));
        QVERIFY(depth.left.front() < stack_bytes + 4096);
        for (std::size_t i = 1; i < depth.left.size(); ++i)
            QVERIFY(depth.left[i] < depth.left[i - 1]);
    }

    void no_address_space_is_an_error() {
        const auto made = Coroutine::make(
            std::size_t{1} << 60, [](void*) {}, nullptr);
        QVERIFY(!made.ok());
        QCOMPARE(made.error().code, ErrorCode::system);
        QVERIFY(made.error().message.find("cannot reserve") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestCoroutine)
#include "test_coroutine.moc"
