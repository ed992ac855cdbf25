// Names that the reader and the writer of .bloomtrace share.
#pragma once

#include "trace/block_trace.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace blockloom::trace::bloomtrace {

inline constexpr std::string_view schema = "blockloom.trace/1";

inline constexpr std::array<std::string_view, 2> header_fields{"schema", "chain"};
inline constexpr std::array<std::string_view, 4> block_fields{"height", "hash", "label",
                                                              "cost_unit"};
inline constexpr std::array<std::string_view, 6> task_fields{"id",   "reads",       "writes",
                                                             "cost", "transaction", "vote"};

/// In the order of CostUnit.
inline constexpr std::array<std::string_view, 5> cost_units{"unit", "gas", "fuel", "compute_units",
                                                            "measured_ns"};

/// The place of a name in a table.
template <std::size_t Size>
[[nodiscard]] std::optional<std::size_t> place_in(const std::array<std::string_view, Size>& names,
                                                  std::string_view name) {
    for (std::size_t i = 0; i < Size; ++i)
        if (names[i] == name) return i;
    return std::nullopt;
}

/// The label of a block whose trace gives none; `place` counts from 0.
[[nodiscard]] inline std::string default_label(const BlockIdentity& block, std::size_t place) {
    if (block.height) return std::to_string(*block.height);
    return block.hash.empty() ? std::string("block ").append(std::to_string(place + 1))
                              : block.hash;
}

[[nodiscard]] inline bool is_key(std::string_view text) noexcept {
    const std::size_t colon = text.find(':');
    return colon != std::string_view::npos && colon != 0;
}

} // namespace blockloom::trace::bloomtrace
