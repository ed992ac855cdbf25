// The instructions that wasmi's translator would emit, as far as its metering depends on them: the
// number of words, the last instruction, and the charge of each scope (docs/fuel.md#instructions).
#pragma once

#include "wasm/fuel_model.h"
#include "wasm/wasmi_stack.h"

#include <initializer_list>
#include <span>

namespace blockloom::wasm::wasmi {

using Scope = std::uint32_t; ///< index in Code::scopes; 0: the function's body
using Label = std::uint32_t;

class Code {
public:
    enum class Kind : std::uint8_t {
        plain,
        copy,           ///< one register to another; two in a row may become one
        bitwise,        ///< i32.and, or, xor: absorbs a following i32.eqz, fuses with a branch
        comparison,     ///< fuses with a branch on either value
        float_ordering, ///< fuses only with a branch that is taken when it holds
    };
    struct Instruction {
        Kind kind = Kind::plain;
        std::optional<Register>
            result; ///< set if the result can be written to another register instead
        std::span<const Value> inputs;
        std::uint32_t words = 1;
    };

    Code() = default;

    /// Appends a word that charges; `offset` is that of the opcode that opens the scope.
    [[nodiscard]] Scope open_scope(std::uint32_t offset);
    void charge(Scope scope, std::uint64_t cost = 1) noexcept { scopes_[scope].cost += cost; }
    void emit(const Instruction& instruction);
    /// Appends a word that names values for the last instruction.
    void append(std::span<const Value> inputs);
    /// Appends a list of registers, three per word.
    void append_list(std::span<const Value> values);
    void forget_last() noexcept { last_.present = false; }

    // All of these charge what they emit to `scope`.
    void copy(Stack& stack, Register to, const Value& from, Scope scope);
    /// Copies values[i] to register to + i, except those at either end that are already there.
    void copy_all(Stack& stack, Register to, std::span<const Value> values, Scope scope);
    void set_local(Stack& stack, Register local, const Value& value,
                   std::optional<Register> preserved, Scope scope);
    void return_values(Stack& stack, std::span<const Value> values, Scope scope);
    void return_values_if(Stack& stack, Register condition, std::span<const Value> values,
                          Scope scope);

    /// i32.eqz on `input`; true: the last instruction absorbed it.
    [[nodiscard]] bool take_in_eqz(const Stack& stack, const Value& input);
    /// A branch on a register. Costs nothing, fused or not.
    void branch_if(const Stack& stack, Register condition, bool when, Label target);

    [[nodiscard]] Label new_label();
    void pin(Label label);

    [[nodiscard]] const std::vector<FuelScope>& scopes() const noexcept { return scopes_; }
    /// A conditional branch spans more words than 16 bits can count: it needs separate constants.
    [[nodiscard]] bool has_far_branch() const;

private:
    struct Last {
        bool present = false;
        Kind kind = Kind::plain;
        std::optional<Register> result;
        std::vector<Register> inputs;
        std::uint32_t at = 0;
    };
    struct Branch {
        std::uint32_t at = 0;
        Label label = 0;
    };
    void note_inputs(std::span<const Value> inputs);
    [[nodiscard]] bool merges_copy(Register to, const Value& from);
    [[nodiscard]] bool relinks(const Stack& stack, Register local, const Value& value,
                               std::optional<Register> preserved);
    void charge_many(std::size_t beyond, Scope scope);

    std::uint32_t words_ = 0;
    Last last_;
    std::vector<FuelScope> scopes_;
    std::vector<std::optional<std::uint32_t>> labels_;
    std::vector<Branch> branches_;
};

/// Whether wasmi has an encoding with the constant inside the instruction.
[[nodiscard]] bool fits_i16(const Value& constant) noexcept;
[[nodiscard]] bool fits_u16(const Value& constant) noexcept;
/// For copies, returns and `select`: all 32-bit constants, and 64-bit ones that fit into 32 bits.
[[nodiscard]] bool fits_32(const Value& constant) noexcept;

} // namespace blockloom::wasm::wasmi
