// How a strategy came to a block: counts of rounds, batches and executions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace blockloom::execute {

/// How a block of a window came about. Tasks are counted as in BlockExecution.
struct BlockRounds {
    std::uint64_t rounds = 0;                     ///< in which one of its transactions ran
    std::uint64_t executions = 0;                 ///< tasks run, those of rejected attempts too
    std::uint64_t accepted_first = 0;             ///< tasks whose first execution was accepted
    std::uint64_t serial = 0;                     ///< tasks that ran in block order in the end
    std::vector<std::uint64_t> batches;           ///< its transactions in each batch
    std::map<std::string, std::uint64_t> ejected; ///< attempts a device gave to the host, by code
    /// Of a run on a device: which tasks the host ran in the end, by the reason: a code of
    /// `ejected`, or one of `host_reasons`. Ascending; tasks counted in block order from 0.
    std::map<std::string, std::vector<std::uint32_t>> on_host;
};

} // namespace blockloom::execute
