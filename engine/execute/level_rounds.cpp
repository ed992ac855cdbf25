#include "execute/level_rounds.h"

#include "execute/flow/block_order_flow.h"

#include <fmt/format.h>
#include <map>
#include <numeric>

namespace blockloom::execute {

bool LevelRounds::pays(std::size_t ran, std::size_t left, double width) const noexcept {
    if (left >= ran || left < batch_min_) return false;
    return static_cast<double>(ran - left) * width >= static_cast<double>(ran);
}

void LevelRounds::begin_wave(const WindowNow& now) {
    wave_ = {};
    wave_.first = now.tasks[now.accepted].block;
    const auto count = static_cast<std::uint32_t>(now.tasks.size());
    for (wave_.end = now.accepted; wave_.end < count; ++wave_.end) {
        const std::uint32_t block = now.tasks[wave_.end].block - wave_.first;
        if (block >= memory_.wave_span.blocks()) break;
        if (block == 0) wave_.first_end = wave_.end + 1;
        wave_.blocks = block + 1;
    }
}

/// What the wave's last round showed. Ends it, or reduces it to its first block.
void LevelRounds::judge_wave(const WindowNow& now) {
    if (wave_.ran == 0) return;
    if (now.accepted >= wave_.end) {
        if (wave_.rounds == 1) memory_.wave_span.accepted(wave_.blocks);
        wave_.ran = 0;
        return;
    }
    if (wave_.blocks == 1) return;
    memory_.wave_span.rejected(now.tasks[now.accepted].block - wave_.first);
    if (now.accepted >= wave_.first_end) {
        wave_.ran = 0;
        return;
    }
    wave_.ran -= std::min<std::size_t>(wave_.ran, wave_.end - wave_.first_end);
    wave_.end = wave_.first_end;
    wave_.blocks = 1;
}

/// What is left of the wave's only block runs in block order; false: that is the rest of the
/// window, or there are no flows.
bool LevelRounds::run_in_order(const WindowNow& now, Round& round) {
    if (!now.one_by_one || wave_.end == now.tasks.size()) return false;
    round.tasks.resize(wave_.end - now.accepted);
    std::iota(round.tasks.begin(), round.tasks.end(), now.accepted);
    round.budgets.resize(round.tasks.size()); // each is settled when its turn comes
    std::vector<bool> keep;
    for (const std::uint32_t task : round.tasks)
        keep.push_back(now.executions[task] != nullptr && now.check->consistent(task));
    flow_ = std::make_unique<BlockOrderFlow>(memory_.live, std::move(keep));
    round.flow = flow_.get();
    ++wave_.rounds;
    return true;
}

bool LevelRounds::next_in_wave(const WindowNow& now, Round& round) {
    if (now.accepted == now.tasks.size()) return false;
    judge_wave(now);
    const bool begins = wave_.ran == 0;
    if (begins) begin_wave(now);
    for (std::uint32_t task = now.accepted; task < wave_.end; ++task)
        if (now.check == nullptr || !now.check->consistent(task)) round.tasks.push_back(task);
    if (round.tasks.empty()) return false;
    if (!begins && !pays(wave_.ran, round.tasks.size(), now.width)) return run_in_order(now, round);
    wave_.ran = round.tasks.size();
    ++wave_.rounds;
    return true;
}

bool LevelRounds::next(const WindowNow& now, Round& round) {
    // Those that are not candidates would stop every round at the first of them.
    if (levels_.empty() && repeat_) return next_in_wave(now, round);
    if (!by_level_) {
        std::map<std::uint32_t, std::vector<std::uint32_t>> by_level;
        for (std::uint32_t task = now.accepted; task < now.tasks.size(); ++task)
            if (now.tasks[task].candidate && (now.check == nullptr || !now.check->consistent(task)))
                by_level[levels_.empty() ? 1 : levels_[task]].push_back(task);
        by_level_.emplace();
        for (auto& [level, tasks] : by_level) by_level_->push_back(std::move(tasks));
    }
    if (next_level_ < by_level_->size()) {
        round.tasks = std::move((*by_level_)[next_level_++]);
        return true;
    }
    if (!repeat_ || now.check == nullptr) return false;
    const std::size_t count = now.tasks.size();
    for (std::uint32_t task = now.accepted; task < count; ++task)
        if (!now.check->consistent(task)) round.tasks.push_back(task);
    if (round.tasks.empty()) return false;
    const bool first = ran_ == 0;
    if (first)
        round.note = fmt::format("levels: {} of {} transactions read values that their access "
                                 "sets did not predict and were re-executed",
                                 round.tasks.size(), count);
    const bool more = pays(first ? count : ran_, round.tasks.size(), now.width);
    ran_ = round.tasks.size();
    return more;
}

} // namespace blockloom::execute
