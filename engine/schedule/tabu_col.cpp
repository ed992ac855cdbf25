#include "schedule/tabu_col.h"

#include <algorithm>

namespace blockloom::schedule {

namespace {

constexpr std::uint32_t absent = ~std::uint32_t{0};
constexpr std::size_t lanes = 16;           // scores to a vector of 32 bytes
constexpr std::uint64_t clock_every = 4096; // moves
constexpr std::size_t ring = 16'384;        // longer than any tenure

} // namespace

TabuCol::TabuCol(const ConflictGraph& graph, std::uint32_t colours, std::uint64_t seed)
    : graph_(graph), n_(graph.vertices()), k_(colours),
      stride_((colours + lanes - 1) / lanes * lanes), chance_(seed), colour_(n_, 0),
      score_(n_ * stride_), place_(n_, absent), barred_until_(n_ * stride_), ends_(ring) {
    start_at_random();
}

void TabuCol::start_at_random() {
    for (std::uint32_t& c : colour_) c = chance_.below(k_);
    rebuild();
}

void TabuCol::start_from(const Colours& colours) {
    colour_ = colours;
    for (std::uint32_t& c : colour_)
        if (c >= k_) c = chance_.below(k_);
    rebuild();
}

void TabuCol::rebuild() {
    for (auto& bars : ends_) bars.clear();
    std::fill(barred_until_.begin(), barred_until_.end(), 0);
    now_ = 0;
    conflicting_.clear();
    std::fill(place_.begin(), place_.end(), absent);
    std::uint64_t bad_ends = 0;
    for (std::uint32_t v = 0; v < n_; ++v) {
        Score* scores = scores_of(v);
        std::fill_n(scores, k_, Score{0});
        std::fill_n(scores + k_, stride_ - k_, Score{0x7fff});
        for (const std::uint32_t u : graph_.of(v)) ++scores[colour_[u]];
        bad_ends += static_cast<std::uint64_t>(scores[colour_[v]]);
        if (scores[colour_[v]] > 0) set_conflicting(v, true);
    }
    conflicts_ = static_cast<std::uint32_t>(bad_ends / 2);
    best_ = colour_;
    best_conflicts_ = conflicts_;
}

void TabuCol::set_conflicting(std::uint32_t v, bool conflicting) {
    if (conflicting == (place_[v] != absent)) return;
    if (conflicting) {
        place_[v] = static_cast<std::uint32_t>(conflicting_.size());
        conflicting_.push_back(v);
        return;
    }
    const std::uint32_t last = conflicting_.back();
    conflicting_[place_[v]] = last;
    place_[last] = place_[v];
    conflicting_.pop_back();
    place_[v] = absent;
}

TabuCol::Move TabuCol::choose() {
    int least = 1 << 20;
    std::uint32_t ties = 0;
    std::uint32_t chosen = 0;
    Score wanted = 0;
    Score mask = -1;
    const int to_improve = static_cast<int>(best_conflicts_) -
                           static_cast<int>(conflicts_); // a change below it is new
    for (const std::uint32_t v : conflicting_) {
        Score* const scores = scores_of(v);
        const std::uint32_t own = colour_[v];
        const Score now = scores[own];
        scores[own] = 0x7fff; // staying is no move
        Score free = 0x7fff, any = 0x7fff;
        for (std::size_t c = 0; c < stride_; ++c) {
            const Score s = scores[c];
            free = std::min(free, s);
            any = std::min(any, static_cast<Score>(s & ~tabu));
        }
        scores[own] = now;
        // A barred colour is allowed where it makes the best colouring so far.
        const Score at = static_cast<Score>(now & ~tabu);
        const bool aspires = any < free && any - at < to_improve;
        const int change = (aspires ? any : free) - at;
        if (change > least) continue;
        if (change < least) {
            least = change;
            ties = 0;
        }
        if (chance_.below(++ties) != 0) continue;
        chosen = v;
        wanted = aspires ? any : free;
        mask = aspires ? static_cast<Score>(~tabu) : Score{-1};
    }
    const Score* const scores = scores_of(chosen);
    std::uint32_t colour = colour_[chosen];
    std::uint32_t same = 0;
    for (std::uint32_t c = 0; c < k_; ++c)
        if (c != colour_[chosen] && (scores[c] & mask) == wanted && chance_.below(++same) == 0)
            colour = c;
    return {chosen, colour};
}

void TabuCol::bar(std::uint32_t v, std::uint32_t colour) {
    const auto tenure = static_cast<std::uint32_t>(
        std::min<std::size_t>(1 + chance_.below(10) + conflicting_.size() * 6 / 10, ring - 1));
    const std::size_t cell = v * stride_ + colour;
    score_[cell] |= tabu;
    barred_until_[cell] = now_ + tenure;
    ends_[(now_ + tenure) % ring].push_back(static_cast<std::uint32_t>(cell));
}

void TabuCol::lift_bars() {
    auto& bars = ends_[now_ % ring];
    for (const std::uint32_t cell : bars)
        if (barred_until_[cell] == now_) score_[cell] &= static_cast<Score>(~tabu);
    bars.clear();
}

void TabuCol::recolour(Move move) {
    const std::uint32_t v = move.vertex, from = colour_[v], to = move.colour;
    const auto plain = [&](std::uint32_t c) { return scores_of(v)[c] & ~tabu; };
    conflicts_ = static_cast<std::uint32_t>(static_cast<int>(conflicts_) + plain(to) - plain(from));
    colour_[v] = to;
    for (const std::uint32_t u : graph_.of(v)) {
        Score* const scores = scores_of(u);
        --scores[from];
        ++scores[to];
        const std::uint32_t own = colour_[u];
        if (own == from || own == to) set_conflicting(u, (scores[own] & ~tabu) != 0);
    }
    set_conflicting(v, plain(to) != 0);
    bar(v, from);
}

bool TabuCol::run(std::uint64_t moves, const Limit& limit) {
    for (std::uint64_t i = 0; i < moves && conflicts_ > 0; ++i) {
        if (i % clock_every == 0 && limit.reached()) return false;
        ++now_;
        ++moves_;
        lift_bars();
        recolour(choose());
        if (conflicts_ < best_conflicts_) {
            best_conflicts_ = conflicts_;
            best_ = colour_;
        }
    }
    return conflicts_ == 0;
}

} // namespace blockloom::schedule
