#include "execute/flow/expected_tasks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_map>

namespace blockloom::execute {
namespace {

/// A kind with so many tasks is worth an example before the others run.
constexpr std::uint32_t worth_an_example = 8;
/// Of the tasks that a flow has to repeat, so many are looked at.
constexpr std::size_t most_missed = 128;
/// What a transaction costs beside its contracts, in fuel: decoding, sheets, logs. Only the order
/// of ready tasks depends on it.
constexpr std::uint64_t fixed_cost = 20'000;

/// Transactions of a window by their ids. Only the first bytes are compared: a mix-up costs an
/// edge that is not needed.
class Creators {
public:
    explicit Creators(std::size_t count) : slots_(std::bit_ceil(2 * count + 1)) {}

    void add(const std::uint8_t* txid, std::uint32_t place) {
        const std::uint64_t id = start_of(txid);
        std::size_t at = id & (slots_.size() - 1);
        while (slots_[at].place != none) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {id, place};
    }
    [[nodiscard]] std::uint32_t find(const std::uint8_t* txid) const noexcept {
        const std::uint64_t id = start_of(txid);
        for (std::size_t at = id & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1))
            if (slots_[at].place == none || slots_[at].id == id) return slots_[at].place;
    }
    static constexpr std::uint32_t none = ~std::uint32_t{0};

private:
    struct Slot {
        std::uint64_t id = 0;
        std::uint32_t place = none;
    };
    static std::uint64_t start_of(const std::uint8_t* txid) noexcept {
        std::uint64_t id;
        std::memcpy(&id, txid, sizeof id);
        return id;
    }
    std::vector<Slot> slots_;
};

/// Keys by number, as they are met.
class KeyNumbers {
public:
    std::uint32_t of(const state::Key& key) {
        return numbers_.try_emplace(&key, static_cast<std::uint32_t>(numbers_.size()))
            .first->second;
    }
    [[nodiscard]] std::size_t count() const noexcept { return numbers_.size(); }

private:
    struct Hash {
        std::size_t operator()(const state::Key* key) const noexcept { return key->hash(); }
    };
    struct Equal {
        bool operator()(const state::Key* a, const state::Key* b) const noexcept {
            return *a == *b;
        }
    };
    std::unordered_map<const state::Key*, std::uint32_t, Hash, Equal> numbers_;
};

struct Touched {
    std::uint32_t key;
    bool reads, writes;
};

std::uint64_t cost_of(const alkanes::FuelUse& use) noexcept {
    return fixed_cost + use.gas;
}

/// One pass over the tanks of each block. `use_of(task)`: what a task uses.
template <typename UseOf>
std::vector<std::uint64_t> budgets_by(const WindowNow& now, std::span<const std::uint32_t> tasks,
                                      const UseOf& use_of) {
    std::vector<std::uint64_t> budgets;
    budgets.reserve(tasks.size());
    std::optional<alkanes::FuelTank> tank;
    std::uint32_t block = 0;
    auto next = tasks.begin();
    for (std::uint32_t task = 0; task < now.tasks.size() && next != tasks.end(); ++task) {
        if (!tank || now.tasks[task].block != block) {
            block = now.tasks[task].block;
            tank = now.tanks[block];
        }
        const std::uint64_t vfsize = now.claims[task].vfsize;
        if (*next == task) {
            budgets.push_back(tank->budget_for(vfsize));
            ++next;
        }
        tank->settle(vfsize, use_of(task));
    }
    return budgets;
}

} // namespace

ExpectedTasks::ExpectedTasks(StrategyMemory& memory, const WindowNow& now) : known_(memory.kinds) {
    known_.begin_window();
    kinds_.reserve(now.tasks.size());
    shapes_.reserve(now.tasks.size());
    for (const WindowTask& task : now.tasks) {
        const alkanes::BlockContext& context = *now.contexts[task.block];
        kinds_.push_back(known_.kind_of(context, task.transaction));
        shapes_.push_back(known_.shape_of(context, task.transaction, kinds_.back()));
    }
    seen_.resize(known_.count());
}

std::vector<std::uint32_t> ExpectedTasks::count_by_kind() const {
    std::vector<std::uint32_t> counts(known_.count());
    for (const std::uint32_t kind : kinds_) ++counts[kind];
    return counts;
}

double ExpectedTasks::known_share() const noexcept {
    const auto known = std::count_if(kinds_.begin(), kinds_.end(), [&](std::uint32_t kind) {
        return kind == TaskKinds::none || known_.model(kind).known;
    });
    return kinds_.empty() ? 1 : static_cast<double>(known) / static_cast<double>(kinds_.size());
}

double ExpectedTasks::predictable() const {
    const auto counts = count_by_kind();
    KeyNumbers numbers;
    std::vector<bool> unknown; // by key: some task leaves a value that nobody can tell beforehand
    const auto each_use = [&](const auto& visit) {
        for (std::uint32_t kind = 1; kind < counts.size(); ++kind)
            for (const TaskKinds::KeyUse& use : known_.model(kind).uses)
                if (counts[kind] != 0) visit(kind, numbers.of(use.key), use);
    };
    each_use([&](std::uint32_t, std::uint32_t key, const TaskKinds::KeyUse& use) {
        if (key >= unknown.size()) unknown.resize(key + std::size_t{1});
        if (use.effect.kind() != ValueEffect::Kind::keep && !use.repeated) unknown[key] = true;
    });
    std::vector<bool> unpredictable(counts.size());
    each_use([&](std::uint32_t kind, std::uint32_t key, const TaskKinds::KeyUse& use) {
        if (use.reads && unknown[key] && counts[kind] > 1) unpredictable[kind] = true;
    });
    std::size_t tasks = 0;
    for (std::uint32_t kind = 0; kind < counts.size(); ++kind)
        if (kind == TaskKinds::none || (known_.model(kind).known && !unpredictable[kind]))
            tasks += counts[kind];
    return kinds_.empty() ? 1 : static_cast<double>(tasks) / static_cast<double>(kinds_.size());
}

std::vector<std::uint32_t> ExpectedTasks::examples() const {
    std::vector<std::uint32_t> counts(known_.count()), first(known_.count());
    for (std::uint32_t task = 0; task < kinds_.size(); ++task)
        if (counts[kinds_[task]]++ == 0) first[kinds_[task]] = task;
    std::vector<std::uint32_t> examples;
    for (std::uint32_t kind = 0; kind < counts.size(); ++kind)
        if (kind != TaskKinds::none && counts[kind] >= worth_an_example &&
            !known_.model(kind).known)
            examples.push_back(first[kind]);
    std::sort(examples.begin(), examples.end());
    return examples;
}

void ExpectedTasks::learn_examples(const WindowNow& now, std::span<const std::uint32_t> tasks) {
    for (const std::uint32_t task : tasks) {
        if (kinds_[task] == TaskKinds::none || now.executions[task] == nullptr) continue;
        const WindowTask& at = now.tasks[task];
        known_.learn(kinds_[task], *now.executions[task],
                     now.contexts[at.block]->block->txids[at.transaction]);
        known_.learn_fuel(shapes_[task], now.claims[task].use);
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
        const std::uint32_t kind = kinds_[learned_];
        if (kind == TaskKinds::none) continue;
        known_.learn_fuel(shapes_[learned_], now.claims[learned_].use);
        // The first, second, fourth, eighth …: the first may do more than the others.
        if (!std::has_single_bit(++seen_[kind])) continue;
        const WindowTask& task = now.tasks[learned_];
        known_.learn(kind, *now.executions[learned_],
                     now.contexts[task.block]->block->txids[task.transaction]);
    }
}

alkanes::FuelUse ExpectedTasks::fuel_of(std::uint32_t task) const {
    if (const alkanes::FuelUse* const use = known_.fuel(shapes_[task])) return *use;
    return known_.model(kinds_[task]).fuel;
}

std::vector<std::uint64_t> ExpectedTasks::budgets(const WindowNow& now,
                                                  std::span<const std::uint32_t> tasks) const {
    return budgets_by(now, tasks, [&](std::uint32_t task) {
        return now.executions[task] != nullptr ? now.claims[task].use : fuel_of(task);
    });
}

TaskGraph ExpectedTasks::graph(const WindowNow& now, std::span<const std::uint32_t> tasks) const {
    KeyNumbers numbers;
    // By kind: what a task without an execution accesses.
    std::vector<std::uint32_t> ends(known_.count() + std::size_t{1}, 0);
    std::vector<Touched> of_kinds;
    for (std::uint32_t kind = 0; kind < known_.count(); ++kind) {
        for (const TaskKinds::KeyUse& use : known_.model(kind).uses)
            of_kinds.push_back(
                {numbers.of(use.key), use.reads, use.effect.kind() != ValueEffect::Kind::keep});
        for (const TaskKinds::EarlierUse& use : known_.model(kind).earlier)
            of_kinds.push_back({numbers.of(use.key), use.reads, use.writes});
        ends[kind + std::size_t{1}] = static_cast<std::uint32_t>(of_kinds.size());
    }
    // By task with an execution: what it accessed.
    std::vector<Touched> logged;
    std::vector<std::uint32_t> logged_ends;
    for (const std::uint32_t task : tasks) {
        if (const ExecutionResult* const execution = now.executions[task].get()) {
            const state::TransactionLog& log = execution->result.log;
            for (const state::Read& read : log.reads)
                logged.push_back({numbers.of(read.key), true, false});
            for (const auto& [key, value] : log.writes)
                logged.push_back({numbers.of(key), false, true});
        }
        logged_ends.push_back(static_cast<std::uint32_t>(logged.size()));
    }
    Creators creators(tasks.size());
    TaskGraphBuilder builder(numbers.count());
    std::uint32_t from = 0;
    for (std::uint32_t place = 0; place < tasks.size(); ++place) {
        const std::uint32_t task = tasks[place];
        const bool ran = now.executions[task] != nullptr;
        const std::uint32_t kind = kinds_[task];
        builder.add_task(cost_of(ran ? now.claims[task].use : fuel_of(task)));
        const auto touched =
            ran ? std::span(logged).subspan(from, logged_ends[place] - from)
                : std::span(of_kinds).subspan(ends[kind], ends[kind + std::size_t{1}] - ends[kind]);
        from = logged_ends[place];
        const WindowTask& at = now.tasks[task];
        const chain::Block& block = *now.contexts[at.block]->block;
        const chain::Transaction& transaction = block.transactions[at.transaction];
        for (std::uint32_t i = 0; !ran && i < transaction.input_count; ++i) {
            const std::uint8_t* const spent =
                block.bytes.data() + block.inputs[transaction.first_input + i].outpoint;
            if (const std::uint32_t creator = creators.find(spent); creator != Creators::none)
                builder.waits_for(creator);
        }
        for (const Touched& each : touched)
            if (each.reads) builder.reads(each.key);
        for (const Touched& each : touched)
            if (each.writes) builder.writes(each.key);
        creators.add(block.txids[at.transaction].data(), place);
    }
    return builder.make();
}

ExpectedWrites ExpectedTasks::writes(const WindowNow& now,
                                     std::span<const std::uint32_t> tasks) const {
    ExpectedWrites writes;
    writes.lists.resize(known_.count());
    for (std::uint32_t kind = 1; kind < known_.count(); ++kind)
        for (const TaskKinds::KeyUse& use : known_.model(kind).uses)
            if (use.effect.kind() != ValueEffect::Kind::keep)
                writes.lists[kind].push_back(&use.key);
    for (std::uint32_t kind = 1; kind < known_.count(); ++kind)
        for (const TaskKinds::EarlierUse& use : known_.model(kind).earlier)
            if (use.writes) writes.lists[kind].push_back(&use.key);
    for (const std::uint32_t task : tasks)
        writes.list_of.push_back(now.executions[task] != nullptr ? TaskKinds::none : kinds_[task]);
    return writes;
}

TaskGraph graph_of(std::span<const DeclaredSets> sets, std::span<const alkanes::FuelUse> fuel,
                   std::span<const std::uint32_t> tasks) {
    KeyNumbers numbers;
    std::vector<std::uint32_t> keys; // reads and writes of each task
    for (const std::uint32_t task : tasks) {
        for (const state::Key& key : sets[task].reads) keys.push_back(numbers.of(key));
        for (const state::Key& key : sets[task].writes) keys.push_back(numbers.of(key));
    }
    TaskGraphBuilder builder(numbers.count());
    auto key = keys.begin();
    for (const std::uint32_t task : tasks) {
        builder.add_task(cost_of(fuel[task]));
        for (std::size_t i = 0; i < sets[task].reads.size(); ++i) builder.reads(*key++);
        for (std::size_t i = 0; i < sets[task].writes.size(); ++i) builder.writes(*key++);
    }
    return builder.make();
}

std::vector<std::uint64_t> budgets_of(const WindowNow& now, std::span<const alkanes::FuelUse> fuel,
                                      std::span<const std::uint32_t> tasks) {
    return budgets_by(now, tasks, [&](std::uint32_t task) { return fuel[task]; });
}

} // namespace blockloom::execute
