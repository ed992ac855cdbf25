#include "window/help_dialogs.h"

#include "look/cells.h"
#include "look/icons.h"
#include "look/table.h"
#include "look/theme_style.h"
#include "window/guide_dialog.h"
#include "window/window_actions.h"

#include <QCoreApplication>
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

QString tr(const char* text) {
    return QCoreApplication::translate("HelpDialogs", text);
}

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
    const Page page = make_page(window, "shortcutsDialog", tr("Shortcuts"), {560, 620});
    const QList<ShortcutRow> rows = shortcut_rows(window);
    auto* model = new QStandardItemModel(static_cast<int>(rows.size()), 3, page.dialog);
    model->setHorizontalHeaderLabels({tr("Where"), tr("What"), tr("Keys")});
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
    put(tr("On a canvas"), tr("Move"), tr("W A S D, cursor keys"));
    put(tr("On a canvas"), tr("Zoom in, out, fit"), tr("+, −, F"));
    put(tr("On a canvas"), tr("Step through tasks"), tr("Alt and a cursor key"));
    put(tr("In a table"), tr("Tick a key"), tr("Space"));
    auto* table = new Table(tr("Shortcuts"), page.dialog);
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
    const Page page = make_page(window, "aboutDialog", tr("About Blockloom"), {420, 240});
    auto* head = new QHBoxLayout;
    head->setSpacing(16);
    auto* sign = new QLabel(page.dialog);
    sign->setPixmap(logo(56, window.devicePixelRatioF()));
    auto* name = new QLabel(tr("Blockloom %1").arg(QStringLiteral(BLOCKLOOM_VERSION)), page.dialog);
    set_role(name, "title");
    head->addWidget(sign);
    head->addWidget(name, 1);
    page.column->addLayout(head);
    auto* words =
        new QLabel(tr("A profiler and visual workbench for parallel block execution: how "
                      "much of a block can run in parallel, and what stands in the way.\n\n"
                      "Built with Qt %1, Vulkan, Cairo, Dear ImGui and OpenSSL.")
                       .arg(QLatin1StringView(qVersion())),
                   page.dialog);
    words->setWordWrap(true);
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    page.column->addWidget(words, 1);
    finish(page);
}

} // namespace blockloom::ui
