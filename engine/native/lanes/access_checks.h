// Which accesses of a function test where they are, and for which accesses besides their own.
#pragma once

#include "native/address_facts.h"
#include "native/control_graph.h"
#include "native/lanes/plan.h"

#include <unordered_map>

namespace blockloom::native {

/// Bytes near an address: those from `low` to `high` (exclusive), relative to it, are in one window
/// of a set. The address plus `phase` is a multiple of `alignment`.
struct NearBytes {
    LanePlan::WindowSet windows = 0; ///< 0: nothing is known
    std::int64_t low = 0, high = 0;
    std::uint32_t alignment = 1, phase = 0;

    [[nodiscard]] bool operator==(const NearBytes&) const = default;
    [[nodiscard]] bool covers(std::int64_t offset, std::int64_t bytes, std::uint32_t claimed) const;
    /// Of the address plus `distance`; nothing where that could exceed 32 bits.
    [[nodiscard]] std::optional<NearBytes> from(std::int64_t distance) const;
};

/// The alignment in bytes that the module claims for a load or store, at most its width; 1 if its
/// bytes say nothing.
[[nodiscard]] std::uint32_t claimed_alignment(const wasm::Program& program, std::uint32_t pc);

/// What an access does before it reads or writes.
struct AccessCheck {
    enum class Kind : std::uint8_t {
        alone,   ///< tests its own bytes
        grouped, ///< tests `bytes`: its own, and those of later accesses of the same block
        known,   ///< `bytes` are known to be there
    };
    Kind kind = Kind::alone;
    NearBytes bytes; ///< relative to the register that the access is based on
    /// What that register is within the block: equal symbols differ by their offsets.
    Place place;
};

/// A lane may leave before it does what would have made it leave, as it has no result then: so what
/// a block will access is tested where the first of it is accessed. What is known of registers is
/// passed on to other blocks. What lies in the module's own stack at a register that is set once,
/// to a global less a constant, is tested at once for the whole function: all of a stack is there.
class AccessChecks {
public:
    AccessChecks(const LanePlan& plan, std::uint32_t function, const ControlGraph& graph);

    /// Of a load or a store.
    [[nodiscard]] AccessCheck of(std::uint32_t pc) const;

private:
    struct SymbolFact {
        std::uint32_t anchor = 0; ///< `bytes` are relative to the symbol plus this
        NearBytes bytes;
    };
    struct RegisterFact {
        std::uint32_t index = 0;
        NearBytes bytes;
        [[nodiscard]] bool operator==(const RegisterFact&) const = default;
    };
    using Facts = std::vector<RegisterFact>; ///< by ascending index

    void find_frames();
    void walk();
    void begin(const Facts& known);
    void arrive(std::uint32_t pc, std::uint32_t from);
    static void meet(Facts& into, const Facts& other);
    [[nodiscard]] Facts facts();
    void note(std::uint32_t index);
    void access(std::uint32_t pc, const Access& made);
    [[nodiscard]] NearBytes with_later(std::uint32_t pc, const Access& made, NearBytes bytes);
    [[nodiscard]] std::optional<NearBytes> known(Place at) const;

    const LanePlan& plan_;
    const wasm::Program& program_;
    const wasm::ProgramFunction& about_;
    const ControlGraph& graph_;
    AddressFacts places_; ///< only what registers are sums of
    std::unordered_map<std::uint32_t, SymbolFact> symbols_;
    std::vector<std::uint32_t> noted_; ///< registers that may have facts
    /// Registers that point to the function's part of the module's own stack, and all that is
    /// accessed there.
    std::unordered_map<std::uint32_t, NearBytes> frames_;
    std::unordered_map<std::uint32_t, Facts> blocks_;
    std::unordered_map<std::uint32_t, AccessCheck> checks_;
    std::uint32_t round_ = 0;
    bool changed_ = false; ///< a block that was already visited
    bool passes_on_ = true;
};

} // namespace blockloom::native
