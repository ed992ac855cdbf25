#include "window/workbench_commands.h"

#include "session/backends.h"

#include "docks/dock.h"
#include "session/runs.h"
#include "window/dock_layout.h"

#include <QCoreApplication>

namespace blockloom::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("WorkbenchCommands", text);
}

} // namespace

QList<Command> workbench_commands(const Docks& docks, const QStringList& layouts, Runs& runs,
                                  const std::function<void(Dock*)>& goTo,
                                  const std::function<void(const QString&)>& apply) {
    QList<Command> commands;
    for (Dock* dock : docks.all())
        commands.append(
            {tr("Panels"), tr("Go to %1").arg(dock->windowTitle()), {}, true, [dock, goTo] {
                 goTo(dock);
             }});
    for (const QString& name : layouts)
        commands.append(
            {tr("View"), tr("Layout: %1").arg(name), {}, true, [name, apply] { apply(name); }});
    for (const Backend& backend : runs.backends())
        commands.append({tr("Run on"),
                         tr("Backend: %1").arg(backend.name),
                         {},
                         backend.usable(),
                         [&runs, key = backend.key] { runs.setBackend(key); }});
    for (const StrategyChoice& strategy : runs.strategies())
        commands.append({tr("Run on"),
                         tr("Strategy: %1").arg(strategy.name),
                         {},
                         strategy.usable(),
                         [&runs, name = strategy.name] { runs.setStrategy(name); }});
    return commands;
}

} // namespace blockloom::ui
