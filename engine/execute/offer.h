// What an attempt offers for acceptance, laid out so that thousands can be checked in parallel.
#pragma once

#include "alkanes/transaction.h"
#include "state/key_shards.h"

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::execute {

/// One key of an execution's log, with what a check needs at once.
struct Probe {
    enum class Kind : std::uint8_t {
        read,      ///< the value is compared
        predicate, ///< the counter is compared
        blind,     ///< a task's write without a read: the serial run must not find it silent
        net_blind, ///< the same of what all tasks together leave
        void_try,  ///< a write that a void transaction took back: what lay there was not logged
        write,     ///< a net write: nothing to check, it is what others read
    };
    std::uint64_t hash = 0;  ///< state::KeyHash
    std::uint32_t place = 0; ///< in the vector of the log that `kind` names
    std::uint16_t task = 0;  ///< blind, void_try: which TaskLog
    Kind kind = Kind::read;
    bool holds_before = false; ///< the check holds on the state before the window
};

/// An execution that waits for acceptance. Immutable once made. What a check looks at comes first:
/// one cache line.
struct alignas(64) Offer {
    std::vector<Probe> probes;    ///< of kind `write`: the last ones, in the order of the log's
    std::uint32_t attempt = 1;    ///< how often its transaction had run, this run included
    bool on_window_start = false; ///< ran on nothing but the state before the window
    bool exact = false;           ///< ran when all before it were accepted: on the true state
    bool rigid = false;           ///< void with writes that were not logged: see `void_try`
    alkanes::TransactionResult result;
    std::string ejection;
};

/// The key of a probe, in the offer's log.
[[nodiscard]] const state::Key& key_of(const Offer& offer, const Probe& probe) noexcept;

/// Whether a probe holds where `now` stands at its key. A blind write that would be silent there is
/// no longer what the serial run would log. `write` holds always.
[[nodiscard]] bool holds(const Offer& offer, const Probe& probe, const state::Value& now) noexcept;

/// Lays out an execution's log and compares it with `before`, the state before the window. Fails
/// where that state fails.
[[nodiscard]] Result<Offer> make_offer(alkanes::TransactionResult result,
                                       const state::StateView& before);

/// The same question without an index, on the true state before the transaction: log and budget
/// are what the serial run would give. Fails where the state fails.
[[nodiscard]] Result<bool> holds_on(const Offer& offer, const state::StateView& now,
                                    std::uint64_t budget);

} // namespace blockloom::execute
