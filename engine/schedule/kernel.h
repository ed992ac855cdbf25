// What is left of a graph when everything goes that cannot stand in the way of a colouring with k
// colours.
#pragma once

#include "schedule/colour_search.h"

namespace blockloom::schedule {

/// Takes out, again and again, vertices with fewer than k neighbours (a colour is always left for
/// them) and vertices whose neighbours are all neighbours of another one (whose colour they can
/// take). The graph has a k-colouring exactly if the kernel has one.
class Kernel {
public:
    Kernel(const ConflictGraph& graph, std::uint32_t colours);

    /// Vertices are numbered anew.
    [[nodiscard]] const ConflictGraph& graph() const noexcept { return kernel_; }
    /// The kernel's vertices' colours out of the whole graph's.
    [[nodiscard]] Colours restrict(const Colours& whole) const;
    /// A proper colouring of the kernel with k colours, carried on to the whole graph.
    [[nodiscard]] Colours extend(const Colours& kernel) const;

private:
    struct Removed {
        std::uint32_t vertex;
        std::uint32_t like; ///< takes this vertex's colour; itself: takes any that is free
    };

    const ConflictGraph& whole_;
    ConflictGraph kernel_;
    std::vector<std::uint32_t> vertex_; ///< of the whole graph, one a kernel's vertex
    std::vector<Removed> removed_;
};

} // namespace blockloom::schedule
