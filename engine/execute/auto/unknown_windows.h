// Block windows of whose transactions nothing is known, because each calls a contract that no other
// one calls: after a few the strategy auto stops looking at them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace blockloom::execute {

/// Looking costs time, and so do the predictions, of which there are none. What was repeated shows
/// whether the windows are as independent as they seem.
class UnknownWindows {
public:
    /// Whether the next window runs by speculative at once. Now and then one is looked at, since
    /// the transactions may be known by now.
    [[nodiscard]] bool next_runs_at_once() noexcept {
        if (clean_ < patience_ || ++since_look_ == looked_at_every) {
            since_look_ = 0;
            return false;
        }
        return true;
    }

    /// Such a window was predicted in rounds that begin small.
    void predicted(std::uint64_t tasks, std::uint64_t executions) noexcept {
        if (tasks >= enough_tasks) clean_ = repeated_some(tasks, executions) ? 0 : clean_ + 1;
    }
    /// One ran at once. If it repeated some, it takes more windows than before to try that again.
    void ran_at_once(std::uint64_t tasks, std::uint64_t executions) noexcept {
        if (!repeated_some(tasks, executions)) return;
        clean_ = 0;
        patience_ = std::min(2 * patience_, most_patience);
    }
    /// Most transactions of a window that was looked at are known.
    void are_known() noexcept { clean_ = 0; }

private:
    /// Windows with fewer tasks say nothing.
    static constexpr std::uint64_t enough_tasks = 64;
    static constexpr std::uint32_t first_patience = 3, most_patience = 48, looked_at_every = 16;

    [[nodiscard]] static bool repeated_some(std::uint64_t tasks,
                                            std::uint64_t executions) noexcept {
        return executions * 100 > tasks * 101;
    }

    std::uint32_t clean_ = 0; ///< windows in a row that repeated hardly anything
    std::uint32_t patience_ = first_patience;
    std::uint32_t since_look_ = 0;
};

} // namespace blockloom::execute
