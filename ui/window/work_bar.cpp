#include "window/work_bar.h"

#include "look/fitting_label.h"
#include "look/icons.h"
#include "look/theme_style.h"
#include "session/runs.h"
#include "session/session.h"
#include "text/numbers.h"

#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <QToolButton>

namespace blockloom::ui {
namespace {

constexpr int least_phase = 60; // px
constexpr int widest_idle = 226, widest_busy = 460;

void show_done(QProgressBar* bar, bool done) {
    if (bar->property("done") == QVariant(done)) return;
    bar->setProperty("done", done);
    bar->style()->unpolish(bar);
    bar->style()->polish(bar);
}

/// What is running, how much of it is done and how fast, longest first: where there is no room for
/// all, the count is what stays.
QStringList progress_forms(const QString& phase, const WorkProgress& work,
                           const std::optional<double>& per_second) {
    const QString dot = QString::fromUtf8(" · "), short_phase = phase.section(dot, 0, 0);
    if (work.total == 0) return {phase, short_phase};
    const QString share = percent_text(static_cast<double>(work.done) /
                                       static_cast<double>(work.total)),
                  count =
                      WorkBar::tr("%1 of %2").arg(count_text(work.done), count_text(work.total)),
                  both = QStringLiteral("%1 (%2)").arg(count, share);
    QStringList forms;
    if (per_second)
        forms.append(phase + dot + both + dot +
                     WorkBar::tr("%1 per second").arg(significant_text(*per_second)));
    forms += {phase + dot + both,
              short_phase + dot + both,
              short_phase + dot + count,
              both,
              count,
              share};
    return forms;
}

} // namespace

WorkBar::WorkBar(Session* session, Runs* runs, QWidget* parent)
    : QWidget(parent), session_(session), runs_(runs), phase_(new FittingLabel(this)),
      rest_(new QLabel(this)), bar_(new QProgressBar(this)), pause_(new QToolButton(this)),
      cancel_(new QPushButton(icon("cancel"), tr("Cancel"), this)) {
    set_role(phase_, "second");
    set_role(rest_, "second");
    bar_->setTextVisible(false);
    bar_->setAccessibleName(tr("Progress"));
    cancel_->setToolTip(tr("Cancel the work in progress (Ctrl+.)"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    grid->addWidget(phase_, 0, 0);
    grid->addWidget(rest_, 0, 1, Qt::AlignRight);
    grid->addWidget(bar_, 1, 0, 1, 2);
    pause_->setObjectName(QStringLiteral("pauseWork"));
    pause_->setProperty("framed", true);
    pause_->setFixedSize(28, 26);
    pause_->setFocusPolicy(Qt::TabFocus);
    grid->addWidget(pause_, 0, 2, 2, 1, Qt::AlignVCenter);
    grid->addWidget(cancel_, 0, 3, 2, 1, Qt::AlignVCenter);
    phase_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // the bar stays in place
    phase_->setAlignment(Qt::AlignLeft);
    grid->setColumnMinimumWidth(0, least_phase);
    grid->setColumnStretch(0, 1); // a button is as wide as its word
    connect(cancel_, &QPushButton::clicked, session_, &Session::cancel);
    connect(session_, &Session::busyChanged, this, &WorkBar::showWork);
    connect(session_, &Session::progressChanged, this, &WorkBar::showWork);
    connect(session_, &Session::rangeChanged, this, &WorkBar::showWork);
    connect(pause_, &QToolButton::clicked, runs_,
            [this] { runs_->setPaused(!runs_->pauseAsked()); });
    connect(runs_, &Runs::liveChanged, this, &WorkBar::showPause);
    showWork();
    showPause();
}

/// In a narrow place the time left yields: the words of the buttons are whole.
void WorkBar::fitRest() {
    int buttons = 0;
    for (const QWidget* button : std::initializer_list<const QWidget*>{pause_, cancel_})
        if (!button->isHidden()) buttons += button->sizeHint().width() + 8;
    rest_->setVisible(width() >= least_phase + 8 + rest_->sizeHint().width() + buttons);
}

void WorkBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitRest();
}

void WorkBar::showPause() {
    const bool asked = runs_->pauseAsked();
    pause_->setVisible(runs_->running());
    fitRest();
    pause_->setIcon(icon(asked ? "run" : "pause"));
    pause_->setAccessibleName(asked ? tr("Resume the run") : tr("Pause the run"));
    pause_->setToolTip(asked ? tr("Resume the run (F9)")
                             : tr("Pause the run between two tasks (F9)"));
}

QString WorkBar::text() const {
    return phase_->fullText() + QLatin1Char(' ') + rest_->text();
}

void WorkBar::showWork() {
    const bool busy = session_->busy();
    cancel_->setVisible(busy);
    setMaximumWidth(busy ? widest_busy : widest_idle);
    cancel_->setEnabled(busy);
    if (!busy) {
        pace_ = {};
        const bool there = session_->range() != nullptr;
        phase_->setTexts({!there                    ? QString()
                          : session_->showsBefore() ? tr("Analysis is out of date")
                                                    : tr("Analysis up to date")});
        rest_->setText(there ? time_text(session_->analysisNs()) : QString());
        rest_->setToolTip(there ? session_->analysisWords() : QString());
        bar_->setRange(0, 1);
        bar_->setValue(there && !session_->showsBefore() ? 1 : 0);
        bar_->setVisible(there);
        show_done(bar_, true);
        fitRest();
        return;
    }
    const WorkProgress& work = session_->progress();
    QString phase = work.phase.isEmpty() ? tr("starting") : work.phase;
    phase[0] = phase[0].toUpper();
    const auto pace = pace_.follow({work.phase.toStdString(), work.done, work.total}, now_ns());
    const QStringList forms = progress_forms(phase, work, pace.per_second);
    phase = forms.front();
    phase_->setTexts(forms);
    rest_->setToolTip(tr("Share of all work, including repetitions and verification"));
    rest_->setText(work.remainingNs >= 0 ? tr("%1 left").arg(time_text(work.remainingNs))
                                         : QString());
    bar_->setVisible(true);
    show_done(bar_, false);
    // Qt counts in int; sizes in bytes do not fit.
    bar_->setRange(0, work.total > 0 ? 1000 : 0);
    if (work.total > 0)
        bar_->setValue(static_cast<int>(1000.0 * static_cast<double>(work.done) /
                                        static_cast<double>(work.total)));
    bar_->setToolTip(phase);
    bar_->setAccessibleDescription(phase);
    fitRest();
}

} // namespace blockloom::ui
