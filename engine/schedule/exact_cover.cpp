#include "schedule/exact_cover.h"

namespace blockloom::schedule {

ExactCover::ExactCover(std::uint32_t items) : sizes_(items + std::size_t{1}, 0) {
    for (std::uint32_t i = 0; i <= items; ++i)
        nodes_.push_back({i == 0 ? items : i - 1, i == items ? 0 : i + 1, i, i, i, 0});
}

void ExactCover::add(std::span<const std::uint32_t> set) {
    const auto first = static_cast<std::uint32_t>(nodes_.size());
    for (const std::uint32_t i : set) {
        const std::uint32_t header = i + 1;
        const auto at = static_cast<std::uint32_t>(nodes_.size());
        const std::uint32_t last = at == first ? at : nodes_[first].left;
        nodes_.push_back({last, first, nodes_[header].up, header, header, sets_});
        nodes_[last].right = at;
        nodes_[first].left = at;
        nodes_[nodes_[at].up].down = at;
        nodes_[header].up = at;
        ++sizes_[header];
    }
    ++sets_;
}

void ExactCover::cover(std::uint32_t item) {
    nodes_[nodes_[item].right].left = nodes_[item].left;
    nodes_[nodes_[item].left].right = nodes_[item].right;
    for (std::uint32_t i = nodes_[item].down; i != item; i = nodes_[i].down)
        for (std::uint32_t j = nodes_[i].right; j != i; j = nodes_[j].right) {
            nodes_[nodes_[j].down].up = nodes_[j].up;
            nodes_[nodes_[j].up].down = nodes_[j].down;
            --sizes_[nodes_[j].item];
        }
}

void ExactCover::uncover(std::uint32_t item) {
    for (std::uint32_t i = nodes_[item].up; i != item; i = nodes_[i].up)
        for (std::uint32_t j = nodes_[i].left; j != i; j = nodes_[j].left) {
            ++sizes_[nodes_[j].item];
            nodes_[nodes_[j].down].up = j;
            nodes_[nodes_[j].up].down = j;
        }
    nodes_[nodes_[item].right].left = item;
    nodes_[nodes_[item].left].right = item;
}

bool ExactCover::choose(const Limit& limit) {
    if (nodes_[0].right == 0) return true;
    if (++steps_ % 256 == 0 && limit.reached()) over_ = true;
    std::uint32_t item = nodes_[0].right;
    for (std::uint32_t i = item; i != 0; i = nodes_[i].right)
        if (sizes_[i] < sizes_[item]) item = i;
    if (sizes_[item] == 0 || over_) return false;
    bool done = false;
    cover(item);
    for (std::uint32_t i = nodes_[item].down; i != item && !done && !over_; i = nodes_[i].down) {
        chosen_.push_back(nodes_[i].set);
        for (std::uint32_t j = nodes_[i].right; j != i; j = nodes_[j].right) cover(nodes_[j].item);
        done = choose(limit);
        for (std::uint32_t j = nodes_[i].left; j != i; j = nodes_[j].left) uncover(nodes_[j].item);
        if (!done) chosen_.pop_back();
    }
    uncover(item);
    return done;
}

std::optional<std::vector<std::uint32_t>> ExactCover::solve(const Limit& limit) {
    chosen_.clear();
    steps_ = 0;
    over_ = false;
    if (!choose(limit)) return std::nullopt;
    return chosen_;
}

} // namespace blockloom::schedule
