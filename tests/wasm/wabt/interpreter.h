// wabt's interpreter as the reference that ours is compared and measured with. A plain interface:
// its headers compile as C++17 only, in a translation unit of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace blockloom::reference {

struct Outcome {
    std::string trap; ///< empty: it returned
    std::vector<std::uint64_t> results;
};

struct NamedModule {
    std::string name; ///< what others import from it as
    const std::uint8_t* bytes = nullptr;
    std::size_t size = 0;
};

/// A function of the module "host": cells in, cells out (sized by its type); false: it traps.
using HostFunction = std::function<bool(const std::string& name, const std::vector<std::uint64_t>&,
                                        std::vector<std::uint64_t>&)>;

/// One module, or several of which each may import from those before it.
class Interpreter {
public:
    Interpreter(const std::uint8_t* bytes, std::size_t size);
    Interpreter(const std::vector<NamedModule>& modules, const HostFunction& host);
    ~Interpreter();
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Empty, or why a module could not be made.
    [[nodiscard]] const std::string& error() const;
    /// Arguments as cells (i32 and f32 zero-extended). Never ends where the program does not.
    [[nodiscard]] Outcome call(const std::string& name,
                               const std::vector<std::uint64_t>& arguments);
    /// What follows is of the last module.
    [[nodiscard]] const std::uint8_t* memory() const; ///< of the first memory; null: none
    [[nodiscard]] std::size_t memory_size() const;
    [[nodiscard]] std::uint64_t global(std::size_t index) const; ///< its cell

private:
    void add(const NamedModule& module, const HostFunction& host);

    struct State;
    std::unique_ptr<State> state_;
};

/// Whether wabt decodes and validates a module (sign extension, multi-value, bulk memory, reference
/// types, non-trapping conversions, mutable globals).
[[nodiscard]] bool is_valid(const std::uint8_t* bytes, std::size_t size);

} // namespace blockloom::reference
