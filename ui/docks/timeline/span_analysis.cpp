#include "docks/timeline/span_analysis.h"

#include "session/background_work.h"

#include <utility>

namespace blockloom::ui {

using profile::TimeRange;

SpanAnalysis::SpanAnalysis(QObject* parent)
    : QObject(parent), adding_(new BackgroundWork(this)), marking_(new BackgroundWork(this)) {
    connect(adding_, &BackgroundWork::finished, this, [this] {
        if (const auto next = std::exchange(next_, std::nullopt))
            ask(next->timeline, next->selected);
    });
}

/// Jobs post to this object: they end while it still exists.
SpanAnalysis::~SpanAnalysis() {
    delete adding_;
    delete marking_;
}

void SpanAnalysis::ask(const Timeline& timeline, std::optional<TimeRange> selected) {
    next_.reset();
    if (!timeline) return adding_->cancel();
    if (adding_->running()) {
        next_ = {timeline, selected};
        return;
    }
    const TimeRange range = selected.value_or(TimeRange{0, timeline->duration()});
    adding_->start(
        [this, timeline, range, whole = !selected](const BackgroundWork::Delivery& deliver,
                                                   ProgressSink&, const std::stop_token& stop) {
            auto found = std::make_shared<const profile::RangeStatistics>(
                profile::statistics_of(*timeline, range, stop));
            if (stop.stop_requested()) return;
            deliver([this, timeline, found, whole] { Q_EMIT added(timeline, found, whole); });
        });
}

void SpanAnalysis::askMarked(const Timeline& timeline, TimeRange range, profile::LengthBand band) {
    marking_->start([this, timeline, band, range](const BackgroundWork::Delivery& deliver,
                                                  ProgressSink&, const std::stop_token& stop) {
        auto spans = std::make_shared<const profile::MarkedSpans>(*timeline, range, band, stop);
        if (stop.stop_requested()) return;
        deliver([this, timeline, spans] { Q_EMIT marked(timeline, spans); });
    });
}

void SpanAnalysis::cancelMarked() {
    marking_->cancel();
}

void SpanAnalysis::cancel() {
    next_.reset();
    adding_->cancel();
    marking_->cancel();
}

bool SpanAnalysis::working() const {
    return adding_->running() || marking_->running();
}

} // namespace blockloom::ui
