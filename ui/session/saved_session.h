// The part of the session that is saved, to be restored after a close or a crash.
#pragma once

#include "session/rules.h"
#include "session/runs.h"
#include "session/session.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace blockloom::ui {

/// Holds names, not numbers assigned by an analysis, so that it can be restored under any rules.
/// Undo steps and the history of selections are not saved.
struct SavedSession {
    static constexpr int version = 1;

    QStringList sources; ///< empty: nothing was open
    OpenChoices choices;
    Rules rules;
    schedule::Strategy schedule = schedule::Strategy::list;
    quint32 workers = 8; ///< workers of the simulated schedule

    QString block;               ///< hash of the current block, hexadecimal
    std::optional<quint32> task; ///< in block order, before any policy
    QString key;                 ///< printable; empty: none
    QString view;                ///< view of the graph; empty: the one that suits the block

    QString backend, strategy;          ///< of the next run
    std::optional<quint32> run_workers; ///< absent: the number of cores
    RunLimits limits;
    unsigned repetitions = 1;
    bool verifies = false; ///< the next run
    QString run_a, run_b;  ///< ids of the compared runs

    /// Set while the session is being restored. If it is set at start-up, restoring ended the
    /// program.
    bool opening = false;

    friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

[[nodiscard]] QByteArray to_json(const SavedSession& saved);
/// `place` names it in errors. Missing members keep their defaults.
[[nodiscard]] Result<SavedSession> saved_session(const QByteArray& json, const QString& place);

/// None if there is no such file.
[[nodiscard]] Result<std::optional<SavedSession>> read_session(const QString& file);
/// The old file stays until the new one is complete: after a kill at any moment, one of them is
/// intact.
[[nodiscard]] Status write_session(const QString& file, const SavedSession& saved);

} // namespace blockloom::ui
