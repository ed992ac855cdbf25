#include "window/workbench_commands.h"

#include "session/backends.h"

#include "docks/dock.h"
#include "session/runs.h"
#include "text/words.h"
#include "window/dock_layout.h"

namespace blockloom::ui {
QList<Command> workbench_commands(const Docks& docks, const QStringList& layouts, Runs& runs,
                                  const std::function<void(Dock*)>& goTo,
                                  const std::function<void(const QString&)>& apply) {
    QList<Command> commands;
    for (Dock* dock : docks.all())
        commands.append(
            {words("Panels"), words("Go to %1").arg(dock->windowTitle()), {}, true, [dock, goTo] {
                 goTo(dock);
             }});
    for (const QString& name : layouts)
        commands.append({words("View"), words("Layout: %1").arg(name), {}, true, [name, apply] {
                             apply(name);
                         }});
    for (const Backend& backend : runs.backends())
        commands.append({words("Run on"),
                         words("Backend: %1").arg(backend.name),
                         {},
                         backend.usable(),
                         [&runs, key = backend.key] { runs.setBackend(key); }});
    for (const StrategyChoice& strategy : runs.strategies())
        commands.append({words("Run on"),
                         words("Strategy: %1").arg(strategy.name),
                         {},
                         strategy.usable(),
                         [&runs, name = strategy.name] { runs.setStrategy(name); }});
    return commands;
}

} // namespace blockloom::ui
