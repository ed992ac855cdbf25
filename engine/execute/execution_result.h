// The execution result of an attempt, laid out so that thousands can be validated in parallel.
#pragma once

#include "alkanes/transaction.h"
#include "base/small_vector.h"
#include "gpuvm/options.h"
#include "state/key_shards.h"

#include <cstdint>
#include <memory>
#include <string>

namespace blockloom::execute {

/// One key of an execution's log, with everything that a check needs first.
struct Probe {
    enum class Kind : std::uint8_t {
        read,      ///< the value is compared
        predicate, ///< the counter is compared
        blind,     ///< a task's blind write: it must not be silent in the serial run
        net_blind, ///< the same for the net result of all tasks
        compared,  ///< what a write was compared with that a void transaction dropped
        write,     ///< a net write, which others read: nothing to check
    };
    std::uint64_t hash = 0;  ///< state::KeyHash
    std::uint32_t place = 0; ///< in the vector of the log that `kind` names
    std::uint16_t task = 0;  ///< blind: which TaskLog
    Kind kind = Kind::read;
    bool holds_before = false; ///< the check holds on the state before the block window
};

/// An execution that waits for acceptance. Immutable once made. What a check reads comes first, and
/// in one piece.
struct ExecutionResult {
    /// Those of a usual message need no allocation of their own.
    static constexpr std::size_t usual_probes = 24;

    /// Of kind `write`: the last ones, in the order of the log's.
    SmallVector<Probe, usual_probes> probes;
    std::uint32_t attempt = 1; ///< how often its transaction has run, including this run
    alkanes::TransactionResult result;
    std::string ejection;
    const char* not_offered = nullptr;               ///< as in Attempted
    std::uint32_t submission = gpuvm::no_submission; ///< as in Attempted
};

/// The key of a probe, in the execution's log.
[[nodiscard]] const state::Key& key_of(const ExecutionResult& execution,
                                       const Probe& probe) noexcept;

/// Whether a probe holds if `now` is the value of its key. A blind write that would be silent there
/// is not what the serial run would log. `write` always holds.
[[nodiscard]] bool holds(const ExecutionResult& execution, const Probe& probe,
                         const state::Value& now) noexcept;

/// Makes an execution's probes, from its log, and compares them with `before`, the state before the
/// block window. `ran_on_before`: it ran on exactly that state, so that all of them hold there
/// without a look. Fails if reading that state fails.
[[nodiscard]] Status make_probes(ExecutionResult& execution, const state::StateView& before,
                                 bool ran_on_before = false);
/// An execution with its probes.
[[nodiscard]] Result<std::unique_ptr<ExecutionResult>>
make_execution_result(alkanes::TransactionResult result, const state::StateView& before,
                      bool ran_on_before = false);

/// The first probe that does not hold on `now`; null: they all do. Fails if reading fails.
[[nodiscard]] Result<const Probe*> broken_probe(const ExecutionResult& execution,
                                                const state::StateView& now);
/// The same check without an index, on the true state before the transaction: whether log and
/// budget are those of the serial run. Fails if reading the state fails.
[[nodiscard]] Result<bool> holds_on(const ExecutionResult& execution, const state::StateView& now,
                                    std::uint64_t budget);

} // namespace blockloom::execute
