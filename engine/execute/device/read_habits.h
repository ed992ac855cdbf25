// Which storage keys a contract is going to read: those that it read before. A guess that is wrong
// costs a little time and changes nothing.
#pragma once

#include "alkanes/ids.h"
#include "base/bytes.h"
#include "base/u128.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace blockloom::execute {

/// What calls of one contract have in common.
struct HabitKey {
    Hash256 contract{}; ///< of its code
    u128 opcode = 0;
    auto operator<=>(const HabitKey&) const = default;
};

/// Names of keys by contract and opcode, learned from reads that the host answered. In a name the
/// id of the reader's own transaction stands for that of any other reader.
class ReadHabits {
public:
    /// A contract read `name`; `txid` is its transaction's. Learned is what is read twice.
    void learn(const HabitKey& who, std::string_view name, const Hash256& txid);
    /// A call was seen, whatever it reads.
    void meet(const HabitKey& who) { (void)habits_[who]; }
    /// Names that a call is expected to read.
    [[nodiscard]] std::vector<std::string> expected(const HabitKey& who, const Hash256& txid) const;
    /// Whether one was seen before.
    [[nodiscard]] bool knows(const HabitKey& who) const { return habits_.contains(who); }

private:
    static constexpr std::size_t most_names = 16, most_once = 256, most_bytes = 256;

    struct Habit {
        std::vector<std::string> names; ///< with `placeholder` where a txid stood
        std::map<std::string, int> once;
    };
    std::map<HabitKey, Habit> habits_;
};

} // namespace blockloom::execute
