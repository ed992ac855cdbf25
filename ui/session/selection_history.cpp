#include "session/selection_history.h"

namespace blockloom::ui {

void SelectionHistory::visit(const Selected& selected) {
    if (!steps_.empty()) {
        if (steps_[at_] == selected) return;
        steps_.resize(at_ + 1);
    }
    steps_.push_back(selected);
    if (steps_.size() > most) steps_.erase(steps_.begin());
    at_ = steps_.size() - 1;
}

void SelectionHistory::clear() {
    steps_.clear();
    at_ = 0;
}

const Selected& SelectionHistory::back() {
    return steps_[--at_];
}

const Selected& SelectionHistory::forward() {
    return steps_[++at_];
}

} // namespace blockloom::ui
