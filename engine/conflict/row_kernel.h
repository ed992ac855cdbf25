// The inner loop of exact pair counting: merges and counts bit rows with the widest instructions
// that the processor has.
#pragma once

#include "conflict/conflict_index.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockloom::conflict {

using Word = std::uint64_t;

inline constexpr std::size_t word_bits = 64;
inline constexpr std::size_t step_words =
    8; ///< row lengths are a multiple of this: one 512-bit load

[[nodiscard]] constexpr std::size_t padded_words(std::size_t bits) noexcept {
    return (bits + word_bits * step_words - 1) / (word_bits * step_words) * step_words;
}

/// Bitmaps to be merged into one row.
class RowSources {
public:
    /// `most`: the capacity.
    explicit RowSources(std::size_t most) : rows_(most + 1) {}
    void clear() noexcept { size_ = 0; }
    /// Adds the row if `wanted` (without a branch).
    void add(const Word* row, bool wanted) noexcept {
        rows_[size_] = row;
        size_ += wanted;
    }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] const Word* const* begin() const noexcept { return rows_.data(); }
    [[nodiscard]] const Word* const* end() const noexcept { return rows_.data() + size_; }

private:
    std::vector<const Word*> rows_;
    std::size_t size_ = 0;
};

/// What is merged into the three rows of a task: bitmaps of earlier tasks, one a hot key.
struct TaskSources {
    RowSources raw, war, waw;

    explicit TaskSources(std::size_t most) : raw(most), war(most), waw(most) {}
    void clear() noexcept {
        raw.clear();
        war.clear();
        waw.clear();
    }
    [[nodiscard]] bool empty() const noexcept { return raw.empty() && war.empty() && waw.empty(); }
};

/// Zeroed words that start on a cache line, so a 512-bit load touches one line, not two.
class BitRows {
public:
    explicit BitRows(std::size_t words) : steps_((words + step_words - 1) / step_words) {}
    [[nodiscard]] Word* data() noexcept { return reinterpret_cast<Word*>(steps_.data()); }

private:
    struct alignas(step_words * sizeof(Word)) Step {
        std::array<Word, step_words> words{};
    };
    std::vector<Step> steps_;
};

/// Sums over many rows, spread over the lanes of a register.
struct RowCounts {
    alignas(64) std::array<std::uint64_t, 8> any{}, raw{}, war{}, waw{};

    [[nodiscard]] ConflictPairs pairs() const noexcept;
};

/// Counts the bits of (own | sources) of each kind and of all kinds together over the first `words`
/// words (a multiple of step_words), and sets the own rows to zero. `own` may be null (no own
/// bits); otherwise its three rows (raw, war, waw) are `stride` words apart. No alignment is
/// required.
using CountRow = void (*)(Word* own, std::size_t stride, std::size_t words,
                          const TaskSources& sources, RowCounts& counts);

/// The best kernel of this processor (AVX-512 with VPOPCNTDQ, AVX2, or plain 64-bit words).
[[nodiscard]] CountRow best_row_kernel() noexcept;

/// All kernels that this processor can run: for tests, which compare them.
[[nodiscard]] std::vector<CountRow> row_kernels();

} // namespace blockloom::conflict
