// Access prediction: the storage keys that a contract will probably read, because it read them
// before. A wrong prediction costs a little time and changes nothing.
#pragma once

#include "alkanes/ids.h"
#include "base/bytes.h"
#include "base/u128.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::execute {

/// Identifies calls of the same kind to a contract.
struct HabitKey {
    Hash256 contract{}; ///< of its code
    u128 opcode = 0;
    auto operator<=>(const HabitKey&) const = default;
};

/// Names of keys by contract and opcode, learned from reads that the host answered. In a name, the
/// id of the reader's own transaction is a placeholder for that of later readers.
class ReadHabits {
public:
    /// Records that a contract read `name` in transaction `txid`. A name is learned once it is read
    /// twice.
    void learn(const HabitKey& who, std::string_view name, const Hash256& txid);
    /// Records that a call was seen, whatever it reads.
    void meet(const HabitKey& who) { (void)habits_[who]; }
    /// Names that a call is expected to read.
    [[nodiscard]] std::vector<std::string> expected(const HabitKey& who, const Hash256& txid) const;
    /// Whether one was seen before.
    [[nodiscard]] bool knows(const HabitKey& who) const { return habits_.contains(who); }

private:
    static constexpr std::size_t most_names = 16, most_once = 256, most_bytes = 256;

    struct Habit {
        std::vector<std::string> names; ///< with `placeholder` instead of a txid
        std::map<std::string, int> once;
    };
    std::map<HabitKey, Habit> habits_;
};

} // namespace blockloom::execute
