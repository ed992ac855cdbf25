#include "docks/parts/view_export.h"

#include "docks/parts/export_menu.h"
#include "docks/parts/view_pane.h"
#include "text/to_qt.h"

namespace blockloom::ui {

QString file_name(const ViewPane& pane, const QString& view) {
    QString block;
    if (pane.shown().block) block = to_qt(pane.shown().block->trace->block.label).left(64);
    for (QChar& c : block)
        if (!c.isLetterOrNumber()) c = QLatin1Char('-');
    return block.isEmpty() ? view : block + QLatin1Char('-') + view;
}

void export_view_dialog(QWidget* parent, const ViewPane& pane, const QString& suggestion,
                        const std::function<void(const QString&)>& failed) {
    show_export_menu(parent, {ViewPane::tr("Export the view"),
                              suggestion,
                              {{"png", ViewPane::tr("PNG image…")},
                               {"svg", ViewPane::tr("SVG drawing…")},
                               {"pdf", ViewPane::tr("PDF page…")},
                               {"dot", ViewPane::tr("Dependencies as DOT…")},
                               {"graphml", ViewPane::tr("Dependencies as GraphML…")}},
                              [&pane](const QString& path) { return pane.exportTo(path); },
                              failed});
}

} // namespace blockloom::ui
