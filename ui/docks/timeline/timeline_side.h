// Statistics of the selected part of a run: facts, kinds of spans, and the lengths of one kind.
#pragma once

#include "profile/span_statistics.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QButtonGroup;
class QGridLayout;
class QLabel;

namespace blockloom::ui {

class SpanHistogram;
class SpanKindsModel;
class SortedRows;
class Table;

class TimelineSide : public QWidget {
    Q_OBJECT

public:
    explicit TimelineSide(QWidget* parent = nullptr);

    enum class Of {
        run,      ///< all of it, nothing is selected
        last,     ///< all of it, which is one repetition of several
        selected, ///< what is selected
        newest    ///< the newest part of a run in progress: the kind whose lengths are shown stays
    };
    /// Null: none.
    void setStatistics(std::shared_ptr<const profile::Timeline> timeline,
                       std::shared_ptr<const profile::RangeStatistics> statistics, Of of);
    [[nodiscard]] std::shared_ptr<const profile::RangeStatistics> statistics() const {
        return statistics_;
    }
    /// Kind and lengths of the brushed spans.
    [[nodiscard]] std::optional<profile::LengthBand> band() const;
    void clearBrush();
    void setMarked(std::optional<std::uint64_t> count); ///< number of marked spans
    [[nodiscard]] QString factsText() const;
    /// Why the selected task waited; empty: unknown.
    void setWait(const QString& sentence);

    [[nodiscard]] SpanHistogram* histogram() const { return histogram_; }
    [[nodiscard]] Table* table() const { return table_; }
    [[nodiscard]] SpanKindsModel* model() const { return model_; }
    QSize sizeHint() const override { return {300, 320}; }

Q_SIGNALS:
    void brushed(); ///< band() changed

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showFacts(Of of);
    void showKind();
    void showParts();

    std::shared_ptr<const profile::Timeline> timeline_;
    std::shared_ptr<const profile::RangeStatistics> statistics_;
    QLabel *title_, *marked_, *wait_;
    QGridLayout* facts_;
    std::vector<std::pair<QLabel*, QLabel*>> facts_labels_; ///< name and value
    QWidget *segments_, *lengths_;
    QButtonGroup *parts_, *counts_; ///< which part; linear or logarithmic counts
    QWidget* counts_row_ = nullptr;
    SpanKindsModel* model_;
    SortedRows* rows_;
    Table* table_;
    SpanHistogram* histogram_;
    std::optional<std::uint16_t> kind_; ///< name index of the kind whose lengths are shown
    bool filling_ = false;
};

} // namespace blockloom::ui
