// The timeline as a table: the spans of the visible or selected range.
#pragma once

#include "profile/timeline.h"

#include <QWidget>

#include <memory>
#include <optional>

class QLabel;
class QLineEdit;

namespace blockloom::ui {

class SortedRows;
class SpansModel;
class Table;

/// Its rows are filled in only while it is visible.
class TimelineTwin : public QWidget {
    Q_OBJECT

public:
    explicit TimelineTwin(QWidget* parent = nullptr);

    void setRange(std::shared_ptr<const profile::Timeline> timeline, profile::TimeRange range);
    void setCurrent(std::optional<profile::SpanRef> span);
    [[nodiscard]] SpansModel* model() const { return model_; }
    [[nodiscard]] Table* table() const { return table_; }

Q_SIGNALS:
    void chosen(profile::SpanRef span);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void fill();
    void showNote();

    std::shared_ptr<const profile::Timeline> timeline_;
    profile::TimeRange range_;
    SpansModel* model_;
    SortedRows* rows_;
    Table* table_;
    QLineEdit* filter_;
    QLabel* note_;
    bool filled_ = true, quiet_ = false;
};

} // namespace blockloom::ui
