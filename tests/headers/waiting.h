// Waiting in tests: for a condition, never for a time.
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QProcess>
#include <QTest>

#include <cstdio>

#ifdef QT_WIDGETS_LIB
#include <QWidget>
#include <QWindow>
#endif

namespace blockloom::test {

/// QProcess's word for "without a limit".
inline constexpr int without_limit = -1;

/// Handles everything that is posted, and what that posts, until nothing is left.
inline void drain_events() {
    for (int rounds = 0; rounds < 3; ++rounds) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QCoreApplication::processEvents();
    }
}

/// Handles events until `holds()`. It has no limit of its own, so that a loaded machine fails no
/// test; ctest ends a program that waits for what never happens. A long wait says on standard error
/// what it waits for.
template <typename Condition>
void wait_until(Condition&& holds, const char* what, const char* file, int line) {
    constexpr int long_wait = 5'000; // rounds
    for (int round = 0; !holds(); ++round) {
        if (round == long_wait)
            std::fprintf(stderr, "%s:%d: still waiting for: %s\n", file, line, what);
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        if (holds()) return;
        QTest::qSleep(1); // other threads get the processor
    }
}

} // namespace blockloom::test

/// Handles events until the expression is true, however long that takes.
#define WAIT_UNTIL(...)                                                                            \
    ::blockloom::test::wait_until([&] { return static_cast<bool>(__VA_ARGS__); }, #__VA_ARGS__,    \
                                  __FILE__, __LINE__)
