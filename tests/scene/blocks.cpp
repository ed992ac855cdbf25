#include "scene/blocks.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace blockloom::scene::tests {

using trace::Access;
using trace::Mode;

std::shared_ptr<const trace::BlockTrace> block_of(const std::vector<Touches>& tasks,
                                                  std::vector<std::uint64_t> cost) {
    auto block = std::make_shared<trace::BlockTrace>();
    block->chain = "test";
    for (const Touches& touches : tasks) {
        for (const Access access : touches) {
            block->sets.key_count = std::max(block->sets.key_count, access.key() + 1);
            block->sets.accesses.push_back(access);
        }
        block->sets.begin.push_back(static_cast<std::uint32_t>(block->sets.accesses.size()));
    }
    block->cost = std::move(cost);
    if (!block->cost.empty()) block->cost_unit = trace::CostUnit::gas;
    return block;
}

std::shared_ptr<const trace::BlockTrace> random_block(std::uint32_t seed, std::uint32_t tasks,
                                                      std::uint32_t keys, std::uint32_t touches) {
    std::mt19937 engine(seed);
    const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
    std::vector<Touches> all(tasks);
    std::vector<std::uint64_t> cost(tasks);
    for (std::uint32_t t = 0; t < tasks; ++t) {
        cost[t] = 1 + random() % 900;
        const std::uint32_t count = random() % (touches + 1);
        std::vector<std::uint32_t> chosen;
        for (std::uint32_t i = 0; i < count; ++i) {
            // The smaller of two draws: low keys are hot.
            const std::uint32_t a = random() % keys, b = random() % keys;
            chosen.push_back(random() % 4 == 0 ? std::min({a, b, random() % keys})
                                               : std::max(a, b));
        }
        std::sort(chosen.begin(), chosen.end());
        chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
        for (const std::uint32_t key : chosen)
            all[t].emplace_back(key, static_cast<Mode>(1 + random() % 3));
    }
    return block_of(all, std::move(cost));
}

std::shared_ptr<const trace::BlockTrace> chains_block(std::uint32_t chains, std::uint32_t length,
                                                      std::uint32_t lone) {
    std::vector<Touches> all;
    for (std::uint32_t step = 0; step < length; ++step)
        for (std::uint32_t c = 0; c < chains; ++c) all.push_back({{c, Mode::read_write}});
    for (std::uint32_t i = 0; i < lone; ++i) all.push_back({{chains + i, Mode::write}});
    return block_of(all);
}

schedule::BlockAnalysis analysed(std::shared_ptr<const trace::BlockTrace> block,
                                 conflict::ConflictModel model, bool use_cost) {
    schedule::AnalysisOptions options;
    options.model = model;
    options.use_cost = use_cost;
    auto analysis = schedule::analyse(std::move(block), options);
    if (!analysis) {
        std::fprintf(stderr, "analyse: %s\n", analysis.error().message.c_str());
        std::abort();
    }
    return std::move(*analysis);
}

} // namespace blockloom::scene::tests
