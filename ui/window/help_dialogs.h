// The dialogs of the Help menu. Each is shown without blocking the window and deletes itself.
#pragma once

class QMainWindow;
class QString;

namespace blockloom::ui {

void show_shortcuts(const QMainWindow& window); ///< every command that has a key
/// docs/guide.md beside the window, at the section with this anchor; empty: the beginning. There is
/// only one such dialog.
void show_guide(QMainWindow& window, const QString& anchor);
void show_about(QMainWindow& window);

} // namespace blockloom::ui
