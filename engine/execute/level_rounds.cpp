#include "execute/level_rounds.h"

#include <fmt/format.h>
#include <map>

namespace blockloom::execute {

bool LevelRounds::pays(std::size_t ran, std::size_t left, double width) const noexcept {
    if (left >= ran || left < batch_min_) return false;
    return static_cast<double>(ran - left) * width >= static_cast<double>(ran);
}

bool LevelRounds::next(const WindowNow& now, Round& round) {
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
    // Those that are not candidates would stop every round at the first of them.
    if (!repeat_ || now.check == nullptr) return false;
    const std::size_t count = now.tasks.size();
    for (std::uint32_t task = now.accepted; task < count; ++task)
        if (!now.check->consistent(task)) round.tasks.push_back(task);
    if (round.tasks.empty()) return false;
    const bool first = ran_ == 0;
    if (first && !levels_.empty() && !round.tasks.empty())
        round.note = fmt::format("levels: {} of {} transactions read values that their access "
                                 "sets did not predict and were re-executed",
                                 round.tasks.size(), count);
    const bool more = pays(first ? count : ran_, round.tasks.size(), now.width);
    ran_ = round.tasks.size();
    return more;
}

} // namespace blockloom::execute
