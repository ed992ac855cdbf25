// A slow interpreter over the bytes of a module: a stack machine with structured control that
// counts fuel as docs/register-program.md defines it. What the engines are compared with where
// wabt has nothing to say: fuel, steps, places of traps, depth, bits of NaNs.
#pragma once

#include "wasm/instance.h"
#include "wasm/plain/plain_code.h"

#include <deque>
#include <map>
#include <span>
#include <string>

namespace blockloom::plain {

using wasm::Cell;
class Machine;

/// A function as imports and tables see it: of a machine, or the host's.
struct Callable {
    Machine* machine = nullptr;
    std::uint32_t function = 0; ///< in the machine's space
    wasm::FunctionType type;
    std::string host; ///< a name in host_functions.h, where machine is null
};

struct PlainMemory {
    Bytes bytes;
    std::uint64_t most_pages = 0;
};

struct PlainTable {
    std::vector<const Callable*> cells;
    std::uint64_t most = 0;
};

/// What a module's imports and exports are made of.
struct Exports {
    std::map<std::string, Callable> functions;
    std::map<std::string, std::shared_ptr<PlainMemory>> memories;
    std::map<std::string, std::shared_ptr<PlainTable>> tables;
    std::map<std::string, std::shared_ptr<Cell>> globals;
};

struct PlainLimits {
    std::uint64_t fuel = 0;
    std::size_t frames = 1024;
    std::uint64_t memory_pages = 664;
    wasm::FuelRule rule = wasm::FuelRule::counted;
};

struct PlainResult {
    wasm::TrapKind trap = wasm::TrapKind::none;
    std::uint32_t function = 0, offset = 0; ///< of a trap
    std::uint32_t until = 0; ///< out of fuel: the byte behind the block that could not begin
    std::vector<Cell> results;
    std::uint64_t fuel_used = 0, steps = 0;
};

class Machine {
public:
    /// Links, fills tables and memory, runs the start function with `limits.fuel`.
    Machine(std::shared_ptr<const wasm::Module> module, const Exports* provider,
            const PlainLimits& limits);
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    [[nodiscard]] const PlainResult& start() const { return start_; } ///< of instantiation
    [[nodiscard]] PlainResult invoke(std::uint32_t function, std::span<const Cell> arguments,
                                     std::uint64_t fuel);
    [[nodiscard]] Exports exports();
    [[nodiscard]] const Bytes& memory() const { return memory_->bytes; }
    [[nodiscard]] Cell global(std::size_t index) const { return *globals_[index]; }

private:
    friend class Run;

    void link(const Exports* provider);
    [[nodiscard]] Cell evaluate(const wasm::ConstantExpression& expression) const;

    std::shared_ptr<const wasm::Module> module_;
    PlainLimits limits_;
    PlainResult start_;
    std::deque<Callable> functions_; ///< addresses are references
    std::vector<Code> code_;         ///< own functions
    std::shared_ptr<PlainMemory> memory_;
    std::vector<std::shared_ptr<PlainTable>> tables_;
    std::vector<std::shared_ptr<Cell>> globals_;
    std::vector<bool> dropped_data_, dropped_elements_;
};

} // namespace blockloom::plain
