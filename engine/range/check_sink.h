// Counts the values that a check compares, and keeps the differences with their place. Only
// included by the sources of the check.
#pragma once

#include "range/check_result.h"

#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace blockloom::range {

class CheckSink {
public:
    CheckSink(NodeCheck& check, CheckedBlock& block) : check_(&check), block_(&block) {
        place.height = block.height;
    }

    /// Where the values belong that follow; field, key and values are not used.
    CheckDifference place;

    /// One value was compared. `texts` makes the texts of the node's and the replay's, if they are
    /// needed.
    template <typename Texts>
    void compared(bool equal, const char* field, std::string_view key, const Texts& texts) {
        ++block_->values;
        if (equal) return;
        ++block_->differences;
        if (check_->differences.size() >= NodeCheck::most_listed) return;
        CheckDifference difference = place;
        difference.field = field;
        difference.key = key;
        std::tie(difference.node, difference.replay) = texts();
        check_->differences.push_back(std::move(difference));
    }
    void different(const char* field, std::string node, std::string replay) {
        compared(false, field, {}, [&] { return std::pair(std::move(node), std::move(replay)); });
    }
    void not_compared(const std::string& what, std::uint64_t count = 1) {
        if (count != 0) check_->not_compared[what] += count;
    }
    [[nodiscard]] CheckedBlock& block() const noexcept { return *block_; }

private:
    NodeCheck* check_;
    CheckedBlock* block_;
};

/// Two different byte strings as texts that show the difference.
[[nodiscard]] std::pair<std::string, std::string> different_bytes(std::string_view node,
                                                                  std::string_view replay);

} // namespace blockloom::range
