// Numbers by hash: a flat table that is read for every task of a block window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockloom::execute {

/// Hashes must be spread evenly; none is 0.
class HashNumbers {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// The hash will be looked up soon.
    void prefetch(std::uint64_t hash) const noexcept {
        if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
    }
    [[nodiscard]] std::uint32_t find(std::uint64_t hash) const noexcept;
    /// The hash's number, which is `next` if it had none.
    std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t next);
    void clear() noexcept;

private:
    struct Slot {
        std::uint64_t hash = 0; ///< 0: free
        std::uint32_t number = 0;
    };
    [[nodiscard]] std::size_t place_of(std::uint64_t hash) const noexcept;

    std::vector<Slot> slots_; ///< open addressing, at most half of it in use
    std::size_t used_ = 0;
};

} // namespace blockloom::execute
