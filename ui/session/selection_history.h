// Back and forward through the selections made, like a browser.
#pragma once

#include <QtGlobal>

#include <optional>
#include <vector>

namespace blockloom::ui {

/// What was picked, and in which block (its row in the range).
struct Selected {
    int row = -1;
    std::optional<quint32> task, key;
    friend bool operator==(const Selected&, const Selected&) = default;
};

/// A pure value: no signals, no widgets.
class SelectionHistory {
public:
    /// A new step; forgets what lay ahead. The same selection again is no step.
    void visit(const Selected& selected);
    void clear();
    [[nodiscard]] bool canGoBack() const noexcept { return at_ > 0; }
    [[nodiscard]] bool canGoForward() const noexcept { return at_ + 1 < steps_.size(); }
    const Selected& back();    ///< call only where canGoBack()
    const Selected& forward(); ///< call only where canGoForward()

    static constexpr std::size_t most = 200; ///< older steps are forgotten

private:
    std::vector<Selected> steps_;
    std::size_t at_ = 0;
};

} // namespace blockloom::ui
