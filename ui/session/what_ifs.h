// What-ifs of the window: the kept run that the Schedule shows, re-scheduled by its measured costs,
// and plans that are replayed to verify what was predicted.
#pragma once

#include "runs/advice.h"
#include "runs/what_if.h"
#include "runs/what_if_replay.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace blockloom::ui {

class BackgroundWork;
class MeasuredRun;
class Runs;
class Session;

/// A kept run with the blocks of the open range that it has. Immutable.
struct WhatIfBase {
    runs::KeptRun run;
    runs::RecordedWork work;
    std::vector<runs::WhatIfKey> keys; ///< ranked by gain
    std::vector<runs::Advice> advice;
    bool whole = true; ///< the range has all blocks of the run
};

/// A plan and what came of it; all of it predicted but the replay.
struct WhatIfAnswer {
    runs::WhatIfPlan plan;
    std::optional<runs::WhatIf> result; ///< absent: `error` says why
    QString error;
};

/// What a replay of a plan measured.
struct WhatIfMeasured {
    QString run; ///< under which it is kept
    runs::CheckedPrediction wall, execute;
    QString difference; ///< from the results of the recorded run; empty: none
};

/// Lives on the GUI thread; computes off it. The run is that of MeasuredRun.
class WhatIfs : public QObject {
    Q_OBJECT

public:
    WhatIfs(Session* session, Runs* runs, QObject* parent = nullptr);
    /// The instance that all panels share; lives as long as `runs`.
    [[nodiscard]] static WhatIfs* of(Session* session, Runs* runs);
    ~WhatIfs() override;

    /// A panel that shows what-ifs is visible: until then nothing is read or computed.
    void want();
    /// Null: no run is kept, it is still being read, or why() says what is missing.
    [[nodiscard]] std::shared_ptr<const WhatIfBase> base() const { return base_; }
    [[nodiscard]] QString why() const { return why_; }
    [[nodiscard]] bool busy() const; ///< a base or an answer is being computed
    /// What is known of a key of the base; null: nothing.
    [[nodiscard]] const runs::WhatIfKey* key(const QString& printable) const;

    /// Computes what a plan gives; a newer one replaces it.
    void ask(const runs::WhatIfPlan& plan);
    /// The newest answer; null: none for this base.
    [[nodiscard]] std::shared_ptr<const WhatIfAnswer> answer() const { return answer_; }

    /// Why a plan cannot be replayed now; empty: it can.
    [[nodiscard]] QString whyNotReplay(const runs::WhatIfPlan& plan) const;
    /// Replays the base's run by a plan, keeps the new run and compares its time with the predicted
    /// one. The session's work: progress, Cancel and errors are those of the window.
    void replay(const runs::WhatIfPlan& plan);
    /// What the last replay of this plan measured; null: it was not replayed.
    [[nodiscard]] const WhatIfMeasured* measured(const runs::WhatIfPlan& plan) const;

    static constexpr unsigned repetitions = 5; ///< of a replay

Q_SIGNALS:
    void changed();  ///< base(), why() or busy()
    void answered(); ///< answer() changed
    void replayed(); ///< measured() changed

private:
    void follow();
    void read();

    Session* session_;
    Runs* runs_;
    MeasuredRun* measured_run_;
    BackgroundWork *reading_, *asking_;
    bool wanted_ = false;
    QString run_; ///< of the base, also of the one being read
    std::shared_ptr<const void> range_;
    std::shared_ptr<const WhatIfBase> base_;
    std::shared_ptr<const WhatIfAnswer> answer_;
    QString why_;
    QHash<QString, WhatIfMeasured> measured_; ///< by run and plan
};

} // namespace blockloom::ui
