// wabt's interpreter as the reference that ours is compared and measured with. A plain interface:
// its headers compile as C++17 only, in a translation unit of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::reference {

struct Outcome {
    std::string trap; ///< empty: it returned
    std::vector<std::uint64_t> results;
};

/// A module without imports.
class Interpreter {
public:
    Interpreter(const std::uint8_t* bytes, std::size_t size);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Empty, or why the module could not be made.
    [[nodiscard]] const std::string& error() const;
    /// Arguments as cells (i32 and f32 zero-extended). Never ends where the program does not.
    [[nodiscard]] Outcome call(const std::string& name,
                               const std::vector<std::uint64_t>& arguments);
    [[nodiscard]] const std::uint8_t* memory() const; ///< of the first memory; null: none
    [[nodiscard]] std::size_t memory_size() const;
    [[nodiscard]] std::uint64_t global(std::size_t index) const; ///< its cell

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace blockloom::reference
