// The dialogs of the Help menu. Each is shown without blocking the window and deletes itself.
#pragma once

class QMainWindow;

namespace blockloom::ui {

void show_shortcuts(const QMainWindow& window); ///< every command that has a key
void show_guide(QMainWindow& window);           ///< the first five minutes
void show_about(QMainWindow& window);

} // namespace blockloom::ui
