// The commands that change what the session shows: how sources are read, conflict model, cost,
// policy, selection.
#pragma once

#include <functional>

class QWidget;

namespace blockloom::ui {

class Session;
class WindowActions;
struct OpenChoices;

/// `open`: reads the session's sources again with other choices. Dialogs are children of `window`.
void connect_session_commands(const WindowActions& actions, Session& session, QWidget& window,
                              const std::function<void(const OpenChoices&)>& open);

} // namespace blockloom::ui
