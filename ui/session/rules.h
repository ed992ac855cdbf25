// The rules of an analysis as set in the window: model and key policy; each change is an undo step.
#pragma once

#include "schedule/block_analysis.h"

#include <QString>
#include <QUndoCommand>

#include <functional>

namespace blockloom::ui {

struct Rules {
    conflict::ConflictModel model = conflict::ConflictModel::single_version;
    trace::KeyPolicy policy;
    bool use_cost = false; ///< the trace's own costs, else 1 per task
    friend bool operator==(const Rules&, const Rules&) = default;
};

/// "single-version", as on the command line.
[[nodiscard]] QString name_of(conflict::ConflictModel model);

/// A pattern that matches exactly this printable key: glob metacharacters are bracketed.
[[nodiscard]] std::string glob_of(const std::string& printable_key);

/// The policy with a key relaxed (ignored) or no longer relaxed.
[[nodiscard]] trace::KeyPolicy with_key(trace::KeyPolicy policy, const std::string& printable_key,
                                        bool relaxed);
[[nodiscard]] bool is_relaxed(const trace::KeyPolicy& policy, const std::string& printable_key);
/// The printable keys that were relaxed individually (patterns that match exactly one key), oldest
/// first.
[[nodiscard]] std::vector<std::string> relaxed_keys(const trace::KeyPolicy& policy);

/// One step of the undo stack; never merged, so each tick is one step.
class RuleCommand : public QUndoCommand {
public:
    RuleCommand(Rules before, Rules after, const QString& text,
                std::function<void(const Rules&)> apply);
    void undo() override;
    void redo() override;

private:
    Rules before_, after_;
    std::function<void(const Rules&)> apply_;
};

} // namespace blockloom::ui
