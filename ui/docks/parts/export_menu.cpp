#include "docks/parts/export_menu.h"

#include "text/to_qt.h"

#include <QCursor>
#include <QFileDialog>
#include <QMenu>

#include <utility>

namespace blockloom::ui {

void show_export_menu(QWidget* parent, Export what, const char* object) {
    auto* menu = new QMenu(parent);
    if (object != nullptr) menu->setObjectName(QLatin1String(object));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto shared = std::make_shared<const Export>(std::move(what));
    for (const ExportKind& kind : shared->kinds) {
        const QString ending = QLatin1String(kind.ending);
        QObject::connect(
            menu->addAction(kind.text), &QAction::triggered, parent, [parent, shared, ending] {
                auto* dialog = new QFileDialog(parent, shared->title);
                dialog->setAttribute(Qt::WA_DeleteOnClose);
                dialog->setAcceptMode(QFileDialog::AcceptSave);
                dialog->setDefaultSuffix(ending);
                dialog->setNameFilter(QStringLiteral("*.") + ending);
                dialog->selectFile(shared->name + QLatin1Char('.') + ending);
                QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                                 [shared](const QString& path) {
                                     if (const Status done = shared->write(path); !done)
                                         shared->failed(to_qt(done.error().message));
                                 });
                dialog->open();
            });
    }
    // At the pointer where that is on the panel; asked for by key, below the panel's title.
    QPoint at = QCursor::pos();
    if (!parent->rect().contains(parent->mapFromGlobal(at)))
        at = parent->mapToGlobal(QPoint(parent->width() - menu->sizeHint().width() - 8, 30));
    menu->popup(at);
}

} // namespace blockloom::ui
