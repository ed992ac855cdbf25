// Blocks for tests of models and of the window: hand-made traces, and a folder of generated blocks.
#pragma once

#include "range/range.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <QString>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::test {

class NamedKeys final : public trace::KeyNames {
public:
    explicit NamedKeys(std::vector<std::string> names) : names_(std::move(names)) {}
    [[nodiscard]] std::string printable(trace::KeyId key) const override { return names_.at(key); }

private:
    std::vector<std::string> names_;
};

class NumberedTasks final : public trace::TaskNames {
public:
    [[nodiscard]] std::string printable(trace::TaskId task) const override {
        return "task-" + std::to_string(task);
    }
};

using Touches = std::vector<std::pair<trace::KeyId, trace::Mode>>;

/// A trace of tasks that touch keys; `names` as many as keys.
inline std::shared_ptr<const trace::BlockTrace> make_trace(std::uint64_t height,
                                                           std::vector<std::string> names,
                                                           const std::vector<Touches>& tasks) {
    auto made = std::make_shared<trace::BlockTrace>();
    made->chain = "test";
    made->block = {height, "hash" + std::to_string(height), std::to_string(height)};
    made->sets.key_count = static_cast<trace::KeyId>(names.size());
    for (const Touches& touches : tasks) {
        for (const auto& [key, mode] : touches) made->sets.accesses.emplace_back(key, mode);
        made->sets.begin.push_back(static_cast<std::uint32_t>(made->sets.accesses.size()));
    }
    made->keys = std::make_shared<NamedKeys>(std::move(names));
    made->names = std::make_shared<NumberedTasks>();
    return made;
}

inline std::shared_ptr<const range::BlockRecord>
make_record(std::shared_ptr<const trace::BlockTrace> trace,
            const schedule::AnalysisOptions& options = {}) {
    auto analysis = schedule::analyse(trace, options);
    if (!analysis) return nullptr;
    auto record = std::make_shared<range::BlockRecord>();
    record->trace = std::move(trace);
    record->analysis = *analysis;
    record->source = "test";
    return record;
}

/// Six tasks: #0–#3 all write the hot key, #1 and #2 also share a cool one, #4 and #5 are alone.
inline std::shared_ptr<const trace::BlockTrace> hot_trace(std::uint64_t height = 100) {
    using trace::Mode;
    return make_trace(height, {"balance:0xfee", "storage:0xaa/1", "storage:0xbb[2]", "nonce:0xcc"},
                      {{{0, Mode::read_write}},
                       {{0, Mode::read_write}, {1, Mode::write}},
                       {{0, Mode::read_write}, {1, Mode::read}},
                       {{0, Mode::read_write}},
                       {{2, Mode::write}},
                       {{3, Mode::write}}});
}

inline std::shared_ptr<const range::Range>
make_range(std::vector<std::shared_ptr<const range::BlockRecord>> blocks) {
    auto made = std::make_shared<range::Range>();
    made->title = "test · " + std::to_string(blocks.size()) + " blocks";
    made->chain = "test";
    made->blocks = std::move(blocks);
    for (const auto& block : made->blocks) {
        ++made->totals.blocks;
        made->totals.tasks += block->analysis.index->tasks();
        made->totals.conflict_pairs += block->analysis.index->pairs.any;
    }
    return made;
}

/// Two generated blocks of Alkanes, one that deploys and one whose messages call, in `folder`;
/// false: they could not be written.
inline bool write_messages(const QString& folder, std::uint32_t tasks) {
    const auto recipe = recipes::find_recipe("mixed");
    if (!recipe) return false;
    recipes::RecipeChanges changes;
    changes.blocks = 2;
    changes.tasks = tasks;
    SilentProgress silent;
    return recipes::write_blocks(folder.toStdString(), recipes::with_changes(*recipe, changes),
                                 silent)
        .ok();
}

/// Generated Bitcoin blocks in `folder`; false: they could not be written.
inline bool write_blocks(const QString& folder, std::uint32_t blocks, std::uint32_t tasks) {
    recipes::RecipeChanges changes;
    changes.blocks = blocks;
    changes.tasks = tasks;
    SilentProgress silent;
    return recipes::write_blocks(folder.toStdString(),
                                 recipes::with_changes(recipes::Recipe{}, changes), silent)
        .ok();
}

} // namespace blockloom::test
