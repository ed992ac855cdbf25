#include "docks/live/live_speedup.h"

#include "charts/chart_view.h"
#include "execute/live_run.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "report/scaling_chart.h"
#include "session/background_work.h"
#include "session/runs.h"
#include "text/to_qt.h"

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
      chart_(new ChartView(QStringLiteral("liveSpeedup"), tr("Speed-up so far, and Amdahl's law"))),
      gathering_(new BackgroundWork(this)) {
    auto* title = new QLabel(tr("Speed-up against the serial run"));
    set_role(title, "heading");
    title->setContentsMargins(12, 8, 12, 2);
    words_->setObjectName(QStringLiteral("liveSpeedupWords"));
    words_->setWordWrap(true);
    set_role(words_, "second");
    words_->setContentsMargins(12, 2, 12, 6);
    chart_->setLeastHeight(chart_height);
    chart_->setLeftOutVisible(false); // the words say it
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{title, chart_, words_})
        lines->addWidget(part);
}

/// Its job posts to this object, so it ends while the object still exists.
LiveSpeedup::~LiveSpeedup() {
    delete gathering_;
}

Table* LiveSpeedup::table() const {
    return chart_->table();
}

void LiveSpeedup::showTable(bool table) {
    chart_->showTable(table);
}

QString LiveSpeedup::words() const {
    return words_->text();
}

void LiveSpeedup::gather(const runs::KeptRun& shown) {
    shown_ = shown;
    const auto live = runs_->live();
    const bool running = runs_->running() && live != nullptr;
    // By what it is of and how many runs there are to compare it with.
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
    if (!there) {
        chart_->setChart({});
        const bool serial = shown_.strategy == "serial" && shown_.backend == "cpu";
        words_->setText(
            !scaling_ ? tr("Loading the kept runs of these blocks…")
            : serial  ? tr("This is the serial run: once it is kept, other strategies, workers and "
                            "devices are measured against it.")
                      : tr("No baseline: no serial run of these blocks on this machine "
                            "is kept. Choose the strategy serial in the tool row and press Run."));
        return;
    }
    report::ScalingChartOptions options;
    options.so_far = so_far_;
    charts::Chart chart = report::scaling_chart(scaling_->figures(), options);
    QStringList words;
    if (so_far_) words.append(to_qt(runs::point_words(*so_far_)));
    for (const std::string& why : chart.left_out) words.append(to_qt(why));
    chart_->setChart(std::move(chart));
    if (!scaling_->figures().missing.empty())
        words.append(tr("The speed-up curve %1").arg(to_qt(scaling_->figures().missing)));
    for (const std::string& note : scaling_->figures().notes) {
        QString sentence = to_qt(note);
        sentence.front() = sentence.front().toUpper();
        words.append(sentence);
    }
    show_sentence(*words_, words.join(QStringLiteral(". ")));
    words_->setVisible(!words.isEmpty());
}

} // namespace blockloom::ui
