// DIMACS graphs: whatever is read is a sound graph, survives being written, and can be coloured.
#include "schedule/dimacs.h"
#include "schedule/colouring.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

using namespace blockloom;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

void check_sound(const conflict::ConflictGraph& graph) {
    require(graph.begin.front() == 0 && graph.begin.back() == graph.neighbours.size());
    for (conflict::TaskId v = 0; v < graph.vertices(); ++v) {
        const auto row = graph.of(v);
        require(std::adjacent_find(row.begin(), row.end(), std::greater_equal<>{}) == row.end());
        for (const conflict::TaskId u : row) {
            require(u < graph.vertices() && u != v);
            const auto back = graph.of(u);
            require(std::binary_search(back.begin(), back.end(), v));
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto read = schedule::read_dimacs({data, size}, "fuzz");
    if (!read) {
        require(!read.error().message.empty());
        return 0;
    }
    // Graphs of nothing but vertices are sound and slow: a few tell as much as many.
    if (read->graph.vertices() > 2'000) return 0;
    check_sound(read->graph);
    const std::string text = schedule::write_dimacs(read->graph);
    const auto again = schedule::read_dimacs(as_bytes(text), "written");
    require(again.ok() && again->warnings.empty());
    require(again->graph.begin == read->graph.begin &&
            again->graph.neighbours == read->graph.neighbours);
    using schedule::Algorithm;
    for (const Algorithm algorithm :
         {Algorithm::greedy, Algorithm::welsh_powell, Algorithm::smallest_last, Algorithm::dsatur})
        require(schedule::is_proper(read->graph, schedule::colour(read->graph, algorithm).colour));
    return 0;
}
