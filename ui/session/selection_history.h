// Back and forward through earlier selections, like a browser's history.
#pragma once

#include <QtGlobal>

#include <optional>
#include <vector>

namespace blockloom::ui {

/// A selection and its block (row in the range).
struct Selected {
    int row = -1;
    std::optional<quint32> task, key;
    friend bool operator==(const Selected&, const Selected&) = default;
};

/// A plain value: no signals, no widgets.
class SelectionHistory {
public:
    /// Adds a step and drops the forward history. Repeating the same selection is not a step.
    void visit(const Selected& selected);
    void clear();
    [[nodiscard]] bool canGoBack() const noexcept { return at_ > 0; }
    [[nodiscard]] bool canGoForward() const noexcept { return at_ + 1 < steps_.size(); }
    const Selected& back();    ///< call only where canGoBack()
    const Selected& forward(); ///< call only where canGoForward()

    static constexpr std::size_t most = 200; ///< older steps are dropped

private:
    std::vector<Selected> steps_;
    std::size_t at_ = 0;
};

} // namespace blockloom::ui
