// The export menu of a view: which kind, then where to.
#include "docks/parts/view_pane.h"

#include <QCursor>
#include <QFileDialog>
#include <QMenu>
#include <QPointer>

namespace blockloom::ui {

QString file_name(const ViewPane& pane, const QString& view) {
    QString block;
    if (pane.shown().block)
        block = QString::fromStdString(pane.shown().block->trace->block.label).left(64);
    for (QChar& c : block)
        if (!c.isLetterOrNumber()) c = QLatin1Char('-');
    return block.isEmpty() ? view : block + QLatin1Char('-') + view;
}

void export_view_dialog(QWidget* parent, const ViewPane& pane, const QString& suggestion,
                        const std::function<void(const QString&)>& failed) {
    struct Kind {
        const char* ending;
        QString text;
    };
    const Kind kinds[] = {{"png", ViewPane::tr("PNG image…")},
                          {"svg", ViewPane::tr("SVG drawing…")},
                          {"pdf", ViewPane::tr("PDF page…")},
                          {"dot", ViewPane::tr("Dependencies as DOT…")},
                          {"graphml", ViewPane::tr("Dependencies as GraphML…")}};
    auto* menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Kind& kind : kinds) {
        const QString ending = QLatin1String(kind.ending);
        QObject::connect(menu->addAction(kind.text), &QAction::triggered, parent, [=, &pane] {
            auto* dialog = new QFileDialog(parent, ViewPane::tr("Export the view"));
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            dialog->setAcceptMode(QFileDialog::AcceptSave);
            dialog->setDefaultSuffix(ending);
            dialog->setNameFilter(QStringLiteral("*.") + ending);
            dialog->selectFile(suggestion + QLatin1Char('.') + ending);
            // The pane is a child of `parent`, the dialog too: it goes first.
            QObject::connect(dialog, &QFileDialog::fileSelected, &pane, [failed, &pane](auto path) {
                if (const Status done = pane.exportTo(path); !done)
                    failed(QString::fromStdString(done.error().message));
            });
            dialog->open();
        });
    }
    menu->popup(QCursor::pos());
}

} // namespace blockloom::ui
