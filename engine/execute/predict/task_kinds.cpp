#include "execute/predict/task_kinds.h"

#include "alkanes/state_keys.h"
#include "execute/worker_pool.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace blockloom::execute {
namespace {

/// Fewer examples are learned from on one thread faster than workers are woken.
constexpr std::size_t worth_workers = 64;
constexpr std::size_t kinds_a_piece = 16;
constexpr unsigned most_passes = 4;

/// Outpoints are created and spent once, code does not change while it is called, and a key with
/// the transaction's own id, in either order of its bytes, is this transaction's.
class Shared {
public:
    explicit Shared(const Hash256& txid) noexcept {
        std::copy(txid.begin(), txid.end(), id_.begin());
        std::copy(txid.rbegin(), txid.rend(), reversed_.begin());
    }

    [[nodiscard]] bool may_be(const state::Key& key) const noexcept {
        const std::string_view bytes = key.bytes();
        if (bytes.empty()) return false;
        switch (static_cast<alkanes::KeyKind>(bytes.front())) {
        case alkanes::KeyKind::sheet:
        case alkanes::KeyKind::code:
        case alkanes::KeyKind::bytecode:
            return false;
        default:
            return bytes.find(view(id_)) == std::string_view::npos &&
                   bytes.find(view(reversed_)) == std::string_view::npos;
        }
    }

private:
    using Id = std::array<char, std::tuple_size_v<Hash256>>;
    [[nodiscard]] static std::string_view view(const Id& id) noexcept {
        return {id.data(), id.size()};
    }

    Id id_, reversed_;
};

bool writes(const TaskKinds::KeyUse& use) noexcept {
    return use.wrote || use.effect().kind() != ValueEffect::Kind::keep;
}

} // namespace

bool TaskKinds::Model::is_settled() const noexcept {
    constexpr std::uint32_t enough = 4;
    return examples >= enough && succeeded && std::ranges::all_of(uses, &KeyUse::repeated);
}

void TaskKinds::begin_window() {
    ++windows_;
    const bool too_many_kinds = models_.size() >= most_kinds || keys_.size() >= most_keys;
    if (too_many_kinds || fuel_.size() >= most_shapes) {
        shapes_.clear();
        fuel_.assign(2, {});
    }
    if (!too_many_kinds) return;
    kinds_.clear();
    keys_.clear();
    models_.assign(1, {});
}

TaskKinds::Names TaskKinds::names_of(const alkanes::BlockContext& context,
                                     std::uint32_t transaction) {
    const std::uint32_t place = context.messages.places[transaction];
    if (place == 0) return {};
    const alkanes::RunestoneTransaction& at = context.messages.transactions[place - 1];
    if (at.message_count == 0) return {};
    thread_local std::string name;
    name.clear();
    for (const alkanes::Message& message : context.messages.messages_of(at)) {
        if (!message.cellpack) continue;
        alkanes::append_id(name, message.cellpack->target);
        append_u128(name,
                    message.cellpack->inputs.empty() ? ~u128{0} : message.cellpack->inputs.front());
    }
    if (name.empty()) return {};
    const auto hash = [&] { return std::max<std::uint64_t>(1, state::hash_of_key(name)); };
    Names names;
    names.kind = hash();
    const chain::Block& block = *context.block;
    const chain::Transaction& tx = block.transactions[transaction];
    const auto add = [&](std::uint32_t number) {
        name.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    add(tx.size);
    add(tx.witness_size);
    add(tx.input_count);
    for (std::uint32_t i = 0; i < tx.input_count; ++i)
        add(block.inputs[tx.first_input + i].script_size);
    for (std::uint32_t i = 0; i < tx.output_count; ++i)
        add(block.outputs[tx.first_output + i].script_size);
    names.shape = hash();
    return names;
}

TaskKinds::Numbers TaskKinds::find(const Names& names) const noexcept {
    if (names.kind == 0) return {};
    const std::uint32_t shape = shapes_.find(names.shape);
    return {shape == unknown ? kinds_.find(names.kind) : fuel_[shape].kind, shape};
}

TaskKinds::Numbers TaskKinds::numbers_of(const Names& names, Numbers found) {
    if (names.kind == 0) return {};
    if (found.shape != unknown) return found;
    const auto next_shape = static_cast<std::uint32_t>(fuel_.size());
    found.shape = shapes_.find_or_add(names.shape, next_shape);
    if (found.shape != next_shape) return {fuel_[found.shape].kind, found.shape};
    found.kind = kind_of(names, found);
    fuel_.push_back({{}, 0, found.kind});
    return found;
}

std::uint32_t TaskKinds::kind_of(const Names& names, Numbers found) {
    if (names.kind == 0) return none;
    if (found.kind != unknown) return found.kind;
    const auto next = static_cast<std::uint32_t>(models_.size());
    const std::uint32_t kind = kinds_.find_or_add(names.kind, next);
    if (kind == next) models_.emplace_back();
    return kind;
}

void TaskKinds::learn_fuel(std::uint32_t shape, const alkanes::FuelUse& use) noexcept {
    constexpr std::uint32_t most_votes = 8;
    Fuel& known = fuel_[shape];
    if (known.votes == 0) {
        known.use = use;
        known.votes = 1;
    } else if (known.use.gas == use.gas && known.use.reached_tank == use.reached_tank &&
               known.use.drained == use.drained) {
        known.votes = std::min(known.votes + 1, most_votes);
    } else if (--known.votes == 0) {
        known.use = use;
        known.votes = 1;
    }
}

void TaskKinds::note_scout(std::uint32_t kind, bool was_right) noexcept {
    Model& model = models_[kind];
    if (was_right) {
        if (may_scout(kind)) model.wrong_scouts = 0;
    } else if (may_scout(kind)) {
        model.no_scouts_until = windows_ + 1 + (std::uint32_t{1} << model.wrong_scouts);
        model.wrong_scouts = std::min<std::uint8_t>(model.wrong_scouts + 1, most_wrong_scouts);
    }
}

/// What the example before the latest one accessed is kept where the latest one does not show it.
void TaskKinds::age(Model& model, std::span<const EarlierUse> before) const {
    const auto is_shown = [&](const EarlierUse& use) {
        return std::any_of(model.uses.begin(), model.uses.end(), [&](const KeyUse& each) {
            return each.key == use.key && (each.reads || !use.reads) &&
                   (writes(each) || !use.writes);
        });
    };
    std::erase_if(model.earlier, [&](const EarlierUse& use) {
        return windows_ - use.window > oldest || is_shown(use);
    });
    for (const EarlierUse& use : before) {
        if (is_shown(use)) continue;
        const auto known =
            std::find_if(model.earlier.begin(), model.earlier.end(),
                         [&](const EarlierUse& each) { return each.key == use.key; });
        if (known == model.earlier.end()) {
            if (model.earlier.size() < most_uses) model.earlier.push_back(use);
            continue;
        }
        known->reads = known->reads || use.reads;
        known->writes = known->writes || use.writes;
        known->window = windows_;
    }
}

/// Most examples of a kind use the same keys in the same order: `place` is where the latest one
/// used it.
std::uint32_t TaskKinds::number_of(const state::Key& key, const Model& model,
                                   std::size_t place) const noexcept {
    if (place < model.uses.size() && keys_.key(model.uses[place].key) == key)
        return model.uses[place].key;
    return keys_.find(key);
}

/// False: a key has no number yet, so nothing was learned.
bool TaskKinds::learn_on_known_keys(const Example& example) {
    struct Touched {
        std::uint32_t key;
        const state::Value* found; ///< null: not read
        const state::Value* left;  ///< null: not written
    };
    thread_local std::vector<Touched> touched;
    thread_local std::vector<ReadValue> reads;
    thread_local std::vector<EarlierUse> before;
    touched.clear();
    reads.clear();
    before.clear();
    const Shared shared(*example.txid);
    const alkanes::TransactionResult& result = example.execution->result;
    Model& model = models_[example.kind];
    for (const state::Read& read : result.log.reads) {
        if (!shared.may_be(read.key) || touched.size() >= most_uses) continue;
        const std::uint32_t number = number_of(read.key, model, touched.size());
        if (number == state::KeyTable::absent) return false;
        touched.push_back({number, &read.value, state::written(result.log.writes, read.key)});
        reads.push_back({number, &read.value});
    }
    for (const auto& [key, value] : result.log.writes) {
        if (!shared.may_be(key) || touched.size() >= most_uses) continue;
        const std::uint32_t number = number_of(key, model, touched.size());
        if (number == state::KeyTable::absent) return false;
        if (std::ranges::find(reads, number, &ReadValue::key) == reads.end())
            touched.push_back({number, nullptr, &value});
    }
    for (const KeyUse& use : model.uses)
        before.push_back({use.key, use.reads, writes(use), windows_});
    if (!std::ranges::equal(touched, model.uses, {}, &Touched::key, &KeyUse::key)) {
        std::vector<KeyUse> uses(touched.size());
        for (std::size_t i = 0; i < uses.size(); ++i) {
            const auto known = std::ranges::find(model.uses, touched[i].key, &KeyUse::key);
            if (known != model.uses.end()) uses[i].predictors = known->predictors;
            uses[i].key = touched[i].key;
        }
        model.uses = std::move(uses);
    }
    for (std::size_t i = 0; i < touched.size(); ++i) {
        KeyUse& use = model.uses[i];
        use.reads = touched[i].found != nullptr;
        use.wrote = touched[i].left != nullptr;
        use.predictors.learn(use.key, touched[i].found, touched[i].left, reads);
    }
    age(model, before);
    model.accesses.clear();
    for (const KeyUse& use : model.uses)
        model.accesses.push_back({use.key, use.reads, writes(use)});
    for (const EarlierUse& use : model.earlier)
        model.accesses.push_back({use.key, use.reads, use.writes});
    model.fuel = result.fuel;
    model.succeeded = model.succeeded || std::ranges::all_of(result.records, [](const auto& each) {
                          return each.ok();
                      });
    ++model.examples;
    return true;
}

void TaskKinds::number_keys(const Example& example) {
    const Shared shared(*example.txid);
    const state::TransactionLog& log = example.execution->result.log;
    std::vector<std::uint32_t> reads;
    for (const state::Read& read : log.reads)
        if (shared.may_be(read.key) && reads.size() < most_uses)
            reads.push_back(keys_.add(read.key));
    std::size_t uses = reads.size();
    for (const auto& [key, value] : log.writes) {
        if (!shared.may_be(key) || uses >= most_uses) continue;
        if (std::ranges::find(reads, keys_.add(key)) == reads.end()) ++uses;
    }
}

void TaskKinds::learn(const Example& example) {
    if (example.unless_settled && models_[example.kind].is_settled()) return;
    if (learn_on_known_keys(example)) return;
    number_keys(example);
    (void)learn_on_known_keys(example);
}

/// Kinds share nothing but the numbers of keys: workers take one kind each, and stop where an
/// example has a key without a number. New numbers are given by this thread.
void TaskKinds::learn(std::span<const Example> examples, WorkerPool& pool) {
    if (pool.workers() == 1 || examples.size() < worth_workers) {
        for (const Example& example : examples) learn(example);
        return;
    }
    constexpr std::uint32_t nobody = ~std::uint32_t{0};
    struct OfKind {
        std::uint32_t next, last; ///< examples
    };
    std::vector<OfKind> kinds;
    std::vector<std::uint32_t> place_of(models_.size(), nobody), after(examples.size(), nobody);
    for (std::uint32_t i = 0; i < examples.size(); ++i) {
        std::uint32_t& place = place_of[examples[i].kind];
        if (place == nobody) {
            place = static_cast<std::uint32_t>(kinds.size());
            kinds.push_back({i, i});
        } else {
            after[kinds[place].last] = i;
            kinds[place].last = i;
        }
    }
    for (unsigned pass = 0; !kinds.empty(); ++pass) {
        // Kinds whose every example has keys of its own gain nothing from further passes.
        const bool is_last = pass == most_passes;
        pool.each(is_last ? 0 : kinds.size(), kinds_a_piece,
                  [&](unsigned, std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                          for (std::uint32_t& next = kinds[i].next; next != nobody;
                               next = after[next]) {
                              const Example& example = examples[next];
                              if (example.unless_settled && models_[example.kind].is_settled())
                                  continue;
                              if (!learn_on_known_keys(example)) break;
                          }
                  });
        for (const OfKind& of : kinds) {
            if (!is_last && of.next != nobody) number_keys(examples[of.next]);
            for (std::uint32_t next = of.next; is_last && next != nobody; next = after[next])
                learn(examples[next]);
        }
        std::erase_if(kinds, [&](const OfKind& of) { return is_last || of.next == nobody; });
    }
}

} // namespace blockloom::execute
