#include "window/policy_dialog.h"

#include "look/theme_style.h"
#include "text/to_qt.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace blockloom::ui {
namespace {

QString lines(const std::vector<std::string>& patterns) {
    QStringList list;
    for (const std::string& pattern : patterns) list.append(to_qt(pattern));
    return list.join(QLatin1Char('\n'));
}

std::vector<std::string> patterns(const QString& text) {
    std::vector<std::string> list;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty()) list.push_back(line.trimmed().toStdString());
    return list;
}

} // namespace

PolicyDialog::PolicyDialog(const trace::KeyPolicy& policy, QWidget* parent)
    : QDialog(parent), ignore_(new QPlainTextEdit(lines(policy.ignore))),
      commutative_(new QPlainTextEdit(lines(policy.commutative))),
      coarsen_(new QCheckBox(tr("Treat storage, balance, nonce and code keys as their &account"))),
      touches_(new QCheckBox(tr("Do not count touching a balance without changing it as a &read "
                                "(Ethereum prestate traces)"))),
      votes_(new QCheckBox(tr("Exclude &vote tasks (Solana)"))) {
    setObjectName(QStringLiteral("policyDialog"));
    setWindowTitle(tr("Key policy"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(8);
    const auto add = [&](const QString& label, QPlainTextEdit* field, const QString& example) {
        auto* name = new QLabel(label, this);
        name->setBuddy(field);
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
        field->setFont(mono_font());
        field->setPlaceholderText(example);
        field->setTabChangesFocus(true);
        field->setMinimumSize(440, 72);
        column->addWidget(name);
        column->addWidget(field);
    };
    auto* what = new QLabel(tr("One pattern per line. * ? and [ ] match parts of a key as it is "
                               "shown; kind:NAME matches every key of a kind."),
                            this);
    set_role(what, "second");
    column->addWidget(what);
    add(tr("&Ignore: accesses to these keys are dropped"), ignore_,
        QStringLiteral("balance:0xd4e96e*"));
    add(tr("&Commutative: writes of these keys do not conflict with each other"), commutative_,
        QStringLiteral("kind:balance"));
    coarsen_->setChecked(policy.coarsen_account);
    touches_->setChecked(policy.touches_ignored);
    votes_->setChecked(policy.without_votes);
    for (QCheckBox* box : {coarsen_, touches_, votes_}) column->addWidget(box);
    auto* buttons = new QDialogButtonBox(this);
    auto* apply = new QPushButton(tr("Apply"), buttons);
    apply->setProperty("primary", true); // before the box polishes it
    apply->setDefault(true);
    buttons->addButton(apply, QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    column->addSpacing(8);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

trace::KeyPolicy PolicyDialog::policy() const {
    trace::KeyPolicy policy;
    policy.ignore = patterns(ignore_->toPlainText());
    policy.commutative = patterns(commutative_->toPlainText());
    policy.coarsen_account = coarsen_->isChecked();
    policy.touches_ignored = touches_->isChecked();
    policy.without_votes = votes_->isChecked();
    return policy;
}

} // namespace blockloom::ui
