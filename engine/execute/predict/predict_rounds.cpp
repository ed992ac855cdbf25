#include "execute/predict/predict_rounds.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace blockloom::execute {
namespace {

/// Kinds with so many tasks in a block begin with examples: what they add may differ from block to
/// block, and the first task of a block may do more than the others.
constexpr std::uint32_t worth_pilots = 64, pilots_of_block = 2;
/// Of a kind that was never seen, and that has so many tasks in the block.
constexpr std::uint32_t worth_one_pilot = 8;
/// Rounds with fewer tasks say nothing about the strategy.
constexpr std::size_t fewest_judged = 8;
/// The window's rest runs in block order after so many rounds in a row that did not pay off.
constexpr unsigned most_failures = 2;

} // namespace

bool PredictRounds::next(const WindowNow& now, Round& round) {
    if (!std::exchange(begun_, true)) {
        if (window_.kinds.empty()) window_ = WindowKinds::of(memory_.kinds, now);
        now_.resize(memory_.kinds.count());
    }
    learn(now);
    if (!judge(now)) return false;
    if (now.accepted == now.tasks.size()) return false;
    if (now.accepted >= end_) begin_block(now);
    find_chains(now);
    plan(now, round);
    ran_ = round.tasks;
    return true;
}

/// The block of the first task that is not accepted.
void PredictRounds::begin_block(const WindowNow& now) {
    for (const std::uint32_t kind : there_) now_[kind] = {};
    there_.clear();
    begin_ = end_ = now.accepted;
    const std::uint32_t block = now.tasks[begin_].block;
    for (; end_ < now.tasks.size() && now.tasks[end_].block == block; ++end_) {
        const std::uint32_t kind = window_.kinds[end_];
        if (now_[kind].tasks++ == 0) there_.push_back(kind);
    }
    for (const std::uint32_t kind : there_) {
        KindNow& of = now_[kind];
        if (kind == TaskKinds::none || of.tasks < 2) continue;
        of.samples = pilots_of_block + 1; // the third shows whether the second one's changes repeat
        if (of.tasks >= worth_pilots)
            of.pilots = pilots_of_block;
        else if (!memory_.kinds.model(kind).known() && of.tasks >= worth_one_pilot)
            of.pilots = 1;
    }
}

void PredictRounds::learn(const WindowNow& now) {
    for (; learned_ < now.accepted; ++learned_) {
        KindNow& of = now_[window_.kinds[learned_]];
        if (of.tasks >= 2 && window_.kinds[learned_] != TaskKinds::none)
            memory_.kinds.learn_fuel(window_.shapes[learned_], now.claims[learned_].use);
        if (of.samples == 0) continue;
        --of.samples;
        if (of.pilots != 0) --of.pilots;
        const WindowTask& task = now.tasks[learned_];
        memory_.kinds.learn(window_.kinds[learned_], *now.executions[learned_],
                            now.contexts[task.block]->block->txids[task.transaction]);
    }
}

/// What the last round was worth. False: no further round.
bool PredictRounds::judge(const WindowNow& now) {
    if (ran_.empty()) return true;
    std::size_t missed = 0;
    for (const std::uint32_t task : ran_) {
        if (task < now.accepted || now.check->consistent(task)) continue;
        ++missed;
        KindNow& of = now_[window_.kinds[task]];
        if (of.tasks >= 2 && window_.kinds[task] != TaskKinds::none) of.samples = pilots_of_block;
    }
    const std::size_t ran = ran_.size();
    if (ran < fewest_judged) return true;
    if (missed * 8 <= ran) {
        memory_.reach = std::max(memory_.reach, std::min(2 * ran, std::size_t{1} << 20U));
        failures_ = 0;
        return true;
    }
    memory_.reach = std::max(StrategyMemory::first_reach, std::min(memory_.reach, ran) / 2);
    // In tasks: what a round costs before and after its executions, planning and validating.
    const double cost = 8 + static_cast<double>(now.tasks.size()) / 256;
    if (static_cast<double>(ran - missed) < static_cast<double>(ran) / now.width + cost)
        return ++failures_ < most_failures;
    failures_ = 0;
    return true;
}

std::size_t PredictRounds::chain_of(const state::Key& key) const noexcept {
    if (slots_.empty()) return no_chain;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = key.hash() & mask; slots_[at] != 0; at = (at + 1) & mask)
        if (*chains_[slots_[at] - 1].key == key) return slots_[at] - 1;
    return no_chain;
}

/// The keys that kinds with several tasks in the block write.
void PredictRounds::find_chains(const WindowNow& now) {
    chains_.clear();
    std::size_t uses = 0;
    for (const std::uint32_t kind : there_)
        if (kind != TaskKinds::none && now_[kind].tasks >= 2)
            uses += memory_.kinds.model(kind).uses.size();
    slots_.assign(std::bit_ceil(2 * uses + 1), 0);
    const std::size_t mask = slots_.size() - 1;
    const auto each_use = [&](auto visit) {
        for (const std::uint32_t kind : there_) {
            KindNow& of = now_[kind];
            of.waits = false;
            if (kind == TaskKinds::none || of.tasks < 2) continue;
            const auto& model = memory_.kinds.model(kind);
            for (std::size_t i = 0; i < model.uses.size(); ++i) visit(of, model.uses[i], i);
        }
    };
    each_use([&](KindNow&, const TaskKinds::KeyUse& use, std::size_t) {
        const state::Key& key = memory_.kinds.key(use.key);
        if (use.effect().kind() == ValueEffect::Kind::keep || chain_of(key) != no_chain) return;
        chains_.push_back({&key, false, {}});
        std::size_t at = key.hash() & mask;
        while (slots_[at] != 0) at = (at + 1) & mask;
        slots_[at] = static_cast<std::uint32_t>(chains_.size());
    });
    for (const std::uint32_t kind : there_) now_[kind].chains.clear();
    each_use([&](KindNow& of, const TaskKinds::KeyUse& use, std::size_t) {
        of.chains.push_back(static_cast<std::uint32_t>(chain_of(memory_.kinds.key(use.key))));
    });
    std::optional<WindowView> accepted;
    if (now.check != nullptr) accepted.emplace(now.check->versions(), now.before, now.accepted);
    const state::StateView& state =
        accepted ? static_cast<const state::StateView&>(*accepted) : now.before;
    for (Chain& chain : chains_)
        if (auto value = state.get(*chain.key)) {
            chain.known = true;
            chain.value = *std::move(value);
        }
}

/// An execution whose values are those that are predicted now: a miss before it changes what it
/// should have found, whatever the candidates between them left.
bool PredictRounds::still_holds(const WindowNow& now, std::uint32_t task,
                                std::uint64_t budget) const {
    const ExecutionResult* const execution = now.executions[task].get();
    if (execution == nullptr || now.check == nullptr || !now.check->consistent(task)) return false;
    if (!execution->result.fuel.holds_for(budget)) return false;
    const auto& reads = execution->result.log.reads;
    return std::all_of(reads.begin(), reads.end(), [&](const state::Read& read) {
        const std::size_t at = chain_of(read.key);
        return at == no_chain || !chains_[at].known || chains_[at].value == read.value;
    });
}

void PredictRounds::apply_writes(const ExecutionResult& execution) {
    for (const auto& [key, value] : execution.result.log.writes)
        if (const std::size_t at = chain_of(key); at != no_chain) {
            chains_[at].known = true;
            chains_[at].value = value;
        }
}

void PredictRounds::apply_effects(std::uint32_t kind) {
    const auto& uses = memory_.kinds.model(kind).uses;
    const auto& chains = now_[kind].chains;
    // What is copied is what was there before the task.
    copies_.clear();
    for (std::size_t i = 0; i < chains.size(); ++i) {
        if (chains[i] == no_chain || uses[i].effect().kind() != ValueEffect::Kind::copy) continue;
        const std::size_t source = chain_of(memory_.kinds.key(uses[i].effect().source()));
        const bool known = source != no_chain && chains_[source].known;
        copies_.push_back({chains[i], known, known ? chains_[source].value : state::Value()});
    }
    for (std::size_t i = 0; i < chains.size(); ++i) {
        if (chains[i] == no_chain || uses[i].effect().kind() == ValueEffect::Kind::copy) continue;
        Chain& chain = chains_[chains[i]];
        if (uses[i].effect().kind() == ValueEffect::Kind::set) chain.known = true;
        if (!chain.known) continue;
        auto left = uses[i].effect().applied_to(chain.value);
        chain.known = left.has_value();
        if (left) chain.value = *std::move(left);
    }
    for (Copied& copied : copies_) {
        chains_[copied.chain].known = copied.known;
        chains_[copied.chain].value = std::move(copied.value);
    }
}

alkanes::FuelUse PredictRounds::fuel_of(std::uint32_t task, std::uint64_t vfsize) const {
    if (const alkanes::FuelUse* const known = memory_.kinds.fuel(window_.shapes[task]))
        return *known;
    const auto& model = memory_.kinds.model(window_.kinds[task]);
    if (model.known()) return model.fuel;
    alkanes::FuelUse all; // as if it used all that it gets
    all.reached_tank = vfsize != 0;
    all.drained = true;
    return all;
}

/// One pass over the block in its order, which simulates what every task will probably do.
void PredictRounds::plan(const WindowNow& now, Round& round) {
    values_.clear();
    alkanes::FuelTank tank = now.tanks[now.tasks[begin_].block];
    for (std::uint32_t task = begin_; task < now.accepted; ++task)
        tank.settle(now.claims[task].vfsize, now.claims[task].use);
    bool sure = true; // of the fuel that the tasks of the round will use
    for (std::uint32_t task = now.accepted; task < end_ && round.tasks.size() < memory_.reach;
         ++task) {
        const std::uint32_t kind = window_.kinds[task];
        KindNow& of = now_[kind];
        const auto& model = memory_.kinds.model(kind);
        const std::uint64_t vfsize = now.claims[task].vfsize;
        const std::uint64_t budget = tank.budget_for(vfsize);
        const bool is_first = task == now.accepted;
        if (!is_first && still_holds(now, task, budget)) {
            apply_writes(*now.executions[task]);
            tank.settle(vfsize, now.claims[task].use);
            of.waits = true;
            continue;
        }
        // Better to know the fuel that is left than to guess it, for all that follow: the next
        // round does.
        if (!sure && model.fuel.fuel_read && tank.is_shared(vfsize) &&
            std::max<std::size_t>(round.tasks.size(), end_ - task) >= StrategyMemory::first_reach)
            break;
        if (of.pilots != 0 && of.waits) break; // for the example
        of.waits = true;
        // The first one finds the accepted state.
        for (std::size_t i = 0; !is_first && i < of.chains.size(); ++i)
            if (of.chains[i] != no_chain && model.uses[i].reads && chains_[of.chains[i]].known)
                values_.give(*chains_[of.chains[i]].key, chains_[of.chains[i]].value);
        values_.end_task(budget);
        round.tasks.push_back(task);
        apply_effects(kind);
        // What a rejected execution used is the best guess of what the next one will use.
        const bool ran = now.executions[task] != nullptr;
        sure = sure && memory_.kinds.knows_fuel(window_.shapes[task]);
        tank.settle(vfsize, ran ? now.claims[task].use : fuel_of(task, vfsize));
    }
    round.predicted = &values_;
}

} // namespace blockloom::execute
