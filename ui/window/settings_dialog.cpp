#include "window/settings_dialog.h"

#include "compute/settings.h"
#include "look/icons.h"
#include "look/plain_text.h"
#include "session/backends.h"
#include "session/runs.h"
#include "text/to_qt.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <array>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr int field_width = 280;

/// A number in the largest of these units that leaves it whole.
QString scaled(quint64 value, std::initializer_list<std::pair<quint64, const char*>> units) {
    for (const auto& [factor, name] : units)
        if (value % factor == 0) return QString::number(value / factor) + QLatin1StringView(name);
    return QString::number(value);
}

QString bytes_text(quint64 bytes) {
    return scaled(bytes, {{1ULL << 30, "G"}, {1ULL << 20, "M"}, {1ULL << 10, "K"}});
}

QString time_text_of(Nanoseconds time) {
    const auto ms = static_cast<quint64>(time / 1'000'000);
    return scaled(ms, {{1000, "s"}, {1, "ms"}});
}

/// The variable that overrides the file; empty: none.
QString overruled_by(const char* name) {
    const QByteArray variable = QByteArray("BLOCKLOOM_") + QByteArray(name).toUpper();
    const QByteArray value = qgetenv(variable.constData());
    if (value.isEmpty()) return {};
    return SettingsDialog::tr("Overridden by %1=%2 in the environment")
        .arg(QString::fromLatin1(variable), QString::fromLocal8Bit(value));
}

/// Why runs cannot be kept there; empty: they probably can.
QString folder_problem(const QString& folder) {
    if (folder.isEmpty()) return {};
    const QFileInfo info(folder);
    if (!info.isAbsolute())
        return SettingsDialog::tr("Workspace: expected an absolute path, found \"%1\"").arg(folder);
    if (info.exists() && !info.isDir())
        return SettingsDialog::tr("Workspace: %1 is a file, expected a folder").arg(folder);
    if (info.exists() && !info.isWritable())
        return SettingsDialog::tr("Workspace: %1 cannot be written to").arg(folder);
    return {};
}

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    set_role(label, "heading");
    return label;
}

} // namespace

SettingsDialog::SettingsDialog(const WindowSettings& window, std::string file,
                               const std::vector<Backend>& backends, QWidget* parent)
    : QDialog(parent), file_(std::move(file)), form_(new QFormLayout), theme_(new QComboBox(this)),
      backend_(new QComboBox(this)), restore_(new QCheckBox(tr("Restore the &last session"), this)),
      validation_(new QCheckBox(tr("&Validate every Vulkan call (slow)"), this)),
      workspace_(new QLineEdit(this)), problem_icon_(new QLabel(this)), problem_(new QLabel(this)) {
    setObjectName(QStringLiteral("settingsDialog"));
    setWindowTitle(tr("Settings"));
    setMinimumWidth(600);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    form_->setHorizontalSpacing(16);
    form_->setVerticalSpacing(8);
    form_->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    form_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addWindow(window);
    addDevices(backends);
    column->addLayout(form_);

    auto* wrong = new QHBoxLayout;
    wrong->setSpacing(8);
    problem_icon_->setFixedSize(16, 16);
    problem_->setWordWrap(true);
    problem_->setAccessibleName(tr("Problem"));
    problem_->setMinimumHeight(32);
    wrong->addWidget(problem_icon_, 0, Qt::AlignTop);
    wrong->addWidget(problem_, 1, Qt::AlignTop);
    column->addLayout(wrong);

    auto* buttons = new QDialogButtonBox(this);
    apply_ = new QPushButton(tr("Apply"), buttons);
    apply_->setProperty("primary", true); // before the box polishes it
    apply_->setDefault(true);
    buttons->addButton(apply_, QDialogButtonBox::AcceptRole);
    buttons->addButton(QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(workspace_, &QLineEdit::textChanged, this, &SettingsDialog::check);
    readFile();
    check();
}

void SettingsDialog::addRow(const QString& label, QWidget* field, const QString& what) {
    auto* name = new QLabel(label, this);
    name->setBuddy(field);
    if (field->accessibleName().isEmpty())
        field->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    field->setAccessibleDescription(what);
    field->setToolTip(what);
    form_->addRow(name, field);
}

void SettingsDialog::addWindow(const WindowSettings& window) {
    form_->addRow(heading(tr("Window")));
    for (const auto& [choice, name] : {std::pair{ThemeChoice::system, tr("Follow the system")},
                                       {ThemeChoice::dark, tr("Dark")},
                                       {ThemeChoice::light, tr("Light")}})
        theme_->addItem(name, name_of(choice));
    theme_->setCurrentIndex(theme_->findData(name_of(window.theme)));
    theme_->setObjectName(QStringLiteral("settingTheme"));
    addRow(tr("&Theme"), theme_, tr("Dark or light"));
    restore_->setChecked(window.restore);
    restore_->setObjectName(QStringLiteral("settingRestore"));
    addRow(tr("On start-up"), restore_, tr("Otherwise the start page is shown"));

    auto* place = new QWidget(this);
    auto* row = new QHBoxLayout(place);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    workspace_->setText(window.workspace);
    workspace_->setObjectName(QStringLiteral("settingWorkspace"));
    workspace_->setPlaceholderText(tr("Default folder"));
    const QString what = tr("Folder for the runs of ranges that were opened without a workspace. "
                            "It is created when the first run is kept");
    workspace_->setAccessibleName(tr("Workspace of runs"));
    workspace_->setAccessibleDescription(what);
    workspace_->setToolTip(what);
    auto* choose = new QPushButton(tr("Choose…"), place);
    choose->setAccessibleName(tr("Choose the workspace of runs"));
    connect(choose, &QPushButton::clicked, this, &SettingsDialog::askFolder);
    row->addWidget(workspace_, 1);
    row->addWidget(choose);
    auto* name = new QLabel(tr("&Workspace of runs"), this);
    name->setBuddy(workspace_);
    form_->addRow(name, place);
}

void SettingsDialog::addDevices(const std::vector<Backend>& backends) {
    form_->addRow(heading(tr("Runs on devices")));
    auto* where = new QLabel(this);
    set_role(where, "caption");
    where->setWordWrap(true);
    show_sentence(*where, tr("Stored in %1, which blockloom-cli reads, too").arg(to_qt(file_)));
    where->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form_->addRow(where);
    addBackends(backends);
    addLine("batch_min", tr("Batch m&in"), tr("4 (set by the strategy)"),
            tr("In messages. Smaller block windows run in block order on the CPU"));
    addLine("batch_size", tr("Batch m&ax"), tr("0 (set by the device)"),
            tr("Messages per batch; 0: set by the device"));
    addLine("memory_limit", tr("Device &memory"), tr("0 (no limit)"),
            tr("Limit for all buffers together, such as 512M or 4G; 0: no limit"));
    addLine(
        "timeout", tr("Time-&out"), tr("30s"),
        tr("Time limit per submission, such as 500ms or 10s; after that the CPU redoes the work"));
    validation_->setObjectName(QStringLiteral("setting_validation"));
    addRow(tr("For tests"), validation_,
           tr("Needs the Khronos validation layer (vulkan-validationlayers)"));
    entries_.append({"validation",
                     validation_,
                     [this] { return validation_->isChecked() ? QStringLiteral("1") : QString(); },
                     {}});
    for (const Entry& entry : std::as_const(entries_)) {
        const QString wins = overruled_by(entry.name);
        if (wins.isEmpty()) continue;
        auto* note = new QLabel(wins, this);
        set_role(note, "caption");
        int row = -1;
        QFormLayout::ItemRole role{};
        form_->getWidgetPosition(entry.field, &row, &role);
        if (row >= 0) form_->insertRow(row + 1, QString(), note);
        entry.field->setAccessibleDescription(
            QStringLiteral("%1. %2").arg(entry.field->accessibleDescription(), wins));
    }
}

void SettingsDialog::addBackends(const std::vector<Backend>& backends) {
    backend_->setObjectName(QStringLiteral("setting_backend"));
    for (const Backend& backend : backends) {
        backend_->addItem(backend.key == QLatin1StringView("auto")
                              ? tr("Auto: the fastest device, else the CPU")
                              : backend.name,
                          backend.key);
        const int at = backend_->count() - 1;
        if (backend.usable()) continue;
        backend_->setItemData(at, tr("Unavailable: %1").arg(backend.why), Qt::ToolTipRole);
        backend_->setItemData(at, backend.why, Qt::AccessibleDescriptionRole);
        if (auto* items = qobject_cast<QStandardItemModel*>(backend_->model()))
            items->item(at)->setEnabled(false);
    }
    addRow(tr("&Backend"), backend_, tr("What Auto and commands without --backend use"));
    const auto part = [this](int section) {
        const QString text =
            backend_->currentData().toString().section(QLatin1Char(':'), section, section);
        return text == QLatin1StringView("auto") ? QString() : text;
    };
    entries_.append({"backend", backend_, [part] { return part(0); }, {}});
    entries_.append({"device", backend_, [part] { return part(1); }, {}});
    connect(backend_, &QComboBox::currentIndexChanged, this, &SettingsDialog::check);
}

void SettingsDialog::addLine(const char* name, const QString& label, const QString& standard,
                             const QString& what) {
    auto* line = new QLineEdit(this);
    line->setObjectName(QStringLiteral("setting_") + QLatin1StringView(name));
    line->setPlaceholderText(standard);
    line->setMinimumWidth(field_width);
    addRow(label, line, what);
    entries_.append({name, line, [line] { return line->text().trimmed(); }, {}});
    connect(line, &QLineEdit::textChanged, this, &SettingsDialog::check);
}

/// Of the file alone: this dialog does not store environment variables.
void SettingsDialog::readFile() {
    const auto settings = compute::read_settings([](const char*) { return nullptr; }, file_);
    if (!settings) {
        unreadable_ = to_qt(settings.error().message);
        return;
    }
    const compute::Settings& s = *settings;
    const auto stated = [](const auto& setting, const QString& text) {
        return setting.source == compute::SettingSource::file ? text : QString();
    };
    QString key = to_qt(s.backend.value);
    if (s.device.value) key += QStringLiteral(":%1").arg(*s.device.value);
    int at = backend_->findData(key);
    if (at < 0) { // a device that is not here now, or any of a backend
        backend_->addItem(key, key);
        at = backend_->count() - 1;
    }
    backend_->setCurrentIndex(at);
    const auto fill = [this](const char* name, const QString& text) {
        static_cast<QLineEdit*>(field(name))->setText(text);
    };
    fill("batch_min", stated(s.batch_min, QString::number(s.batch_min.value.value_or(0))));
    fill("batch_size", stated(s.batch_size, QString::number(s.batch_size.value)));
    fill("memory_limit", stated(s.memory_limit, bytes_text(s.memory_limit.value)));
    fill("timeout", stated(s.timeout, time_text_of(s.timeout.value)));
    validation_->setChecked(s.validation.value);
    for (Entry& entry : entries_) entry.before = entry.text();
}

WindowSettings SettingsDialog::chosen() const {
    return {theme_choice_named(theme_->currentData().toString()), restore_->isChecked(),
            workspace_->text().trimmed()};
}

QWidget* SettingsDialog::field(const char* name) const {
    for (const Entry& entry : entries_)
        if (QLatin1StringView(entry.name) == QLatin1StringView(name)) return entry.field;
    return nullptr;
}

QString SettingsDialog::problem() const {
    return problem_->text();
}

void SettingsDialog::check() {
    QString wrong =
        unreadable_.isEmpty()
            ? QString()
            : tr("%1. Fix this line first; until then no run can open its device").arg(unreadable_);
    if (wrong.isEmpty()) wrong = folder_problem(workspace_->text().trimmed());
    for (const Entry& entry : std::as_const(entries_)) {
        const QString text = entry.text();
        if (!wrong.isEmpty() || text.isEmpty()) continue;
        const Status good = compute::check_setting(entry.name, text.toStdString());
        if (good) continue;
        wrong = to_qt(good.error().message);
        wrong.replace(0, static_cast<qsizetype>(qstrlen(entry.name)),
                      entry.field->accessibleName());
    }
    show_sentence(*problem_, wrong);
    set_role(problem_, "error");
    problem_icon_->setPixmap(
        wrong.isEmpty() ? QPixmap()
                        : icon_pixmap("error", current_theme().error, 16, devicePixelRatioF()));
    apply_->setEnabled(wrong.isEmpty());
    apply_->setToolTip(wrong);
}

void SettingsDialog::apply() {
    if (!apply_->isEnabled()) return;
    std::vector<compute::SettingChange> changes;
    for (const Entry& entry : std::as_const(entries_)) {
        const QString text = entry.text();
        if (text == entry.before) continue;
        changes.push_back({entry.name, text.isEmpty() ? std::optional<std::string>()
                                                      : std::optional(text.toStdString())});
    }
    if (!changes.empty())
        if (const Status written = compute::change_settings(file_, changes); !written) {
            show_sentence(*problem_, to_qt(written.error().message));
            problem_icon_->setPixmap(
                icon_pixmap("error", current_theme().error, 16, devicePixelRatioF()));
            return; // nothing was changed; what was typed stays
        }
    Q_EMIT applied();
    accept();
}

QString take_limits(Runs& runs) {
    const auto settings = compute::read_settings();
    if (!settings) return to_qt(settings.error().message);
    RunLimits limits = runs.limits();
    limits.batch_min = settings->batch_min.value.value_or(RunLimits().batch_min);
    limits.batch_max = settings->batch_size.value;
    runs.setLimits(limits);
    return {};
}

void SettingsDialog::askFolder() {
    auto* dialog = new QFileDialog(this, tr("Workspace of runs"), workspace_->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, workspace_, &QLineEdit::setText);
    dialog->open();
}

} // namespace blockloom::ui
