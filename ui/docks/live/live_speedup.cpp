#include "docks/live/live_speedup.h"

#include "canvas/legend_strip.h"
#include "canvas/list_canvas.h"
#include "execute/live_run.h"
#include "look/plain_text.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "models/twin_model.h"
#include "report/scaling_chart.h"
#include "session/background_work.h"
#include "session/runs.h"
#include "text/to_qt.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <initializer_list>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr int chart_height = 250;

} // namespace

LiveSpeedup::LiveSpeedup(Runs* runs, QWidget* parent)
    : QWidget(parent), runs_(runs), words_(new QLabel),
      chart_(new ListCanvas("liveSpeedup", tr("Speed-up so far, and Amdahl's law"))),
      legend_(new LegendStrip), model_(new TwinModel(this)),
      table_(new Table(tr("Speed-ups of the kept runs of these blocks"))),
      gathering_(new BackgroundWork(this)) {
    auto* title = new QLabel(tr("Speed-up against the serial run"));
    set_role(title, "heading");
    title->setContentsMargins(12, 8, 12, 2);
    words_->setObjectName(QStringLiteral("liveSpeedupWords"));
    words_->setWordWrap(true);
    set_role(words_, "second");
    words_->setContentsMargins(12, 2, 12, 6);
    chart_->setContentHeight(chart_height);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{title, chart_, words_, legend_})
        lines->addWidget(part);
    table_->setObjectName(QStringLiteral("liveSpeedupTable"));
    table_->setModel(model_);
}

/// Its job posts to this object: it ends while that still stands.
LiveSpeedup::~LiveSpeedup() {
    delete gathering_;
}

QString LiveSpeedup::words() const {
    return words_->text();
}

void LiveSpeedup::gather(const runs::KeptRun& shown) {
    shown_ = shown;
    const auto live = runs_->live();
    const bool running = runs_->running() && live != nullptr;
    // By what it is of and how many runs there are to hold it against.
    const QString key =
        QStringLiteral("%1 %2 %3")
            .arg(running ? QString::number(reinterpret_cast<quintptr>(live.get()))
                         : to_qt(shown_.id))
            .arg(runs_->kept().size())
            .arg(runs_->kept().empty() ? QString() : to_qt(runs_->kept().front().id));
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
                Q_EMIT gathered();
                showScaling();
            });
        });
}

void LiveSpeedup::forget() {
    gathering_->cancel();
    scaling_.reset();
    scaling_of_.clear();
}

void LiveSpeedup::forgetPoint() {
    so_far_.reset();
}

void LiveSpeedup::place(const execute::LiveSnapshot& snapshot) {
    auto so_far = scaling_ ? scaling_->so_far(snapshot) : std::nullopt;
    const bool grown = so_far && (!so_far_ || so_far->blocks != so_far_->blocks);
    if (!grown && !(so_far_ && !so_far)) return;
    so_far_ = std::move(so_far);
    showScaling();
}

void LiveSpeedup::showScaling() {
    const bool there = scaling_ && !scaling_->figures().baseline.empty();
    chart_->setVisible(there);
    legend_->setVisible(there);
    model_->setTable(there ? report::scaling_table(scaling_->figures()) : nullptr);
    table_->setVisible(there);
    if (!there) {
        chart_->setMake({});
        const bool serial = shown_.strategy == "serial" && shown_.backend == "cpu";
        words_->setText(
            !scaling_ ? tr("Gathering the kept runs of these blocks…")
            : serial  ? tr("This run is the serial one: once it is kept, the speed-up of other "
                            "strategies, workers and devices is measured against it.")
                      : tr("Nothing to measure it against: no serial run of these blocks is kept "
                            "from this machine. Choose Serial in the toolbar and press Run once."));
        return;
    }
    chart_->setMake([scaling = scaling_, so_far = so_far_](const scene::Theme& theme, float width,
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
                 to_qt(runs::point_words(series, series.points[point.point]))});
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
        words.append(to_qt(runs::point_words(*so_far_)));
    }
    if (!scaling_->figures().missing.empty()) words.append(to_qt(scaling_->figures().missing));
    for (const std::string& note : scaling_->figures().notes) words.append(to_qt(note));
    show_sentence(*words_, words.join(QStringLiteral(". ")));
    words_->setVisible(!words.isEmpty());
    legend_->setItems(std::move(legend));
}

void LiveSpeedup::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && legend_ != nullptr) showScaling();
}

} // namespace blockloom::ui
