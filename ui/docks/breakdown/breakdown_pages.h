// What the pages of the Breakdown panel show: charts, legends, sentences and tables about one or
// two runs.
#pragma once

#include "report/scaling_chart.h"

#include <QString>

#include <memory>

namespace blockloom::ui {

class ChartPage;
struct BreakdownFigures;

// Null figures: they are being computed, or no run is chosen.

/// The phases of each block.
void show_blocks(ChartPage& page, const BreakdownFigures* figures);
/// Busy time of the run, or of each block if its spans say which block they belong to.
void show_busy(ChartPage& page, const BreakdownFigures* figures, bool of_blocks);
/// Speed-up by number of workers with a law; `missing` is shown if there are no figures.
void show_scaling(ChartPage& page, const std::shared_ptr<const BreakdownFigures>& figures,
                  report::ScalingLaw law, const QString& missing);
/// The gap between evenly divided work and the wall time.
void show_gap(ChartPage& page, const BreakdownFigures* figures);
/// The profiling report of each run, and how busy its workers were, as markup.
[[nodiscard]] QString report_html(const BreakdownFigures* figures);

} // namespace blockloom::ui
