#include "range/unknown_values.h"

#include "alkanes/state_keys.h"
#include "base/number_text.h"

#include <fmt/format.h>

namespace blockloom::range {

std::string unknown_text(const UnknownValues& unknown) {
    if (unknown.total() == 0) return {};
    std::string text =
        fmt::format("{} not known to the node {} taken as 0:", counted(unknown.total(), "value"),
                    unknown.total() == 1 ? "was" : "were");
    const char* separator = " ";
    const auto add = [&](std::uint64_t count, const char* one, const char* several) {
        if (count == 0) return;
        text += fmt::format("{}{} {}", separator, count_text(count), count == 1 ? one : several);
        separator = ", ";
    };
    add(unknown.balances, "balance of a contract", "balances of contracts");
    add(unknown.outputs, "output that it does not have", "outputs that it does not have");
    add(unknown.codes, "code that some contract may have already",
        "codes that some contract may have already");
    return text;
}

void UnknownKeys::add(std::string_view key) {
    const std::string_view kind = alkanes::key_kind_text(key);
    const std::lock_guard lock(guard_);
    if (!keys_.emplace(key).second) return;
    if (kind == "balance") ++counts_.balances;
    if (kind == "sheet") ++counts_.outputs;
    if (kind == "bytecode") ++counts_.codes;
}

bool UnknownKeys::contains(std::string_view key) const {
    const std::lock_guard lock(guard_);
    return keys_.find(key) != keys_.end();
}

UnknownValues UnknownKeys::counts() const {
    const std::lock_guard lock(guard_);
    return counts_;
}

} // namespace blockloom::range
