#include "docks/schedule/schedule_figures.h"

#include "text/numbers.h"
#include "text/words.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

trace::CostUnit unit_of(const schedule::BlockAnalysis& analysis) {
    return analysis.index->trace->cost.empty() ? trace::CostUnit::unit
                                               : analysis.index->trace->original->cost_unit;
}

} // namespace

ScheduleFigures figures_of(const conflict::ConflictIndex& index,
                           const schedule::Schedule& schedule) {
    ScheduleFigures figures;
    if (schedule.makespan == 0 || schedule.workers == 0) return figures;
    const auto span = static_cast<double>(schedule.makespan);
    figures.predicted_speedup = static_cast<double>(index.work) / span;
    std::uint64_t busy = 0;
    for (const schedule::Slot& slot : schedule.slots) busy += slot.end - slot.start;
    figures.busy_share = static_cast<double>(busy) / (span * schedule.workers);
    return figures;
}

std::vector<float> busy_shares(const schedule::Schedule& schedule, std::size_t count) {
    std::vector<double> busy(count, 0);
    if (schedule.makespan == 0 || schedule.workers == 0 || count == 0)
        return std::vector<float>(count, 0);
    const double part = static_cast<double>(schedule.makespan) / static_cast<double>(count);
    for (const schedule::Slot& slot : schedule.slots) {
        const double start = static_cast<double>(slot.start) / part;
        const double end = static_cast<double>(slot.end) / part;
        for (auto i = static_cast<std::size_t>(start); i < count && static_cast<double>(i) < end;
             ++i) {
            const double from = std::max(start, static_cast<double>(i));
            const double to = std::min(end, static_cast<double>(i + 1));
            busy[i] += std::max(0.0, to - from);
        }
    }
    std::vector<float> shares(count);
    for (std::size_t i = 0; i < count; ++i)
        shares[i] = static_cast<float>(std::min(1.0, busy[i] / schedule.workers));
    return shares;
}

QString cost_words(const schedule::BlockAnalysis& analysis) {
    switch (unit_of(analysis)) {
    case trace::CostUnit::unit:
        return words("1 per task");
    case trace::CostUnit::gas:
        return words("gas");
    case trace::CostUnit::fuel:
        return words("fuel");
    case trace::CostUnit::compute_units:
        return words("compute units");
    case trace::CostUnit::measured_ns:
        return words("measured");
    }
    return {};
}

QString axis_unit(const schedule::BlockAnalysis& analysis) {
    switch (unit_of(analysis)) {
    case trace::CostUnit::unit:
        return words("units");
    case trace::CostUnit::measured_ns:
        return words("ns");
    case trace::CostUnit::compute_units:
        return words("CU");
    default:
        return cost_words(analysis);
    }
}

bool costs_are_times(const schedule::BlockAnalysis& analysis) {
    return unit_of(analysis) == trace::CostUnit::measured_ns;
}

QString makespan_text(const schedule::BlockAnalysis& analysis, std::uint64_t span) {
    switch (unit_of(analysis)) {
    case trace::CostUnit::unit:
        return counted(span, words("unit"), words("units"));
    case trace::CostUnit::measured_ns:
        return time_text(static_cast<std::int64_t>(span));
    default:
        return count_text(span) + QLatin1Char(' ') + cost_words(analysis);
    }
}

} // namespace blockloom::ui
