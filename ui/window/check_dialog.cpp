#include "window/check_dialog.h"

#include "look/table.h"
#include "look/theme_style.h"
#include "models/check_model.h"
#include "session/node_checks.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace blockloom::ui {

CheckDialog::CheckDialog(Session* session, NodeChecks* checks, QWidget* parent)
    : QDialog(parent), session_(session), checks_(checks), model_(new CheckModel(this)),
      rows_(new CheckRows(this)), table_(new Table(tr("Differences"), this)),
      summary_(new QLabel(this)), left_out_(new QLabel(this)), kept_(new QLabel(this)),
      shown_(new QLabel(this)), field_(new QComboBox(this)), block_(new QComboBox(this)),
      text_(new QLineEdit(this)) {
    setObjectName(QStringLiteral("checkDialog"));
    setWindowTitle(tr("Compared with the node"));
    resize(1040, 560);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    summary_->setObjectName(QStringLiteral("checkSummary"));
    for (QLabel* label : {summary_, left_out_, kept_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        column->addWidget(label);
    }
    set_role(left_out_, "second");
    left_out_->setObjectName(QStringLiteral("checkNotCompared"));
    set_role(kept_, "second");
    kept_->setObjectName(QStringLiteral("checkKept"));

    auto* filters = new QHBoxLayout;
    filters->setSpacing(8);
    field_->setObjectName(QStringLiteral("checkField"));
    field_->setAccessibleName(tr("Field"));
    block_->setObjectName(QStringLiteral("checkBlock"));
    block_->setAccessibleName(tr("Block"));
    text_->setObjectName(QStringLiteral("checkText"));
    text_->setAccessibleName(tr("Filter"));
    text_->setPlaceholderText(tr("Filter any column (regular expression)"));
    text_->setClearButtonEnabled(true);
    set_role(shown_, "caption");
    filters->addWidget(block_);
    filters->addWidget(field_);
    filters->addWidget(text_, 1);
    filters->addWidget(shown_);
    column->addLayout(filters);

    rows_->setSourceModel(model_);
    table_->setModel(rows_);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->horizontalHeader()->setSectionResizeMode(CheckModel::Key, QHeaderView::Stretch);
    for (int section = 0; section < model_->columnCount(); ++section)
        table_->horizontalHeader()->resizeSection(section, table_->headerWidth(section));
    for (const auto& [section, width] : {std::pair{CheckModel::Block, 80},
                                         {CheckModel::Field, 90},
                                         {CheckModel::Node, 170},
                                         {CheckModel::Replay, 170}})
        table_->horizontalHeader()->resizeSection(section, width);
    column->addWidget(table_, 1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = new QPushButton(tr("Copy all"), buttons);
    copy->setAutoDefault(false);
    buttons->addButton(copy, QDialogButtonBox::ActionRole);
    column->addWidget(buttons);
    connect(copy, &QPushButton::clicked, table_, &Table::copyAll);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(field_, &QComboBox::currentIndexChanged, this, &CheckDialog::filter);
    connect(block_, &QComboBox::currentIndexChanged, this, &CheckDialog::filter);
    connect(text_, &QLineEdit::textChanged, this, &CheckDialog::filter);
    connect(table_, &Table::chosen, this, &CheckDialog::select);
    connect(checks_, &NodeChecks::changed, this, &CheckDialog::showCheck);
    showCheck();
}

void CheckDialog::showCheck() {
    const auto check = checks_->found();
    model_->setCheck(check);
    {
        const QSignalBlocker quiet_field(field_), quiet_block(block_);
        field_->clear();
        field_->addItem(tr("All fields"));
        for (const QString& name : model_->fields()) field_->addItem(name, name);
        block_->clear();
        block_->addItem(tr("All blocks"));
        if (check)
            for (const range::CheckedBlock& block : check->blocks)
                if (block.differences != 0)
                    block_->addItem(
                        tr("Block %1: %2").arg(block.height).arg(count_text(block.differences)),
                        static_cast<qulonglong>(block.height));
    }
    if (!check) {
        summary_->setText(checks_->running() ? tr("The replay is being compared with the node.")
                                             : tr("Nothing compared yet. Use Range ▸ Check."));
        left_out_->clear();
        kept_->clear();
        filter();
        return;
    }
    kept_->setText(checks_->keptWith().isEmpty()
                       ? tr("Not kept: no run has these blocks and results yet. Run them, and this "
                            "check is kept with the run.")
                       : tr("Kept with run %1.").arg(checks_->keptWith()));
    const bool differs = check->total().differences != 0;
    summary_->setText(tr("%1: %2.").arg(to_qt(check->place), to_qt(range::check_words(*check))));
    set_role(summary_, differs ? "error" : check->equal() ? "ok" : "second");
    QStringList left_out;
    for (const auto& [what, count] : check->not_compared)
        left_out.append(tr("%1 × %2").arg(count_text(count), to_qt(what)));
    left_out_->setText(left_out.isEmpty()
                           ? QString()
                           : tr("Not compared: %1.").arg(left_out.join(QStringLiteral("; "))));
    filter();
}

void CheckDialog::filter() {
    rows_->setField(field_->currentData().toString());
    const QVariant height = block_->currentData();
    rows_->setBlock(height.isValid() ? std::optional<quint64>(height.toULongLong()) : std::nullopt);
    const bool good = rows_->setFilterText(text_->text());
    text_->setToolTip(good ? QString() : tr("Not a regular expression; the filter is unchanged"));
    const auto check = checks_->found();
    const std::uint64_t all = check ? check->total().differences : 0;
    shown_->setText(
        tr("%1 of %2")
            .arg(count_text(static_cast<std::size_t>(rows_->rowCount())), count_text(all)));
}

/// Shows the task of a difference in the window.
void CheckDialog::select(const QModelIndex& index) {
    const auto range = session_->range();
    const auto check = checks_->found();
    const range::CheckDifference* const at = model_->at(rows_->mapToSource(index).row());
    if (at == nullptr || !range) return;
    for (std::size_t i = 0; i < range->blocks.size(); ++i) {
        const auto& replayed = range->blocks[i]->replayed;
        if (!replayed || replayed->execution->height != at->height) continue;
        // A check of a kept run may be of other blocks than those that are open.
        if (std::none_of(check->blocks.begin(), check->blocks.end(), [&](const auto& block) {
                return block.hash == replayed->execution->hash;
            }))
            return;
        session_->setCurrentRow(static_cast<int>(i));
        if (!at->transaction) return;
        quint32 task = 0;
        for (const auto& result : replayed->execution->transactions)
            for (const auto& record : result.records) {
                if (record.transaction == at->transaction && record.protostone == at->protostone) {
                    const auto& trace = *session_->currentBlock()->analysis.index->trace;
                    for (quint32 shown = 0; shown < trace.tasks(); ++shown)
                        if (trace.task_in_block(shown) == task) session_->selectTask(shown);
                    return;
                }
                ++task;
            }
        return;
    }
}

} // namespace blockloom::ui
