// What transactions did before that look like this one: which keys they shared with others, what
// they did to them, and the fuel they used.
#pragma once

#include "alkanes/block_context.h"
#include "alkanes/fuel_tank.h"
#include "base/prefetch.h"
#include "execute/execution_result.h"
#include "execute/predict/hash_numbers.h"
#include "execute/predict/value_predictors.h"
#include "state/key_table.h"

#include <span>
#include <vector>

namespace blockloom::execute {

class WorkerPool;

/// Transactions are of one kind if their messages have the same targets and opcodes. Kept from
/// block to block; whatever it says is a guess.
class TaskKinds {
public:
    /// A key that a kind reads or writes and that does not belong to a single transaction.
    struct KeyUse {
        std::uint32_t key = 0;             ///< number: key()
        bool reads = false, wrote = false; ///< in the latest example
        ValuePredictors predictors;

        [[nodiscard]] const ValueEffect& effect() const noexcept { return predictors.chosen(); }
        /// The examples before predicted what the latest one left.
        [[nodiscard]] bool repeated() const noexcept { return predictors.was_right(); }
    };
    /// What earlier examples of a kind did with a key and the latest one did not: it may have
    /// failed before it came to that.
    struct EarlierUse {
        std::uint32_t key = 0;
        bool reads = false, writes = false;
        std::uint32_t window = 0; ///< of the last example that did
    };
    struct Access {
        std::uint32_t key;
        bool reads, writes;
    };
    struct Model {
        std::uint32_t examples = 0;
        bool succeeded = false;            ///< some example did, so it shows all that the kind does
        std::vector<KeyUse> uses;          ///< of the latest example; each key once
        std::vector<EarlierUse> earlier;   ///< each key once
        std::vector<Access> accesses;      ///< those of `uses`, in their order, then `earlier`
        alkanes::FuelUse fuel;             ///< of the latest example
        std::uint32_t no_scouts_until = 0; ///< the window
        std::uint8_t wrong_scouts = 0;     ///< windows in a row in which one was wrong

        [[nodiscard]] bool known() const noexcept { return examples != 0; }
        /// Further examples would show the same, as long as what it predicts is right.
        [[nodiscard]] bool is_settled() const noexcept;
    };
    /// The kind of transactions without a message, and their shape.
    static constexpr std::uint32_t none = 0;
    /// A shape that is not worth a number: nothing is known of it.
    static constexpr std::uint32_t unnumbered = 1;

    TaskKinds() : models_(1), fuel_(2) {}

    /// Another block window begins. Forgets what so much is known of that it would take much
    /// memory: shapes, of which each transaction may have one of its own, or with the kinds
    /// everything.
    void begin_window();
    /// What makes a transaction one of a kind and, with its layout, of a shape: contracts decode
    /// it, so their fuel depends on the layout. Hashes; 0: without a message.
    struct Names {
        std::uint64_t kind = 0, shape = 0;
    };
    /// Any thread.
    [[nodiscard]] static Names names_of(const alkanes::BlockContext& context,
                                        std::uint32_t transaction);
    struct Numbers {
        std::uint32_t kind = none, shape = none;
    };
    static constexpr std::uint32_t unknown = HashNumbers::none;
    /// What is known of them; any thread, while no other numbers names.
    [[nodiscard]] Numbers find(const Names& names) const noexcept;
    /// Numbers what is unknown. `found`: what `find` returned, some time before.
    [[nodiscard]] Numbers numbers_of(const Names& names, Numbers found = {unknown, unknown});
    /// Numbers only the kind.
    [[nodiscard]] std::uint32_t kind_of(const Names& names, Numbers found);
    /// These names will be looked up soon.
    void prefetch(const Names& names) const noexcept {
        shapes_.prefetch(names.shape);
        kinds_.prefetch(names.kind);
    }

    /// Keys that any kind accesses, by number.
    [[nodiscard]] const state::Key& key(std::uint32_t number) const noexcept {
        return keys_.key(number);
    }
    [[nodiscard]] std::uint32_t keys() const noexcept { return keys_.size(); }
    /// The key's number; state::KeyTable::absent: no kind accesses it.
    [[nodiscard]] std::uint32_t find_key(const state::Key& key) const noexcept {
        return keys_.find(key);
    }

    [[nodiscard]] std::size_t count() const noexcept { return models_.size(); }
    [[nodiscard]] const Model& model(std::uint32_t kind) const noexcept { return models_[kind]; }
    /// An execution as an example of its kind.
    struct Example {
        std::uint32_t kind = none;
        const ExecutionResult* execution = nullptr;
        const Hash256* txid = nullptr; ///< of its transaction
        /// Passed over if the examples before it have settled the kind.
        bool unless_settled = false;
    };
    /// In their order: the latest one of a kind counts.
    void learn(std::span<const Example> examples, WorkerPool& pool);
    void learn(const Example& example);

    /// What is known of these will be asked for soon.
    void prefetch(std::uint32_t kind, std::uint32_t shape) const noexcept {
        prefetch_lines(&models_[kind], 1);
        prefetch_lines(&fuel_[shape], 1);
    }

    /// The fuel that a transaction of this shape will probably use; null: unknown.
    [[nodiscard]] const alkanes::FuelUse* fuel(std::uint32_t shape) const noexcept {
        return fuel_[shape].votes == 0 ? nullptr : &fuel_[shape].use;
    }
    /// Whether more than one transaction of this shape used the same.
    [[nodiscard]] bool knows_fuel(std::uint32_t shape) const noexcept {
        return shape == none || fuel_[shape].votes > 1;
    }
    /// Of all that shapes used, what most did is kept. Not for `unnumbered`.
    void learn_fuel(std::uint32_t shape, const alkanes::FuelUse& use) noexcept;
    /// Whether a task used what it had used before its turn, as a scout. A kind whose scouts are
    /// wrong has none for a while, the longer the more often that happens in a row.
    void note_scout(std::uint32_t kind, bool was_right) noexcept;
    [[nodiscard]] bool may_scout(std::uint32_t kind) const noexcept {
        return windows_ >= models_[kind].no_scouts_until;
    }

private:
    static constexpr std::size_t most_kinds = 65'536, most_shapes = 65'536, most_uses = 64,
                                 most_keys = 1'000'000;
    static constexpr std::uint32_t oldest = 16; ///< block windows
    static constexpr std::uint8_t most_wrong_scouts = 5;

    [[nodiscard]] bool learn_on_known_keys(const Example& example);
    void number_keys(const Example& example);
    [[nodiscard]] std::uint32_t number_of(const state::Key& key, const Model& model,
                                          std::size_t place) const noexcept;
    void age(Model& model, std::span<const EarlierUse> before) const;

    struct Fuel {
        alkanes::FuelUse use;
        std::uint32_t votes = 0;
        std::uint32_t kind = none;
    };

    std::uint32_t windows_ = 0; ///< so far
    HashNumbers kinds_;         ///< by hash of what a kind shares
    HashNumbers shapes_;        ///< by hash of kind and layout
    state::KeyTable keys_;
    std::vector<Model> models_;
    std::vector<Fuel> fuel_; ///< by shape
};

} // namespace blockloom::execute
