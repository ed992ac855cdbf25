// The export menu of a view of the current block.
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace blockloom::ui {

class ViewPane;

/// "892614-graph": the block, then the view.
[[nodiscard]] QString file_name(const ViewPane& pane, const QString& view);
/// Asks for a path and writes there; `failed` receives the error message. `pane` is a child of
/// `parent`.
void export_view_dialog(QWidget* parent, const ViewPane& pane, const QString& suggestion,
                        const std::function<void(const QString&)>& failed);

} // namespace blockloom::ui
