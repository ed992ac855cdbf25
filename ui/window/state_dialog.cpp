#include "window/state_dialog.h"

#include "look/theme_style.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

constexpr int least_width = 560;

/// Nothing: there is none; false: it is none.
bool read_height(const QString& text, std::optional<quint64>& height) {
    height.reset();
    if (text.isEmpty()) return true;
    bool good = false;
    const qulonglong number = text.toULongLong(&good);
    if (!good || number > 0xffffffffU) return false;
    height = number;
    return true;
}

} // namespace

StateDialog::StateDialog(Place place, const StateChoice& before, QWidget* parent)
    : QDialog(parent), place_(place), form_(new QFormLayout), problem_(new QLabel(this)) {
    setObjectName(QStringLiteral("stateDialog"));
    const bool database = place != Place::bundle, blocks = place == Place::blocks;
    setWindowTitle(blocks     ? tr("Open blocks from an indexer's database")
                   : database ? tr("Initial state: indexer's database")
                              : tr("Initial state: state bundle"));
    setMinimumWidth(least_width);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* about = new QLabel(
        database ? tr("The --db-path folder of metashrew (rockshrew-mono), from a running or "
                      "stopped node, or a copy of it. It is only read: nothing is changed "
                      "there, and nothing is committed.")
                 : tr("A file made by blockloom-cli state bundle: all that a range reads of the "
                      "state before it. Nothing is committed."),
        this);
    about->setWordWrap(true);
    set_role(about, "second");
    column->addWidget(about);
    form_->setHorizontalSpacing(16);
    form_->setVerticalSpacing(8);
    form_->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    path_ = database
                ? addPath(tr("&Folder"), "statePath", before.folder, true,
                          tr("The database of the indexer"))
                : addPath(tr("&File"), "statePath", before.bundle, false, tr("The state bundle"));
    if (database) addDatabase(before);
    column->addLayout(form_);
    problem_->setObjectName(QStringLiteral("stateProblem"));
    problem_->setAccessibleName(tr("Problem"));
    problem_->setWordWrap(true);
    set_role(problem_, "error");
    column->addWidget(problem_);
    auto* buttons = new QDialogButtonBox(this);
    use_ = new QPushButton(blocks ? tr("Open and execute") : tr("Execute on this state"), buttons);
    use_->setObjectName(QStringLiteral("stateUse"));
    use_->setProperty("primary", true); // before the box polishes it
    use_->setDefault(true);
    buttons->addButton(use_, QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    check();
}

void StateDialog::addRow(const QString& label, QWidget* field, const QString& what) {
    auto* name = new QLabel(label, this);
    name->setBuddy(field);
    field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    field->setAccessibleDescription(what);
    field->setToolTip(what);
    form_->addRow(name, field);
}

QLineEdit* StateDialog::addPath(const QString& label, const char* name, const QString& text,
                                bool folder, const QString& what) {
    auto* line = new QWidget(this);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* path = new QLineEdit(text, line);
    path->setObjectName(QLatin1String(name));
    path->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    path->setAccessibleDescription(what);
    path->setToolTip(what);
    auto* browse = new QPushButton(tr("Choose…"), line);
    browse->setAutoDefault(false);
    browse->setAccessibleName(tr("Choose: %1").arg(path->accessibleName()));
    row->addWidget(path, 1);
    row->addWidget(browse);
    auto* words = new QLabel(label, this);
    words->setBuddy(path);
    form_->addRow(words, line);
    connect(path, &QLineEdit::textChanged, this, &StateDialog::check);
    connect(browse, &QPushButton::clicked, this, [this, path, folder] {
        auto* dialog = new QFileDialog(this, windowTitle(), path->text());
        dialog->setObjectName(QStringLiteral("statePathDialog"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
        if (folder) dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, path, &QLineEdit::setText);
        dialog->open();
    });
    return path;
}

QLineEdit* StateDialog::addHeight(const QString& label, const char* name,
                                  std::optional<quint64> height, const QString& hint,
                                  const QString& what) {
    auto* field = new QLineEdit(height ? QString::number(*height) : QString(), this);
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(hint);
    addRow(label, field, what);
    connect(field, &QLineEdit::textChanged, this, &StateDialog::check);
    return field;
}

void StateDialog::addDatabase(const StateChoice& before) {
    if (place_ == Place::blocks) {
        height_ = addHeight(tr("First &block"), "stateHeight", {}, tr("Height"),
                            tr("Height of the first block to open"));
        last_ = addHeight(tr("L&ast block"), "stateLast", {}, tr("Same as first"),
                          tr("Height of the last block to open; empty: one block"));
    } else {
        height_ = addHeight(tr("State after &block"), "stateHeight", before.height,
                            tr("The block before the range"),
                            tr("Height of the block whose resulting state is read. It must be the "
                               "parent of the first block"));
    }
    access_ = new QComboBox(this);
    access_->setObjectName(QStringLiteral("stateAccess"));
    for (const auto& [name, text] :
         {std::pair{"auto", tr("Auto: running if a local process writes to it")},
          {"stopped", tr("Stopped, or a copy: nothing writes to it")},
          {"running", tr("Running, here or on another machine")}})
        access_->addItem(text, QLatin1String(name));
    access_->setCurrentIndex(std::max(0, access_->findData(before.access)));
    addRow(tr("&Node"), access_, tr("Whether a process writes to the folder while it is read"));
    fork_ = addPath(tr("F&ork's folder"), "stateFork", before.fork, true,
                    tr("The second folder of an indexer that runs with --fork; usually none"));
    label_ = new QLineEdit(before.label, this);
    label_->setObjectName(QStringLiteral("stateLabel"));
    addRow(tr("&Label"), label_, tr("The indexer's --label, if it has one; usually none"));
}

/// Only what can be said without looking at the disk.
void StateDialog::check() {
    if (use_ == nullptr) return; // not complete yet
    std::optional<quint64> height;
    QString wrong;
    for (const QLineEdit* field : {height_, last_})
        if (field != nullptr && !read_height(field->text().trimmed(), height))
            wrong = tr("%1: expected a height, found \"%2\"")
                        .arg(field->accessibleName(), field->text());
    if (wrong.isEmpty() && from() && to() && *to() < *from())
        wrong = tr("Last block: expected %1 or more, found %2").arg(*from()).arg(*to());
    problem_->setText(wrong);
    const bool complete = place_ != Place::blocks || from().has_value();
    use_->setEnabled(wrong.isEmpty() && complete && !path_->text().trimmed().isEmpty());
}

StateChoice StateDialog::choice() const {
    StateChoice choice;
    const QString path = path_->text().trimmed();
    if (place_ == Place::bundle) {
        choice.bundle = path;
        return choice;
    }
    choice.folder = path;
    choice.fork = fork_->text().trimmed();
    choice.label = label_->text().trimmed();
    choice.access = access_->currentData().toString();
    if (place_ == Place::database) (void)read_height(height_->text().trimmed(), choice.height);
    return choice;
}

std::optional<quint64> StateDialog::from() const {
    std::optional<quint64> height;
    if (place_ == Place::blocks) (void)read_height(height_->text().trimmed(), height);
    return height;
}

std::optional<quint64> StateDialog::to() const {
    std::optional<quint64> height;
    if (place_ != Place::blocks) return height;
    (void)read_height(last_->text().trimmed(), height);
    return height ? height : from();
}

} // namespace blockloom::ui
