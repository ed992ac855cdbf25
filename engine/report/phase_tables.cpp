// The tables of the phase charts.
#include "base/number_text.h"
#include "charts/plain_table.h"
#include "report/phase_charts.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::report {
namespace {

using charts::PlainTable;
using Cell = PlainTable::Cell;

Cell time_cell(Nanoseconds ns) {
    return ns == 0 ? Cell{} : Cell{time_text(ns), static_cast<double>(ns)};
}

/// Times of one column: in one unit, which its header names. What would begin with zeros there has
/// a unit of its own.
class TimeColumn {
public:
    /// `longest`: of the column. In seconds short phases would be all zeros.
    explicit TimeColumn(Nanoseconds longest)
        : unit_(time_unit(std::min<Nanoseconds>(longest, 999'000'000))) {}

    [[nodiscard]] std::string header() const { return fmt::format("Time, {}", unit_.name); }
    [[nodiscard]] Cell cell(Nanoseconds ns) const {
        constexpr double least = 0.01;
        const double shown = static_cast<double>(ns) / unit_.ns;
        return {ns != 0 && shown < least ? time_text(ns) : three_digits(shown),
                static_cast<double>(ns)};
    }

private:
    TimeUnit unit_;
};

} // namespace

std::shared_ptr<const scene::ViewTable> phases_table(std::span<const PhasesSide> sides) {
    const bool lettered = !sides.empty() && !sides.front().letter.empty();
    Nanoseconds longest = 0;
    for (const PhasesSide& side : sides) {
        longest = std::max(longest, side.found.with_infinite_device);
        for (const runs::PhasePart& part : runs::parts_of(*side.run, side.run->phases))
            longest = std::max(longest, part.ns);
    }
    const TimeColumn times(longest);
    std::vector<scene::TableColumn> columns{{"Phase", false, false},
                                            {times.header(), true, false},
                                            {"Share", true, false},
                                            {"Ran", false, false},
                                            {"Kind", false, false}};
    if (lettered) columns.insert(columns.begin(), {"Run", false, false});
    auto table = std::make_shared<PlainTable>(std::move(columns));
    for (const PhasesSide& side : sides) {
        const auto add = [&](std::string name, Nanoseconds ns, const char* where,
                             const char* kind) {
            const double share = static_cast<double>(ns) /
                                 static_cast<double>(std::max<Nanoseconds>(side.found.total, 1));
            std::vector<Cell> row{{std::move(name), {}},
                                  times.cell(ns),
                                  {percent_text(share), share},
                                  {where, {}},
                                  {kind, {}}};
            if (lettered) row.insert(row.begin(), {side.letter, {}});
            table->add(std::move(row));
        };
        for (const runs::PhasePart& part : runs::parts_of(*side.run, side.run->phases))
            add(part.name(), part.ns, part.where(*side.run), "measured");
        add("with an infinitely fast device", side.found.with_infinite_device, "—", "predicted");
    }
    return table;
}

std::shared_ptr<const scene::ViewTable> blocks_table(const runs::KeptRun& run) {
    std::vector<scene::TableColumn> columns{{"Block", true, false},
                                            {"Tasks", true, false},
                                            {"All phases", true, false},
                                            {"Accelerated", true, false}};
    std::vector<execute::Phase> phases;
    for (std::size_t i = 0; i < execute::phase_count; ++i)
        if (run.phases.ns[i] != 0) {
            phases.push_back(static_cast<execute::Phase>(i));
            columns.push_back({name_of(phases.back()), true, false});
        }
    auto table = std::make_shared<PlainTable>(std::move(columns));
    for (const runs::KeptBlock& block : run.blocks) {
        Nanoseconds fast = 0;
        for (const runs::PhasePart& part : parts_of(run, block.phases))
            if (part.accelerated) fast += part.ns;
        const Nanoseconds all = block.phases.sum();
        const double share = all == 0 ? 0 : static_cast<double>(fast) / static_cast<double>(all);
        std::vector<Cell> row{{std::to_string(block.height), static_cast<double>(block.height)},
                              {count_text(block.tasks), static_cast<double>(block.tasks)},
                              time_cell(all),
                              {percent_text(share), share}};
        for (const execute::Phase phase : phases) row.push_back(time_cell(block.phases[phase]));
        table->add(std::move(row));
    }
    return table;
}

std::shared_ptr<const scene::ViewTable> results_table(const runs::KeptRun& run, std::size_t most) {
    auto table =
        std::make_shared<PlainTable>(std::vector<scene::TableColumn>{{"Block", true, false},
                                                                     {"Tasks", true, false},
                                                                     {"Succeeded", true, false},
                                                                     {"Reverted", true, false},
                                                                     {"Time", true, false},
                                                                     {"Digest", false, true}});
    const auto count = [](std::uint64_t value) {
        return Cell{count_text(value), static_cast<double>(value)};
    };
    for (std::size_t i = 0; i < std::min(most, run.blocks.size()); ++i) {
        const runs::KeptBlock& block = run.blocks[i];
        const Nanoseconds all = block.phases.sum();
        table->add({{std::to_string(block.height), static_cast<double>(block.height)},
                    count(block.tasks),
                    count(block.succeeded),
                    count(block.reverted),
                    {time_text(all), static_cast<double>(all)},
                    {block.digest, {}}});
    }
    return table;
}

std::shared_ptr<const scene::ViewTable> gap_table(const runs::GapWaterfall& gap) {
    auto table =
        std::make_shared<PlainTable>(std::vector<scene::TableColumn>{{"Step", false, false},
                                                                     {"Time", true, false},
                                                                     {"Kind", false, false},
                                                                     {"Meaning", false, false}});
    for (const runs::GapStep& step : gap.steps) {
        table->add({{step.name, {}},
                    {step_text(step), static_cast<double>(step.ns)},
                    {step.predicted ? "predicted" : "measured", {}},
                    {step.about, {}}});
        for (const runs::GapPart& part : step.parts)
            table->add({{"of these: " + part.name, {}},
                        {runs::step_text(part.ns), static_cast<double>(part.ns)},
                        {"measured", {}},
                        {part.about, {}}});
    }
    if (!gap.steps.empty())
        table->add({{"measured", {}},
                    {time_text(gap.measured), static_cast<double>(gap.measured)},
                    {"measured", {}},
                    {"all phases", {}}});
    return table;
}

} // namespace blockloom::report
