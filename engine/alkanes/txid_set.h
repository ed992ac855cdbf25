// A set of txids that is made once and looked at for every input of a block.
#pragma once

#include "base/bytes.h"

#include <cstdint>
#include <vector>

namespace blockloom::alkanes {

/// Open addressing by the first bytes of a txid, which is a hash.
class TxidSet {
public:
    void reserve(std::size_t count);
    void insert(const Hash256& txid);
    [[nodiscard]] bool contains(const Hash256& txid) const noexcept {
        if (slots_.empty()) return false;
        return slots_[slot_of(txid)] != 0;
    }
    [[nodiscard]] std::size_t size() const noexcept { return txids_.size(); }

private:
    /// Of this txid, or the free one where it would be.
    [[nodiscard]] std::size_t slot_of(const Hash256& txid) const noexcept;

    std::vector<Hash256> txids_;
    std::vector<std::uint32_t> slots_; ///< number + 1; 0: free. A power of two, at most half full
};

} // namespace blockloom::alkanes
