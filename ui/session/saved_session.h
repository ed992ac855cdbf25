// What the window keeps of its session, so that it is there again after a close or a crash.
#pragma once

#include "session/rules.h"
#include "session/runs.h"
#include "session/session.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace blockloom::ui {

/// Names, not numbers that an analysis gave: it is found again under whatever rules. Undo steps and
/// the way of selections are not kept.
struct SavedSession {
    static constexpr int version = 1;

    QStringList sources; ///< empty: nothing was open
    OpenChoices choices;
    Rules rules;
    schedule::Strategy schedule = schedule::Strategy::list;
    quint32 workers = 8; ///< of the simulated schedule

    QString block;               ///< its hash, hexadecimal
    std::optional<quint32> task; ///< in block order, before any policy
    QString key;                 ///< printable; empty: none
    QString view;                ///< of the graph; empty: the one that suits the block

    QString backend, strategy;          ///< of the next run
    std::optional<quint32> run_workers; ///< absent: as many as the machine has cores
    RunLimits limits;
    unsigned repetitions = 1;
    QString run_a, run_b; ///< ids of the two that are compared

    /// It was being opened again and has not been opened yet: found at a start, it ended the
    /// program.
    bool opening = false;

    friend bool operator==(const SavedSession&, const SavedSession&) = default;
};

[[nodiscard]] QByteArray to_json(const SavedSession& saved);
/// `place` names it in errors. Members that are not there keep their standard.
[[nodiscard]] Result<SavedSession> saved_session(const QByteArray& json, const QString& place);

/// Nothing where there is no such file.
[[nodiscard]] Result<std::optional<SavedSession>> read_session(const QString& file);
/// The old file stays until the new one is whole: killed at any moment, one of them is there.
[[nodiscard]] Status write_session(const QString& file, const SavedSession& saved);

} // namespace blockloom::ui
