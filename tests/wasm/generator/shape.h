// What all functions of a generated module share.
#pragma once

#include "wasm/module_generator.h"

#include <cstddef>
#include <iterator>
#include <random>

namespace blockloom::tests {

using Types = std::vector<wasm::ValueType>;

inline constexpr wasm::ValueType number_types[] = {wasm::ValueType::i32, wasm::ValueType::i64,
                                                   wasm::ValueType::f32, wasm::ValueType::f64};
inline constexpr std::uint32_t function_count = 5, globals_of_a_module = 4, first_table_size = 8;
inline constexpr std::uint32_t passive_data = 2; ///< segments 1 and 2; segment 0 is active
inline constexpr std::uint32_t passive_data_size = 100;
inline constexpr std::uint32_t passive_elements = 1; ///< segment 1

struct Shape {
    GeneratorOptions options;
    std::mt19937_64 random;
    std::vector<wasm::FunctionType> types; ///< own functions' first, then others as they come up
    std::vector<wasm::FunctionType> imported;
    std::uint32_t tables = 1;
    std::uint32_t first_own_global = 0; ///< of four mutable ones, one a number type, in that order
    bool wild = false;                  ///< any calls, loops without end

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }
    unsigned below_unsigned(unsigned n) { return static_cast<unsigned>(below(n)); }
    wasm::ValueType any_type() { return number_types[below(std::size(number_types))]; }
    Types any_types(std::size_t most) {
        Types result(below(most + 1));
        for (wasm::ValueType& type : result) type = any_type();
        return result;
    }
    std::uint32_t type_index(const wasm::FunctionType& type) {
        for (std::size_t i = 0; i < types.size(); ++i)
            if (types[i] == type) return static_cast<std::uint32_t>(i);
        types.push_back(type);
        return static_cast<std::uint32_t>(types.size() - 1);
    }
    /// The index of an own function in the module's space.
    [[nodiscard]] std::uint32_t own(std::size_t function) const {
        return static_cast<std::uint32_t>(imported.size() + function);
    }
};

} // namespace blockloom::tests
