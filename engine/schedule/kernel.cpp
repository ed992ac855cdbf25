#include "schedule/kernel.h"

#include "schedule/adjacency_bits.h"

#include <algorithm>
#include <optional>

namespace blockloom::schedule {

namespace {

constexpr std::uint32_t no_vertex = ~std::uint32_t{0};

/// The graph while vertices are taken out.
class Shrinking {
public:
    Shrinking(const ConflictGraph& graph, std::uint32_t colours)
        : graph_(graph), colours_(colours), degree_(graph.vertices()), in_(graph.vertices(), true) {
        for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
            degree_[v] = static_cast<std::uint32_t>(graph.of(v).size());
            if (degree_[v] < colours) low_.push_back(v);
        }
        if (graph.vertices() <= AdjacencyBits::most_vertices) bits_.emplace(graph);
    }

    [[nodiscard]] bool in(std::uint32_t v) const { return in_[v]; }

    void remove(std::uint32_t v) {
        in_[v] = false;
        for (const std::uint32_t u : graph_.of(v))
            if (in_[u] && degree_[u]-- == colours_) low_.push_back(u);
        if (bits_) bits_->remove(v);
    }

    /// A vertex with fewer neighbours than colours; none when there is none.
    std::uint32_t next_low() {
        while (!low_.empty()) {
            const std::uint32_t v = low_.back();
            low_.pop_back();
            if (in_[v]) return v;
        }
        return no_vertex;
    }

    /// A vertex adjacent to all of v's neighbours and not to v; none if there is none.
    [[nodiscard]] std::uint32_t dominating(std::uint32_t v) const {
        if (!bits_) return no_vertex;
        // It is among the neighbours of v's neighbour with the fewest.
        std::uint32_t through = no_vertex;
        for (const std::uint32_t u : graph_.of(v))
            if (in_[u] && (through == no_vertex || degree_[u] < degree_[through])) through = u;
        if (through == no_vertex) return no_vertex;
        const auto seen = bits_->of(v);
        for (const std::uint32_t w : graph_.of(through)) {
            if (!in_[w] || w == v || degree_[w] < degree_[v] || bits_->adjacent(v, w)) continue;
            const auto sees = bits_->of(w);
            if (std::equal(seen.begin(), seen.end(), sees.begin(),
                           [](auto a, auto b) { return (a & ~b) == 0; }))
                return w;
        }
        return no_vertex;
    }

private:
    const ConflictGraph& graph_;
    std::uint32_t colours_;
    std::vector<std::uint32_t> degree_;
    std::vector<bool> in_;
    std::vector<std::uint32_t> low_;
    std::optional<AdjacencyBits> bits_; ///< of what is left
};

} // namespace

Kernel::Kernel(const ConflictGraph& graph, std::uint32_t colours) : whole_(graph) {
    Shrinking left(graph, colours);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t v = left.next_low(); v != no_vertex; v = left.next_low()) {
            left.remove(v);
            removed_.push_back({v, v});
        }
        for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
            if (!left.in(v)) continue;
            const std::uint32_t like = left.dominating(v);
            if (like == no_vertex) continue;
            left.remove(v);
            removed_.push_back({v, like});
            changed = true;
        }
    }
    std::vector<std::uint32_t> name(graph.vertices(), no_vertex);
    for (std::uint32_t v = 0; v < graph.vertices(); ++v)
        if (left.in(v)) {
            name[v] = static_cast<std::uint32_t>(vertex_.size());
            vertex_.push_back(v);
        }
    for (const std::uint32_t v : vertex_) {
        for (const std::uint32_t u : graph.of(v))
            if (name[u] != no_vertex) kernel_.neighbours.push_back(name[u]);
        kernel_.begin.push_back(kernel_.neighbours.size());
    }
}

Colours Kernel::restrict(const Colours& whole) const {
    Colours colours;
    colours.reserve(vertex_.size());
    for (const std::uint32_t v : vertex_) colours.push_back(whole[v]);
    return colours;
}

Colours Kernel::extend(const Colours& kernel) const {
    Colours colours(whole_.vertices(), no_vertex);
    for (std::size_t i = 0; i < vertex_.size(); ++i) colours[vertex_[i]] = kernel[i];
    std::vector<std::uint32_t> near;
    for (auto last = removed_.rbegin(); last != removed_.rend(); ++last) {
        if (last->like != last->vertex) {
            colours[last->vertex] = colours[last->like];
            continue;
        }
        near.clear();
        for (const std::uint32_t u : whole_.of(last->vertex))
            if (colours[u] != no_vertex) near.push_back(colours[u]);
        std::sort(near.begin(), near.end());
        std::uint32_t free = 0;
        for (const std::uint32_t c : near) free += c == free ? 1 : 0;
        colours[last->vertex] = free;
    }
    return colours;
}

} // namespace blockloom::schedule
