// Tasks and the keys they share, for the bipartite view: keys are hubs, not cliques. Private to the
// scene room.
#pragma once

#include "scene/layout.h"

#include <cstdint>
#include <span>
#include <vector>

namespace blockloom::scene::layout {

/// The access of a task to a hub.
struct Spoke {
    conflict::TaskId task = 0;
    bool writes = false;
};

/// A key that two or more tasks access, at least one of them writing.
struct Hub {
    conflict::KeyId key = 0;
    std::uint32_t first = 0, count = 0; ///< into HubGraph::spokes
    std::uint32_t tasks = 0;            ///< all that access it; more than `count` if cut off
    std::uint32_t part = 0;             ///< into HubGraph::parts
};

/// A connected part: tasks of odd levels at the left, of even levels at the right, so that an edge
/// from one level to the next crosses the middle.
struct Part {
    std::vector<conflict::TaskId> left, right;
    std::vector<std::uint32_t> hubs;
};

struct HubGraph {
    std::vector<Hub> hubs; ///< hottest first; ties by lowest key
    std::vector<Spoke> spokes;
    std::vector<Part> parts;             ///< largest first
    std::vector<conflict::TaskId> apart; ///< tasks that access no hub, in block order
    std::uint64_t all_hubs = 0, all_spokes = 0, only_read = 0;
    [[nodiscard]] std::span<const Spoke> of(const Hub& hub) const noexcept {
        return std::span(spokes).subspan(hub.first, hub.count);
    }
};

/// The hottest keys with at most `most_spokes` spokes in total; the last key may be cut off.
/// O(accesses + keys log keys).
[[nodiscard]] HubGraph hub_graph(const conflict::ConflictIndex& index, std::uint64_t most_spokes);

} // namespace blockloom::scene::layout
