#include "scene/matrix_marks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace blockloom::scene::layout {
namespace {

using conflict::ConflictIndex;
using conflict::TaskId;

/// Pairs are listed one by one up to here (64 MB); beyond, squares are filled key by key.
constexpr std::uint64_t most_listed_pairs = 4'000'000;

/// Whether a conflict of two tasks of one batch says that the batch is wrong.
class Contradiction {
public:
    Contradiction(const ConflictIndex& index, const MatrixAxis& axis) noexcept
        : index_(&index), axis_(&axis),
          edges_only_(!axis.colouring && index.model == conflict::ConflictModel::multi_version) {}

    [[nodiscard]] bool operator()(TaskId earlier, TaskId later) const noexcept {
        if (!axis_->blocks || axis_->batch[earlier] != axis_->batch[later]) return false;
        if (!edges_only_) return true;
        const auto before = index_->predecessors_of(later);
        return std::binary_search(before.begin(), before.end(), earlier);
    }
    [[nodiscard]] bool edges_only() const noexcept { return edges_only_; }

private:
    const ConflictIndex* index_;
    const MatrixAxis* axis_;
    bool edges_only_;
};

void add_inside(MatrixMarks& marks, std::uint32_t a, std::uint32_t b) {
    if (marks.inside_count++ < most_crosses)
        marks.inside.push_back({std::min(a, b), std::max(a, b)});
}

void start_squares(MatrixMarks& marks, std::uint32_t tasks) {
    const auto side = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(most_marks)));
    marks.cell = (tasks + side - 1) / side;
    marks.cells_a_side = (tasks + marks.cell - 1) / marks.cell;
    marks.density.assign(std::size_t{marks.cells_a_side} * marks.cells_a_side, 0.0F);
}

void add_to_square(MatrixMarks& marks, std::uint32_t row, std::uint32_t column, float count) {
    marks.density[std::size_t{row} * marks.cells_a_side + column] += count;
}

void to_shares(MatrixMarks& marks) {
    const auto places = static_cast<float>(marks.cell) * static_cast<float>(marks.cell);
    for (float& value : marks.density) value = std::min(1.0F, value / places);
}

void from_graph(const conflict::ConflictGraph& graph, const MatrixAxis& axis,
                const Contradiction& wrong, MatrixMarks& marks) {
    for (TaskId i = 0; i < graph.vertices(); ++i) {
        for (const TaskId j : graph.of(i)) {
            if (j < i) continue;
            const std::uint32_t a = axis.place[i], b = axis.place[j];
            if (wrong(i, j)) add_inside(marks, a, b);
            if (marks.cell == 0) {
                marks.pairs.push_back({std::min(a, b), std::max(a, b)});
            } else {
                add_to_square(marks, a / marks.cell, b / marks.cell, 1);
                add_to_square(marks, b / marks.cell, a / marks.cell, 1);
            }
        }
    }
}

/// Too many pairs to list: each key adds (writers × accessors) to the squares it touches. A pair of
/// several keys counts more than once in a square's shade, never in whether it is empty.
bool from_keys(const ConflictIndex& index, const MatrixAxis& axis, const Contradiction& wrong,
               MatrixMarks& marks, std::stop_token stop) {
    const trace::AccessSets& sets = index.trace->access_sets();
    const auto& commutative = index.trace->commutative;
    struct Touch {
        std::uint32_t place;
        TaskId task;
        bool writes, reads;
    };
    std::vector<std::uint32_t> begin(std::size_t{sets.key_count} + 1, 0);
    for (const trace::Access a : sets.accesses) ++begin[a.key() + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Touch> touches(sets.accesses.size());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (TaskId t = 0; t < sets.tasks(); ++t)
        for (const trace::Access a : sets.of(t))
            touches[next[a.key()]++] = {axis.place[t], t, a.writes(), a.reads()};

    const std::uint32_t side = marks.cells_a_side;
    std::vector<std::uint32_t> writers(side), others(side), used;
    std::vector<std::uint32_t> batch_writers(axis.batches), batch_others(axis.batches);
    for (trace::KeyId key = 0; key < sets.key_count; ++key) {
        if (stop.stop_requested()) return false;
        const auto of_key = std::span(touches).subspan(begin[key], begin[key + 1] - begin[key]);
        if (of_key.size() < 2) continue;
        const bool commutes = !commutative.empty() && commutative[key];
        // Writers and pure readers of a plain key; updaters and pure readers of a commutative one.
        used.clear();
        for (const Touch& t : of_key) {
            const std::uint32_t square = t.place / marks.cell;
            if (writers[square] + others[square] == 0) used.push_back(square);
            ++(t.writes ? writers : others)[square];
            if (axis.blocks) ++(t.writes ? batch_writers : batch_others)[axis.batch[t.task]];
        }
        for (const std::uint32_t row : used)
            for (const std::uint32_t column : used) {
                const double w = writers[row], r = others[row];
                double pairs = w * others[column] + r * writers[column];
                if (!commutes) pairs += row == column ? w * (w - 1) : w * writers[column];
                add_to_square(marks, row, column, static_cast<float>(pairs));
            }
        for (const std::uint32_t square : used) writers[square] = others[square] = 0;
        if (!axis.blocks) continue;
        for (const Touch& t : of_key) {
            const std::uint32_t batch = axis.batch[t.task];
            const std::uint64_t w = batch_writers[batch], r = batch_others[batch];
            if (!wrong.edges_only())
                marks.inside_count += w * r + (commutes || w == 0 ? 0 : w * (w - 1) / 2);
            batch_writers[batch] = batch_others[batch] = 0;
        }
    }
    if (wrong.edges_only() && axis.blocks)
        for (TaskId t = 0; t < index.tasks(); ++t)
            for (const TaskId p : index.predecessors_of(t))
                marks.inside_count += wrong(p, t) ? 1 : 0;
    return true;
}

} // namespace

MatrixAxis matrix_axis(const schedule::BlockAnalysis& analysis, MatrixOrder order) {
    const ConflictIndex& index = *analysis.index;
    const TaskId n = index.tasks();
    MatrixAxis axis;
    axis.blocks = order != MatrixOrder::index;
    axis.colouring = order == MatrixOrder::batch && analysis.colouring &&
                     analysis.colouring->colouring.colour.size() == n;
    if (axis.colouring) {
        axis.batch = analysis.colouring->colouring.colour;
    } else {
        axis.batch.resize(n);
        for (TaskId t = 0; t < n; ++t) axis.batch[t] = index.level[t] - 1;
    }
    for (const std::uint32_t b : axis.batch) axis.batches = std::max(axis.batches, b + 1);
    axis.at.resize(n);
    std::iota(axis.at.begin(), axis.at.end(), TaskId{0});
    if (axis.blocks)
        std::stable_sort(axis.at.begin(), axis.at.end(),
                         [&](TaskId a, TaskId b) { return axis.batch[a] < axis.batch[b]; });
    axis.place.resize(n);
    for (TaskId p = 0; p < n; ++p) axis.place[axis.at[p]] = p;
    return axis;
}

MatrixMarks matrix_marks(const schedule::BlockAnalysis& analysis, const MatrixAxis& axis,
                         std::stop_token stop) {
    const ConflictIndex& index = *analysis.index;
    const Contradiction wrong(index, axis);
    MatrixMarks marks;
    marks.all = index.pairs.any;
    if (marks.all <= most_listed_pairs) {
        const auto graph = conflict::conflict_graph(*index.trace, most_listed_pairs, stop);
        if (graph) {
            marks.all = graph->edges();
            if (marks.all * 2 > most_marks) start_squares(marks, index.tasks());
            from_graph(*graph, axis, wrong, marks);
            std::sort(marks.pairs.begin(), marks.pairs.end());
            to_shares(marks);
            return marks;
        }
        marks.cancelled = graph.error().code == ErrorCode::cancelled;
        if (marks.cancelled) return marks;
    }
    start_squares(marks, index.tasks());
    marks.cancelled = !from_keys(index, axis, wrong, marks, stop);
    to_shares(marks);
    return marks;
}

} // namespace blockloom::scene::layout
