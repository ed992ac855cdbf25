#include "window/machine_line.h"

#include "look/elided_label.h"
#include "look/icons.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "session/backends.h"
#include "session/runs.h"
#include "text/numbers.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QWhatsThis>

namespace blockloom::ui {
namespace {

constexpr int longest_name = 56, longest_reason = 34;

/// The reason's first clause.
QString in_short(const QString& why) {
    const QString clause = why.section(QLatin1Char(';'), 0, 0).section(QStringLiteral(": "), 0, 0);
    return shortened(clause, longest_reason, 0);
}

} // namespace

MachineLine::MachineLine(QWidget* parent)
    : QWidget(parent), row_(new QHBoxLayout(this)),
      asking_(new QLabel(tr("Looking for devices…"))) {
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(16);
    auto* head = new QLabel(tr("This machine"), this);
    set_role(head, "caption");
    set_role(asking_, "second");
    row_->addWidget(head);
    row_->addWidget(asking_);
    row_->addStretch(1);
}

void MachineLine::setBackends(const std::vector<Backend>& backends) {
    asking_->hide();
    delete entries_;
    signs_.clear();
    words_.clear();
    entries_ = new QWidget(this);
    line_ = new QHBoxLayout(entries_);
    line_->setContentsMargins(0, 0, 0, 0);
    line_->setSpacing(6);
    for (const Backend& backend : backends)
        if (backend.key != QLatin1StringView("auto")) add(backend);
    row_->insertWidget(1, entries_);
    showSigns();
}

void MachineLine::add(const Backend& backend) {
    if (!signs_.isEmpty()) line_->addSpacing(12);
    const QString kind = backend.name.section(QStringLiteral(" · "), 0, 0);
    const QString words =
        backend.usable() ? backend.name : tr("%1 · %2").arg(kind, in_short(backend.why));
    auto* sign = new QLabel(entries_);
    sign->setProperty("usable", backend.usable());
    auto* label =
        new ElidedLabel(backend.usable() ? shortened(words, longest_name, 8) : words, entries_);
    label->setToolTip(backend.usable() ? backend.name + QLatin1Char('\n') + backend.details
                                       : backend.why);
    if (!backend.usable()) set_role(label, "second");
    line_->addWidget(sign);
    line_->addWidget(label);
    signs_.append(sign);
    words_.append(backend.usable() ? words : tr("%1: %2").arg(kind, backend.why));
    if (backend.usable()) return;
    auto* why = new QPushButton(tr("Why?"), entries_);
    why->setProperty("link", true);
    why->setAccessibleName(tr("Why is %1 unavailable?").arg(kind));
    why->setAccessibleDescription(backend.why);
    why->setToolTip(backend.why);
    connect(why, &QPushButton::clicked, this, [why, reason = backend.why] {
        QWhatsThis::showText(why->mapToGlobal(QPoint(0, why->height())), literal_help(reason), why);
    });
    line_->addWidget(why);
}

QString MachineLine::text() const {
    return words_.join(QLatin1Char('\n'));
}

void MachineLine::showSigns() {
    const scene::Theme& theme = current_theme();
    for (QLabel* sign : signs_) {
        const bool usable = sign->property("usable").toBool();
        sign->setPixmap(icon_pixmap(usable ? "check" : "warning", usable ? theme.ok : theme.warning,
                                    14, devicePixelRatioF()));
    }
}

void MachineLine::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) showSigns();
}

} // namespace blockloom::ui
