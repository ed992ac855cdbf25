// Union-find over tasks: the connected components of the dependency edges.
#pragma once

#include "trace/access.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace blockloom::conflict {

/// Components named by their lowest task; path halving.
class Groups {
public:
    explicit Groups(trace::TaskId tasks) : parent_(tasks) {
        std::iota(parent_.begin(), parent_.end(), trace::TaskId{0});
    }

    [[nodiscard]] trace::TaskId root(trace::TaskId task) noexcept {
        while (parent_[task] != task) {
            parent_[task] = parent_[parent_[task]];
            task = parent_[task];
        }
        return task;
    }

    void join(trace::TaskId a, trace::TaskId b) noexcept {
        a = root(a);
        b = root(b);
        if (a != b) parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<trace::TaskId> parent_;
};

} // namespace blockloom::conflict
