// The parts of the database. Only included by this room's sources.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace blockloom::store {

/// Column families. `meta` is RocksDB's own "default".
enum class Family : std::uint8_t { meta, state, undo, runs, traces };

inline constexpr std::size_t families = 5;
inline constexpr std::array<const char*, families> family_names{"default", "state", "undo", "runs",
                                                                "traces"};

} // namespace blockloom::store
