// What is known about the addresses in registers: which bytes near them are inside the memory and
// which pages are marked. Both stay true while a function runs: a memory does not shrink, and marks
// stay.
#pragma once

#include "native/accesses.h"

#include <cstdint>
#include <vector>

namespace blockloom::native {

/// A register's value: that of a symbol plus a constant, modulo 2^32.
struct Place {
    std::uint32_t symbol = 0, offset = 0;
};

/// What is known about a register, in bytes relative to its value.
struct RegisterFact {
    std::uint32_t index = 0;
    std::int64_t extent = 0;        ///< this many bytes from there are inside the memory
    std::int64_t low = 1, high = 0; ///< the pages of these two offsets and all between are marked

    [[nodiscard]] bool operator==(const RegisterFact&) const = default;
};
using BlockFacts = std::vector<RegisterFact>; ///< by ascending index

/// Keeps in `into` only what holds in both.
void meet(BlockFacts& into, const BlockFacts& other);

/// What is known about addresses of one symbol, relative to the symbol plus `anchor`.
struct SymbolFacts {
    std::uint32_t anchor = 0;
    std::int64_t extent = 0;        ///< as above; 0: nothing is known
    std::int64_t low = 1, high = 0; ///< as above
};

/// Relates addresses that are sums of one symbol and constants.
///
/// `near`: such sums are related. This needs a memory of at most 65,535 pages: then an address
/// inside it is so far below 2^32 that adding less than 64 KiB cannot wrap around. Otherwise only
/// equal addresses are related.
class AddressFacts {
public:
    /// `least_memory`: bytes that the memory always has.
    AddressFacts(std::uint32_t registers, std::int64_t least_memory, bool near);

    /// Begins a block in which this is known.
    void begin(const BlockFacts& known);
    [[nodiscard]] Place place(std::uint32_t index);
    /// The symbol of constants, whose offsets are their values.
    static constexpr std::uint32_t zero = 0;

    [[nodiscard]] bool inside(Place at, std::int64_t offset, std::int64_t bytes) const;
    [[nodiscard]] bool marked(Place at, std::int64_t offset) const;
    /// `at` relative to the anchor of its symbol; nothing if nothing is known, or it is too far
    /// away.
    [[nodiscard]] std::optional<std::int64_t> from_anchor(Place at) const;
    [[nodiscard]] const SymbolFacts& of(std::uint32_t symbol) const { return known_[symbol]; }
    void assume(std::uint32_t symbol, const SymbolFacts& facts) { known_[symbol] = facts; }

    /// Records that these bytes are inside. Facts of the symbol that are too far away are dropped.
    void learn(Place at, std::int64_t offset, std::int64_t bytes);
    /// Records that both pages, less than a page apart, are marked.
    void mark(Place at, std::int64_t low, std::int64_t high);
    /// True if these are less than a page from what is already marked: then all between is marked.
    [[nodiscard]] bool joins(Place at, std::int64_t low, std::int64_t high) const;

    /// Records an access: it was inside, and the pages it stored to are marked.
    void access(const Access& made);
    /// Applies the instruction's effect on registers.
    void step(const wasm::Instruction& i, const wasm::Program& program);
    /// What is known now, by register.
    [[nodiscard]] BlockFacts facts();

private:
    struct Register {
        std::uint32_t epoch = 0;
        bool noted = false; ///< in `noted_`
        Place place;
    };

    Register& use(std::uint32_t index);
    void note(std::uint32_t index);
    [[nodiscard]] std::uint32_t new_symbol();

    std::vector<Register> registers_;
    std::vector<SymbolFacts> known_;   ///< one per symbol
    std::vector<std::uint32_t> noted_; ///< registers that may have facts
    std::int64_t least_memory_;
    std::uint32_t epoch_ = 0;
    bool near_;
};

} // namespace blockloom::native
