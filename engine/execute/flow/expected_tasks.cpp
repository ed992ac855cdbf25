#include "execute/flow/expected_tasks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace blockloom::execute {
namespace {

/// A kind with so many tasks is worth an example before the others run.
constexpr std::uint32_t worth_an_example = 2;
/// Examples that all failed before a kind is known to fail.
constexpr std::uint32_t enough_failures = 3;
/// One with so many is worth more of them.
constexpr std::uint32_t worth_more_examples = 64;
/// A kind with one task in a window was looked at often enough; others still are.
constexpr std::uint32_t enough_examples = 2;
/// Of the tasks that a flow has to repeat, so many are looked at.
constexpr std::size_t most_missed = 128;
/// One in so many tasks may wait for its turn: while the last ones do, there is little else to run.
constexpr std::size_t most_in_turn = 16;
constexpr std::size_t tasks_a_part = 256;
/// What a transaction costs beside its contracts, in fuel: decoding, sheets, logs. Only the order
/// of ready tasks depends on it.
constexpr std::uint64_t fixed_cost = 20'000;

/// The first bytes of an id: a mix-up costs an edge that is not needed.
std::uint64_t start_of(const std::uint8_t* txid) noexcept {
    std::uint64_t id;
    std::memcpy(&id, txid, sizeof id);
    return id;
}

/// Starts of a transaction's own id, and of those whose outputs it spends.
struct Outpoints {
    std::uint64_t id = 0;
    std::uint32_t inputs = 0;
    std::array<std::uint64_t, 3> spent{}; ///< by the first inputs
};

/// Transactions of a window by their ids.
class Creators {
public:
    explicit Creators(std::size_t count) : slots_(std::bit_ceil(2 * count + 1)) {}

    void add(std::uint64_t id, std::uint32_t place) {
        std::size_t at = id & (slots_.size() - 1);
        while (slots_[at].place != none) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {id, place};
    }
    [[nodiscard]] std::uint32_t find(std::uint64_t id) const noexcept {
        for (std::size_t at = id & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].place == none || slots_[at].id == id) return slots_[at].place;
    }
    static constexpr std::uint32_t none = ~std::uint32_t{0};

private:
    struct Slot {
        std::uint64_t id = 0;
        std::uint32_t place = none;
    };
    std::vector<Slot> slots_;
};

std::uint64_t spent_by(const chain::Block& block, const chain::Transaction& transaction,
                       std::uint32_t input) noexcept {
    return start_of(block.bytes.data() + block.inputs[transaction.first_input + input].outpoint);
}

/// Read by all workers: blocks are large, and few of these places are in a cache.
std::vector<Outpoints> outpoints_of(const WindowNow& now, std::span<const std::uint32_t> tasks) {
    std::vector<Outpoints> found(tasks.size());
    now.pool.each(tasks.size(), tasks_a_part, [&](unsigned, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const WindowTask& at = now.tasks[tasks[i]];
            const chain::Block& block = *now.contexts[at.block]->block;
            const chain::Transaction& transaction = block.transactions[at.transaction];
            Outpoints& own = found[i];
            own.id = start_of(block.txids[at.transaction].data());
            own.inputs = transaction.input_count;
            for (std::uint32_t k = 0; k < own.inputs && k < own.spent.size(); ++k)
                own.spent[k] = spent_by(block, transaction, k);
        }
    });
    return found;
}

/// The latest writer of each key, by the key's hash: two keys of one hash cost an edge that is not
/// needed, or one that is missing, which the check notices.
class Writers {
public:
    /// For at most `most` different keys.
    explicit Writers(std::size_t most) : slots_(std::bit_ceil(2 * most + 1)) {}

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    [[nodiscard]] std::uint32_t of(std::uint64_t hash) const noexcept {
        return slots_[place_of(hash)].writer;
    }
    void set(std::uint64_t hash, std::uint32_t writer) noexcept {
        slots_[place_of(hash)] = {hash, writer};
    }
    void prefetch(std::uint64_t hash) const noexcept {
        __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
    }

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::uint32_t writer = none;
    };
    [[nodiscard]] std::size_t place_of(std::uint64_t hash) const noexcept {
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at].writer != none && slots_[at].hash != hash)
            at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    std::vector<Slot> slots_; ///< open addressing
};

std::uint64_t cost_of(const alkanes::FuelUse& use) noexcept {
    return fixed_cost + use.gas;
}

/// Of the accepted tasks of a kind in a window, counted from 1.
constexpr bool is_looked_at(std::uint32_t number) noexcept {
    return number == 1 || (std::has_single_bit(number) && std::countr_zero(number) % 2 == 1);
}

/// One pass over the tanks of each block. `use_of(task)`: what a task uses. `visit(place, tank,
/// use)`: before each of `tasks`.
template <typename UseOf, typename Visit>
void each_turn(const WindowNow& now, std::span<const std::uint32_t> tasks, const UseOf& use_of,
               const Visit& visit) {
    std::optional<alkanes::FuelTank> tank;
    std::uint32_t block = 0;
    auto next = tasks.begin();
    for (std::uint32_t task = 0; task < now.tasks.size() && next != tasks.end(); ++task) {
        if (!tank || now.tasks[task].block != block) {
            block = now.tasks[task].block;
            tank = now.tanks[block];
        }
        const alkanes::FuelUse use = use_of(task);
        if (*next == task) {
            visit(static_cast<std::uint32_t>(next - tasks.begin()), *tank, use);
            ++next;
        }
        tank->settle(now.claims[task].vfsize, use);
    }
}

} // namespace

ExpectedTasks::ExpectedTasks(StrategyMemory& memory, const WindowNow& now)
    : known_(memory.kinds), window_(WindowKinds::of(memory.kinds, now, true)),
      learned_(now.accepted) {
    constexpr std::uint32_t no_group = ~std::uint32_t{0};
    std::vector<std::uint32_t> by_kind(known_.count(), no_group);
    group_of_.reserve(window_.kinds.size());
    for (std::uint32_t task = 0; task < window_.kinds.size(); ++task) {
        std::uint32_t& group = by_kind[window_.kinds[task]];
        if (group == no_group) {
            group = static_cast<std::uint32_t>(groups_.size());
            groups_.push_back({.kind = window_.kinds[task]});
        }
        group_of_.push_back(group);
    }
    forget_accepted(now);
}

void ExpectedTasks::forget_accepted(const WindowNow& now) {
    for (Group& group : groups_) {
        group.tasks = 0;
        group.example_taken = false;
    }
    left_ = now.tasks.size() - now.accepted;
    for (std::uint32_t task = now.accepted; task < group_of_.size(); ++task) {
        Group& of = groups_[group_of_[task]];
        if (of.tasks < of.first.size()) of.first[of.tasks] = task;
        ++of.tasks;
    }
}

double ExpectedTasks::known_share() const noexcept {
    std::size_t known = 0;
    for (const Group& group : groups_)
        if (group.kind == TaskKinds::none || known_.model(group.kind).known()) known += group.tasks;
    return left_ == 0 ? 1 : static_cast<double>(known) / static_cast<double>(left_);
}

double ExpectedTasks::failed_share() const noexcept {
    std::size_t failed = 0;
    for (const Group& group : groups_) {
        const TaskKinds::Model& model = known_.model(group.kind);
        if (model.known() && !model.succeeded) failed += group.tasks;
    }
    return left_ == 0 ? 0 : static_cast<double>(failed) / static_cast<double>(left_);
}

double ExpectedTasks::predictable() const {
    // By key: some task leaves a value that nobody can tell beforehand.
    std::vector<bool> unknown(known_.keys());
    const auto each_use = [&](const auto& visit) {
        for (std::size_t group = 0; group < groups_.size(); ++group)
            for (const TaskKinds::KeyUse& use : known_.model(groups_[group].kind).uses)
                visit(group, use);
    };
    each_use([&](std::size_t, const TaskKinds::KeyUse& use) {
        if (use.effect().kind() != ValueEffect::Kind::keep && !use.repeated())
            unknown[use.key] = true;
    });
    std::vector<bool> unpredictable(groups_.size());
    each_use([&](std::size_t group, const TaskKinds::KeyUse& use) {
        if (use.reads && unknown[use.key] && groups_[group].tasks > 1) unpredictable[group] = true;
    });
    std::size_t tasks = 0;
    for (std::size_t group = 0; group < groups_.size(); ++group)
        if (groups_[group].kind == TaskKinds::none ||
            (known_.model(groups_[group].kind).known() && !unpredictable[group]))
            tasks += groups_[group].tasks;
    return left_ == 0 ? 1 : static_cast<double>(tasks) / static_cast<double>(left_);
}

std::vector<std::uint32_t> ExpectedTasks::take_examples() {
    std::vector<std::uint32_t> examples;
    for (Group& group : groups_) {
        const TaskKinds::Model& model = known_.model(group.kind);
        if (group.kind != TaskKinds::none && group.tasks >= worth_an_example && !model.succeeded &&
            model.examples < enough_failures && !std::exchange(group.example_taken, true))
            examples.push_back(group.first.front());
    }
    std::sort(examples.begin(), examples.end());
    return examples;
}

std::vector<std::uint32_t> ExpectedTasks::more_examples() const {
    std::vector<std::uint32_t> examples;
    for (const Group& group : groups_)
        if (group.kind != TaskKinds::none && group.tasks >= worth_more_examples &&
            known_.model(group.kind).examples < group.first.size())
            examples.insert(examples.end(), group.first.begin() + 1, group.first.end());
    std::sort(examples.begin(), examples.end());
    return examples;
}

void ExpectedTasks::learn_examples(const WindowNow& now, std::span<const std::uint32_t> tasks) {
    for (const std::uint32_t task : tasks) {
        if (window_.kinds[task] == TaskKinds::none || now.executions[task] == nullptr) continue;
        const WindowTask& at = now.tasks[task];
        known_.learn({window_.kinds[task], now.executions[task].get(),
                      &now.contexts[at.block]->block->txids[at.transaction]});
        known_.learn_fuel(window_.shapes[task], now.claims[task].use);
    }
}

void ExpectedTasks::learn_missed(const WindowNow& now, std::span<const std::uint32_t> tasks,
                                 const std::vector<bool>& keep) {
    std::vector<std::uint32_t> missed;
    for (std::size_t place = 0; place < tasks.size() && missed.size() < most_missed; ++place)
        if (!keep[place]) missed.push_back(tasks[place]);
    learn_examples(now, missed);
}

void ExpectedTasks::learn(const WindowNow& now) {
    for (; learned_ < now.accepted; ++learned_) {
        const std::uint32_t kind = window_.kinds[learned_];
        if (kind == TaskKinds::none) continue;
        known_.learn_fuel(window_.shapes[learned_], now.claims[learned_].use);
        // The first, second, eighth, 32nd …: the first may do more than the others.
        Group& group = groups_[group_of_[learned_]];
        if (!is_looked_at(++group.seen)) continue;
        // Once in each window: there may be thousands of such kinds.
        if (group.tasks == 1 && known_.model(kind).examples >= enough_examples) continue;
        const WindowTask& task = now.tasks[learned_];
        known_.learn({kind, now.executions[learned_].get(),
                      &now.contexts[task.block]->block->txids[task.transaction]});
    }
}

alkanes::FuelUse ExpectedTasks::fuel_of(std::uint32_t task) const {
    if (const alkanes::FuelUse* const use = known_.fuel(window_.shapes[task])) return *use;
    return known_.model(window_.kinds[task]).fuel;
}

std::vector<std::uint64_t> ExpectedTasks::budgets(const WindowNow& now,
                                                  std::span<const std::uint32_t> tasks,
                                                  std::vector<std::uint32_t>* in_turn) const {
    const auto use_of = [&](std::uint32_t task) {
        return now.executions[task] != nullptr ? now.claims[task].use : fuel_of(task);
    };
    std::vector<std::uint64_t> budgets;
    budgets.reserve(tasks.size());
    each_turn(now, tasks, use_of,
              [&](std::uint32_t place, const alkanes::FuelTank& tank, const alkanes::FuelUse& use) {
                  const std::uint64_t vfsize = now.claims[tasks[place]].vfsize;
                  budgets.push_back(tank.budget_for(vfsize));
                  if (in_turn != nullptr && use.reached_tank && use.fuel_read &&
                      tank.is_shared(vfsize))
                      in_turn->push_back(place);
              });
    if (in_turn != nullptr && in_turn->size() * most_in_turn > tasks.size()) in_turn->clear();
    return budgets;
}

TaskGraph ExpectedTasks::graph(const WindowNow& now, std::span<const std::uint32_t> tasks) const {
    // By task with an execution: what it accessed.
    state::KeyTable others; // keys that no kind accesses
    const auto number_of = [&](const state::Key& key) {
        const std::uint32_t known = known_.find_key(key);
        return known != state::KeyTable::absent ? known : known_.keys() + others.add(key);
    };
    std::vector<TaskKinds::Access> logged;
    std::vector<std::uint32_t> logged_ends;
    for (const std::uint32_t task : tasks) {
        if (const ExecutionResult* const execution = now.executions[task].get()) {
            const state::TransactionLog& log = execution->result.log;
            for (const state::Read& read : log.reads)
                logged.push_back({number_of(read.key), true, false});
            for (const auto& [key, value] : log.writes)
                logged.push_back({number_of(key), false, true});
        }
        logged_ends.push_back(static_cast<std::uint32_t>(logged.size()));
    }
    const std::vector<Outpoints> outpoints = outpoints_of(now, tasks);
    Creators creators(tasks.size());
    TaskGraphBuilder builder(known_.keys() + others.size());
    std::uint32_t from = 0;
    for (std::uint32_t place = 0; place < tasks.size(); ++place) {
        const std::uint32_t task = tasks[place];
        const bool ran = now.executions[task] != nullptr;
        const TaskKinds::Model& model = known_.model(window_.kinds[task]);
        builder.add_task(cost_of(ran ? now.claims[task].use : fuel_of(task)));
        const auto accesses = ran ? std::span<const TaskKinds::Access>(logged).subspan(
                                        from, logged_ends[place] - from)
                                  : std::span<const TaskKinds::Access>(model.accesses);
        from = logged_ends[place];
        const Outpoints& own = outpoints[place];
        for (std::uint32_t i = 0; !ran && i < own.inputs; ++i) {
            const WindowTask& at = now.tasks[task];
            const chain::Block& block = *now.contexts[at.block]->block;
            const std::uint32_t creator = creators.find(
                i < own.spent.size() ? own.spent[i]
                                     : spent_by(block, block.transactions[at.transaction], i));
            if (creator != Creators::none) builder.waits_for(creator);
        }
        for (const TaskKinds::Access& each : accesses)
            if (each.reads) builder.reads(each.key);
        for (const TaskKinds::Access& each : accesses)
            if (each.writes) builder.writes(each.key);
        creators.add(own.id, place);
    }
    return builder.make();
}

ExpectedWrites ExpectedTasks::writes(const WindowNow& now,
                                     std::span<const std::uint32_t> tasks) const {
    ExpectedWrites writes;
    writes.lists.resize(groups_.size() + 1); // the last one: of a task that ran
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        const TaskKinds::Model& model = known_.model(groups_[group].kind);
        for (const TaskKinds::Access& each : model.accesses)
            if (each.writes) writes.lists[group].push_back(&known_.key(each.key));
    }
    for (const std::uint32_t task : tasks)
        writes.list_of.push_back(now.executions[task] != nullptr
                                     ? static_cast<std::uint32_t>(groups_.size())
                                     : group_of_[task]);
    return writes;
}

TaskGraph graph_of(std::span<const DeclaredSets> sets, std::span<const alkanes::FuelUse> fuel,
                   std::span<const std::uint32_t> tasks) {
    std::size_t most_written = 0;
    for (const std::uint32_t task : tasks) most_written += sets[task].writes.size();
    Writers writers(most_written);
    TaskGraphBuilder builder(0);
    for (std::uint32_t place = 0; place < tasks.size(); ++place) {
        // The keys of the next task, and where their writers are noted, are in no cache yet.
        if (place + 1 < tasks.size()) {
            const DeclaredSets& next = sets[tasks[place + 1]];
            for (const state::Key& key : next.reads) writers.prefetch(key.hash());
            for (const state::Key& key : next.writes) writers.prefetch(key.hash());
        }
        const DeclaredSets& own = sets[tasks[place]];
        builder.add_task(cost_of(fuel[tasks[place]]));
        for (const state::Key& key : own.reads)
            if (const std::uint32_t writer = writers.of(key.hash()); writer != Writers::none)
                builder.waits_for(writer);
        for (const state::Key& key : own.writes) writers.set(key.hash(), place);
    }
    return builder.make();
}

std::vector<std::uint64_t> budgets_of(const WindowNow& now, std::span<const alkanes::FuelUse> fuel,
                                      std::span<const std::uint32_t> tasks) {
    std::vector<std::uint64_t> budgets;
    budgets.reserve(tasks.size());
    each_turn(
        now, tasks, [&](std::uint32_t task) { return fuel[task]; },
        [&](std::uint32_t place, const alkanes::FuelTank& tank, const alkanes::FuelUse&) {
            budgets.push_back(tank.budget_for(now.claims[tasks[place]].vfsize));
        });
    return budgets;
}

} // namespace blockloom::execute
