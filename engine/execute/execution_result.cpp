#include "execute/execution_result.h"

#include "state/view.h"

#include <algorithm>

namespace blockloom::execute {
namespace {

using Kind = Probe::Kind;

class Layout {
public:
    Layout(ExecutionResult& execution, const state::StateView& before, bool ran_on_before)
        : execution_(execution), before_(before), ran_on_before_(ran_on_before) {}

    Status perform() {
        const state::TransactionLog& log = execution_.result.log;
        for (std::uint32_t i = 0; i < log.reads.size(); ++i)
            if (Status added = add(Kind::read, i, 0); !added) return added;
        for (std::uint32_t i = 0; i < log.predicates.size(); ++i)
            if (Status added = add(Kind::predicate, i, 0); !added) return added;
        for (std::uint16_t task = 0; task < log.tasks.size(); ++task)
            if (Status added = add_unlogged(task); !added) return added;
        if (log.tasks.size() > 1)
            for (std::uint32_t i = 0; i < log.writes.size(); ++i)
                if (!is_read(log.writes[i].first))
                    if (Status added = add(Kind::net_blind, i, 0); !added) return added;
        for (std::uint32_t i = 0; i < log.compared.size(); ++i)
            if (Status added = add(Kind::compared, i, 0); !added) return added;
        for (std::uint32_t i = 0; i < log.writes.size(); ++i)
            execution_.probes.push_back({log.writes[i].first.hash(), i, 0, Kind::write, true});
        return {};
    }

private:
    [[nodiscard]] bool is_read(const state::Key& key) const {
        const auto& reads = execution_.result.log.reads;
        return std::any_of(reads.begin(), reads.end(),
                           [&](const state::Read& read) { return read.key == key; });
    }

    /// What a task wrote without reading. A write that an earlier task of the transaction had
    /// prepared is compared with that, on any state.
    Status add_unlogged(std::uint16_t task) {
        const state::TransactionLog& log = execution_.result.log;
        const auto known = [&](const state::Key& key) {
            return is_read(key) ||
                   std::any_of(log.tasks.begin(), log.tasks.begin() + task,
                               [&](const state::TaskLog& earlier) {
                                   return state::written(earlier.writes, key) != nullptr;
                               });
        };
        const state::TaskLog& own = log.tasks[task];
        for (std::uint32_t i = 0; i < own.writes.size(); ++i)
            if (!known(own.writes[i].first))
                if (Status added = add(Kind::blind, i, task); !added) return added;
        return {};
    }

    Status add(Kind kind, std::uint32_t place, std::uint16_t task) {
        Probe probe{0, place, task, kind, true};
        const state::Key& key = key_of(execution_, probe);
        probe.hash = key.hash();
        // What ran on it read these values of it, and logged no write that leaves them as they are.
        if (!ran_on_before_) {
            const auto value = before_.get(key);
            if (!value) return value.error();
            probe.holds_before = holds(execution_, probe, *value);
        }
        execution_.probes.push_back(probe);
        return {};
    }

    ExecutionResult& execution_;
    const state::StateView& before_;
    bool ran_on_before_;
};

} // namespace

const state::Key& key_of(const ExecutionResult& execution, const Probe& probe) noexcept {
    const state::TransactionLog& log = execution.result.log;
    switch (probe.kind) {
    case Kind::read:
        return log.reads[probe.place].key;
    case Kind::predicate:
        return log.predicates[probe.place].key;
    case Kind::blind:
        return log.tasks[probe.task].writes[probe.place].first;
    case Kind::compared:
        return log.compared[probe.place].key;
    case Kind::net_blind:
    case Kind::write:
        break;
    }
    return log.writes[probe.place].first;
}

bool holds(const ExecutionResult& execution, const Probe& probe, const state::Value& now) noexcept {
    const state::TransactionLog& log = execution.result.log;
    switch (probe.kind) {
    case Kind::read:
        return log.reads[probe.place].value == now;
    case Kind::predicate:
        return state::counter_of(now) > log.predicates[probe.place].value;
    case Kind::blind:
        return !(log.tasks[probe.task].writes[probe.place].second == now);
    case Kind::net_blind:
        return !(log.writes[probe.place].second == now);
    case Kind::compared:
        return log.compared[probe.place].value == now;
    case Kind::write:
        break;
    }
    return true;
}

Status make_probes(ExecutionResult& execution, const state::StateView& before, bool ran_on_before) {
    return Layout(execution, before, ran_on_before).perform();
}

Result<std::unique_ptr<ExecutionResult>> make_execution_result(alkanes::TransactionResult result,
                                                               const state::StateView& before,
                                                               bool ran_on_before) {
    auto execution = std::make_unique<ExecutionResult>();
    execution->result = std::move(result);
    if (const Status made = make_probes(*execution, before, ran_on_before); !made)
        return made.error();
    return execution;
}

Result<const Probe*> broken_probe(const ExecutionResult& execution, const state::StateView& now) {
    for (const Probe& probe : execution.probes) {
        if (probe.kind == Kind::write) break; // they are the last
        const auto value = now.get(key_of(execution, probe));
        if (!value) return value.error();
        if (!holds(execution, probe, *value)) return &probe;
    }
    return nullptr;
}

Result<bool> holds_on(const ExecutionResult& execution, const state::StateView& now,
                      std::uint64_t budget) {
    if (!execution.result.fuel.holds_for(budget)) return false;
    const auto broken = broken_probe(execution, now);
    if (!broken) return broken.error();
    return *broken == nullptr;
}

} // namespace blockloom::execute
