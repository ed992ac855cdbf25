#include "session/node_choice.h"

#include <array>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr std::array<std::pair<NodeKind, const char*>, 4> names{{{NodeKind::core, "core"},
                                                                 {NodeKind::rest, "rest"},
                                                                 {NodeKind::indexer, "indexer"},
                                                                 {NodeKind::database, "database"}}};

} // namespace

QString name_of(NodeKind kind) {
    for (const auto& [known, name] : names)
        if (known == kind) return QString::fromLatin1(name);
    return {};
}

NodeKind node_kind_named(const QString& name) {
    for (const auto& [kind, known] : names)
        if (name == QLatin1StringView(known)) return kind;
    return NodeKind::core;
}

QString source_of(const NodeChoice& choice) {
    switch (choice.kind) {
    case NodeKind::core:
        return QStringLiteral("core:") + choice.url;
    case NodeKind::rest:
        return QStringLiteral("rest:") + choice.url;
    case NodeKind::indexer:
        return QStringLiteral("metashrew:") + choice.url;
    case NodeKind::database:
        break;
    }
    return QStringLiteral("metashrew:") + choice.folder;
}

OpenChoices choices_of(const NodeChoice& choice) {
    OpenChoices choices;
    choices.from = choice.from;
    choices.to = choice.to;
    choices.follow = choice.follow;
    const bool database = choice.kind == NodeKind::database;
    if (!database) {
        choices.credentials = choice.credentials;
        choices.certificates = choice.certificates;
    }
    if (!database && choice.kind != NodeKind::indexer) return choices;
    // Label, fork and access are needed to read the blocks, too.
    choices.chain = choice.execute ? QStringLiteral("alkanes") : QStringLiteral("bitcoin");
    StateChoice& state = choices.state;
    if (database) {
        state.folder = choice.folder;
        state.fork = choice.fork;
        state.label = choice.label;
        state.access = choice.access;
    } else if (choice.execute) {
        state.url = choice.url;
        state.credentials = choice.credentials;
        state.certificates = choice.certificates;
    }
    return choices;
}

} // namespace blockloom::ui
