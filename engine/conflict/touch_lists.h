// The inverse of the access sets: for each key the tasks that access it, in block order.
#pragma once

#include "base/result.h"
#include "trace/access.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::conflict {

/// One task's access to a key, in 4 bytes: at most 2^30 tasks a trace.
class Touch {
public:
    Touch() = default;
    constexpr Touch(trace::TaskId task, trace::Mode mode) noexcept
        : packed_((task << 2) | static_cast<std::uint32_t>(mode)) {}

    [[nodiscard]] constexpr trace::TaskId task() const noexcept { return packed_ >> 2; }
    [[nodiscard]] constexpr bool reads() const noexcept { return (packed_ & 1) != 0; }
    [[nodiscard]] constexpr bool writes() const noexcept { return (packed_ & 2) != 0; }

private:
    std::uint32_t packed_ = 0;
};

/// Key k is accessed by touches[begin[k]] … touches[begin[k+1]-1], in ascending order of tasks. 4
/// bytes an access and 4 a key.
struct TouchLists {
    std::vector<std::uint32_t> begin{0}; ///< keys + 1 entries
    std::vector<Touch> touches;

    [[nodiscard]] trace::KeyId keys() const noexcept {
        return static_cast<trace::KeyId>(begin.size() - 1);
    }
    [[nodiscard]] std::span<const Touch> of(trace::KeyId key) const noexcept {
        return std::span(touches).subspan(begin[key], begin[key + 1] - begin[key]);
    }
};

/// Two linear passes. Fails if the sets break their invariants: `begin` starts at 0, never descends
/// and ends at the number of accesses; key ids are below key_count; there are fewer than 2^30
/// tasks.
[[nodiscard]] Result<TouchLists> list_touches(const trace::AccessSets& sets);

} // namespace blockloom::conflict
