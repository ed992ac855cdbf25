// Why a task waited in a kept run: arrows between the lanes of its timeline, and a sentence.
#pragma once

#include "profile/timeline.h"
#include "range/range.h"
#include "report/timeline_picture.h"
#include "runs/kept_run.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::ui {

class BackgroundWork;

/// When the tasks of a block ran is computed off the GUI thread and cached for the block.
class TaskWait : public QObject {
    Q_OBJECT

public:
    explicit TaskWait(QObject* parent = nullptr);
    ~TaskWait() override;

    /// Sets the run that later requests are about. A null trace: no run, or a run in progress, in
    /// which what a task waited for may not have ended.
    void setRun(const runs::KeptRun& run, std::shared_ptr<const profile::Timeline> timeline,
                std::shared_ptr<const profile::Trace> trace);
    [[nodiscard]] bool hasRun() const { return trace_ != nullptr; }
    /// Emits found() unless the answer is the same as the last one.
    void ask(const std::shared_ptr<const range::BlockRecord>& block, std::uint32_t task);
    void cancel(); ///< drops the request
    [[nodiscard]] bool working() const;

Q_SIGNALS:
    /// `sentence` empty: the task did not wait, or the cause is unknown.
    void found(const std::vector<blockloom::report::TimelineArrow>& arrows,
               const QString& sentence);

private:
    struct Measured;
    void answer(const Measured& measured, std::uint32_t task);

    BackgroundWork* work_;
    runs::KeptRun run_;
    std::shared_ptr<const profile::Timeline> timeline_;
    std::shared_ptr<const profile::Trace> trace_;
    std::shared_ptr<const Measured> measured_; ///< of the last requested block; null: none
    std::optional<std::uint32_t> asked_;       ///< the task last answered or being computed
};

} // namespace blockloom::ui
