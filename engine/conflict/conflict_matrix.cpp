#include "conflict/conflict_matrix.h"

#include "conflict/touch_lists.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace blockloom::conflict {
namespace {

/// With fewer tasks on a key, its pairs are set one by one.
constexpr std::size_t worth_a_bitmap = 32;

bool is_conflict(Touch a, Touch b, bool commutative) noexcept {
    return commutative ? a.writes() != b.writes() : a.writes() || b.writes();
}

} // namespace

class MatrixBuilder {
public:
    MatrixBuilder(TaskId vertices, std::span<const TaskId> vertex_of)
        : matrix_(vertices), vertex_of_(vertex_of), writers_(matrix_.words()),
          others_(matrix_.words()) {}

    void add_key(std::span<const Touch> touches, bool commutative) {
        if (std::ranges::none_of(touches, &Touch::writes)) return;
        if (touches.size() < worth_a_bitmap)
            add_pairs(touches, commutative);
        else
            add_rows(touches, commutative);
    }

    /// A task has no conflict with itself.
    [[nodiscard]] ConflictMatrix make() && {
        for (TaskId v = 0; v < matrix_.vertices(); ++v)
            row(v)[v / word_bits] &= ~(Word{1} << (v % word_bits));
        return std::move(matrix_);
    }

private:
    using Word = ConflictMatrix::Word;
    static constexpr std::size_t word_bits = ConflictMatrix::word_bits;

    [[nodiscard]] TaskId vertex(Touch touch) const noexcept {
        return vertex_of_.empty() ? touch.task() : vertex_of_[touch.task()];
    }
    [[nodiscard]] Word* row(TaskId vertex) noexcept {
        return matrix_.rows_.data() + vertex * matrix_.words_;
    }
    static void set(Word* row, TaskId vertex) noexcept {
        row[vertex / word_bits] |= Word{1} << (vertex % word_bits);
    }

    void add_pairs(std::span<const Touch> touches, bool commutative) {
        for (std::size_t i = 1; i < touches.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                if (!is_conflict(touches[i], touches[k], commutative)) continue;
                set(row(vertex(touches[i])), vertex(touches[k]));
                set(row(vertex(touches[k])), vertex(touches[i]));
            }
    }

    /// Each task gets the bitmap of those that it conflicts with because of the key.
    void add_rows(std::span<const Touch> touches, bool commutative) {
        std::ranges::fill(writers_, 0);
        std::ranges::fill(others_, 0);
        for (const Touch touch : touches)
            set(touch.writes() ? writers_.data() : others_.data(), vertex(touch));
        for (const Touch touch : touches) {
            Word* const own = row(vertex(touch));
            if (touch.writes()) merge(own, others_);
            if (!touch.writes() || !commutative) merge(own, writers_);
        }
    }
    static void merge(Word* into, const std::vector<Word>& bits) noexcept {
        for (std::size_t i = 0; i < bits.size(); ++i) into[i] |= bits[i];
    }

    ConflictMatrix matrix_;
    std::span<const TaskId> vertex_of_;
    std::vector<Word> writers_, others_; ///< of the key that is being added
};

std::uint32_t ConflictMatrix::degree(TaskId vertex) const noexcept {
    std::uint32_t degree = 0;
    for (const Word word : of(vertex)) degree += static_cast<std::uint32_t>(std::popcount(word));
    return degree;
}

Result<ConflictMatrix> conflict_matrix(const trace::PolicedTrace& trace,
                                       std::span<const TaskId> vertex_of,
                                       const std::stop_token& stop) {
    const Result<TouchLists> lists = list_touches(trace.access_sets());
    if (!lists) return lists.error();
    MatrixBuilder builder(trace.tasks(), vertex_of);
    for (KeyId key = 0; key < lists->keys(); ++key) {
        const std::span<const Touch> touches = lists->of(key);
        if (touches.size() < 2) continue;
        if (stop.stop_requested()) return cancelled_error();
        builder.add_key(touches, !trace.commutative.empty() && trace.commutative[key]);
    }
    return std::move(builder).make();
}

} // namespace blockloom::conflict
