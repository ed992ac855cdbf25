// Sweeps of the open range: the space to sweep, the measurements, and the setting kept for this
// device and code.
#pragma once

#include "session/tuning_job.h"

#include <QObject>
#include <QString>

namespace blockloom::ui {

class Runs;
class Session;

/// Lives on the GUI thread beside Runs; a sweep runs as the session's work: progress, Cancel and
/// errors are those of the window.
class Tunings : public QObject {
    Q_OBJECT

public:
    /// The whole range, or the blocks that are selected.
    enum class Scope { range, blocks };
    enum class Doing { nothing, sweeping, measuring };

    Tunings(Session* session, Runs* runs, QObject* parent = nullptr);
    ~Tunings() override;

    // Set-up of the next sweep.
    [[nodiscard]] const runs::TuningSpace& space() const;
    void setSpace(const runs::TuningSpace& space);
    [[nodiscard]] unsigned seconds() const; ///< total measured time; 0: no limit
    void setSeconds(unsigned seconds);
    /// Whether points that are predicted to be much slower are skipped.
    [[nodiscard]] bool coarse() const;
    void setCoarse(bool coarse);
    [[nodiscard]] Scope scope() const;
    void setScope(Scope scope);
    /// The selected rows of the list of blocks: first, last and number. If none is selected, the
    /// current block.
    void setRows(int first, int last, int selected);
    [[nodiscard]] QString scopeWords() const; ///< "27 blocks", "block 960,105"
    /// Which blocks are replayed besides the selected ones, and why; empty: none.
    [[nodiscard]] QString scopeNote() const;
    [[nodiscard]] std::size_t points() const; ///< in the space
    [[nodiscard]] QString whyNot() const;     ///< why nothing can be measured now; empty: it can

    void sweep();
    /// Replays one setting a few times and adds its samples to what is shown.
    void measure(const runs::TuningSetting& setting, unsigned times = 6);
    [[nodiscard]] Doing doing() const;

    /// The measurements of the current scope.
    [[nodiscard]] const SeenTuning& seen() const;
    /// A swept backend's name in the list of backends ("Vulkan · NVIDIA H200").
    [[nodiscard]] QString nameOf(const std::string& backend) const;

    /// Uses the setting for the next run and keeps it for the sweep's device and code. An undo step
    /// of the session.
    void apply(const runs::TuningSetting& setting);
    /// The setting kept for this range's code and the chosen device (with "auto": any device);
    /// none: nothing is kept.
    [[nodiscard]] const std::optional<runs::TuningSetting>& kept() const;
    [[nodiscard]] QString keptDevice() const;
    /// Whether the next run already uses the kept setting.
    [[nodiscard]] bool usesKept() const;
    void useKept(); ///< an undo step
    /// "Vulkan, speculative, 16 workers, batches 4 to 65,536".
    [[nodiscard]] QString words(const runs::TuningSetting& setting) const;
    [[nodiscard]] bool reading() const; ///< kept settings are being read

Q_SIGNALS:
    void choiceChanged(); ///< space, budget or scope changed
    void changed();       ///< seen() or doing() changed
    void keptChanged();
    void failed(const QString& message);

private:
    struct State;
    void start(TuningOrder order, Doing doing);
    void readKept();
    void keepSweep(const std::shared_ptr<const runs::ReplayTuning>& tuned);
    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
