#include "window/file_dialogs.h"

#include "text/words.h"
#include "window/report_export.h"

#include <QFileDialog>

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

void ask_for_report(QWidget& window, std::function<void(const QString&)> take) {
    QFileDialog* dialog = make(window, words("Export the report"), "reportDialog");
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(report_filters().split(QStringLiteral(";;")));
    dialog->setDefaultSuffix(QStringLiteral("html"));
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, [dialog](const QString& filter) {
        dialog->setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog->selectFile(QStringLiteral("blockloom-report.html"));
    QObject::connect(dialog, &QFileDialog::fileSelected, &window, std::move(take));
    dialog->open();
}

} // namespace blockloom::ui
