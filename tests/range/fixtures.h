// Blocks for tests of ranges: generated into a folder, and what is compared of a range.
#pragma once

#include "base/file.h"
#include "range/open_range.h"
#include "range/range.h"
#include "recipes/block_writer.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace blockloom::test {

/// Small and varied: `blocks` of 30 tasks from height 500.
inline recipes::Recipe small_recipe(std::uint32_t blocks, std::uint64_t seed = 1) {
    recipes::Recipe recipe;
    recipe.blocks = blocks;
    recipe.seed = seed;
    recipe.first_height = 500;
    recipe.shapes = {
        {30, 0.6, 0.8, 4, 0.2, 0.1}, {45, 0.2, 0.0, 8, 0.5, 0.0}, {20, 1.0, 0.0, 1, 0.0, 0.0}};
    return recipe;
}

/// A folder that goes away with the object.
class Folder {
public:
    [[nodiscard]] std::string path() const { return folder_.path().toStdString(); }
    [[nodiscard]] std::string path(const std::string& name) const { return path() + "/" + name; }

    void add(const std::string& name, ByteView bytes) const {
        const Status written = write_file(path(name), bytes);
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
    }
    void add(const recipes::Recipe& recipe) const {
        const auto blocks = recipes::make_blocks(recipe);
        QVERIFY(blocks.ok());
        for (std::size_t i = 0; i < blocks->size(); ++i)
            add(fmt::format("{}.bin", recipe.first_height + i), (*blocks)[i]);
    }

private:
    QTemporaryDir folder_;
};

inline range::RangeOptions open_options(std::vector<std::string> sources) {
    range::RangeOptions options;
    options.sources = std::move(sources);
    return options;
}

inline Result<std::shared_ptr<const range::Range>> open(const range::RangeOptions& options,
                                                        unsigned threads = 1) {
    SilentProgress silent;
    return range::open_range(options, silent, {}, threads);
}

/// Everything that an analysis says of a block, times aside: equal texts, equal analyses.
inline std::string figures(const range::BlockRecord& record) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    std::string text = fmt::format(
        "{} {} {} tasks {} accesses {} keys {} pairs {} {} {} {} edges {} conflicting {} groups {} "
        "largest {} work {} span {} "
        "levels {} level {} group {} before {}\n",
        record.trace->block.label, record.trace->block.hash, record.source, index.tasks(),
        index.accesses, index.keys, index.pairs.any, index.pairs.raw, index.pairs.war,
        index.pairs.waw, index.edges(), index.conflicting_tasks, index.groups, index.largest_group,
        index.work, index.span, index.level_sizes, index.level, index.group, index.predecessors);
    for (const auto& at : record.analysis.makespans)
        text += fmt::format("{}: {} {} {}\n", at.workers, at.levels, at.list, at.optimistic);
    for (const auto& key : record.analysis.hot_keys)
        text += fmt::format("{} {} {} {} {}\n", key.key, key.readers, key.writers,
                            key.conflict_pairs, key.gain_if_relaxed);
    if (record.analysis.colouring)
        text += fmt::format("{} {}\n", record.analysis.colouring->colouring.colour,
                            record.analysis.colouring->reordered_pairs);
    return text;
}

inline std::string figures(const range::Range& range) {
    const range::RangeTotals& t = range.totals;
    std::string text =
        fmt::format("{} {} | {} {} {} {} {} {} {} {} {} {}\n", range.title, range.chain, t.blocks,
                    t.tasks, t.accesses, t.conflict_pairs, t.dependency_edges, t.conflicting_tasks,
                    t.groups, t.most_levels, t.work, t.span);
    for (const auto& record : range.blocks) text += figures(*record);
    for (const auto& out : range.left_out)
        text += fmt::format("out {} {} {}\n", out.source, out.reason, out.stale);
    return text;
}

} // namespace blockloom::test
