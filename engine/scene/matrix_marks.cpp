#include "scene/matrix_marks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace blockloom::scene::layout {
namespace {

using conflict::ConflictIndex;
using conflict::TaskId;

/// At most this many (pair, key) incidences are listed and sorted at once; beyond, only where the
/// pairs themselves are few.
constexpr std::uint64_t most_listed = 200'000;
/// If a batching is wrong, its conflicts are counted exactly up to this number of pairs.
constexpr std::uint64_t most_recounted = 40'000'000;

/// Whether a conflict between two tasks of a batch makes the batch wrong.
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

/// The tasks of each key, in block order.
class KeyTouches {
public:
    struct Touch {
        TaskId task = 0;
        bool writes = false;
    };

    explicit KeyTouches(const trace::PolicedTrace& trace) : trace_(&trace) {
        const trace::AccessSets& sets = trace.access_sets();
        begin_.assign(std::size_t{sets.key_count} + 1, 0);
        for (const trace::Access a : sets.accesses) ++begin_[a.key() + 1];
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        touches_.resize(sets.accesses.size());
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (TaskId t = 0; t < sets.tasks(); ++t)
            for (const trace::Access a : sets.of(t)) touches_[next[a.key()]++] = {t, a.writes()};
    }
    [[nodiscard]] std::size_t keys() const noexcept { return begin_.size() - 1; }
    [[nodiscard]] std::span<const Touch> of(std::size_t key) const noexcept {
        return std::span(touches_).subspan(begin_[key], begin_[key + 1] - begin_[key]);
    }
    /// Updates of such a key do not conflict with each other.
    [[nodiscard]] bool commutes(std::size_t key) const noexcept {
        return !trace_->commutative.empty() && trace_->commutative[key];
    }
    /// Conflicts of `writers` and `readers` of a key.
    [[nodiscard]] std::uint64_t pairs(std::size_t key, std::uint64_t writers,
                                      std::uint64_t readers) const noexcept {
        const std::uint64_t among = commutes(key) || writers == 0 ? 0 : writers * (writers - 1) / 2;
        return writers * readers + among;
    }
    [[nodiscard]] std::uint64_t incidences() const noexcept {
        std::uint64_t sum = 0;
        for (std::size_t key = 0; key < keys(); ++key) {
            const auto all = of(key);
            const auto writers = static_cast<std::uint64_t>(
                std::count_if(all.begin(), all.end(), [](Touch t) { return t.writes; }));
            sum += pairs(key, writers, all.size() - writers);
        }
        return sum;
    }

private:
    const trace::PolicedTrace* trace_;
    std::vector<std::uint32_t> begin_;
    std::vector<Touch> touches_;
};

using Pair = std::pair<TaskId, TaskId>; ///< earlier, later

/// Every conflict pair once, found through the keys.
std::vector<Pair> list_by_keys(const KeyTouches& touches) {
    std::vector<Pair> pairs;
    for (std::size_t key = 0; key < touches.keys(); ++key) {
        const auto all = touches.of(key);
        const bool commutes = touches.commutes(key);
        for (std::size_t j = 1; j < all.size(); ++j)
            for (std::size_t i = 0; i < j; ++i)
                if (all[i].writes != all[j].writes || (all[i].writes && !commutes))
                    pairs.push_back({all[i].task, all[j].task});
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

std::vector<Pair> list_of(const conflict::ConflictGraph& graph) {
    std::vector<Pair> pairs;
    pairs.reserve(graph.edges());
    for (TaskId i = 0; i < graph.vertices(); ++i)
        for (const TaskId j : graph.of(i))
            if (i < j) pairs.push_back({i, j});
    return pairs;
}

void take(const std::vector<Pair>& pairs, const MatrixAxis& axis, const Contradiction& wrong,
          MatrixMarks& marks) {
    marks.all = pairs.size();
    if (marks.all * 2 > most_marks) start_squares(marks, static_cast<TaskId>(axis.at.size()));
    for (const auto& [i, j] : pairs) {
        const std::uint32_t a = axis.place[i], b = axis.place[j];
        if (wrong(i, j)) add_inside(marks, a, b);
        if (marks.cell == 0) {
            marks.pairs.push_back({std::min(a, b), std::max(a, b)});
        } else {
            add_to_square(marks, a / marks.cell, b / marks.cell, 1);
            add_to_square(marks, b / marks.cell, a / marks.cell, 1);
        }
    }
    std::sort(marks.pairs.begin(), marks.pairs.end());
}

/// Conflicts inside batches, a pair once per key: 0 exactly if there are none.
std::uint64_t inside_by_keys(const ConflictIndex& index, const KeyTouches& touches,
                             const MatrixAxis& axis, const Contradiction& wrong) {
    std::uint64_t inside = 0;
    if (!axis.blocks) return inside;
    if (wrong.edges_only()) {
        for (TaskId t = 0; t < index.tasks(); ++t)
            for (const TaskId p : index.predecessors_of(t)) inside += wrong(p, t) ? 1 : 0;
        return inside;
    }
    std::vector<std::uint32_t> writers(axis.batches), readers(axis.batches);
    for (std::size_t key = 0; key < touches.keys(); ++key) {
        const auto all = touches.of(key);
        if (all.size() < 2) continue;
        for (const auto touch : all) ++(touch.writes ? writers : readers)[axis.batch[touch.task]];
        for (const auto touch : all) {
            const std::uint32_t batch = axis.batch[touch.task];
            inside += touches.pairs(key, writers[batch], readers[batch]);
            writers[batch] = readers[batch] = 0;
        }
    }
    return inside;
}

/// Too many pairs to list: each key adds (writers × accessors) to the squares it touches. A pair of
/// several keys counts more than once in a square's shade, never in whether it is empty.
bool fill_squares(const KeyTouches& touches, const MatrixAxis& axis, MatrixMarks& marks,
                  std::stop_token stop) {
    std::vector<float> writers(marks.cells_a_side), readers(marks.cells_a_side);
    std::vector<std::uint32_t> used;
    for (std::size_t key = 0; key < touches.keys(); ++key) {
        const auto all = touches.of(key);
        if (all.size() < 2) continue;
        if (stop.stop_requested()) return false;
        const float among = touches.commutes(key) ? 0.0F : 1.0F;
        used.clear();
        for (const auto touch : all) {
            const std::uint32_t square = axis.place[touch.task] / marks.cell;
            if (writers[square] + readers[square] == 0) used.push_back(square);
            ++(touch.writes ? writers : readers)[square];
        }
        for (const std::uint32_t row : used) {
            const float w = writers[row], r = readers[row];
            float* const line = marks.density.data() + std::size_t{row} * marks.cells_a_side;
            for (const std::uint32_t column : used)
                line[column] += w * readers[column] + (r + among * w) * writers[column];
            line[row] -= among * w; // no task conflicts with itself
        }
        for (const std::uint32_t square : used) writers[square] = readers[square] = 0;
    }
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
    const KeyTouches touches(*index.trace);
    if (touches.incidences() <= most_listed) {
        take(list_by_keys(touches), axis, wrong, marks);
        to_shares(marks);
        return marks;
    }
    const bool single = index.pairs.any > 0 && index.pairs.any * 2 <= most_marks;
    const auto listed = [&](std::uint64_t most) {
        auto graph = conflict::conflict_graph(*index.trace, most, stop);
        marks.cancelled = !graph && graph.error().code == ErrorCode::cancelled;
        return graph;
    };
    if (single) {
        if (const auto graph = listed(most_marks)) {
            take(list_of(*graph), axis, wrong, marks);
            return marks;
        }
        if (marks.cancelled) return marks;
    }
    marks.all = index.pairs.any;
    start_squares(marks, index.tasks());
    marks.cancelled = !fill_squares(touches, axis, marks, stop);
    to_shares(marks);
    marks.inside_count = inside_by_keys(index, touches, axis, wrong);
    if (marks.inside_count == 0 || marks.cancelled) return marks;
    // Wrong: the pairs themselves, for an exact count and their crosses.
    if (const auto graph = listed(most_recounted)) {
        marks.inside_count = 0;
        for (const auto& [i, j] : list_of(*graph))
            if (wrong(i, j)) add_inside(marks, axis.place[i], axis.place[j]);
    }
    return marks;
}

} // namespace blockloom::scene::layout
