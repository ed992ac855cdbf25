#include "trace/bitcoin.h"

#include "chain/commitments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <filesystem>
#include <limits>
#include <utility>

namespace blockloom::trace {

namespace {

constexpr std::uint32_t no_index = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t outpoint_size = 36;

std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// A hash of all 32 bytes: outpoints of a hostile block can be chosen freely.
std::uint64_t hash_txid(const Byte* txid) noexcept {
    const auto word = [&](std::size_t i) { return read_le<std::uint64_t>(txid + 8 * i); };
    return fold(word(0) ^ 0x9e3779b97f4a7c15, word(1) ^ 0xa0761d6478bd642f) ^
           fold(word(2) ^ 0xe7037ed1a0b428db, word(3) ^ 0x8ebc6af09c88c6e3);
}

/// Open addressing from hashes to numbers 0 … most - 1, at most half full. The caller compares. A
/// slot is 4 bytes, so that the table stays in the cache: the number, and above it as many bits of
/// the hash as are left.
class HashSlots {
public:
    explicit HashSlots(std::size_t most)
        : slots_(std::bit_ceil(std::max<std::size_t>(16, 2 * most)), no_index),
          mask_(slots_.size() - 1), number_bits_(static_cast<int>(std::bit_width(most))) {}

    /// The number whose thing equals (as `same(number)` says), or `fresh`, which is kept for it.
    /// `fresh == no_index`: only looks.
    template <typename Same>
    [[nodiscard]] std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t fresh,
                                            const Same& same) {
        // A number is never all ones, so no slot in use equals `no_index`.
        const std::uint32_t number_mask = (std::uint32_t{1} << number_bits_) - 1;
        const std::uint32_t mark = static_cast<std::uint32_t>(hash >> 32) & ~number_mask;
        for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
            const std::uint32_t slot = slots_[at];
            if (slot == no_index) {
                if (fresh != no_index) slots_[at] = mark | fresh;
                return fresh;
            }
            if ((slot & ~number_mask) == mark && same(slot & number_mask))
                return slot & number_mask;
        }
    }

    /// Prefetches the memory that a search for this hash will read.
    void prefetch(std::uint64_t hash) const noexcept {
        __builtin_prefetch(slots_.data() + (hash & mask_));
    }

private:
    std::vector<std::uint32_t> slots_;
    std::size_t mask_;
    int number_bits_;
};

/// Names from the block itself: the first ids are its outputs, the others outpoints it spends.
class OutpointNames final : public KeyNames {
public:
    OutpointNames(std::shared_ptr<const chain::Block> block, std::vector<std::uint32_t> spent)
        : block_(std::move(block)), spent_(std::move(spent)) {}

    [[nodiscard]] std::string printable(KeyId key) const override {
        if (key < block_->outputs.size()) {
            const auto& transactions = block_->transactions;
            const auto after = std::upper_bound(
                transactions.begin(), transactions.end(), key,
                [](KeyId id, const chain::Transaction& tx) { return id < tx.first_output; });
            const auto tx = after - 1;
            return name(block_->txids[static_cast<std::size_t>(tx - transactions.begin())],
                        key - tx->first_output);
        }
        const chain::Input& input = block_->inputs[spent_[key - block_->outputs.size()]];
        const ByteView outpoint = block_->outpoint(input);
        return name(outpoint.first(32), read_le<std::uint32_t>(outpoint.data() + 32));
    }

    [[nodiscard]] std::string kind(KeyId) const override { return "utxo"; }

private:
    static std::string name(ByteView txid, std::uint32_t place) {
        return fmt::format("utxo:{}:{}", to_reversed_hex(txid), place);
    }

    std::shared_ptr<const chain::Block> block_;
    std::vector<std::uint32_t> spent_; ///< an input that spends each key after the outputs
};

class TxidNames final : public TaskNames {
public:
    explicit TxidNames(std::shared_ptr<const chain::Block> block) : block_(std::move(block)) {}
    [[nodiscard]] std::string printable(TaskId task) const override {
        return to_reversed_hex(block_->txids[task]);
    }

private:
    std::shared_ptr<const chain::Block> block_;
};

/// Turns outpoints into ids. An output's id is its place among the block's outputs; outpoints that
/// no transaction of the block creates follow, as they are met.
class Interner {
public:
    explicit Interner(const chain::Block& block)
        : block_(block), created_(block.transactions.size()), spent_(block.inputs.size()),
          toucher_(block.outputs.size(), no_index) {
        toucher_.reserve(block.outputs.size() + block.inputs.size());
        spending_.reserve(block.inputs.size());
        for (std::uint32_t tx = 0; tx < block.transactions.size(); ++tx) {
            const std::uint32_t first = transaction_of(block.txids[tx].data(), tx);
            if (first != tx) repeats_.push_back({tx, first});
        }
    }

    [[nodiscard]] AccessSets intern() {
        AccessSets sets;
        sets.begin.reserve(block_.transactions.size() + 1);
        sets.accesses.reserve(block_.inputs.size() + block_.outputs.size());
        auto repeat = repeats_.begin();
        for (TaskId task = 0; task < block_.transactions.size(); ++task) {
            const chain::Transaction& tx = block_.transactions[task];
            add_inputs(tx, task, sets.accesses);
            // A transaction that occurs twice in a (broken) block creates the same keys twice.
            KeyId first_key = tx.first_output;
            if (repeat != repeats_.end() && repeat->task == task) {
                first_key = block_.transactions[repeat->first].first_output;
                ++repeat;
            }
            for (std::uint32_t i = 0; i < tx.output_count; ++i)
                sets.accesses.emplace_back(first_key + i, Mode::write);
            sets.begin.push_back(static_cast<std::uint32_t>(sets.accesses.size()));
        }
        sets.key_count = static_cast<KeyId>(block_.outputs.size() + spending_.size());
        return sets;
    }

    [[nodiscard]] std::vector<std::uint32_t> take_spending() { return std::move(spending_); }

private:
    struct Repeat {
        std::uint32_t task, first;
    };

    std::uint32_t transaction_of(const Byte* txid, std::uint32_t fresh) {
        return created_.find_or_add(hash_txid(txid), fresh, [&](std::uint32_t tx) {
            return std::memcmp(block_.txids[tx].data(), txid, sizeof(Hash256)) == 0;
        });
    }

    /// An outpoint and the hashes under which it may be found.
    struct Spend {
        const Byte* outpoint;
        std::uint32_t place;
        std::uint64_t txid_hash, hash;
    };

    /// Hashes inputs ahead of the current one, so that their cache misses overlap.
    void look_ahead(std::uint32_t number) {
        const auto end = static_cast<std::uint32_t>(
            std::min<std::size_t>(block_.inputs.size(), std::size_t{number} + waiting_.size()));
        for (; ahead_ < end; ++ahead_) {
            const Byte* outpoint = block_.bytes.data() + block_.inputs[ahead_].outpoint;
            Spend& spend = waiting_[ahead_ % waiting_.size()];
            spend.outpoint = outpoint;
            spend.place = read_le<std::uint32_t>(outpoint + 32);
            spend.txid_hash = hash_txid(outpoint);
            spend.hash = fold(spend.txid_hash ^ spend.place, 0x589965cc75374cc3);
            created_.prefetch(spend.txid_hash);
            spent_.prefetch(spend.hash);
        }
    }

    void add_inputs(const chain::Transaction& tx, TaskId task, std::vector<Access>& accesses) {
        const std::uint32_t end = tx.first_input + tx.input_count;
        for (std::uint32_t number = tx.first_input; number < end; ++number) {
            look_ahead(number);
            const Spend& spend = waiting_[number % waiting_.size()];
            if (chain::is_null_outpoint(spend.outpoint)) continue;
            const KeyId key = key_of(spend, number);
            // Two inputs of a task may name the same outpoint (a broken block): one access.
            if (std::exchange(toucher_[key], task) != task)
                accesses.emplace_back(key, Mode::read_write);
        }
    }

    KeyId key_of(const Spend& spend, std::uint32_t number) {
        const std::uint32_t creator =
            created_.find_or_add(spend.txid_hash, no_index, [&](std::uint32_t tx) {
                return std::memcmp(block_.txids[tx].data(), spend.outpoint, sizeof(Hash256)) == 0;
            });
        if (creator != no_index && spend.place < block_.transactions[creator].output_count)
            return block_.transactions[creator].first_output + spend.place;
        const auto fresh = static_cast<std::uint32_t>(spending_.size());
        const std::uint32_t found = spent_.find_or_add(spend.hash, fresh, [&](std::uint32_t id) {
            return std::memcmp(block_.bytes.data() + block_.inputs[spending_[id]].outpoint,
                               spend.outpoint, outpoint_size) == 0;
        });
        if (found == fresh) {
            spending_.push_back(number);
            toucher_.push_back(no_index);
        }
        return static_cast<KeyId>(block_.outputs.size()) + found;
    }

    const chain::Block& block_;
    HashSlots created_, spent_;
    std::array<Spend, 16> waiting_{}; ///< of input i: waiting_[i % 16]
    std::uint32_t ahead_ = 0;         ///< inputs before it were hashed
    std::vector<TaskId> toucher_;     ///< the last task that spent a key
    std::vector<std::uint32_t> spending_;
    std::vector<Repeat> repeats_; ///< ascending
};

std::string label_of(const chain::Block& block) {
    if (block.height) return std::to_string(*block.height);
    const std::string stem = std::filesystem::path(block.source).stem().string();
    return stem.empty() ? to_reversed_hex(block.hash) : stem;
}

} // namespace

Result<std::shared_ptr<const BlockTrace>> trace_block(std::shared_ptr<const chain::Block> block) {
    if (block->outputs.size() + block->inputs.size() > max_keys)
        return Error{ErrorCode::bad_input,
                     fmt::format("{}: expected at most {} inputs and outputs, found {}",
                                 block->source, max_keys,
                                 block->outputs.size() + block->inputs.size())};
    auto trace = std::make_shared<BlockTrace>();
    trace->chain = "bitcoin";
    trace->block = {block->height, to_reversed_hex(block->hash), label_of(*block)};
    Interner interner(*block);
    trace->sets = interner.intern();
    trace->keys = std::make_shared<OutpointNames>(block, interner.take_spending());
    trace->names = std::make_shared<TxidNames>(std::move(block));
    return std::shared_ptr<const BlockTrace>(std::move(trace));
}

} // namespace blockloom::trace
