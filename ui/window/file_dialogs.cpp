#include "window/file_dialogs.h"

#include "text/words.h"
#include "window/report_export.h"

#include <QFileDialog>
#include <QFileInfo>

#include <utility>

namespace blockloom::ui {
namespace {

QFileDialog* make(QWidget& window, const QString& title, const char* object) {
    auto* dialog = new QFileDialog(&window, title);
    dialog->setObjectName(QLatin1String(object));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    return dialog;
}

} // namespace

void ask_for_sources(QWidget& window, bool folder, std::function<void(const QStringList&)> take) {
    QFileDialog* dialog =
        make(window, folder ? words("Open a folder of blocks") : words("Open block files"),
             "openDialog");
    dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFiles);
    dialog->setNameFilters({words("All files (*)"), words("Blocks (*.bin *.dat *.hex *.blk)"),
                            words("Traces (*.bloomtrace *.bloomtrace.gz)")});
    QObject::connect(dialog, &QFileDialog::filesSelected, &window, std::move(take));
    dialog->open();
}

void ask_for_workspace(QWidget& window, std::function<void(const QString&)> take) {
    QFileDialog* dialog =
        make(window, words("Workspace with the state before the first block"), "workspaceDialog");
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    QObject::connect(dialog, &QFileDialog::fileSelected, &window, std::move(take));
    dialog->open();
}

void ask_for_report(QWidget& window, const QString& title, const QString& name,
                    const QStringList& filters, std::function<void(const ReportFile&)> take) {
    QFileDialog* dialog = make(window, title, "reportDialog");
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(filters);
    dialog->setDefaultSuffix(QStringLiteral("html"));
    // The name that is offered follows the format that is chosen.
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        const QString suffix = filter.section(QStringLiteral("*."), 1).chopped(1);
        dialog->setDefaultSuffix(suffix);
        const QFileInfo file(dialog->selectedFiles().value(0));
        if (!file.isDir() && !file.fileName().isEmpty())
            dialog->selectFile(file.path() + QLatin1Char('/') + file.completeBaseName() +
                               QLatin1Char('.') + suffix);
    });
    dialog->selectFile(name + QStringLiteral(".html"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &window,
                     [dialog, take = std::move(take)](const QString& path) {
                         take({path, paper_of_filter(dialog->selectedNameFilter())});
                     });
    dialog->open();
}

} // namespace blockloom::ui
