// Follows the best chain of the node whose blocks are open: new blocks are added to the range as
// they come, and those that another branch replaces go.
#pragma once

#include "base/clock.h"
#include "session/background_work.h"
#include "session/rules.h"

#include <QObject>
#include <QString>

#include <memory>

namespace blockloom {
struct Error;
namespace schedule {
struct AnalysisOptions;
}
} // namespace blockloom

namespace blockloom::ui {

class Session;

/// Lives on the GUI thread; asks the node, and opens its blocks, on a thread of its own, beside the
/// session's work. Begins with a range that is opened to be followed, and ends with it.
class TipWatch : public QObject {
    Q_OBJECT

public:
    explicit TipWatch(Session* session, QObject* parent = nullptr);
    ~TipWatch() override;

    /// Why the open range cannot be followed; empty: it can.
    [[nodiscard]] QString whyNot() const;
    [[nodiscard]] bool following() const { return work_->running(); }
    void setFollowing(bool on);
    /// "Following, block 849,010"; empty: nothing is followed.
    [[nodiscard]] QString words() const;
    /// The node, and what it said last if it does not answer.
    [[nodiscard]] QString details() const;
    /// Between two questions; from the next beginning on.
    void setInterval(Nanoseconds interval) { interval_ = interval; }

Q_SIGNALS:
    void changed();
    /// A block is no longer of the best chain.
    void replaced(const QString& words);

private:
    /// The rules for blocks that come: those of the session, which may change meanwhile.
    struct SharedRules;

    void start();
    void stop();
    void fail(const Error& error);

    Session* session_;
    BackgroundWork* work_;
    Nanoseconds interval_ = 5'000'000'000;
    std::shared_ptr<SharedRules> rules_;
    QString silent_; ///< why the node does not answer; empty: it does
};

} // namespace blockloom::ui
