#include "execute/predict/predict_rounds.h"

#include <algorithm>
#include <utility>

namespace blockloom::execute {
namespace {

/// Kinds with so many tasks in a block begin with examples: what they add may differ from block to
/// block, and the first task of a block may do more than the others.
constexpr std::uint32_t worth_pilots = 64, pilots_of_block = 2;
/// Of a kind that was never seen, and that has so many tasks in the block.
constexpr std::uint32_t worth_one_pilot = 8;
/// Scouts run twice: if more than one of so many tasks would be one, the end of the block waits for
/// them instead.
constexpr std::size_t tasks_a_scout = 100;
/// Of a kind of which no task of the block was accepted: the first one may use more than the
/// others.
constexpr std::uint32_t most_early_scouts = 3;
/// Rounds with fewer tasks say nothing about the strategy.
constexpr std::size_t fewest_judged = 8, grows_fast_up_to = 512;
/// The window's rest runs in block order after so many rounds in a row, for each block that is
/// left, that did not pay off.
constexpr unsigned most_failures = 2;
/// Keys whose values a worker looks up at once.
constexpr std::size_t chains_a_part = 64;
/// How many tasks ahead what is known of their kinds, and what earlier executions read, is fetched:
/// it lies anywhere.
constexpr std::uint32_t kinds_ahead = 6, executions_ahead = 2 * kinds_ahead;
/// The same of their steps, once the kind is there, and of the chains that those are about.
constexpr std::uint32_t steps_ahead = 4, chains_ahead = 2;

} // namespace

bool PredictRounds::next(const WindowNow& now, Round& round) {
    if (blocks_.empty()) begin_window(now);
    learn(now);
    if (!judge(now)) return false;
    if (now.accepted == now.tasks.size()) return false;
    ++rounds_;
    const std::size_t planned = plan(now, find_chains(now), round);
    ran_.assign(round.tasks.begin(), round.tasks.begin() + static_cast<std::ptrdiff_t>(planned));
    return true;
}

void PredictRounds::begin_window(const WindowNow& now) {
    if (window_.kinds.empty()) window_ = WindowKinds::of(memory_.kinds, now, false);
    kinds_.resize(memory_.kinds.count());
    blocks_.resize(now.contexts.size());
    places_.reserve(now.tasks.size());
    scouted_.resize(now.tasks.size());
    std::vector<std::uint32_t> place_of(kinds_.size()); // by kind, in the block at hand
    std::uint32_t task = 0;
    for (std::uint32_t number = 0; number < blocks_.size(); ++number) {
        Block& block = blocks_[number];
        block.begin = task;
        for (; task < now.tasks.size() && now.tasks[task].block == number; ++task) {
            const std::uint32_t kind = window_.kinds[task];
            ++kinds_[kind].tasks;
            std::uint32_t& place = place_of[kind];
            if (place >= block.kinds.size() || block.kinds[place].kind != kind) {
                place = static_cast<std::uint32_t>(block.kinds.size());
                block.kinds.push_back({.kind = kind});
            }
            ++block.kinds[place].tasks;
            places_.push_back(place);
        }
        block.end = task;
    }
}

/// Several tasks of the window may access the same keys.
bool PredictRounds::is_shared(std::uint32_t kind) const noexcept {
    return kind != TaskKinds::none && kinds_[kind].tasks >= 2;
}

PredictRounds::KindInBlock& PredictRounds::kind_of(const WindowNow& now,
                                                   std::uint32_t task) noexcept {
    return blocks_[now.tasks[task].block].kinds[places_[task]];
}

/// When the first round reaches it: what was learned of the blocks before it counts.
void PredictRounds::begin_block(Block& block) {
    for (KindInBlock& of : block.kinds) {
        if (!is_shared(of.kind)) continue;
        // The first task that is predicted wrongly brings the samples back (judge).
        if (of.tasks < worth_pilots && memory_.kinds.model(of.kind).is_settled()) continue;
        of.samples = pilots_of_block + 1; // the third shows whether the second one's changes repeat
        if (of.tasks >= worth_pilots)
            of.pilots = pilots_of_block;
        else if (!memory_.kinds.model(of.kind).known() && of.tasks >= worth_one_pilot)
            of.pilots = 1;
    }
}

void PredictRounds::learn(const WindowNow& now) {
    examples_.clear();
    for (; learned_ < now.accepted; ++learned_) {
        if (const std::uint32_t later = learned_ + kinds_ahead; later < now.accepted)
            memory_.kinds.prefetch(window_.kinds[later], window_.shapes[later]);
        KindInBlock& of = kind_of(now, learned_);
        of.began = true;
        if (is_shared(of.kind))
            memory_.kinds.learn_fuel(window_.shapes[learned_], now.claims[learned_].use);
        if (const std::uint64_t gas = scouted_[learned_]; gas != 0)
            memory_.kinds.note_scout(of.kind, gas == now.claims[learned_].use.gas);
        if (of.samples == 0) continue;
        --of.samples;
        if (of.pilots != 0) --of.pilots;
        const WindowTask& task = now.tasks[learned_];
        // Its examples in the blocks before may have shown enough since this one was planned.
        const bool unless_settled = !of.missed && of.tasks < worth_pilots;
        examples_.push_back({of.kind, now.executions[learned_].get(),
                             &now.contexts[task.block]->block->txids[task.transaction],
                             unless_settled});
    }
    memory_.kinds.learn(examples_, now.pool);
}

/// What the last round was worth. False: no further round.
bool PredictRounds::judge(const WindowNow& now) {
    for (const std::uint32_t scout : std::exchange(scouts_, {}))
        scouted_[scout] = std::max<std::uint64_t>(1, now.claims[scout].use.gas);
    if (ran_.empty()) return true;
    std::size_t missed = 0, wrong_budgets = 0;
    for (const std::uint32_t task : ran_) {
        if (task < now.accepted || now.check->consistent(task)) continue;
        ++missed;
        if (const ExecutionResult* const ran = now.executions[task].get();
            ran != nullptr && !ran->result.fuel.holds_for(now.check->budget(task)))
            ++wrong_budgets;
        if (KindInBlock& of = kind_of(now, task); is_shared(of.kind)) {
            of.samples = pilots_of_block;
            of.missed = true;
        }
    }
    const std::size_t ran = ran_.size();
    if (ran < fewest_judged) return true;
    if (missed * 8 <= ran) {
        // A small round takes a device, or many workers, about as long as a larger one.
        const std::size_t growth = missed == 0 && ran <= grows_fast_up_to ? 4 : 2;
        memory_.reach = std::max(memory_.reach, std::min(growth * ran, std::size_t{1} << 20U));
        failures_ = 0;
        return true;
    }
    // One task whose fuel was guessed wrong gives all after it at the end of its block a wrong
    // budget. That says nothing about how far values are predicted.
    if ((missed - wrong_budgets) * 8 > ran)
        memory_.reach = std::max(StrategyMemory::first_reach, std::min(memory_.reach, ran) / 2);
    // In tasks: what a round costs before and after its executions, planning and validating the
    // blocks up to its last one.
    const double cost = 8 + blocks_[now.tasks[ran_.back()].block].end / 256.0;
    // Block order would take the rest of the window: it has as many failures as its blocks would
    // have had on their own.
    const std::size_t left = blocks_.size() - now.tasks[ran_.front()].block;
    if (static_cast<double>(ran - missed) < static_cast<double>(ran) / now.width + cost)
        return ++failures_ < most_failures * left;
    failures_ = 0;
    return true;
}

std::size_t PredictRounds::chain_of(const state::Key& key) const noexcept {
    const std::uint32_t number = memory_.kinds.find_key(key);
    return number < chain_at_.size() ? chain_at_[number] : no_chain;
}

void PredictRounds::add_chain(std::uint32_t key) {
    chain_at_[key] = static_cast<std::uint32_t>(chains_.size());
    chains_.push_back({&memory_.kinds.key(key), key, false, {}});
}

/// The keys that shared kinds write in the blocks that the round may reach. The end of these.
std::uint32_t PredictRounds::find_chains(const WindowNow& now) {
    std::vector<std::uint32_t> there; // each kind once
    std::uint32_t end = 0;
    for (std::size_t block = now.tasks[now.accepted].block;
         block < blocks_.size() && blocks_[block].begin < now.accepted + memory_.reach; ++block) {
        end = blocks_[block].end;
        for (const KindInBlock& of : blocks_[block].kinds) {
            if (!is_shared(of.kind) || std::exchange(kinds_[of.kind].round, rounds_) == rounds_)
                continue;
            there.push_back(of.kind);
        }
    }
    for (const Chain& chain : chains_) chain_at_[chain.number] = no_chain;
    chains_.clear();
    chain_at_.resize(memory_.kinds.keys(), no_chain);
    // Accesses lie closer together than uses, and are in the same order.
    for (const std::uint32_t kind : there) {
        const TaskKinds::Model& model = memory_.kinds.model(kind);
        for (std::size_t i = 0; i < model.uses.size(); ++i)
            if (model.accesses[i].writes && chain_at_[model.accesses[i].key] == no_chain &&
                model.uses[i].effect().kind() != ValueEffect::Kind::keep)
                add_chain(model.accesses[i].key);
    }
    for (const std::uint32_t kind : there) {
        const TaskKinds::Model& model = memory_.kinds.model(kind);
        std::vector<Step>& steps = kinds_[kind].steps;
        steps.clear();
        for (std::size_t i = 0; i < model.uses.size(); ++i)
            if (const std::uint32_t chain = chain_at_[model.accesses[i].key]; chain != no_chain)
                steps.push_back({chain, model.accesses[i].reads, &model.uses[i].effect()});
    }
    std::optional<WindowView> accepted;
    if (now.check != nullptr) accepted.emplace(now.check->versions(), now.before, now.accepted);
    const state::StateView& state =
        accepted ? static_cast<const state::StateView&>(*accepted) : now.before;
    now.pool.each(chains_.size(), chains_a_part, [&](unsigned, std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            Chain& chain = chains_[i];
            if (auto value = state.get(*chain.key)) {
                chain.known = true;
                chain.value = *std::move(value);
            }
        }
    });
    return end;
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

void PredictRounds::apply_effects(std::span<const Step> steps) {
    // What is copied is what was there before the task.
    copies_.clear();
    for (const Step& step : steps) {
        if (step.effect->kind() != ValueEffect::Kind::copy) continue;
        const std::uint32_t source = chain_at_[step.effect->source()];
        const bool known = source != no_chain && chains_[source].known;
        copies_.push_back({step.chain, known, known ? chains_[source].value : state::Value()});
    }
    for (const Step& step : steps) {
        const ValueEffect::Kind kind = step.effect->kind();
        if (kind == ValueEffect::Kind::copy || kind == ValueEffect::Kind::keep) continue;
        Chain& chain = chains_[step.chain];
        if (kind == ValueEffect::Kind::set) chain.known = true;
        if (!chain.known) continue;
        auto left = step.effect->applied_to(chain.value);
        chain.known = left.has_value();
        if (left) chain.value = *std::move(left);
    }
    for (Copied& copied : copies_) {
        chains_[copied.chain].known = copied.known;
        chains_[copied.chain].value = std::move(copied.value);
    }
}

const alkanes::FuelUse& PredictRounds::fuel_of(std::uint32_t task, std::uint64_t vfsize) const {
    if (const alkanes::FuelUse* const known = memory_.kinds.fuel(window_.shapes[task]))
        return *known;
    const auto& model = memory_.kinds.model(window_.kinds[task]);
    if (model.known()) return model.fuel;
    // As if it used all that it gets.
    static constexpr alkanes::FuelUse nothing{.drained = true},
        all{.reached_tank = true, .drained = true};
    return vfsize == 0 ? nothing : all;
}

/// Most kinds know what they use. The few of a block that do not would keep those at its end
/// waiting whose budget depends on what all before them use: they run beside a pilot, only for
/// what they use. `from`: the first task that is not planned; `tank`: before it.
void PredictRounds::add_scouts(const WindowNow& now, std::uint32_t from, alkanes::FuelTank tank,
                               Round& round) {
    Block& block = blocks_[now.tasks[from].block];
    const std::uint32_t end = block.end;
    const std::size_t most = (end - from) / tasks_a_scout;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> scouts; // with their budgets
    for (std::uint32_t task = from; task + StrategyMemory::first_reach <= end; ++task) {
        if (const std::uint32_t later = task + kinds_ahead; later < end)
            memory_.kinds.prefetch(window_.kinds[later], window_.shapes[later]);
        const std::uint64_t vfsize = now.claims[task].vfsize;
        if (vfsize == 0) continue;
        const std::uint32_t kind = window_.kinds[task];
        if (!scouts.empty() && memory_.kinds.model(kind).fuel.fuel_read && tank.is_shared(vfsize)) {
            for (const auto& [scout, budget] : scouts) {
                values_.end_task(budget);
                round.tasks.push_back(scout);
                scouts_.push_back(scout);
            }
            return;
        }
        const bool ran = now.executions[task] != nullptr;
        const std::uint64_t budget =
            tank.settle(vfsize, ran ? now.claims[task].use : fuel_of(task, vfsize));
        if (ran || memory_.kinds.knows_fuel(window_.shapes[task])) continue;
        KindInBlock& of = kind_of(now, task);
        if (!of.began) {
            if (task >= block.counted) { // an earlier search may have come here
                block.counted = task + 1;
                ++of.scouts;
            }
            if (of.scouts > most_early_scouts) return;
        }
        if (scouts.size() == most || !memory_.kinds.may_scout(kind)) return;
        scouts.emplace_back(task, budget);
    }
}

/// One pass over the blocks in their order, which simulates what every task will probably do.
/// Returns how many tasks of the round it expects to be accepted: scouts follow them.
std::size_t PredictRounds::plan(const WindowNow& now, std::uint32_t end, Round& round) {
    values_.clear();
    std::uint32_t number = now.tasks[now.accepted].block;
    alkanes::FuelTank tank = accepted_fuel_.before(now.accepted, now.claims, now.tanks);
    const std::size_t most = std::min<std::size_t>(end - now.accepted, memory_.reach);
    round.tasks.reserve(most);
    values_.reserve(most);
    bool sure = true; // of the fuel that tasks of the round will take from this tank
    const auto enter = [&](Block& block) {
        if (!std::exchange(block.planned, true)) begin_block(block);
        for (KindInBlock& of : block.kinds) of.waits = false;
    };
    enter(blocks_[number]);
    for (std::uint32_t task = now.accepted; task < end && round.tasks.size() < memory_.reach;
         ++task) {
        if (now.tasks[task].block != number) {
            number = now.tasks[task].block;
            enter(blocks_[number]);
            tank = now.tanks[number];
            sure = true;
        }
        if (const std::uint32_t later = task + kinds_ahead; later < end) {
            memory_.kinds.prefetch(window_.kinds[later], window_.shapes[later]);
            prefetch_lines(&kinds_[window_.kinds[later]], 1);
            if (const ExecutionResult* const ran = now.executions[later].get())
                prefetch_lines(ran->result.log.reads.begin(), ran->result.log.reads.size());
        }
        if (const std::uint32_t later = task + executions_ahead; later < end)
            if (const ExecutionResult* const ran = now.executions[later].get())
                prefetch_lines(&ran->result.log.reads, 1);
        if (const std::uint32_t later = task + steps_ahead; later < end) {
            const std::vector<Step>& of_later = kinds_[window_.kinds[later]].steps;
            prefetch_lines(of_later.data(), of_later.size());
        }
        if (const std::uint32_t later = task + chains_ahead; later < end)
            for (const Step& step : kinds_[window_.kinds[later]].steps)
                prefetch_near(&chains_[step.chain]);
        KindInBlock& of = blocks_[number].kinds[places_[task]];
        const auto& model = memory_.kinds.model(of.kind);
        const std::vector<Step>& steps = kinds_[of.kind].steps;
        const std::uint64_t vfsize = now.claims[task].vfsize;
        // What a rejected execution used is the best guess of what the next one will use.
        const bool ran = now.executions[task] != nullptr;
        const alkanes::FuelUse& use = ran ? now.claims[task].use : fuel_of(task, vfsize);
        const alkanes::FuelTank found = tank;
        const std::uint64_t budget = tank.settle(vfsize, use);
        const bool is_first = task == now.accepted;
        if (!is_first && still_holds(now, task, budget)) {
            apply_writes(*now.executions[task]);
            of.waits = true;
            continue;
        }
        // Better to know the fuel that is left than to guess it, for all that follow: the next
        // round does.
        if (!sure && model.fuel.fuel_read && found.is_shared(vfsize) &&
            std::max<std::size_t>(round.tasks.size(), blocks_[number].end - task) >=
                StrategyMemory::first_reach)
            break;
        if (of.pilots != 0 && of.waits) { // for the example
            const std::size_t planned = round.tasks.size();
            if (of.began) add_scouts(now, task, found, round);
            round.predicted = &values_;
            return planned;
        }
        of.waits = true;
        // The first one finds the accepted state.
        for (std::size_t i = 0; !is_first && i < steps.size(); ++i)
            if (const Chain& chain = chains_[steps[i].chain]; steps[i].reads && chain.known)
                values_.give(*chain.key, chain.value);
        values_.end_task(budget);
        round.tasks.push_back(task);
        apply_effects(steps);
        sure = sure && (memory_.kinds.knows_fuel(window_.shapes[task]) || ran);
    }
    round.predicted = &values_;
    return round.tasks.size();
}

} // namespace blockloom::execute
