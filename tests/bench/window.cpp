// What a user waits for in the window (issue 6): a start on a warm workspace (asked: 1 s), a
// workspace with 10,000 kept runs (1 s), a selection that reaches all panels of a block of 5,000
// tasks (16 ms). Peers: an empty window, and the bare list of the runs' summaries.
#include "runs/kept_runs.h"
#include "runs/run_record.h"
#include "session/runs.h"
#include "store/kept_folders.h"
#include "ui/block_fixture.h"
#include "window/main_window.h"

#include <benchmark/benchmark.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QMainWindow>
#include <QTemporaryDir>

#include <cstdlib>
#include <memory>

using namespace blockloom;

namespace {

constexpr int time_limit_ms = 60'000;

/// Handles events until `done`; false: a minute passed.
template <class Done> bool handle_events_until(const Done& done) {
    QElapsedTimer watch;
    watch.start();
    while (!done()) {
        if (watch.elapsed() > time_limit_ms) return false;
        QCoreApplication::processEvents(QEventLoop::AllEvents);
    }
    return true;
}

/// Generated blocks, a window's settings, and a workspace.
struct Scratch {
    QTemporaryDir folder;
    [[nodiscard]] QString settings() const { return folder.filePath(QStringLiteral("window.ini")); }
    [[nodiscard]] QString runs() const { return folder.filePath(QStringLiteral("workspace")); }
    [[nodiscard]] QString blocks(std::uint32_t count, std::uint32_t tasks) const {
        const QString path = folder.filePath(QStringLiteral("blocks-%1").arg(tasks));
        if (!QFile::exists(path) && !test::write_blocks(path, count, tasks)) std::abort();
        return path;
    }
};

std::unique_ptr<ui::MainWindow> shown_window(const Scratch& scratch) {
    auto window = std::make_unique<ui::MainWindow>(scratch.settings());
    window->resize(1600, 1000);
    window->show();
    return window;
}

bool is_usable(const ui::MainWindow& window) {
    return window.session()->range() && window.isSettled();
}

void empty_window(benchmark::State& bench) {
    for (auto _ : bench) {
        QMainWindow window;
        window.resize(1600, 1000);
        window.show();
        QCoreApplication::processEvents();
    }
}

/// A window made, shown, and settled on a range of three blocks of 300 tasks.
void usable_window(benchmark::State& bench) {
    const Scratch scratch;
    const QString blocks = scratch.blocks(3, 300);
    for (auto _ : bench) {
        const auto window = shown_window(scratch);
        window->open({blocks});
        if (!handle_events_until([&] { return is_usable(*window); })) std::abort();
    }
}

/// argument 0: tasks of the block.
void selection(benchmark::State& bench) {
    const Scratch scratch;
    const auto tasks = static_cast<std::uint32_t>(bench.range(0));
    const auto window = shown_window(scratch);
    window->open({scratch.blocks(1, tasks)});
    if (!handle_events_until([&] { return is_usable(*window); })) std::abort();
    quint32 task = 1;
    for (auto _ : bench) {
        window->session()->selectTask(task);
        if (!handle_events_until([&] { return window->isSettled(); })) std::abort();
        task = task % (tasks - 1) + 1;
    }
}

/// A run of `blocks` blocks, with the times of ten repetitions.
runs::RunRecord run_of(std::uint64_t blocks) {
    runs::RunRecord run;
    run.engine = "native";
    run.network = "regtest";
    run.sources = {"demo"};
    run.walls.assign(10, 1'000'000);
    for (std::uint64_t height = 1; height <= blocks; ++height) {
        runs::RunBlock block;
        block.height = height;
        block.hash[0] = static_cast<std::uint8_t>(height);
        block.tasks = 300;
        block.phases[execute::Phase::execute] = 900'000;
        run.blocks.push_back(block);
    }
    return run;
}

void keep_runs(const QString& folder, int count) {
    const auto kept = store::open_runs(folder.toStdString());
    if (!kept) std::abort();
    for (int i = 0; i < count; ++i) {
        runs::RunRecord run = run_of(20);
        run.id = "20260101-" + std::to_string(100'000 + i);
        if (!runs::keep_run(*kept, run, {})) std::abort();
    }
}

/// argument 0: kept runs. Until the window lists the newest.
void workspace_of_runs(benchmark::State& bench) {
    const Scratch scratch;
    keep_runs(scratch.runs(), static_cast<int>(bench.range(0)));
    const QString blocks = scratch.blocks(3, 300);
    for (auto _ : bench) {
        const auto window = shown_window(scratch);
        window->runs()->setFolder(scratch.runs());
        window->open({blocks});
        if (!handle_events_until([&] {
                return is_usable(*window) && !window->runs()->reading() &&
                       !window->runs()->kept().empty();
            }))
            std::abort();
    }
}

void bare_list(benchmark::State& bench) {
    const Scratch scratch;
    keep_runs(scratch.runs(), static_cast<int>(bench.range(0)));
    for (auto _ : bench) {
        const auto kept = store::open_runs(scratch.runs().toStdString());
        if (!kept || !kept->list()) std::abort();
    }
}

BENCHMARK(empty_window)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(usable_window)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
BENCHMARK(bare_list)->Arg(10'000)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(workspace_of_runs)
    ->Arg(100)
    ->Arg(10'000)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(selection)->Arg(500)->Arg(5'000)->UseRealTime()->MeasureProcessCPUTime()->Unit(
    benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication app(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
