#include "window/node_dialog.h"

#include "look/theme_style.h"
#include "window/node_fields.h"
#include "window/place_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

constexpr int least_width = 600;

/// What is asked, and what is shown below it.
struct KindWords {
    NodeKind kind;
    const char *name, *about, *url;
};
constexpr KindWords kinds[] = {
    {NodeKind::core, QT_TRANSLATE_NOOP("NodeDialog", "Bitcoin Core: JSON-RPC"),
     QT_TRANSLATE_NOOP("NodeDialog", "Blocks by height from Bitcoin Core. Its credentials are the "
                                     "file .cookie in its data folder, or one of your own."),
     "http://127.0.0.1:8332"},
    {NodeKind::rest, QT_TRANSLATE_NOOP("NodeDialog", "Bitcoin Core: REST"),
     QT_TRANSLATE_NOOP("NodeDialog", "Blocks by height from Bitcoin Core 0.21 or newer, started "
                                     "with -rest. It asks for no credentials."),
     "http://127.0.0.1:8332"},
    {NodeKind::indexer, QT_TRANSLATE_NOOP("NodeDialog", "Alkanes indexer: JSON-RPC"),
     QT_TRANSLATE_NOOP("NodeDialog", "Blocks, and the state before them, from metashrew "
                                     "(rockshrew-mono) or a gateway to one. What it cannot answer "
                                     "exactly is taken as 0 and counted."),
     "http://127.0.0.1:8080"},
    {NodeKind::database, QT_TRANSLATE_NOOP("NodeDialog", "Alkanes indexer: database folder"),
     QT_TRANSLATE_NOOP("NodeDialog", "Blocks, and the state before them, from the --db-path folder "
                                     "of metashrew (rockshrew-mono), running or stopped, or from a "
                                     "copy. It is only read."),
     ""}};

const KindWords& words_of(NodeKind kind) {
    for (const KindWords& each : kinds)
        if (each.kind == kind) return each;
    return kinds[0];
}

} // namespace

NodeDialog::NodeDialog(const NodeChoice& before, QWidget* parent)
    : QDialog(parent), form_(new PlaceForm(this)), about_(new QLabel(this)) {
    setObjectName(QStringLiteral("nodeDialog"));
    setWindowTitle(tr("Open from a node"));
    setMinimumWidth(least_width);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    about_->setWordWrap(true);
    about_->setMinimumHeight(2 * about_->fontMetrics().lineSpacing()); // of each kind
    about_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    set_role(about_, "second");
    addWhere(before);
    addBlocks(before);
    addAccess(before);
    column->addLayout(form_);
    column->addWidget(about_);
    form_->problem()->setObjectName(QStringLiteral("nodeProblem"));
    column->addWidget(form_->problem());
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(this);
    open_ = new QPushButton(tr("Open"), buttons);
    open_->setObjectName(QStringLiteral("nodeOpen"));
    open_->setProperty("primary", true); // before the box polishes it
    open_->setDefault(true);
    buttons->addButton(open_, QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(form_, &PlaceForm::edited, this, &NodeDialog::check);
    connect(kind_, &QComboBox::currentIndexChanged, this, &NodeDialog::showKind);
    connect(follow_, &QCheckBox::toggled, this, &NodeDialog::check);
    showKind();
}

void NodeDialog::addWhere(const NodeChoice& before) {
    kind_ = new QComboBox(this);
    kind_->setObjectName(QStringLiteral("nodeKind"));
    for (const KindWords& each : kinds) kind_->addItem(tr(each.name), name_of(each.kind));
    kind_->setCurrentIndex(std::max(0, kind_->findData(name_of(before.kind))));
    form_->addField(tr("&Node"), kind_, tr("What the blocks are read from"));
    url_ = form_->addLine(tr("&URL"), "nodeUrl", before.url, {},
                          tr("The node's URL, without a user name or password"));
    folder_ = form_->addPath(tr("&Folder"), "nodeFolder", before.folder, true,
                             tr("The database of the indexer"));
}

void NodeDialog::addBlocks(const NodeChoice& before) {
    first_ = form_->addHeight(tr("First &block"), "nodeFirst", before.from, {},
                              tr("Height of the first block to open"));
    last_ = form_->addHeight(tr("L&ast block"), "nodeLast", before.to, {},
                             tr("Height of the last block to open"));
    follow_ = new QCheckBox(tr("Follow the t&ip: add new blocks as they come"), this);
    follow_->setObjectName(QStringLiteral("nodeFollow"));
    follow_->setChecked(before.follow);
    form_->addRow({}, follow_);
    execute_ = new QCheckBox(tr("&Execute messages of Alkanes on the indexer's state"), this);
    execute_->setObjectName(QStringLiteral("nodeExecute"));
    execute_->setChecked(before.execute);
    form_->addRow({}, execute_);
}

void NodeDialog::addAccess(const NodeChoice& before) {
    credentials_ = form_->addPath(tr("C&redentials"), "nodeCredentials", before.credentials, false,
                                  tr("File with user:password (also a cookie file of Bitcoin Core) "
                                     "or bearer TOKEN on one line"),
                                  tr("None, or BLOCKLOOM_NODE_CREDENTIALS"));
    certificates_ = form_->addPath(tr("Cer&tificates"), "nodeCertificates", before.certificates,
                                   false, tr("File with the certificates to trust, PEM"),
                                   tr("Those that the system trusts"));
    access_ = make_access_box(before.access, this);
    access_->setObjectName(QStringLiteral("nodeAccess"));
    form_->addField(tr("&Writer"), access_,
                    tr("Whether a process writes to the folder while it is read"));
    fork_ = form_->addPath(tr("F&ork's folder"), "nodeFork", before.fork, true,
                           tr("The second folder of an indexer that runs with --fork; usually "
                              "none"));
    label_ = form_->addLine(tr("&Label"), "nodeLabel", before.label, {},
                            tr("The indexer's --label, if it has one; usually none"));
}

NodeKind NodeDialog::kind() const {
    return node_kind_named(kind_->currentData().toString());
}

void NodeDialog::showKind() {
    const bool database = ofDatabase(), indexer = database || kind() == NodeKind::indexer;
    const KindWords& words = words_of(kind());
    about_->setText(tr(words.about));
    url_->setPlaceholderText(QLatin1StringView(words.url));
    for (QWidget* field : std::initializer_list<QWidget*>{url_, credentials_, certificates_})
        form_->setShown(field, !database);
    for (QWidget* field : std::initializer_list<QWidget*>{folder_, access_, fork_, label_})
        form_->setShown(field, database);
    form_->setShown(execute_, indexer);
    first_->setPlaceholderText(database ? tr("Height") : tr("The last block of the node"));
    check();
    adjustSize();
}

/// Only what can be said without looking at the disk or the network.
void NodeDialog::check() {
    last_->setEnabled(!follow_->isChecked());
    last_->setPlaceholderText(!ofDatabase()          ? tr("The last block of the node")
                              : follow_->isChecked() ? tr("Blocks are added as they come")
                                                     : tr("Same as first"));
    QString wrong = height_problem({first_, last_->isEnabled() ? last_ : nullptr});
    const NodeChoice chosen = choice();
    if (wrong.isEmpty() && chosen.from && chosen.to && *chosen.to < *chosen.from)
        wrong = tr("Last block: expected %1 or more, found %2").arg(*chosen.from).arg(*chosen.to);
    if (wrong.isEmpty() && !ofDatabase()) wrong = url_problem(chosen.url);
    form_->setProblem(wrong);
    const bool complete =
        ofDatabase() ? !chosen.folder.isEmpty() && chosen.from : is_whole_url(chosen.url);
    if (open_ != nullptr) open_->setEnabled(wrong.isEmpty() && complete);
}

NodeChoice NodeDialog::choice() const {
    NodeChoice choice;
    choice.kind = kind();
    choice.url = url_->text().trimmed();
    choice.folder = folder_->text().trimmed();
    choice.fork = fork_->text().trimmed();
    choice.label = label_->text().trimmed();
    choice.access = access_->currentData().toString();
    choice.credentials = credentials_->text().trimmed();
    choice.certificates = certificates_->text().trimmed();
    choice.execute = execute_->isChecked();
    choice.follow = follow_->isChecked();
    choice.from = read_height(*first_).height;
    if (last_->isEnabled()) choice.to = read_height(*last_).height;
    if (ofDatabase() && !choice.to) choice.to = choice.from;
    return choice;
}

NodeChoice last_node(const QSettings& settings) {
    const auto text = [&](const char* name) {
        return settings.value(QLatin1StringView("node/") + QLatin1StringView(name)).toString();
    };
    NodeChoice choice;
    choice.kind = node_kind_named(text("kind"));
    if (is_whole_url(text("url"))) choice.url = text("url");
    choice.folder = text("folder");
    choice.fork = text("fork");
    choice.label = text("label");
    if (state_accesses().contains(text("access"))) choice.access = text("access");
    choice.credentials = text("credentials_file");
    choice.certificates = text("certificates_file");
    choice.execute = settings.value(QStringLiteral("node/execute"), true).toBool();
    choice.follow = settings.value(QStringLiteral("node/follow")).toBool();
    return choice;
}

void keep_last_node(QSettings& settings, const NodeChoice& choice) {
    const auto set = [&](const char* name, const QVariant& value) {
        settings.setValue(QLatin1StringView("node/") + QLatin1StringView(name), value);
    };
    set("kind", name_of(choice.kind));
    // One that is refused may have a password in it.
    if (is_whole_url(choice.url)) set("url", choice.url);
    set("folder", choice.folder);
    set("fork", choice.fork);
    set("label", choice.label);
    set("access", choice.access);
    set("credentials_file", choice.credentials);
    set("certificates_file", choice.certificates);
    set("execute", choice.execute);
    set("follow", choice.follow);
}

} // namespace blockloom::ui
