#include "window/place_form.h"

#include "look/theme_style.h"

#include <QDialog>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace blockloom::ui {
namespace {

constexpr qulonglong most_height = 0xffffffffU;

} // namespace

HeightText read_height(const QLineEdit& field) {
    const QString text = field.text().trimmed();
    if (text.isEmpty()) return {};
    bool good = false;
    const qulonglong number = text.toULongLong(&good);
    if (!good || number > most_height) return {{}, true};
    return {number, false};
}

QString height_problem(std::initializer_list<const QLineEdit*> fields) {
    for (const QLineEdit* field : fields)
        if (field != nullptr && read_height(*field).wrong)
            return PlaceForm::tr("%1: expected a height, found \"%2\"")
                .arg(field->accessibleName(), field->text());
    return {};
}

PlaceForm::PlaceForm(QDialog* dialog) : dialog_(dialog), problem_(new QLabel(dialog)) {
    setHorizontalSpacing(16);
    setVerticalSpacing(8);
    setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    problem_->setAccessibleName(tr("Problem"));
    problem_->setWordWrap(true);
    set_role(problem_, "error");
}

void PlaceForm::addField(const QString& label, QWidget* field, const QString& what) {
    auto* name = new QLabel(label, dialog_);
    name->setBuddy(field);
    field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    field->setAccessibleDescription(what);
    field->setToolTip(what);
    addRow(name, field);
}

QLineEdit* PlaceForm::addLine(const QString& label, const char* name, const QString& text,
                              const QString& hint, const QString& what) {
    auto* field = new QLineEdit(text, dialog_);
    field->setObjectName(QLatin1StringView(name));
    field->setPlaceholderText(hint);
    addField(label, field, what);
    connect(field, &QLineEdit::textChanged, this, &PlaceForm::edited);
    return field;
}

QLineEdit* PlaceForm::addHeight(const QString& label, const char* name,
                                std::optional<quint64> height, const QString& hint,
                                const QString& what) {
    return addLine(label, name, height ? QString::number(*height) : QString(), hint, what);
}

QLineEdit* PlaceForm::addPath(const QString& label, const char* name, const QString& text,
                              bool folder, const QString& what, const QString& hint) {
    auto* line = new QWidget(dialog_);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* path = new QLineEdit(text, line);
    path->setObjectName(QLatin1StringView(name));
    path->setPlaceholderText(hint);
    path->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    path->setAccessibleDescription(what);
    path->setToolTip(what);
    auto* browse = new QPushButton(tr("Choose…"), line);
    browse->setAutoDefault(false);
    browse->setAccessibleName(tr("Choose: %1").arg(path->accessibleName()));
    row->addWidget(path, 1);
    row->addWidget(browse);
    auto* words = new QLabel(label, dialog_);
    words->setBuddy(path);
    addRow(words, line);
    connect(path, &QLineEdit::textChanged, this, &PlaceForm::edited);
    connect(browse, &QPushButton::clicked, this, [this, path, folder] {
        auto* dialog = new QFileDialog(dialog_, dialog_->windowTitle(), path->text());
        dialog->setObjectName(QStringLiteral("statePathDialog"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(folder ? QFileDialog::Directory : QFileDialog::ExistingFile);
        if (folder) dialog->setOption(QFileDialog::ShowDirsOnly);
        connect(dialog, &QFileDialog::fileSelected, path, &QLineEdit::setText);
        dialog->open();
    });
    return path;
}

void PlaceForm::setShown(QWidget* field, bool shown) {
    // A path stands in its row beside a button.
    QWidget* const in_row = indexOf(field) < 0 ? field->parentWidget() : field;
    setRowVisible(in_row, shown);
}

void PlaceForm::setProblem(const QString& problem) {
    problem_->setText(problem);
}

} // namespace blockloom::ui
