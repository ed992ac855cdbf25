#include "native/closing_threads.h"

#include <cstdlib>
#include <exception>
#include <mutex>
#include <vector>

namespace blockloom::native {
namespace {

struct ClosingGroup {
    std::array<std::jthread, 2> threads;
    std::shared_ptr<const std::atomic<unsigned>> running;
};

struct ClosingGroups {
    std::mutex mutex;
    std::vector<ClosingGroup> groups;
};

/// Never destroyed: threads may be closed while other statics are.
ClosingGroups& closing_groups() {
    static ClosingGroups& all = *new ClosingGroups;
    return all;
}

void join_closing_threads() {
    std::vector<ClosingGroup> ending;
    {
        ClosingGroups& all = closing_groups();
        const std::lock_guard lock(all.mutex);
        ending.swap(all.groups);
    }
    // Their destructors join them.
}

} // namespace

void close_threads(std::array<std::jthread, 2> threads,
                   std::shared_ptr<const std::atomic<unsigned>> running) noexcept {
    std::vector<ClosingGroup> ended;
    try {
        // Before each group, so that the statics that these threads use outlive them.
        if (std::atexit(join_closing_threads) != 0) return; // `threads` joins them
        ClosingGroups& all = closing_groups();
        const std::lock_guard lock(all.mutex);
        for (std::size_t i = all.groups.size(); i-- > 0;) {
            if (*all.groups[i].running != 0) continue;
            std::swap(all.groups[i], all.groups.back());
            ended.push_back(std::move(all.groups.back()));
            all.groups.pop_back();
        }
        all.groups.reserve(all.groups.size() + 1);
        all.groups.push_back({std::move(threads), std::move(running)});
    } catch (const std::exception&) {
        // No memory: `threads` joins them, here.
    }
}

} // namespace blockloom::native
