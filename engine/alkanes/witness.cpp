#include "alkanes/witness.h"

namespace blockloom::alkanes {

namespace {

constexpr Byte annex = 0x50;
constexpr std::size_t marker_and_flag = 2;

/// A CompactSize taken from the front of bytes that the block's decoder has checked.
std::size_t take_size(ByteView& from) noexcept {
    const Byte head = from.front();
    const std::size_t width = head < 0xfd ? 0 : std::size_t{2} << (head - 0xfd);
    std::size_t size = head;
    if (width != 0) {
        size = 0;
        for (std::size_t i = width; i-- > 0;) size = size << 8U | from[1 + i];
    }
    from = from.subspan(1 + width);
    return size;
}

std::uint64_t virtual_size(std::uint64_t base, std::uint64_t total) noexcept {
    return (3 * base + total + 3) / 4;
}

std::uint64_t stripped_size(const chain::Transaction& tx) noexcept {
    return tx.has_witness() ? tx.size - tx.witness_size - marker_and_flag : tx.size;
}

} // namespace

const std::vector<ByteView>& WitnessStacks::next() {
    items_.clear();
    if (left_.empty()) return items_;
    for (std::size_t count = take_size(left_); count > 0; --count) {
        const std::size_t size = take_size(left_);
        items_.push_back(left_.first(size));
        left_ = left_.subspan(size);
    }
    return items_;
}

ByteView tapscript(const std::vector<ByteView>& stack) noexcept {
    std::size_t count = stack.size();
    if (count >= 2 && !stack.back().empty() && stack.back().front() == annex) --count;
    return count < 2 ? ByteView{} : stack[count - 2];
}

std::uint64_t virtual_size(const chain::Transaction& tx) noexcept {
    return virtual_size(stripped_size(tx), tx.size);
}

std::uint64_t virtual_size_without_first_witness(const chain::Block& block,
                                                 const chain::Transaction& tx) {
    const std::uint64_t base = stripped_size(tx);
    if (!tx.has_witness()) return virtual_size(base, base);
    WitnessStacks stacks(block, tx);
    (void)stacks.next();
    const std::size_t others = stacks.remaining();
    bool any = false;
    for (std::uint32_t i = 1; i < tx.input_count && !any; ++i) any = !stacks.next().empty();
    // Without any item left the transaction has no marker, flag and witness at all.
    if (!any) return virtual_size(base, base);
    return virtual_size(base, base + marker_and_flag + 1 + others);
}

} // namespace blockloom::alkanes
