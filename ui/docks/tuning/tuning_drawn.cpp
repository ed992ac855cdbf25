// What the Tuning panel draws and writes: map, curve, legend, files.
#include "base/file.h"
#include "canvas/legend_strip.h"
#include "canvas/widget_svg.h"
#include "docks/tuning/tuning_chart.h"
#include "docks/tuning/tuning_dock.h"
#include "docks/tuning/tuning_map.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "session/session.h"
#include "session/tunings.h"

#include <QComboBox>
#include <QFileDialog>

namespace blockloom::ui {
namespace {

using runs::TuningAxis;

TuningAxis axis_in(const QComboBox* box) {
    return static_cast<TuningAxis>(box->currentData().toInt());
}

} // namespace

void TuningDock::showMap() {
    const auto tuned = tunings_->seen().tuning;
    if (!tuned || tuned->settings.empty()) return map_->setShown(std::nullopt);
    const TuningAxis x = axis_in(columns_), y = axis_in(rows_);
    const bool axis = x == TuningAxis::device || y == TuningAxis::device;
    TuningMap::Shown shown;
    shown.map =
        runs::heat_map(*tuned, axis ? std::string() : on_->currentData().toString().toStdString(),
                       execute::Strategy::speculative, x, y, &tunings_->seen().predicted);
    const auto backends = runs::backends_of(*tuned);
    const auto label = [&](TuningAxis of, std::uint64_t at) {
        return of == TuningAxis::device ? tunings_->nameOf(backends[static_cast<std::size_t>(at)])
                                        : axis_value(of, at);
    };
    for (const std::uint64_t at : shown.map.x) shown.x.append(label(x, at));
    for (const std::uint64_t at : shown.map.y) shown.y.append(label(y, at));
    shown.x_title = axis_words(x);
    shown.y_title = axis_words(y);
    shown.scale = scale_of(*tuned, static_cast<TuningValue>(value_->currentIndex()));
    shown.best = tuned->tuning.best;
    shown.measuring = tuned->tuning.measuring;
    if (tunings_->doing() == Tunings::Doing::nothing) shown.measuring.reset();
    const auto setting = chosen();
    for (std::size_t i = 0; setting && i < tuned->settings.size(); ++i)
        if (runs::same_setting(tuned->settings[i], *setting)) shown.chosen = i;
    map_->setShown(std::move(shown));
}

/// Through the chosen point; the best one of the device that is shown where that is another.
void TuningDock::showChart() {
    const auto tuned = tunings_->seen().tuning;
    auto along = chosen();
    const std::string on = on_->currentData().toString().toStdString();
    if (!tuned || !along) return chart_->setShown(std::nullopt);
    bool shown_is_chosen = true;
    if (along->how.strategy == execute::Strategy::serial || along->backend != on) {
        shown_is_chosen = false;
        double least = 0;
        for (std::size_t i = 0; i < tuned->settings.size(); ++i) {
            const auto& point = tuned->tuning.points[i];
            if (tuned->settings[i].backend != on || point.samples.empty() ||
                tuned->settings[i].how.strategy == execute::Strategy::serial ||
                (least != 0 && point.median >= least))
                continue;
            least = point.median;
            along = tuned->settings[i];
        }
        if (least == 0) return chart_->setShown(std::nullopt);
    }
    TuningChart::Shown shown;
    shown.curve = runs::tuning_curve(*tuned, tunings_->seen().predicted, *along);
    shown.scale = scale_of(*tuned, static_cast<TuningValue>(value_->currentIndex()));
    shown.name = tunings_->nameOf(along->backend);
    if (shown_is_chosen) shown.at = along->how.batch_max;
    chart_->setShown(shown.curve.points.empty() ? std::nullopt : std::optional(std::move(shown)));
}

void TuningDock::showLegend() {
    using Sign = scene::OverlayLegend::Sign;
    const scene::Theme& theme = current_theme();
    const auto tuned = tunings_->seen().tuning;
    std::vector<scene::OverlayLegend> items;
    if (const auto ends = map_->ends(); tuned && ends) {
        const TuningScale scale =
            scale_of(*tuned, static_cast<TuningValue>(value_->currentIndex()));
        items.push_back({Sign::ramp,
                         {},
                         scale.name().toStdString(),
                         tr("%1 slow").arg(scale.text(ends->first)).toStdString(),
                         tr("%1 fast").arg(scale.text(ends->second)).toStdString()});
    }
    items.push_back({Sign::filled, theme.ramp[4], tr("measured").toStdString(), {}, {}});
    items.push_back({Sign::hollow, theme.ramp[4], tr("predicted").toStdString(), {}, {}});
    if (map_->showsBest())
        items.push_back({Sign::diamond, theme.text, tr("best point").toStdString(), {}, {}});
    else if (tuned && !tuned->settings.empty())
        items.push_back(
            {Sign::diamond, theme.text, tr("best point: not on this map").toStdString(), {}, {}});
    if (map_->showsBand())
        items.push_back({Sign::selected,
                         theme.pick,
                         tr("optimum band: not shown to be slower").toStdString(),
                         {},
                         {}});
    legend_->setItems(std::move(items));
}

void TuningDock::askExport() {
    auto* dialog = new QFileDialog(this, tr("Export the sweep"));
    dialog->setObjectName(QStringLiteral("tuningExport"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Document (*.json)"), tr("Table (*.tsv)"), tr("Picture (*.png)"),
                            tr("Drawing (*.svg)")});
    dialog->setDefaultSuffix(QStringLiteral("json"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog->selectFile(QStringLiteral("blockloom-tuning.json"));
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        const Status written = exportTo(path);
        if (written)
            Q_EMIT session_->logged(QStringLiteral("info"), tr("Sweep written to %1").arg(path));
        else
            showError(QString::fromStdString(written.error().message));
    });
    dialog->open();
}

Status TuningDock::exportTo(const QString& path) {
    const auto tuned = tunings_->seen().tuning;
    if (!tuned) return Error{ErrorCode::bad_input, tr("Nothing was measured yet").toStdString()};
    if (path.endsWith(QStringLiteral(".png"), Qt::CaseInsensitive)) {
        if (canvases_->grab().save(path)) return {};
        return Error{ErrorCode::system, tr("%1 could not be written").arg(path).toStdString()};
    }
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return write_svg(*canvases_, tr("Tuning: map and curve of the sweep"), path);
    const std::string text =
        path.endsWith(QStringLiteral(".tsv"), Qt::CaseInsensitive)
            ? table_->wholeAsText().toStdString()
            : runs::tuning_json(*tuned, runs::provenance_now(BLOCKLOOM_VERSION));
    return write_file(path.toStdString(), as_bytes(text));
}

} // namespace blockloom::ui
