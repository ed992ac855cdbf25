#include "conflict/row_kernel.h"

#include <numeric>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace blockloom::conflict {
namespace {

/// Bits of a word without the instruction, which the baseline x86-64 lacks (std::popcount would be
/// a call there).
constexpr std::uint64_t count_bits(Word word) noexcept {
    word -= (word >> 1) & 0x5555'5555'5555'5555;
    word = (word & 0x3333'3333'3333'3333) + ((word >> 2) & 0x3333'3333'3333'3333);
    word = (word + (word >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
    return (word * 0x0101'0101'0101'0101) >> 56;
}

void count_row_plain(Word* own, std::size_t stride, std::size_t words, const TaskSources& sources,
                     RowCounts& counts) {
    for (std::size_t i = 0; i < words; ++i) {
        Word raw = 0, war = 0, waw = 0;
        if (own != nullptr) {
            raw = std::exchange(own[i], 0);
            war = std::exchange(own[stride + i], 0);
            waw = std::exchange(own[2 * stride + i], 0);
        }
        for (const Word* source : sources.raw) raw |= source[i];
        for (const Word* source : sources.war) war |= source[i];
        for (const Word* source : sources.waw) waw |= source[i];
        counts.any[0] += count_bits(raw | war | waw);
        counts.raw[0] += count_bits(raw);
        counts.war[0] += count_bits(war);
        counts.waw[0] += count_bits(waw);
    }
}

#if defined(__x86_64__)

#define BLOCKLOOM_AVX2 __attribute__((target("avx2")))
#define BLOCKLOOM_AVX512 __attribute__((target("avx512f,avx512vpopcntdq")))

BLOCKLOOM_AVX2 inline __m256i load(const Word* from) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// Bits of each 64-bit lane: a table of nibbles, then sums of bytes.
BLOCKLOOM_AVX2 inline __m256i count_lanes(__m256i bits) noexcept {
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1,
                                           2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(bits, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi32(bits, 4), nibble));
    return _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
}

BLOCKLOOM_AVX2 inline void add_lanes(std::array<std::uint64_t, 8>& to, __m256i lanes) noexcept {
    auto* sum = reinterpret_cast<__m256i*>(to.data());
    _mm256_store_si256(sum, _mm256_add_epi64(_mm256_load_si256(sum), lanes));
}

BLOCKLOOM_AVX2 void count_row_avx2(Word* own, std::size_t stride, std::size_t words,
                                   const TaskSources& sources, RowCounts& counts) {
    const __m256i zero = _mm256_setzero_si256();
    __m256i any_sum = zero, raw_sum = zero, war_sum = zero, waw_sum = zero;
    for (std::size_t i = 0; i < words; i += 4) {
        __m256i raw = zero, war = zero, waw = zero;
        if (own != nullptr) {
            raw = load(own + i);
            war = load(own + stride + i);
            waw = load(own + 2 * stride + i);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(own + i), zero);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(own + stride + i), zero);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(own + 2 * stride + i), zero);
        }
        for (const Word* source : sources.raw) raw = _mm256_or_si256(raw, load(source + i));
        for (const Word* source : sources.war) war = _mm256_or_si256(war, load(source + i));
        for (const Word* source : sources.waw) waw = _mm256_or_si256(waw, load(source + i));
        const __m256i any = _mm256_or_si256(_mm256_or_si256(raw, war), waw);
        any_sum = _mm256_add_epi64(any_sum, count_lanes(any));
        raw_sum = _mm256_add_epi64(raw_sum, count_lanes(raw));
        war_sum = _mm256_add_epi64(war_sum, count_lanes(war));
        waw_sum = _mm256_add_epi64(waw_sum, count_lanes(waw));
    }
    add_lanes(counts.any, any_sum);
    add_lanes(counts.raw, raw_sum);
    add_lanes(counts.war, war_sum);
    add_lanes(counts.waw, waw_sum);
}

BLOCKLOOM_AVX512 inline void add_counts(std::array<std::uint64_t, 8>& to, __m512i lanes) noexcept {
    _mm512_store_si512(to.data(), _mm512_add_epi64(_mm512_load_si512(to.data()), lanes));
}

BLOCKLOOM_AVX512 void count_row_avx512(Word* own, std::size_t stride, std::size_t words,
                                       const TaskSources& sources, RowCounts& counts) {
    const __m512i zero = _mm512_setzero_si512();
    __m512i any_sum = zero, raw_sum = zero, war_sum = zero, waw_sum = zero;
    for (std::size_t i = 0; i < words; i += 8) {
        __m512i raw = zero, war = zero, waw = zero;
        if (own != nullptr) {
            raw = _mm512_loadu_si512(own + i);
            war = _mm512_loadu_si512(own + stride + i);
            waw = _mm512_loadu_si512(own + 2 * stride + i);
            _mm512_storeu_si512(own + i, zero);
            _mm512_storeu_si512(own + stride + i, zero);
            _mm512_storeu_si512(own + 2 * stride + i, zero);
        }
        for (const Word* source : sources.raw)
            raw = _mm512_or_si512(raw, _mm512_loadu_si512(source + i));
        for (const Word* source : sources.war)
            war = _mm512_or_si512(war, _mm512_loadu_si512(source + i));
        for (const Word* source : sources.waw)
            waw = _mm512_or_si512(waw, _mm512_loadu_si512(source + i));
        const __m512i any = _mm512_or_si512(_mm512_or_si512(raw, war), waw);
        any_sum = _mm512_add_epi64(any_sum, _mm512_popcnt_epi64(any));
        raw_sum = _mm512_add_epi64(raw_sum, _mm512_popcnt_epi64(raw));
        war_sum = _mm512_add_epi64(war_sum, _mm512_popcnt_epi64(war));
        waw_sum = _mm512_add_epi64(waw_sum, _mm512_popcnt_epi64(waw));
    }
    add_counts(counts.any, any_sum);
    add_counts(counts.raw, raw_sum);
    add_counts(counts.war, war_sum);
    add_counts(counts.waw, waw_sum);
}

bool has_avx2() noexcept {
    return __builtin_cpu_supports("avx2") != 0;
}

bool has_avx512() noexcept {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vpopcntdq") != 0;
}

#endif

} // namespace

ConflictPairs RowCounts::pairs() const noexcept {
    const auto sum = [](const std::array<std::uint64_t, 8>& lanes) {
        return std::accumulate(lanes.begin(), lanes.end(), std::uint64_t{0});
    };
    return {sum(any), sum(raw), sum(war), sum(waw)};
}

std::vector<CountRow> row_kernels() {
    std::vector<CountRow> kernels{count_row_plain};
#if defined(__x86_64__)
    if (has_avx2()) kernels.push_back(count_row_avx2);
    if (has_avx512()) kernels.push_back(count_row_avx512);
#endif
    return kernels;
}

CountRow best_row_kernel() noexcept {
#if defined(__x86_64__)
    if (has_avx512()) return count_row_avx512;
    if (has_avx2()) return count_row_avx2;
#endif
    return count_row_plain;
}

} // namespace blockloom::conflict
