// Statistics of the spans of a range, and which of them have the brushed lengths.
#pragma once

#include "profile/span_statistics.h"

#include <QObject>

#include <memory>
#include <optional>

namespace blockloom::ui {

class BackgroundWork;

/// Lives on the GUI thread; computes off it. While one answer is being computed, only the latest
/// new request is kept.
class SpanAnalysis : public QObject {
    Q_OBJECT

public:
    explicit SpanAnalysis(QObject* parent = nullptr);
    ~SpanAnalysis() override; ///< cancels the work and waits for it

    using Timeline = std::shared_ptr<const profile::Timeline>;
    /// Requests statistics of `selected`, else of the whole timeline. A null timeline cancels.
    void ask(const Timeline& timeline, std::optional<profile::TimeRange> selected);
    /// Requests the spans of `range` whose lengths lie in `band`.
    void askMarked(const Timeline& timeline, profile::TimeRange range, profile::LengthBand band);
    void cancelMarked();
    void cancel(); ///< both requests
    [[nodiscard]] bool working() const;

Q_SIGNALS:
    /// `whole`: no range was selected.
    void added(std::shared_ptr<const blockloom::profile::Timeline> timeline,
               std::shared_ptr<const blockloom::profile::RangeStatistics> statistics, bool whole);
    void marked(std::shared_ptr<const blockloom::profile::Timeline> timeline,
                std::shared_ptr<const blockloom::profile::MarkedSpans> spans);

private:
    struct Question {
        Timeline timeline;
        std::optional<profile::TimeRange> selected;
    };

    BackgroundWork *adding_, *marking_;
    std::optional<Question> next_;
};

} // namespace blockloom::ui
