// Traces of runs: what finished is handed on from memory, what is held is not read again.
#include "profile/span.h"
#include "session/run_traces.h"

#include <QTest>

#include <thread>
#include <vector>

namespace blockloom::ui::test_run_traces {

using Trace = RunTraces::Trace;

class TestRunTraces : public QObject {
    Q_OBJECT

    static Trace made() { return std::make_shared<const profile::Trace>(); }
    static RunTraces::Read nothing_to_read() {
        return [](const std::string& folder, const std::string&) -> Result<Trace> {
            return Error{ErrorCode::system, folder + ": not to be read"};
        };
    }

private Q_SLOTS:
    void the_last_run_stays_in_memory() {
        RunTraces traces(nothing_to_read());
        traces.finished("w", "one", made());
        const Trace first = *traces.trace_of("w", "one");
        QVERIFY(first != nullptr);
        QCOMPARE(*traces.trace_of("w", "one"), first);
        // Another folder and another run are no such run.
        QVERIFY(!traces.trace_of("v", "one").ok());
        QVERIFY(!traces.trace_of("w", "two").ok());
        QCOMPARE(traces.reads(), std::size_t{2});
        // The next one takes its place; who holds the first still shares it.
        traces.finished("w", "two", made());
        QCOMPARE(*traces.trace_of("w", "one"), first);
        QVERIFY(*traces.trace_of("w", "two") != first);
        QCOMPARE(traces.reads(), std::size_t{2});
    }

    void what_nobody_holds_is_read() {
        RunTraces traces(
            [](const std::string&, const std::string&) -> Result<Trace> { return made(); });
        traces.finished("w", "one", made());
        traces.finished("w", "two", made());
        Trace one = *traces.trace_of("w", "one");
        QCOMPARE(traces.reads(), std::size_t{1});
        QCOMPARE(*traces.trace_of("w", "one"), one); // as long as it is held
        QCOMPARE(traces.reads(), std::size_t{1});
        one.reset();
        QVERIFY(*traces.trace_of("w", "one") != nullptr);
        QCOMPARE(traces.reads(), std::size_t{2});
    }

    void a_deleted_run_is_forgotten() {
        RunTraces traces(nothing_to_read());
        traces.finished("w", "one", made());
        traces.forget("w", "one");
        QVERIFY(!traces.trace_of("w", "one").ok());
    }

    void a_run_without_spans() {
        RunTraces traces(
            [](const std::string&, const std::string&) -> Result<Trace> { return Trace(); });
        for (int i = 0; i < 2; ++i) {
            const auto none = traces.trace_of("w", "bare");
            QVERIFY(none.ok() && *none == nullptr);
        }
    }

    void from_many_threads() {
        RunTraces traces(
            [](const std::string&, const std::string&) -> Result<Trace> { return made(); });
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 4; ++i)
                threads.emplace_back([&traces, i] {
                    for (int round = 0; round < 200; ++round) {
                        const std::string id = std::to_string(round % 3);
                        if (i == 0)
                            traces.finished("w", id, made());
                        else if (const auto trace = traces.trace_of("w", id); !trace || !*trace)
                            qFatal("no trace");
                    }
                });
        }
        QVERIFY(traces.trace_of("w", "0").ok());
    }
};

} // namespace blockloom::ui::test_run_traces

QTEST_APPLESS_MAIN(blockloom::ui::test_run_traces::TestRunTraces)
#include "test_run_traces.moc"
