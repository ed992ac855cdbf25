// One block as the analyses see it: tasks in block order, the keys they access, and their costs.
#pragma once

#include "base/bytes.h"
#include "trace/access.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::trace {

/// Names of a trace's keys. Implementations compute them on demand: a block has tens of thousands
/// of keys, of which a reader looks at a few. Thread-safe: const calls may come from any thread.
class KeyNames {
public:
    virtual ~KeyNames() = default;

    /// The whole printable key, "kind:text" (for example "utxo:6b27…6b90:1").
    [[nodiscard]] virtual std::string printable(KeyId key) const = 0;

    /// The part before the first colon.
    [[nodiscard]] virtual std::string kind(KeyId key) const {
        const std::string whole = printable(key);
        return whole.substr(0, whole.find(':'));
    }
};

/// Names of tasks: a transaction hash, or the name given in the trace. Thread-safe as KeyNames.
class TaskNames {
public:
    virtual ~TaskNames() = default;
    [[nodiscard]] virtual std::string printable(TaskId task) const = 0;
};

/// What a task's cost is measured in (docs/definitions.md#cost); every figure that depends on
/// cost names its unit.
enum class CostUnit : std::uint8_t { unit, gas, fuel, compute_units, measured_ns };

/// Which block it is.
struct BlockIdentity {
    std::optional<std::uint64_t> height; ///< or slot; absent if the source does not give it
    std::string hash;                    ///< as its chain prints it; empty if unknown
    std::string label;                   ///< what a table shows: the height, or a file's name
};

/// Immutable once made; shared by reference. Access sets are those of the chain's rules
/// (docs/definitions.md#access-sets), before any key policy.
struct BlockTrace {
    std::string chain; ///< bitcoin, alkanes, ethereum, solana, or the name in a .bloomtrace
    BlockIdentity block;
    AccessSets sets;
    std::vector<std::uint64_t> cost; ///< one per task in `cost_unit`; empty: 1 each
    CostUnit cost_unit = CostUnit::unit;
    /// Alkanes: the transaction of each task; neighbours of one transaction are ordered (program
    /// order). Empty if every task is its own transaction.
    std::vector<std::uint32_t> transaction;
    std::vector<bool> vote; ///< Solana: tasks that `--without-votes` leaves out; empty: none
    std::shared_ptr<const KeyNames> keys;   ///< may be null in synthetic traces
    std::shared_ptr<const TaskNames> names; ///< may be null in synthetic traces

    [[nodiscard]] TaskId tasks() const noexcept { return sets.tasks(); }
    [[nodiscard]] std::uint64_t cost_of(TaskId task) const noexcept {
        return cost.empty() ? 1 : cost[task];
    }
};

} // namespace blockloom::trace
