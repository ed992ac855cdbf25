// Commands that the palette offers in addition to the window's actions while a range is open:
// panels, layouts, backends and strategies.
#pragma once

#include "models/commands_model.h"

#include <QStringList>

#include <functional>

namespace blockloom::ui {

class Dock;
class Runs;
struct Docks;

[[nodiscard]] QList<Command> workbench_commands(const Docks& docks, const QStringList& layouts,
                                                Runs& runs, const std::function<void(Dock*)>& goTo,
                                                const std::function<void(const QString&)>& apply);

} // namespace blockloom::ui
