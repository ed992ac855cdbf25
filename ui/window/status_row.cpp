#include "window/status_row.h"

#include "look/icons.h"
#include "look/theme_style.h"
#include "session/session.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QEvent>
#include <QLabel>

#include <thread>

namespace blockloom::ui {

StatusRow::StatusRow(Session* session, QWidget* parent)
    : QStatusBar(parent), session_(session), state_icon_(new QLabel(this)),
      state_(new QLabel(this)), selected_(new QLabel(this)), policy_(new QLabel(this)),
      cores_icon_(new QLabel(this)), cores_(new QLabel(this)), renderer_icon_(new QLabel(this)),
      renderer_(new QLabel(this)), version_(new QLabel(this)) {
    setSizeGripEnabled(false);
    setContentsMargins(6, 0, 6, 0);
    for (QLabel* label : {state_icon_, state_, selected_, policy_}) addWidget(label);
    for (QLabel* label : {cores_icon_, cores_, renderer_icon_, renderer_, version_})
        addPermanentWidget(label);
    for (QLabel* label : {state_, selected_, policy_, cores_, renderer_}) {
        label->setContentsMargins(0, 0, 16, 0);
        set_role(label, "second");
    }
    set_role(version_, "caption");
    cores_->setText(
        counted(std::max(std::thread::hardware_concurrency(), 1U), tr("core"), tr("cores")));
    version_->setText(tr("Blockloom %1").arg(QStringLiteral(BLOCKLOOM_VERSION)));
    setRenderer({}, {});
    for (const auto changed : {&Session::rangeChanged, &Session::blockChanged,
                               &Session::selectionChanged, &Session::optionsChanged})
        connect(session_, changed, this, &StatusRow::showSession);
    connect(session_, &Session::busyChanged, this, &StatusRow::showSession);
    connect(this, &QStatusBar::messageChanged, this, [this] {
        if (hasRoom()) showSession();
    });
    // Names of others are in these: they make room before the window grows.
    for (QLabel* label : {selected_, policy_}) label->setMinimumWidth(80);
    showSession();
    showIcons();
}

void StatusRow::setRenderer(const QString& name, const QString& note) {
    renderer_->setText(name);
    renderer_->setToolTip(note);
    renderer_->setVisible(!name.isEmpty());
    renderer_icon_->setVisible(!name.isEmpty());
}

void StatusRow::showSession() {
    const auto range = session_->range();
    for (QLabel* label : {selected_, policy_}) label->setVisible(range && hasRoom());
    if (!range) {
        state_->setText(session_->busy() ? tr("Opening") : tr("Nothing open"));
        set_role(state_, "second");
        showIcons();
        return;
    }
    const QString blocks = counted(range->blocks.size(), tr("block"), tr("blocks"));
    const bool before = session_->showsBefore();
    state_->setText(
        before ? tr("%1, analysed before the change").arg(blocks)
               : tr("%1 %2 in %3")
                     .arg(blocks, session_->analysisWords(), time_text(session_->analysisNs())));
    if (!range->left_out.empty())
        state_->setText(
            tr("%1, %2 left out").arg(state_->text(), count_text(range->left_out.size())));
    set_role(state_, before ? "second" : "ok");

    const auto task = session_->selectedTask();
    const auto block = session_->currentBlock();
    QStringList parts;
    if (task && block && *task < block->analysis.index->tasks())
        parts.append(tr("Task #%1 selected")
                         .arg(count_text(block->analysis.index->trace->task_in_block(*task))));
    if (const auto key = session_->selectedKey(); key && block) {
        const auto names = block->analysis.index->trace->keys;
        parts.append(tr("Key %1 selected")
                         .arg(names ? short_key(to_qt(names->printable(*key))) : count_text(*key)));
    }
    const QString selected =
        parts.isEmpty() ? tr("Nothing selected") : parts.join(QStringLiteral(" · "));
    selected_->setText(selected);
    selected_->setToolTip(selected);
    const QString policy = to_qt(trace::describe(session_->options().policy));
    policy_->setText(tr("Policy: %1").arg(shortened(policy, 40, 8)));
    policy_->setToolTip(policy);
    showIcons();
}

void StatusRow::showIcons() {
    const scene::Theme& theme = current_theme();
    const double ratio = devicePixelRatioF();
    const bool good = session_->range() && !session_->showsBefore();
    state_icon_->setVisible(session_->range() && hasRoom());
    state_icon_->setPixmap(
        icon_pixmap(good ? "check" : "clock", good ? theme.ok : theme.text3, 14, ratio));
    cores_icon_->setPixmap(icon_pixmap("cpu", theme.text2, 14, ratio));
    renderer_icon_->setPixmap(icon_pixmap("gpu", theme.text2, 14, ratio));
}

void StatusRow::changeEvent(QEvent* event) {
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showIcons();
}

} // namespace blockloom::ui
