// The speed-up that a LiveDock shows grow, and its pictures as files.
#include "docks/live/live_dock.h"

#include "canvas/legend_strip.h"
#include "canvas/list_canvas.h"
#include "canvas/widget_svg.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/twin_model.h"
#include "report/scaling_chart.h"
#include "session/background_work.h"
#include "session/runs.h"

#include <QCursor>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QPushButton>

namespace blockloom::ui {
namespace {

QString from(const std::string& text) {
    return QString::fromStdString(text);
}

} // namespace

/// What is kept of the blocks at hand; again whenever the run or the list is another.
void LiveDock::gatherScaling() {
    const auto live = runs_->live();
    const bool running = runs_->running() && live != nullptr;
    if (!isVisible() || (!running && !isShowingEmpty() && shown_.id.empty()))
        return; // nobody sees it; or the run has ended and is being kept
    if (isShowingEmpty()) {
        gathering_->cancel();
        scaling_.reset();
        scaling_of_.clear();
        return;
    }
    // By what it is of and how many runs there are to hold it against.
    const QString key =
        QStringLiteral("%1 %2 %3")
            .arg(running ? QString::number(reinterpret_cast<quintptr>(live.get()))
                         : from(shown_.id))
            .arg(runs_->kept().size())
            .arg(runs_->kept().empty() ? QString() : from(runs_->kept().front().id));
    if (key == scaling_of_) return showScaling();
    scaling_of_ = key;
    scaling_.reset();
    so_far_.reset();
    showScaling();
    gathering_->start(
        [this, kept = runs_->kept(), run = shown_, running,
         how = running ? live->latest()->how : execute::LiveSettings()](
            const BackgroundWork::Delivery& deliver, ProgressSink&, const std::stop_token& stop) {
            auto found = running ? std::make_shared<const runs::LiveScaling>(how, kept)
                                 : std::make_shared<const runs::LiveScaling>(run, kept);
            if (stop.stop_requested()) return;
            deliver([this, found] {
                scaling_ = found;
                number_ = 0; // so that the run that goes on is placed in it at once
                showScaling();
            });
        });
}

void LiveDock::showScaling() {
    const bool there = scaling_ && !scaling_->figures().baseline.empty();
    speedup_->setVisible(there);
    speedup_legend_->setVisible(there);
    speedup_model_->setTable(there ? report::scaling_table(scaling_->figures()) : nullptr);
    speedup_table_->setVisible(there);
    if (!there) {
        speedup_->setMake({});
        const bool serial = shown_.strategy == "serial" && shown_.backend == "cpu";
        speedup_words_->setText(
            !scaling_ ? tr("Gathering the kept runs of these blocks…")
            : serial  ? tr("This run is the serial one: once it is kept, the speed-up of other "
                            "strategies, workers and devices is measured against it.")
                      : tr("Nothing to measure it against: no serial run of these blocks is kept "
                            "from this machine. Choose Serial in the toolbar and press Run once."));
        return;
    }
    speedup_->setMake([scaling = scaling_, so_far = so_far_](const scene::Theme& theme, float width,
                                                             float height) {
        report::ScalingChartOptions options;
        options.theme = &theme;
        options.width = width;
        options.height = height;
        options.so_far = so_far;
        report::ScalingChart chart = report::scaling_chart(scaling->figures(), options);
        ListCanvas::Content content{std::move(chart.list), {}};
        for (const report::ChartPoint& point : chart.points) {
            const auto& series = scaling->figures().series[point.series];
            content.marks.push_back(
                {QPointF(static_cast<double>(point.at.x), static_cast<double>(point.at.y)),
                 from(runs::point_words(series, series.points[point.point]))});
        }
        return content;
    });
    auto legend =
        report::scaling_legend(scaling_->figures(), report::ScalingLaw::amdahl, current_theme());
    QStringList words;
    if (so_far_) {
        scene::OverlayLegend item;
        item.sign = scene::OverlayLegend::Sign::hollow;
        item.colour = report::backend_colour(so_far_->of, current_theme());
        item.label = tr("this run so far, by its finished blocks").toStdString();
        legend.push_back(std::move(item));
        words.append(from(runs::point_words(*so_far_)));
    }
    if (!scaling_->figures().missing.empty()) words.append(from(scaling_->figures().missing));
    for (const std::string& note : scaling_->figures().notes) words.append(from(note));
    show_sentence(*speedup_words_, words.join(QStringLiteral(". ")));
    speedup_words_->setVisible(!words.isEmpty());
    speedup_legend_->setItems(std::move(legend));
}

Status LiveDock::exportTo(const QString& path) const {
    if (path.endsWith(QLatin1String(".svg"))) return write_svg(*page_, state(), path);
    if (page_->grab().save(path)) return {};
    return Error{ErrorCode::system, tr("cannot write %1").arg(path).toStdString()};
}

void LiveDock::exportPicture() {
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("liveExport"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const auto& [ending, text] :
         {std::pair{"png", tr("PNG image…")}, {"svg", tr("SVG drawing…")}}) {
        const QString suffix = QLatin1String(ending);
        connect(menu->addAction(text), &QAction::triggered, this, [this, suffix] {
            auto* dialog = new QFileDialog(this, tr("Export the run as a picture"));
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->setAcceptMode(QFileDialog::AcceptSave);
            dialog->setDefaultSuffix(suffix);
            dialog->setNameFilter(QStringLiteral("*.") + suffix);
            dialog->selectFile(QStringLiteral("run.") + suffix);
            connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
                if (const Status done = exportTo(path); !done)
                    showError(from(done.error().message));
            });
            dialog->open();
        });
    }
    menu->popup(QCursor::pos());
}

} // namespace blockloom::ui
