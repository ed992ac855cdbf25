// What all functions of a generated module share.
#pragma once

#include "wasm/module_generator.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <random>

namespace blockloom::tests {

using Types = std::vector<wasm::ValueType>;

inline constexpr wasm::ValueType number_types[] = {wasm::ValueType::i32, wasm::ValueType::i64,
                                                   wasm::ValueType::f32, wasm::ValueType::f64};
inline constexpr std::uint32_t function_count = 5, globals_of_a_module = 4, first_table_size = 8;
inline constexpr std::uint32_t second_table_size = 40;
inline constexpr std::uint32_t passive_data = 2; ///< segments 1 and 2; segment 0 is active
inline constexpr std::uint32_t passive_data_size = 100;
inline constexpr std::uint32_t passive_elements = 1; ///< segment 1

/// Where choices come from: given bytes first (a fuzzer's), then a seeded sequence.
class Choices {
public:
    explicit Choices(std::uint64_t seed, ByteView given = {}) : given_(given), sequence_(seed) {}

    std::uint64_t operator()() {
        if (given_.empty()) return sequence_();
        // Two bytes choose well enough; what needs 64 bits gets them spread.
        const std::uint64_t low = given_[0], high = given_.size() > 1 ? given_[1] : 0;
        given_ = given_.subspan(std::min<std::size_t>(given_.size(), 2));
        return (low | high << 8) * 0x0001'0001'0001'0001;
    }

private:
    ByteView given_;
    std::mt19937_64 sequence_;
};

struct Shape {
    GeneratorOptions options;
    Choices random{0};
    std::vector<wasm::FunctionType> types; ///< own functions' first, then others as they come up
    std::vector<wasm::FunctionType> imported;
    std::uint32_t tables = 1;
    std::uint32_t first_own_global = 0; ///< of four mutable ones, one a number type, in that order
    bool wild = false;                  ///< any calls, loops without end

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(random() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }
    unsigned below_unsigned(unsigned n) { return static_cast<unsigned>(below(n)); }
    wasm::ValueType any_type() {
        return number_types[below(options.integers ? 2 : std::size(number_types))];
    }
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
