#include "runs/run_progress.h"

#include <algorithm>

namespace blockloom::runs {
namespace {

double a_second(std::uint64_t count, Nanoseconds time) {
    return time <= 0 ? 0 : static_cast<double>(count) * 1e9 / static_cast<double>(time);
}

std::uint64_t sum_of(const std::map<std::string, std::uint64_t>& counts) {
    std::uint64_t sum = 0;
    for (const auto& [code, count] : counts) sum += count;
    return sum;
}

} // namespace

RunProgress progress_of(const execute::LiveSnapshot& live) {
    RunProgress made;
    made.run.backend = live.how.backend;
    made.run.device = live.how.device;
    made.run.strategy = live.how.strategy;
    made.run.engine = live.how.engine;
    made.run.workers = live.workers;
    made.run.tasks = live.done.tasks;
    made.run.succeeded = live.done.succeeded;
    made.run.reverted = live.done.reverted;
    made.run.on_device = live.done.on_device;
    made.run.on_host = live.done.tasks - std::min(live.done.tasks, live.done.on_device);
    made.run.executions = live.done.executions;
    made.run.rounds = live.done.rounds;
    made.run.in_order = live.done.in_order;
    made.run.ejected = live.done.ejected;
    made.run.phases = live.phases;
    made.run.wall = live.elapsed;
    made.run.repetitions = live.how.repetitions;
    made.in_progress = live.state != execute::LiveState::finished;
    made.state = live.state;
    made.held_up = live.held_up;
    made.repetition = live.repetition;
    made.repetitions = live.how.repetitions;
    made.blocks_done = live.done.blocks;
    made.blocks_all = live.blocks;
    made.elapsed = live.elapsed;
    made.paused = live.paused;
    made.tasks_a_second = live.tasks_a_second();
    made.blocks_a_second = live.blocks_a_second();
    made.busy_share = live.busy_share();
    made.tried = live.tried;
    made.redone = live.done.redone();
    made.batches = live.done.batches;
    made.ejected = sum_of(live.done.ejected);
    made.window = live.window;
    made.devices = live.devices;
    made.breakdown = breakdown_of(made.run, nullptr);
    if (live.stretches) made.stretches = *live.stretches;
    made.usage = live.usage;
    return made;
}

RunProgress progress_of(const KeptRun& run) {
    RunProgress made;
    made.run = run;
    made.repetitions = made.repetition = static_cast<unsigned>(run.repetitions);
    made.blocks_done = made.blocks_all = run.blocks.size();
    made.elapsed = run.wall;
    for (const auto& [begin, end] : run.pauses) made.paused += end - begin;
    made.tasks_a_second = a_second(run.tasks, run.wall);
    made.blocks_a_second = a_second(run.blocks.size(), run.wall);
    made.redone = run.executions > run.tasks ? run.executions - run.tasks : 0;
    made.ejected = sum_of(run.ejected);
    made.breakdown = breakdown_of(run, nullptr);
    const std::size_t joined =
        (run.blocks.size() + execute::most_stretches - 1) / execute::most_stretches;
    for (std::size_t i = 0; i < run.blocks.size(); ++i) {
        const KeptBlock& block = run.blocks[i];
        if (i % joined == 0) {
            made.stretches.push_back(
                {block.height, block.height, 1, block.tasks, block.phases.sum()});
            continue;
        }
        execute::LiveStretch& last = made.stretches.back();
        last.last_height = block.height;
        ++last.blocks;
        last.tasks += block.tasks;
        last.wall += block.phases.sum();
    }
    made.usage = run.usage;
    made.pauses = run.pauses;
    return made;
}

} // namespace blockloom::runs
