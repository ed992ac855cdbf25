// What is left of a graph after removing everything that cannot prevent a colouring with k colours.
#pragma once

#include "schedule/colour_search.h"

namespace blockloom::schedule {

/// Repeatedly removes vertices with fewer than k neighbours (a colour is always left for them) and
/// vertices whose neighbours are all neighbours of another vertex (whose colour they can take). The
/// graph has a k-colouring if and only if the kernel has one.
class Kernel {
public:
    Kernel(const ConflictGraph& graph, std::uint32_t colours);

    /// The kernel; its vertices are renumbered.
    [[nodiscard]] const ConflictGraph& graph() const noexcept { return kernel_; }
    /// The colours of the kernel's vertices, from a colouring of the whole graph.
    [[nodiscard]] Colours restrict(const Colours& whole) const;
    /// Extends a proper colouring of the kernel with k colours to the whole graph.
    [[nodiscard]] Colours extend(const Colours& kernel) const;

private:
    struct Removed {
        std::uint32_t vertex;
        std::uint32_t like; ///< takes this vertex's colour; itself: takes any that is free
    };

    const ConflictGraph& whole_;
    ConflictGraph kernel_;
    std::vector<std::uint32_t> vertex_; ///< in the whole graph, one for each vertex of the kernel
    std::vector<Removed> removed_;
};

} // namespace blockloom::schedule
