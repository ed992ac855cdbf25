// Which blocks of a node to open, as chosen in the window.
#pragma once

#include "session/session.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace blockloom::ui {

enum class NodeKind { core, rest, indexer, database };

/// What is asked for, and remembered for the next time except for the heights. Nothing in it is
/// secret: credentials are named by their file.
struct NodeChoice {
    NodeKind kind = NodeKind::core;
    QString url;    ///< of all kinds but the database
    QString folder; ///< of the database
    QString fork{}, label{};
    QString access = QStringLiteral("auto"); ///< as StateChoice::access
    QString credentials{}, certificates{};   ///< files; empty: none, or those of the environment
    bool execute = true; ///< of an indexer: execute messages of Alkanes on its state
    bool follow = false; ///< add new blocks as they come
    /// Heights, both included. Missing: the node's last block; of a database both are needed.
    std::optional<quint64> from{}, to{};

    friend bool operator==(const NodeChoice&, const NodeChoice&) = default;
};

/// "core", "rest", "indexer", "database".
[[nodiscard]] QString name_of(NodeKind kind);
[[nodiscard]] NodeKind node_kind_named(const QString& name); ///< anything else: core

/// The source as the command line names it: "core:URL", "rest:URL", "metashrew:URL",
/// "metashrew:DIR".
[[nodiscard]] QString source_of(const NodeChoice& choice);
[[nodiscard]] OpenChoices choices_of(const NodeChoice& choice);

} // namespace blockloom::ui
