// The operand stack and the registers of wasmi's translator, as far as its metering depends on them
// (docs/fuel.md#registers).
#pragma once

#include "wasm/types.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace blockloom::wasm::wasmi {

/// Below 0: a constant of the function; then parameters and locals, then dynamic registers;
/// preserved ones count down from Stack::first_preserved.
using Register = std::int32_t;

/// An operand: a register, or a constant without a register yet.
struct Value {
    bool is_constant = false;
    Register reg = 0;
    ValueType type = ValueType::i32; ///< of a constant
    Cell bits = 0;

    [[nodiscard]] static Value in(Register reg) noexcept { return {false, reg, ValueType::i32, 0}; }
    [[nodiscard]] static Value constant(ValueType type, Cell bits) noexcept {
        return {true, 0, type, bits};
    }
    friend bool operator==(const Value&, const Value&) = default;
};

enum class Space : std::uint8_t { constant, local, dynamic, preserved };

struct PreservedLocal {
    Register local = 0, preserved = 0;
};

/// Slots with a count each; a freed slot is reused first.
class Slots {
public:
    [[nodiscard]] std::uint32_t put(std::uint32_t count);
    void add_one(std::uint32_t slot);
    void take_one(std::uint32_t slot);
    void take_all(std::uint32_t slot);
    /// 0: free.
    [[nodiscard]] std::uint32_t count(std::uint32_t slot) const noexcept {
        return slot < entries_.size() ? entries_[slot].count : 0;
    }

private:
    struct Entry {
        std::uint32_t count = 0, next_free = 0;
    };
    void release(std::uint32_t slot);

    std::vector<Entry> entries_;
    std::uint32_t free_ = 0, used_ = 0;
};

class Stack {
public:
    static constexpr Register first_preserved = 32'766;

    explicit Stack(std::uint32_t locals);

    [[nodiscard]] std::uint32_t height() const noexcept {
        return static_cast<std::uint32_t>(values_.size());
    }
    void push(const Value& value);
    void push_local(std::uint32_t local);
    Register push_dynamic();
    /// The first of `count` registers in a row.
    Register push_dynamic(std::uint32_t count);
    /// The registers that `push_dynamic(count)` would return.
    [[nodiscard]] Register peek_dynamic(std::uint32_t count);
    Value pop();
    [[nodiscard]] const Value& top() const noexcept { return values_.back(); }
    void pop(std::uint32_t count, std::vector<Value>& to); ///< bottom one first
    void peek(std::uint32_t count, std::vector<Value>& to) const;
    void truncate(std::uint32_t height);

    [[nodiscard]] Space space(Register reg) const noexcept;
    /// The register of a constant: equal bits share one.
    Register constant_register(Cell bits);
    Register register_of(const Value& value) {
        return value.is_constant ? constant_register(value.bits) : value.reg;
    }

    /// Called before a local is written: moves its occurrences on the stack to a register of their
    /// own.
    [[nodiscard]] std::optional<Register> preserve(std::uint32_t local);
    /// The same for all locals, in the order in which registers are assigned.
    void preserve_all(std::vector<PreservedLocal>& to);
    /// Frees preserved registers that are no longer used.
    void collect_preserved();
    /// Extends (or ends) the lifetime of a preserved register; other registers are not affected.
    void hold(Register reg);
    void let_go(Register reg);

    /// All registers of the frame, constants included.
    [[nodiscard]] std::uint32_t registers() const noexcept;
    /// wasmi refuses the function because it has too many registers.
    [[nodiscard]] bool exhausted() const noexcept { return exhausted_; }

private:
    void push_entry(const Value& value);
    Register new_preserved();
    void occupy(Register local, Register preserved, bool first);
    void bump_dynamic(std::uint32_t count);
    void switch_order();

    Register locals_;
    Register next_dynamic_, most_dynamic_;
    Register least_preserved_ = first_preserved; ///< the lowest one assigned, minus one
    std::vector<Value> values_;
    /// The stack positions of each local, ascending.
    std::map<Register, std::vector<std::uint32_t>> places_;
    bool by_index_ = false; ///< the order of preserve_all
    Slots preserved_;
    std::set<std::uint32_t> popped_; ///< slots that may be used up
    std::unordered_map<Cell, Register> constants_;
    bool exhausted_ = false;
};

} // namespace blockloom::wasm::wasmi
