// Value and function types of WebAssembly, and values as the engines keep them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace blockloom::wasm {

/// Binary encodings (WebAssembly core specification, 5.3). funcref and externref come with the
/// table instructions.
enum class ValueType : std::uint8_t {
    i32 = 0x7f,
    i64 = 0x7e,
    f32 = 0x7d,
    f64 = 0x7c,
    funcref = 0x70,
    externref = 0x6f,
};

[[nodiscard]] const char* name_of(ValueType type) noexcept;

struct FunctionType {
    std::vector<ValueType> parameters, results;
    friend bool operator==(const FunctionType&, const FunctionType&) = default;
};

/// "(i32, i64) -> (i32)".
[[nodiscard]] std::string to_text(const FunctionType& type);

/// A value in a 64-bit cell: i32 and f32 zero-extended bits, i64 and f64 their bits, references 0
/// for null, else the address of a FunctionReference (functions) or a value from the host
/// (externref).
using Cell = std::uint64_t;

struct Limits {
    std::uint32_t min = 0;
    std::uint32_t max = 0xffff'ffff;
    bool has_max = false;
};

inline constexpr std::uint32_t page_size = 65'536;
inline constexpr std::uint32_t most_pages = 65'536;

} // namespace blockloom::wasm
