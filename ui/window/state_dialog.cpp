#include "window/state_dialog.h"

#include "look/theme_style.h"
#include "window/node_fields.h"
#include "window/place_form.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

constexpr int least_width = 560;

} // namespace

StateDialog::StateDialog(Place place, const StateChoice& before, QWidget* parent)
    : QDialog(parent), place_(place), form_(new PlaceForm(this)) {
    setObjectName(QStringLiteral("stateDialog"));
    setWindowTitle(place == Place::database ? tr("Initial state: indexer's database")
                   : place == Place::node   ? tr("Initial state: indexer's JSON-RPC")
                                            : tr("Initial state: state bundle"));
    setMinimumWidth(least_width);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* about = new QLabel(
        place == Place::database
            ? tr("The --db-path folder of metashrew (rockshrew-mono), from a running or "
                 "stopped node, or a copy of it. It is only read: nothing is changed "
                 "there, and nothing is committed.")
        : place == Place::node
            ? tr("The JSON-RPC of metashrew (rockshrew-mono), or of a gateway to one. What it "
                 "cannot answer exactly is taken as 0 and counted. Nothing is committed.")
            : tr("A file made by blockloom-cli state bundle: everything the range reads from the "
                 "state before it. Nothing is committed."),
        this);
    about->setWordWrap(true);
    set_role(about, "second");
    column->addWidget(about);
    switch (place) {
    case Place::database:
        path_ = form_->addPath(tr("&Folder"), "statePath", before.folder, true,
                               tr("The database of the indexer"));
        addHeight(before);
        addDatabase(before);
        break;
    case Place::node:
        path_ = form_->addLine(tr("&URL"), "statePath", before.url,
                               QStringLiteral("http://127.0.0.1:8080"),
                               tr("The indexer's URL, without a user name or password"));
        addHeight(before);
        credentials_ =
            form_->addPath(tr("C&redentials"), "stateCredentials", before.credentials, false,
                           tr("File with user:password or bearer TOKEN on one line"),
                           tr("None, or BLOCKLOOM_STATE_CREDENTIALS"));
        certificates_ = form_->addPath(
            tr("Cer&tificates"), "stateCertificates", before.certificates, false,
            tr("File with the certificates to trust, PEM"), tr("Those that the system trusts"));
        break;
    case Place::bundle:
        path_ =
            form_->addPath(tr("&File"), "statePath", before.bundle, false, tr("The state bundle"));
        break;
    }
    column->addLayout(form_);
    form_->problem()->setObjectName(QStringLiteral("stateProblem"));
    column->addWidget(form_->problem());
    auto* buttons = new QDialogButtonBox(this);
    use_ = new QPushButton(tr("Execute on this state"), buttons);
    use_->setObjectName(QStringLiteral("stateUse"));
    use_->setProperty("primary", true); // before the box polishes it
    use_->setDefault(true);
    buttons->addButton(use_, QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(form_, &PlaceForm::edited, this, &StateDialog::check);
    check();
}

void StateDialog::addHeight(const StateChoice& before) {
    height_ = form_->addHeight(tr("State after &block"), "stateHeight", before.height,
                               tr("The block before the range"),
                               tr("Height of the block whose resulting state is read. It must be "
                                  "the parent of the first block"));
}

void StateDialog::addDatabase(const StateChoice& before) {
    access_ = make_access_box(before.access, this);
    access_->setObjectName(QStringLiteral("stateAccess"));
    form_->addField(tr("&Node"), access_,
                    tr("Whether a process writes to the folder while it is read"));
    fork_ = form_->addPath(tr("F&ork's folder"), "stateFork", before.fork, true,
                           tr("The second folder of an indexer that runs with --fork; usually "
                              "none"));
    label_ = form_->addLine(tr("&Label"), "stateLabel", before.label, {},
                            tr("The indexer's --label, if it has one; usually none"));
}

/// Only what can be said without looking at the disk or the network.
void StateDialog::check() {
    const QString path = path_->text().trimmed();
    QString wrong = height_problem({height_});
    const bool url = place_ == Place::node;
    if (wrong.isEmpty() && url) wrong = url_problem(path);
    form_->setProblem(wrong);
    use_->setEnabled(wrong.isEmpty() && !path.isEmpty() && (!url || is_whole_url(path)));
}

StateChoice StateDialog::choice() const {
    StateChoice choice;
    const QString path = path_->text().trimmed();
    if (height_ != nullptr) choice.height = read_height(*height_).height;
    switch (place_) {
    case Place::bundle:
        choice.bundle = path;
        break;
    case Place::node:
        choice.url = path;
        choice.credentials = credentials_->text().trimmed();
        choice.certificates = certificates_->text().trimmed();
        break;
    case Place::database:
        choice.folder = path;
        choice.fork = fork_->text().trimmed();
        choice.label = label_->text().trimmed();
        choice.access = access_->currentData().toString();
        break;
    }
    return choice;
}

} // namespace blockloom::ui
