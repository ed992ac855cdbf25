// Where the state before the open range comes from, as chosen in the window.
#pragma once

#include "range/state_source.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace blockloom::ui {

/// What the command line calls --state and its companions.
struct StateChoice {
    QString folder; ///< of an indexer's database; empty: none
    QString url;    ///< of an indexer's JSON-RPC; empty: none
    QString bundle; ///< file of a state bundle; empty: none. At most one of the three
    QString credentials{}, certificates{}; ///< files, for the URL
    QString fork{}, label{};
    QString access = QStringLiteral("auto"); ///< auto, stopped or running
    std::optional<quint64> height;           ///< the state after this block; else before the range

    [[nodiscard]] bool given() const { return ofIndexer() || !bundle.isEmpty(); }
    /// It has records of the blocks that it indexed, too.
    [[nodiscard]] bool ofIndexer() const { return !folder.isEmpty() || !url.isEmpty(); }
    friend bool operator==(const StateChoice&, const StateChoice&) = default;
};

/// The names of `StateChoice::access`.
[[nodiscard]] QStringList state_accesses();

[[nodiscard]] range::StateSource source_of(const StateChoice& choice);

} // namespace blockloom::ui
