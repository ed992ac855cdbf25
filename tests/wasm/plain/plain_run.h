// One invocation of the plain machine.
#pragma once

#include "wasm/plain/plain_machine.h"

namespace blockloom::plain {

/// Where and why a run ended early; thrown inside the plain machine only.
struct Stopped {
    PlainResult result;
};

class Run {
public:
    Run(std::uint64_t fuel, std::size_t most_frames) : left_(fuel), most_frames_(most_frames) {}

    /// Ends with the results on `stack`, or throws Stopped. `caller` is where a trap of the call
    /// itself stands.
    void call(const Callable& callee, std::vector<Cell>& stack);
    void table_init(Machine& machine, std::uint32_t segment, std::uint32_t table, Cell to,
                    Cell from, Cell count);
    void memory_init(Machine& machine, std::uint32_t segment, Cell to, Cell from, Cell count);

    [[nodiscard]] std::uint64_t left() const { return left_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }

private:
    struct Label {
        std::size_t height = 0; ///< of the stack below what it carries
        std::uint32_t arity = 0, to = 0;
        bool is_loop = false;
    };
    /// A function that runs.
    struct Frame {
        Machine& machine;
        const Code& code;
        std::uint32_t function = 0;
        std::vector<Cell> locals;
        std::vector<Label> labels;
        std::size_t bottom = 0; ///< of the stack
        std::uint32_t at = 0;
        bool over = false;
    };

    void charge(const Frame& frame);
    void pay(std::uint64_t fee);
    [[noreturn]] void trap(wasm::TrapKind kind) const;
    void step(Frame& frame, std::vector<Cell>& stack);
    void open(Frame& frame, std::vector<Cell>& stack);
    void branch(Frame& frame, std::vector<Cell>& stack, std::uint32_t depth);
    void call_indirect(Frame& frame, std::vector<Cell>& stack);
    bool variable(Frame& frame, std::vector<Cell>& stack);
    bool access(Frame& frame, std::vector<Cell>& stack);
    void bulk_memory(Frame& frame, std::vector<Cell>& stack);
    void table(Frame& frame, std::vector<Cell>& stack);
    void call_host(const Callable& callee, std::vector<Cell>& stack);

    std::uint64_t left_, steps_ = 0;
    std::size_t most_frames_, frames_ = 0;
    std::uint32_t function_ = 0, offset_ = 0; ///< of the instruction that runs
};

} // namespace blockloom::plain
