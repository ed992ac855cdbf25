// Sweeps of the open range: what is to be swept, what was measured, and which setting is kept for
// this device and code.
#pragma once

#include "session/tuning_job.h"

#include <QObject>
#include <QString>

namespace blockloom::ui {

class Runs;
class Session;

/// Lives on the GUI thread beside Runs; sweeps go on in the session's line of work: progress,
/// Cancel and errors are those of the window.
class Tunings : public QObject {
    Q_OBJECT

public:
    enum class Scope { range, blocks }; ///< the whole range, or the blocks that are selected
    enum class Doing { nothing, sweeping, measuring };

    Tunings(Session* session, Runs* runs, QObject* parent = nullptr);
    ~Tunings() override;

    // What the next sweep goes over.
    [[nodiscard]] const runs::TuningSpace& space() const;
    void setSpace(const runs::TuningSpace& space);
    [[nodiscard]] unsigned seconds() const; ///< of measured time in sum; 0: no limit
    void setSeconds(unsigned seconds);
    /// Points that are predicted to be much slower are not measured.
    [[nodiscard]] bool coarse() const;
    void setCoarse(bool coarse);
    [[nodiscard]] Scope scope() const;
    void setScope(Scope scope);
    /// The rows that are selected in the list of blocks: first and last, and how many. From the
    /// current block on where nothing was selected.
    void setRows(int first, int last, int selected);
    [[nodiscard]] QString scopeWords() const; ///< "27 blocks", "block 960,105"
    /// What is replayed beside what was selected, and why; empty: nothing is.
    [[nodiscard]] QString scopeNote() const;
    [[nodiscard]] std::size_t points() const; ///< of the space
    [[nodiscard]] QString whyNot() const;     ///< nothing can be measured now; empty: it can

    void sweep();
    /// Some replays of one setting; its samples join what is shown.
    void measure(const runs::TuningSetting& setting, unsigned times = 6);
    [[nodiscard]] Doing doing() const;

    /// Of the present scope.
    [[nodiscard]] const SeenTuning& seen() const;
    /// Backends that were swept by the name of the list of backends ("Vulkan · NVIDIA H200").
    [[nodiscard]] QString nameOf(const std::string& backend) const;

    /// Sets what the next run uses, and keeps the setting for the sweep's device and code. An undo
    /// step of the session.
    void apply(const runs::TuningSetting& setting);
    /// Kept for this range's code and the chosen (with "auto": any) device; nothing: there is none.
    [[nodiscard]] const std::optional<runs::TuningSetting>& kept() const;
    [[nodiscard]] QString keptDevice() const;
    /// Whether the next run goes by what is kept already.
    [[nodiscard]] bool usesKept() const;
    void useKept(); ///< an undo step
    /// "Vulkan, speculative, 16 workers, batches 4 to 65,536".
    [[nodiscard]] QString words(const runs::TuningSetting& setting) const;
    [[nodiscard]] bool reading() const; ///< what is kept is being read

Q_SIGNALS:
    void choiceChanged(); ///< space, budget, scope
    void changed();       ///< seen() or doing()
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
