#include "window/status_row.h"

#include "look/elided_label.h"
#include "look/icons.h"
#include "look/theme_style.h"
#include "session/session.h"
#include "session/tip_watch.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QStyleOption>
#include <QToolButton>

#include <thread>

namespace blockloom::ui {
namespace {

constexpr int status_gap = 6, least = 90; ///< px that a cut text needs at least

} // namespace

StatusRow::StatusRow(Session* session, TipWatch* tip, QWidget* parent)
    : QStatusBar(parent), session_(session), tip_(tip), line_(new QWidget(this)),
      row_(new QHBoxLayout(line_)), message_(new ElidedLabel(line_)),
      state_icon_(new QLabel(line_)), state_(new ElidedLabel(line_)),
      selected_(new ElidedLabel(line_)), origin_(new ElidedLabel(line_)),
      policy_(new ElidedLabel(line_)), cores_icon_(new QLabel(line_)), cores_(new QLabel(line_)),
      renderer_icon_(new QLabel(line_)), renderer_(new ElidedLabel(line_)),
      version_(new QLabel(line_)), follow_(new QToolButton(line_)) {
    setSizeGripEnabled(false);
    setContentsMargins(6, 0, 6, 0);
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(status_gap);
    for (QLabel* label : {message_, state_icon_, state_, selected_, origin_, policy_})
        row_->addWidget(label);
    follow_->setObjectName(QStringLiteral("followTip"));
    follow_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    follow_->setFocusPolicy(Qt::TabFocus);
    row_->insertWidget(row_->indexOf(state_) + 1, follow_);
    row_->addStretch(1);
    for (QLabel* label : {cores_icon_, cores_, renderer_icon_, renderer_, version_})
        row_->addWidget(label);
    // A permanent widget, so that Qt does not hide and show parts of it with messages.
    addPermanentWidget(line_, 1);
    origin_->setObjectName(QStringLiteral("stateOrigin"));
    for (QLabel* label : {state_, selected_, origin_, policy_, cores_, renderer_}) {
        label->setContentsMargins(0, 0, 12, 0);
        set_role(label, "second");
    }
    message_->setAccessibleName(tr("Message"));
    set_role(version_, "caption");
    cores_->setText(
        counted(std::max(std::thread::hardware_concurrency(), 1U), tr("core"), tr("cores")));
    version_->setText(tr("Blockloom %1").arg(QStringLiteral(BLOCKLOOM_VERSION)));
    setRenderer({}, {});
    for (const auto changed : {&Session::rangeChanged, &Session::blockChanged,
                               &Session::selectionChanged, &Session::optionsChanged})
        connect(session_, changed, this, &StatusRow::showSession);
    connect(session_, &Session::busyChanged, this, &StatusRow::showSession);
    connect(tip_, &TipWatch::changed, this, &StatusRow::showFollowing);
    connect(follow_, &QToolButton::clicked, this, [this] { tip_->setFollowing(false); });
    connect(this, &QStatusBar::messageChanged, this, [this](const QString& message) {
        message_->setText(message);
        message_->setToolTip(message);
        showSession();
    });
    showSession();
}

void StatusRow::setRenderer(const QString& name, const QString& note) {
    renderer_->setText(name);
    renderer_->setToolTip(note);
    fit();
}

void StatusRow::showSession() {
    const auto range = session_->range();
    if (!range) {
        for (QLabel* label : {selected_, origin_, policy_}) label->clear();
        state_->setText(session_->busy() ? tr("Opening") : tr("Nothing open"));
        set_role(state_, "second");
        showIcons();
        return;
    }
    const QString blocks = counted(range->blocks.size(), tr("block"), tr("blocks"));
    const bool before = session_->showsBefore();
    state_->setText(
        before ? tr("%1, analysis out of date").arg(blocks)
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
    const QString origin =
        range->state.empty() ? QString() : tr("State: %1").arg(to_qt(range->state));
    origin_->setText(origin);
    origin_->setToolTip(origin);
    const QString policy = to_qt(trace::describe(session_->options().policy));
    policy_->setText(tr("Policy: %1").arg(shortened(policy, 40, 8)));
    policy_->setToolTip(policy);
    showIcons();
}

void StatusRow::showFollowing() {
    const QString words = tip_->words();
    follow_->setText(words);
    follow_->setAccessibleName(tr("%1: stop").arg(words));
    follow_->setToolTip(tr("%1\nClick to stop following the tip").arg(tip_->details()));
    fit();
}

void StatusRow::showIcons() {
    follow_->setIcon(icon("cancel"));
    const scene::Theme& theme = current_theme();
    const double ratio = devicePixelRatioF();
    const bool good = session_->range() && !session_->showsBefore();
    state_icon_->setPixmap(
        icon_pixmap(good ? "check" : "clock", good ? theme.ok : theme.text3, 14, ratio));
    cores_icon_->setPixmap(icon_pixmap("cpu", theme.text2, 14, ratio));
    renderer_icon_->setPixmap(icon_pixmap("gpu", theme.text2, 14, ratio));
    fit();
}

void StatusRow::fit() {
    if (fitting_) return;
    fitting_ = true;
    const bool message = !hasRoom();
    struct Part {
        QLabel* sign;
        QWidget* label;
        bool wanted;
    };
    // Most important first.
    const Part parts[] = {{nullptr, message_, message},
                          {state_icon_, state_, !message},
                          {nullptr, follow_, tip_->following()},
                          {nullptr, selected_, !message && session_->range() != nullptr},
                          {nullptr, origin_, !message && !origin_->text().isEmpty()},
                          {renderer_icon_, renderer_, !renderer_->text().isEmpty()},
                          {nullptr, policy_, !message && session_->range() != nullptr},
                          {cores_icon_, cores_, true},
                          {nullptr, version_, true}};
    int room = width() - contentsMargins().left() - contentsMargins().right() - 2 * status_gap;
    for (const Part& part : parts) {
        const int sign = part.sign == nullptr ? 0 : 14 + status_gap;
        const int wanted = sign + part.label->sizeHint().width() + status_gap;
        // Names may be cut if enough is left to read.
        const bool cuts = part.label == message_ || part.label == state_ ||
                          part.label == selected_ || part.label == origin_ ||
                          part.label == renderer_;
        const bool there = part.wanted && (wanted <= room || (cuts && room >= sign + least));
        part.label->setVisible(there);
        if (part.sign != nullptr)
            part.sign->setVisible(there && (part.label != state_ || session_->range() != nullptr));
        if (there) room -= std::min(wanted, room);
    }
    fitting_ = false;
}

void StatusRow::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    fit();
}

/// QStatusBar would paint its message itself, under the parts of the line.
void StatusRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QStyleOption option;
    option.initFrom(this);
    style()->drawPrimitive(QStyle::PE_PanelStatusBar, &option, &painter, this);
}

void StatusRow::changeEvent(QEvent* event) {
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showIcons();
}

} // namespace blockloom::ui
