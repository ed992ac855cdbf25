#include "runs/key_predictions.h"

#include "alkanes/state_keys.h"
#include "execute/predict/task_kinds.h"
#include "range/stored_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>

namespace blockloom::runs {
namespace {

using execute::ValueEffect;
using trace::KeyId;
using trace::TaskId;

/// Tasks [begin, end) of a transaction.
struct Tasks {
    TaskId begin = 0, end = 0;
};

/// What became of one access to a key.
struct Outcome {
    bool asked = false; ///< it read what another transaction had written
    bool pilot = false; ///< and was not given a prediction
    bool hit = false;
    std::optional<state::Value> predicted{};
};

/// A key along the block.
class Chain {
public:
    Chain(KeyId key, KeyPrediction& into) : key_(key), into_(into) { into_.key = key; }

    /// A transaction of this kind found one value, if it read the key, and left another, if it
    /// wrote it.
    Outcome take(std::uint32_t kind, const state::Value* found, const state::Value* left,
                 Tasks tasks, const trace::BlockTrace& trace) {
        Outcome outcome;
        bool& hit = outcome.hit;
        if (found != nullptr && written_) {
            outcome.asked = true;
            if (pilots_ < pilots_of_block) {
                ++pilots_;
                outcome.pilot = true;
            } else {
                ++into_.reads;
                outcome.predicted = predicted_;
                hit = predicted_ && *predicted_ == *found;
                into_.hits += hit;
            }
            if (!hit) note_miss(tasks, trace);
        }
        Known& known = kinds_[kind];
        if (hit || (found == nullptr && written_)) {
            const ValueEffect& chosen = known.predictors.chosen();
            if (known.examples != 0 && chosen.kind() == ValueEffect::Kind::set)
                predicted_ = chosen.applied_to({});
            else if (known.examples != 0 && predicted_)
                predicted_ = chosen.applied_to(*predicted_);
        } else {
            // It was executed on the true value, and the next prediction starts from its result.
            if (left != nullptr)
                predicted_ = *left;
            else if (found != nullptr)
                predicted_ = *found;
            known.learns = std::max(known.learns, 1U);
        }
        const ValueEffect effect =
            ValueEffect::after(known.left ? &*known.left : nullptr, found, left);
        if (left != nullptr) {
            written_ = true;
            ++into_.effects[static_cast<std::size_t>(effect.kind())];
        }
        if (known.learns == 0) return outcome;
        --known.learns;
        ++known.examples;
        if (left != nullptr)
            known.left = *left;
        else
            known.left.reset();
        known.predictors.learn(key_, found, left, {}); // no other key is looked at here
        return outcome;
    }

    [[nodiscard]] KeyId key() const noexcept { return key_; }

private:
    static constexpr unsigned pilots_of_block = 2;

    /// What is known of a kind of transaction.
    struct Known {
        std::optional<state::Value> left; ///< by the latest example, if it wrote
        execute::ValuePredictors predictors;
        unsigned examples = 0, learns = pilots_of_block;
    };

    void note_miss(Tasks tasks, const trace::BlockTrace& trace) {
        for (TaskId task = tasks.begin; task < tasks.end; ++task)
            for (const trace::Access access : trace.sets.of(task))
                if (access.key() == key_ && access.reads()) into_.misses.push_back(task);
    }

    KeyId key_;
    KeyPrediction& into_;
    bool written_ = false;
    unsigned pilots_ = 0;
    std::optional<state::Value> predicted_; ///< what the next one will probably find
    std::unordered_map<std::uint32_t, Known> kinds_;
};

/// The keys on which tasks can depend on each other, by printable name.
std::unordered_map<std::string, KeyId> shared_keys(const trace::BlockTrace& trace) {
    std::vector<std::uint32_t> tasks(trace.sets.key_count);
    std::vector<bool> written(trace.sets.key_count);
    for (const trace::Access access : trace.sets.accesses) {
        ++tasks[access.key()];
        if (access.writes()) written[access.key()] = true;
    }
    std::unordered_map<std::string, KeyId> found;
    for (KeyId key = 0; trace.keys && key < trace.sets.key_count; ++key)
        if (tasks[key] > 1 && written[key]) found.emplace(trace.keys->printable(key), key);
    return found;
}

/// Every transaction in block order; calls `seen(key, outcome, found, tasks)` for each access to a
/// shared key, with the value that it read, or null.
template <typename Seen>
std::vector<KeyPrediction> walk(const alkanes::BlockContext& context,
                                const alkanes::BlockExecution& execution,
                                const trace::BlockTrace& trace, Seen seen) {
    const auto shared = shared_keys(trace);
    std::vector<std::size_t> place(trace.sets.key_count, shared.size());
    std::vector<KeyPrediction> predictions(shared.size());
    std::vector<Chain> chains;
    chains.reserve(shared.size());
    std::vector<KeyId> keys;
    for (const auto& [name, key] : shared) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        place[keys[i]] = i;
        chains.emplace_back(keys[i], predictions[i]);
    }
    std::unordered_map<std::string_view, Chain*> by_bytes;
    const auto chain_of = [&](const state::Key& key) {
        const auto [at, fresh] = by_bytes.try_emplace(key.bytes(), nullptr);
        if (fresh)
            if (const auto found = shared.find(alkanes::key_text(key)); found != shared.end())
                at->second = &chains[place[found->second]];
        return at->second;
    };
    execute::TaskKinds kinds;
    TaskId next = 0;
    for (const alkanes::TransactionResult& result : execution.transactions) {
        const Tasks tasks{next, next + static_cast<TaskId>(result.records.size())};
        next = tasks.end;
        const std::uint32_t kind =
            kinds.numbers_of(execute::TaskKinds::names_of(context, result.transaction)).kind;
        for (const state::Read& read : result.log.reads)
            if (Chain* const chain = chain_of(read.key))
                seen(chain->key(),
                     chain->take(kind, &read.value, state::written(result.log.writes, read.key),
                                 tasks, trace),
                     &read.value, tasks);
        for (const auto& [key, value] : result.log.writes) {
            const bool was_read =
                std::any_of(result.log.reads.begin(), result.log.reads.end(),
                            [&key = key](const state::Read& read) { return read.key == key; });
            if (Chain* const chain = was_read ? nullptr : chain_of(key))
                seen(chain->key(), chain->take(kind, nullptr, &value, tasks, trace), nullptr,
                     tasks);
        }
    }
    return predictions;
}

} // namespace

const char* main_effect(const std::array<std::uint64_t, 4>& effects) noexcept {
    const auto most = std::max_element(effects.begin(), effects.end());
    if (*most == 0) return "";
    switch (static_cast<ValueEffect::Kind>(most - effects.begin())) {
    case ValueEffect::Kind::keep:
        return "keeps";
    case ValueEffect::Kind::set:
        return "sets";
    case ValueEffect::Kind::add:
        return "adds";
    case ValueEffect::Kind::unknown:
    case ValueEffect::Kind::copy:
        break;
    }
    return "other";
}

std::vector<KeyPrediction> predict_keys(const alkanes::BlockContext& context,
                                        const alkanes::BlockExecution& execution,
                                        const trace::BlockTrace& trace) {
    return walk(context, execution, trace,
                [](KeyId, const Outcome&, const state::Value*, const Tasks&) {});
}

std::vector<PredictedRead> predicted_reads(const alkanes::BlockContext& context,
                                           const alkanes::BlockExecution& execution,
                                           const trace::BlockTrace& trace, TaskId task) {
    std::vector<PredictedRead> reads;
    walk(context, execution, trace,
         [&](KeyId key, const Outcome& outcome, const state::Value* found, const Tasks& tasks) {
             if (!outcome.asked || task < tasks.begin || task >= tasks.end) return;
             reads.push_back({key, outcome.predicted, *found, outcome.hit, outcome.pilot});
         });
    return reads;
}

range::DetailSection prediction_section(const execute::ReplayedBlock& block, TaskId task) {
    range::DetailSection section;
    section.title = prediction_title;
    section.note = "as the strategy predict would supply them";
    if (!block.trace || !block.trace->keys || !block.execution || !block.context) return section;
    const trace::KeyNames& names = *block.trace->keys;
    for (const PredictedRead& read :
         predicted_reads(*block.context, *block.execution, *block.trace, task)) {
        const std::string name = names.printable(read.key);
        range::DetailRow row;
        row.label = name;
        const std::string truth =
            read.truth.has_value() ? range::bytes_text(*read.truth) : "absent";
        if (read.pilot) {
            row.value = fmt::format("{}; a pilot, not predicted", truth);
        } else if (!read.predicted) {
            row.value = fmt::format("no prediction; true value {}", truth);
            row.tone = range::Tone::warning;
        } else if (read.hit) {
            row.value = fmt::format("predicted {}: hit", truth);
            row.tone = range::Tone::ok;
        } else {
            row.value = fmt::format(
                "predicted {}, true value {}: miss",
                read.predicted->has_value() ? range::bytes_text(**read.predicted) : "absent",
                truth);
            row.tone = range::Tone::warning;
        }
        row.mono = false;
        section.rows.push_back(std::move(row));
        if (section.rows.size() == range::most_detail_rows) break;
    }
    return section;
}

} // namespace blockloom::runs
