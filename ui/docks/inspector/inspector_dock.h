// Inspector: one task with its read and write sets and its dependencies, or one key with its
// readers and writers.
#pragma once

#include "docks/dock.h"
#include "range/task_details.h"

class QTextBrowser;
class QToolButton;

namespace blockloom::ui {

class BackgroundWork;
class Runs;
class Session;
class TaskSpans;

class InspectorDock : public Dock {
    Q_OBJECT

public:
    InspectorDock(Session* session, Runs* runs, QWidget* parent = nullptr);
    [[nodiscard]] QTextBrowser* page() const { return page_; }
    /// Whether a key is shown: it was selected after the task, or alone.
    [[nodiscard]] bool showsKey() const { return shows_key_; }
    void copy() const;
    /// Re-executes the selected message with a profiler, off this thread; the page then shows the
    /// result.
    void profile();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void follow();
    void refresh();
    void showKey(const range::BlockRecord& record, quint32 key);
    void relax();
    void draw();
    void showProfile(range::DetailSection section);
    void showPlacement();
    void showCode();
    void showMeasured();
    void showPredictions();

    Session* session_;
    Runs* runs_;
    QTextBrowser* page_;
    QToolButton *back_, *forward_, *copy_;
    range::TaskDetails details_;
    std::optional<quint32> last_task_, last_key_; ///< the selection before
    bool shows_key_ = false;
    BackgroundWork *profiling_, *predicting_;
    TaskSpans* spans_;                                         ///< of the compared runs
    std::shared_ptr<const range::BlockRecord> profiled_block_; ///< of the last profile
    std::optional<quint32> profiled_task_;
    range::DetailSection profile_;
    bool stale_ = true; ///< changed while hidden
};

} // namespace blockloom::ui
