// The two kept runs that are compared.
#pragma once

#include "runs/run_comparison.h"
#include "session/background_work.h"

#include <QObject>
#include <QString>

#include <array>
#include <memory>

namespace blockloom::ui {

class KeptRunList;
class Session;

/// Lives on the GUI thread; compares in the background.
class ComparedRuns : public QObject {
    Q_OBJECT

public:
    enum class Side { a, b };

    ComparedRuns(const Session* session, const KeptRunList* list, QObject* parent = nullptr);

    [[nodiscard]] const runs::KeptRun* chosen(Side side) const; ///< null: none
    void choose(Side side, const QString& id);                  ///< empty: none
    void swap();
    void clear(); ///< chooses none; update() then reports it
    /// Chooses by itself where it should. A run just made takes the place of B, the first one that
    /// of A. Where nothing is chosen, the newest run is compared with the baseline of its speed-up,
    /// else with the previous run of the same blocks. update() then reports it.
    void chooseFromList(const QString& just_made);
    void update(); ///< compares the two as they are now and reports `changed`

    [[nodiscard]] bool comparing() const { return work_.running(); }
    /// Null: fewer than two are chosen, or it is still being computed.
    [[nodiscard]] const std::shared_ptr<const runs::RunComparison>& comparison() const {
        return comparison_;
    }

Q_SIGNALS:
    void changed();  ///< A or B, or the runs behind them
    void compared(); ///< comparison() is ready

private:
    [[nodiscard]] bool belongs(const runs::KeptRun& run) const;
    void compare();

    const Session* session_;
    const KeptRunList* list_;
    BackgroundWork work_;
    std::array<QString, 2> ids_; ///< of A and B
    std::shared_ptr<const runs::RunComparison> comparison_;
};

} // namespace blockloom::ui
