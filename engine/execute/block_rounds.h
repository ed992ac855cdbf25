// How a strategy executed a block: counts of rounds, batches and executions.
#pragma once

#include "execute/aborted_attempt.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace blockloom::execute {

/// Tasks first … last of a block.
struct TasksOfWave {
    std::uint32_t wave = 0, first = 0, last = 0;
};

/// How a block of a block window was executed. Tasks are counted as in BlockExecution.
struct BlockRounds {
    std::uint64_t rounds = 0;         ///< rounds in which one of its transactions ran
    std::uint64_t executions = 0;     ///< tasks executed, including those of rejected attempts
    std::uint64_t accepted_first = 0; ///< tasks whose first execution was accepted
    std::uint64_t serial = 0;         ///< tasks that finally ran in block order
    /// Executions of transactions on predicted values, and how many of these the check after them
    /// rejected.
    std::uint64_t predicted = 0, mispredicted = 0;
    AbortedAttempts aborted; ///< what had to be repeated, and why
    std::string choice; ///< which strategy `auto` chose, and why: "dag: dependencies allow …"
    std::vector<std::uint64_t> batches; ///< its transactions in each batch
    std::map<std::string, std::uint64_t>
        ejected; ///< attempts ejected from a device to the host, by code
    /// For a run on a device: which tasks the host finally ran, by reason: a code of `ejected`, or
    /// one of `host_reasons`. Ascending; tasks are counted in block order from 0.
    std::map<std::string, std::vector<std::uint32_t>> on_host;
    /// Which of them ran in which wave of a device (gpuvm::Options::launched); ascending, of a run
    /// that is recorded.
    std::vector<TasksOfWave> waves;

    /// A task that ran in a wave; those of before are lower.
    void note_wave(std::uint32_t wave, std::uint32_t task) {
        if (!waves.empty() && waves.back().wave == wave && waves.back().last + 1 == task)
            waves.back().last = task;
        else
            waves.push_back({wave, task, task});
    }
};

} // namespace blockloom::execute
