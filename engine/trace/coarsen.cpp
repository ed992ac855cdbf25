#include "trace/coarsen.h"

#include <algorithm>
#include <array>

namespace blockloom::trace {
namespace {

constexpr std::array<std::string_view, 5> account_kinds{"storage", "balance", "nonce", "code",
                                                        "account"};

class CoarseNames final : public KeyNames {
public:
    CoarseNames(std::shared_ptr<const KeyNames> fine, std::vector<KeyId> first,
                std::vector<bool> is_account)
        : fine_(std::move(fine)), first_(std::move(first)), is_account_(std::move(is_account)) {}

    [[nodiscard]] std::string printable(KeyId key) const override {
        std::string name = fine_->printable(first_[key]);
        return is_account_[key] ? account_name(name) : name;
    }

private:
    std::shared_ptr<const KeyNames> fine_;
    std::vector<KeyId> first_;
    std::vector<bool> is_account_;
};

} // namespace

std::string_view account_of(std::string_view printable) noexcept {
    const std::size_t colon = printable.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view kind = printable.substr(0, colon);
    if (std::find(account_kinds.begin(), account_kinds.end(), kind) == account_kinds.end())
        return {};
    const std::string_view rest = printable.substr(colon + 1);
    return rest.substr(0, rest.find_first_of(":/"));
}

std::string account_name(std::string_view printable) {
    return std::string("account:").append(account_of(printable));
}

KeyId AccountTable::place(KeyId key, std::string_view printable) {
    const std::string_view account = account_of(printable);
    const auto next = static_cast<KeyId>(first_.size());
    if (!account.empty()) {
        const auto [there, fresh] = ids_.try_emplace(std::string(account), next);
        if (!fresh) return there->second;
    }
    first_.push_back(key);
    is_account_.push_back(!account.empty());
    return next;
}

std::shared_ptr<const KeyNames> coarse_names(std::shared_ptr<const KeyNames> fine,
                                             std::vector<KeyId> first,
                                             std::vector<bool> is_account) {
    if (!fine) return nullptr;
    return std::make_shared<CoarseNames>(std::move(fine), std::move(first), std::move(is_account));
}

} // namespace blockloom::trace
