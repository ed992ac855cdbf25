// What the spans of a range add up to, and which of them have the brushed lengths.
#pragma once

#include "profile/span_statistics.h"

#include <QObject>

#include <memory>
#include <optional>

namespace blockloom::ui {

class BackgroundWork;

/// Works off the GUI thread; lives on it. While one answer is computed only the last question that
/// was asked meanwhile is kept.
class SpanAnalysis : public QObject {
    Q_OBJECT

public:
    explicit SpanAnalysis(QObject* parent = nullptr);
    ~SpanAnalysis() override; ///< cancels and waits

    using Timeline = std::shared_ptr<const profile::Timeline>;
    /// Statistics of `selected`, else of the whole timeline. A null timeline cancels.
    void ask(const Timeline& timeline, std::optional<profile::TimeRange> selected);
    /// The spans of `range` whose lengths lie in `band`.
    void askMarked(const Timeline& timeline, profile::TimeRange range, profile::LengthBand band);
    void cancelMarked();
    void cancel(); ///< both questions
    [[nodiscard]] bool working() const;

Q_SIGNALS:
    /// `whole`: nothing was selected.
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
