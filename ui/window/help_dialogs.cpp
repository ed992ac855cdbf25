#include "window/help_dialogs.h"

#include "look/cells.h"
#include "look/icons.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "text/words.h"
#include "window/guide_dialog.h"
#include "window/window_actions.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

struct Page {
    QDialog* dialog;
    QVBoxLayout* column;
};

Page make_page(const QMainWindow& window, const char* name, const QString& title, QSize size) {
    auto* dialog = new QDialog(const_cast<QMainWindow*>(&window));
    dialog->setObjectName(QLatin1StringView(name));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->resize(size);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    return {dialog, column};
}

void finish(const Page& page) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, page.dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, page.dialog, &QDialog::reject);
    page.column->addWidget(buttons);
    page.dialog->open();
}

} // namespace

void show_shortcuts(const QMainWindow& window) {
    const Page page = make_page(window, "shortcutsDialog", words("Shortcuts"), {560, 620});
    const QList<ShortcutRow> rows = shortcut_rows(window);
    auto* model = new QStandardItemModel(static_cast<int>(rows.size()), 3, page.dialog);
    model->setHorizontalHeaderLabels({words("Where"), words("What"), words("Keys")});
    int row = 0;
    const auto put = [model, &row](const QString& where, const QString& what, const QString& keys) {
        int column = 0;
        for (const QString& text : {where, what, keys}) {
            auto* item = new QStandardItem(text);
            item->setEditable(false);
            model->setItem(row, column++, item);
        }
        ++row;
    };
    for (const ShortcutRow& shortcut : rows) put(shortcut.group, shortcut.text, shortcut.keys);
    put(words("Graph, schedule"), words("Move"), words("W A S D, arrow keys"));
    put(words("Graph, schedule"), words("Zoom in, out, fit"), words("+, −, F"));
    put(words("Graph, schedule"), words("Step through tasks"), words("Alt and an arrow key"));
    put(words("Graph, schedule"), words("Renderer statistics"), words("O"));
    put(words("Timeline"), words("Move; zoom in, out"), words("A D; W S"));
    put(words("Timeline"), words("Step through spans"), words("arrow keys"));
    put(words("In a table"), words("Relax the key"), words("Space"));
    auto* table = new Table(words("Shortcuts"), page.dialog);
    table->setModel(model);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->horizontalHeader()->resizeSection(2, 190);
    page.column->addWidget(table, 1);
    finish(page);
}

void show_guide(QMainWindow& window, const QString& anchor) {
    auto* guide = window.findChild<GuideDialog*>();
    if (guide == nullptr) guide = new GuideDialog(&window);
    guide->show();
    guide->raise();
    guide->activateWindow();
    guide->goTo(anchor);
}

void show_about(QMainWindow& window) {
    const Page page = make_page(window, "aboutDialog", words("About Blockloom"), {420, 240});
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* sign = new QLabel(page.dialog);
    sign->setPixmap(logo(56, window.devicePixelRatioF()));
    auto* name =
        new QLabel(words("Blockloom %1").arg(QStringLiteral(BLOCKLOOM_VERSION)), page.dialog);
    set_role(name, "title");
    head->addWidget(sign);
    head->addWidget(name, 1);
    page.column->addLayout(head);
    auto* summary =
        new QLabel(words("A profiler and visual workbench for parallel block execution: how much "
                         "of a block can run in parallel, and what stands in the way.\n\nBuilt "
                         "with Qt %1 and Qt Charts, LLVM, RocksDB, Vulkan, Cairo, Pango, Dear "
                         "ImGui and OpenSSL. Licence: GPL-3.0-or-later.")
                       .arg(QLatin1StringView(qVersion())),
                   page.dialog);
    summary->setWordWrap(true);
    summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    page.column->addWidget(summary, 1);
    finish(page);
}

} // namespace blockloom::ui
