#include "execute/predict/task_kinds.h"

#include "alkanes/state_keys.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

/// Outpoints are created and spent once, code does not change while it is called, and a key with
/// the transaction's own id, in either order of its bytes, is this transaction's.
class Shared {
public:
    explicit Shared(const Hash256& txid)
        : id_(txid.begin(), txid.end()), reversed_(txid.rbegin(), txid.rend()) {}

    [[nodiscard]] bool may_be(const state::Key& key) const noexcept {
        const std::string_view bytes = key.bytes();
        if (bytes.empty()) return false;
        switch (static_cast<alkanes::KeyKind>(bytes.front())) {
        case alkanes::KeyKind::sheet:
        case alkanes::KeyKind::code:
        case alkanes::KeyKind::bytecode:
            return false;
        default:
            return bytes.find(id_) == std::string_view::npos &&
                   bytes.find(reversed_) == std::string_view::npos;
        }
    }

private:
    std::string id_, reversed_;
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
    if (models_.size() < most_kinds && fuel_.size() < most_kinds && keys_.size() < most_keys)
        return;
    kinds_.clear();
    shapes_.clear();
    keys_.clear();
    models_.assign(1, {});
    fuel_.assign(1, {});
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
    if (found.kind == unknown) {
        const auto next_kind = static_cast<std::uint32_t>(models_.size());
        found.kind = kinds_.find_or_add(names.kind, next_kind);
        if (found.kind == next_kind) models_.emplace_back();
    }
    fuel_.push_back({{}, 0, found.kind});
    return found;
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

/// What earlier examples accessed, before `latest` replaces the model's uses.
void TaskKinds::age(Model& model, const std::vector<KeyUse>& latest) const {
    const auto is_shown = [&](const EarlierUse& use) {
        return std::any_of(latest.begin(), latest.end(), [&](const KeyUse& each) {
            return each.key == use.key && (each.reads || !use.reads) &&
                   (writes(each) || !use.writes);
        });
    };
    std::erase_if(model.earlier, [&](const EarlierUse& use) {
        return windows_ - use.window > oldest || is_shown(use);
    });
    for (const KeyUse& use : model.uses) {
        const EarlierUse earlier{use.key, use.reads, writes(use), windows_};
        if (is_shown(earlier)) continue;
        const auto known =
            std::find_if(model.earlier.begin(), model.earlier.end(),
                         [&](const EarlierUse& each) { return each.key == use.key; });
        if (known == model.earlier.end()) {
            if (model.earlier.size() < most_uses) model.earlier.push_back(earlier);
            continue;
        }
        known->reads = known->reads || earlier.reads;
        known->writes = known->writes || earlier.writes;
        known->window = windows_;
    }
}

void TaskKinds::learn(std::uint32_t kind, const ExecutionResult& execution, const Hash256& txid) {
    const Shared shared(txid);
    const state::TransactionLog& log = execution.result.log;
    Model& model = models_[kind];
    std::vector<KeyUse> uses;
    std::vector<ReadValue> found_there;
    const auto add = [&](std::uint32_t key, const state::Value* found, const state::Value* left) {
        const auto known = std::find_if(model.uses.begin(), model.uses.end(),
                                        [&](const KeyUse& use) { return use.key == key; });
        KeyUse& use = uses.emplace_back();
        use.key = key;
        use.reads = found != nullptr;
        use.wrote = left != nullptr;
        if (known != model.uses.end()) use.predictors = known->predictors;
        use.predictors.learn(key, found, left, found_there);
    };
    std::vector<const state::Read*> reads_there;
    for (const state::Read& read : log.reads)
        if (shared.may_be(read.key) && reads_there.size() < most_uses) {
            reads_there.push_back(&read);
            found_there.push_back({keys_.add(read.key), &read.value});
        }
    for (std::size_t i = 0; i < reads_there.size(); ++i)
        add(found_there[i].key, &reads_there[i]->value,
            state::written(log.writes, reads_there[i]->key));
    const auto reads = static_cast<std::ptrdiff_t>(uses.size());
    for (const auto& [key, value] : log.writes) {
        if (!shared.may_be(key) || uses.size() >= most_uses) continue;
        const std::uint32_t number = keys_.add(key);
        if (std::none_of(uses.begin(), uses.begin() + reads,
                         [&](const KeyUse& use) { return use.key == number; }))
            add(number, nullptr, &value);
    }
    age(model, uses);
    model.uses = std::move(uses);
    model.accesses.clear();
    for (const KeyUse& use : model.uses)
        model.accesses.push_back({use.key, use.reads, writes(use)});
    for (const EarlierUse& use : model.earlier)
        model.accesses.push_back({use.key, use.reads, use.writes});
    model.fuel = execution.result.fuel;
    model.succeeded = model.succeeded ||
                      std::all_of(execution.result.records.begin(), execution.result.records.end(),
                                  [](const auto& each) { return each.ok(); });
    ++model.examples;
}

} // namespace blockloom::execute
