// How much dag would have repeated, from graphs that miss some of what executions show.
#include "execute/flow/graph_examination.h"
#include "execute/scripted_window.h"
#include "execute/worker_pool.h"

#include <QTest>

using namespace blockloom;
using namespace scripted;

namespace {

/// A window of tasks that ran one after the other, without blocks.
class RanWindow {
public:
    void run(const Script& script) {
        state::Overlay overlay(state_);
        overlay.begin_task();
        auto execution = std::make_unique<execute::ExecutionResult>();
        (void)script(overlay, execution->result.fuel);
        auto log = overlay.finish();
        QVERIFY(log.ok());
        execution->result.log = *std::move(log);
        QVERIFY(execute::make_probes(*execution, empty_).ok());
        for (const auto& [key, value] : execution->result.log.writes)
            state_.put(key.bytes(), value);
        executions_.push_back(std::move(execution));
        tasks_.push_back(static_cast<std::uint32_t>(tasks_.size()));
    }
    [[nodiscard]] double examine(const execute::TaskGraphBuilder& graph, double width,
                                 unsigned workers) const {
        execute::WorkerPool pool(workers);
        const execute::Tanks tanks;
        const execute::WindowNow now{{},      {}, executions_, {},   tanks, empty_,
                                     nullptr, 0,  width,       true, pool};
        return execute::share_that_dag_would_repeat(now, tasks_, graph.make());
    }

private:
    state::MemoryState empty_, state_;
    std::vector<std::unique_ptr<execute::ExecutionResult>> executions_;
    std::vector<std::uint32_t> tasks_;
};

Script adds(const char* key) {
    return [=](state::Overlay& overlay, alkanes::FuelUse&) {
        write(overlay, key, read(overlay, key) + 1);
        return false;
    };
}
Script sets(const char* key, std::uint64_t value) {
    return [=](state::Overlay& overlay, alkanes::FuelUse&) {
        write(overlay, key, value);
        return false;
    };
}

/// Tasks of one cost that wait for the given ones; none: for nobody.
execute::TaskGraphBuilder graph(const std::vector<std::vector<std::uint32_t>>& waits) {
    execute::TaskGraphBuilder builder(0);
    for (const auto& each : waits) {
        builder.add_task(1);
        for (const std::uint32_t task : each) builder.waits_for(task);
    }
    return builder;
}

} // namespace

class TestGraphExamination : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A chain of eight, each of which adds one.
    void a_missing_edge_costs_all_that_follows() {
        RanWindow window;
        for (int i = 0; i < 8; ++i) window.run(adds("a"));
        const std::vector<std::vector<std::uint32_t>> all{{}, {0}, {1}, {2}, {3}, {4}, {5}, {6}};
        for (const unsigned workers : {1U, 3U}) {
            QCOMPARE(window.examine(graph(all), 4, workers), 0.0);
            auto one_less = all;
            one_less[5].clear(); // it starts beside the first one
            QCOMPARE(window.examine(graph(one_less), 4, workers), 3.0 / 8);
            QCOMPARE(window.examine(graph(std::vector(8, all[0])), 4, workers), 7.0 / 8);
        }
        // On one worker they run in block order even if nobody waits.
        QCOMPARE(window.examine(graph(std::vector(8, all[0])), 1, 2), 0.0);
    }

    /// An edge that is missing but that time makes up for.
    void who_starts_late_anyway_repeats_nothing() {
        RanWindow window;
        window.run(adds("a"));
        window.run(adds("b"));
        window.run(adds("b"));
        window.run([](state::Overlay& overlay, alkanes::FuelUse&) {
            write(overlay, "b", read(overlay, "b") + read(overlay, "a"));
            return false;
        });
        QCOMPARE(window.examine(graph({{}, {}, {1}, {2}}), 2, 2), 0.0);
    }

    /// Whether a write is silent depends on the value below it.
    void blind_writes_depend_on_earlier_ones() {
        RanWindow window;
        window.run(sets("a", 1));
        window.run(sets("a", 2));
        QCOMPARE(window.examine(graph({{}, {}}), 2, 2), 0.5);
        QCOMPARE(window.examine(graph({{}, {0}}), 2, 2), 0.0);
    }

    void independent_tasks_repeat_nothing() {
        RanWindow window;
        for (const char* key : {"a", "b", "c", "d"}) window.run(adds(key));
        QCOMPARE(window.examine(graph(std::vector<std::vector<std::uint32_t>>(4)), 4, 2), 0.0);
    }
};

QTEST_GUILESS_MAIN(TestGraphExamination)
#include "test_graph_examination.moc"
