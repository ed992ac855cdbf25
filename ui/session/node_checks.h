// Compares the open range with the records of the node whose state it was executed on, as the
// window's current work.
#pragma once

#include "execute/replayed_block.h"
#include "range/check_result.h"

#include <QObject>
#include <QString>

#include <memory>

namespace blockloom::ui {

class Runs;
class Session;

/// Lives on the GUI thread. The work is the session's, with its progress and Cancel; it executes
/// the blocks as the next run would. The result stays until another range is open, or the same one
/// on another state. It is kept with the newest run of the same blocks with the same digests, at
/// once or as soon as there is one; where a kept run of the open range has a check, that is the
/// result.
class NodeChecks : public QObject {
    Q_OBJECT

public:
    NodeChecks(Session* session, Runs* runs, QObject* parent = nullptr);

    /// Why the range cannot be compared; empty: it can.
    [[nodiscard]] QString whyNot() const;
    void start();
    [[nodiscard]] bool running() const { return running_; }
    /// Null: nothing was compared yet.
    [[nodiscard]] std::shared_ptr<const range::NodeCheck> found() const { return found_; }
    /// The run that it is kept with; empty: none.
    [[nodiscard]] QString keptWith() const { return kept_with_; }
    /// Makes the check of a kept run the result; ignored if it has none.
    void show(const QString& run);

Q_SIGNALS:
    void changed();
    void ended(); ///< there is a result

private:
    void follow(); ///< after another range was opened, or the same one reanalysed
    void keep();   ///< with a run that is listed
    void takeKept();

    Session* session_;
    Runs* runs_;
    bool running_ = false;
    /// The execution of the open range, which other rules of the analysis share; null: none.
    std::shared_ptr<const execute::ReplayedBlock> open_;
    quint64 check_ = 0; ///< number of the check; results of older ones are dropped
    std::shared_ptr<const range::NodeCheck> found_;
    QString kept_with_;
};

} // namespace blockloom::ui
