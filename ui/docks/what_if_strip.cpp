#include "docks/what_if_strip.h"

#include "canvas/panel_bar.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "session/rules.h"
#include "session/what_ifs.h"
#include "text/numbers.h"
#include "text/run_names.h"
#include "text/to_qt.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <array>

namespace blockloom::ui {
namespace {

struct Choice {
    const char* name;
    schedule::Relaxation how;
    std::uint32_t parts;
};
using schedule::Relaxation;
constexpr std::array choices{
    Choice{QT_TRANSLATE_NOOP("WhatIf", "predicted"), Relaxation::predicted, 2},
    Choice{QT_TRANSLATE_NOOP("WhatIf", "commutative"), Relaxation::commutative, 2},
    Choice{QT_TRANSLATE_NOOP("WhatIf", "split in 2"), Relaxation::split, 2},
    Choice{QT_TRANSLATE_NOOP("WhatIf", "split in 4"), Relaxation::split, 4},
    Choice{QT_TRANSLATE_NOOP("WhatIf", "split in 16"), Relaxation::split, 16},
    Choice{QT_TRANSLATE_NOOP("WhatIf", "ignored"), Relaxation::ignore, 2},
    Choice{QT_TRANSLATE_NOOP("WhatIf", "as it is"), Relaxation::ignore, 0}};

constexpr int most_workers = 1024;

} // namespace

WhatIfStrip::WhatIfStrip(WhatIfs* what_ifs, QWidget* parent)
    : QWidget(parent), what_ifs_(what_ifs), bar_(new PanelBar(this)), how_(new QComboBox(bar_)),
      workers_(new QSpinBox(bar_)), verify_(new QPushButton(tr("Verify by replay"), bar_)),
      words_(new QLabel(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (const Choice& choice : choices)
        how_->addItem(QCoreApplication::translate("WhatIf", choice.name));
    how_->setObjectName(QStringLiteral("whatIfHow"));
    workers_->setObjectName(QStringLiteral("whatIfWorkers"));
    workers_->setRange(1, most_workers);
    workers_->setKeyboardTracking(false);
    workers_->setFixedWidth(56);
    verify_->setObjectName(QStringLiteral("whatIfVerify"));
    bar_->addCaptioned(tr("What if the key is"), how_);
    bar_->addCaptioned(tr("Workers"), workers_);
    bar_->addStretch();
    bar_->add(verify_);
    words_->setObjectName(QStringLiteral("whatIfWords"));
    words_->setAccessibleName(tr("What the change would gain"));
    words_->setWordWrap(true);
    words_->setContentsMargins(8, 4, 8, 6);
    words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words_->setFocusPolicy(Qt::NoFocus);
    column->addWidget(bar_);
    column->addWidget(words_);
    connect(how_, &QComboBox::activated, this, &WhatIfStrip::ask);
    connect(workers_, &QSpinBox::valueChanged, this, &WhatIfStrip::ask);
    connect(verify_, &QPushButton::clicked, this, [this] { what_ifs_->replay(plan()); });
    connect(what_ifs_, &WhatIfs::changed, this, [this] {
        showWorkers();
        if (what_ifs_->base() && !what_ifs_->answer() && !what_ifs_->busy())
            ask();
        else
            showAll();
    });
    connect(what_ifs_, &WhatIfs::answered, this, &WhatIfStrip::showAll);
    connect(what_ifs_, &WhatIfs::replayed, this, &WhatIfStrip::showAll);
    showWorkers();
    ask();
}

void WhatIfStrip::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    what_ifs_->want();
}

QString WhatIfStrip::words() const {
    return words_->text();
}

void WhatIfStrip::setKey(const QString& printable) {
    if (printable == key_) return;
    key_ = printable;
    ask();
}

runs::WhatIfPlan WhatIfStrip::plan() const {
    runs::WhatIfPlan plan;
    const Choice& choice = choices[static_cast<std::size_t>(std::max(0, how_->currentIndex()))];
    if (!key_.isEmpty() && choice.parts != 0)
        plan.keys = {{glob_of(key_.toStdString()), choice.how, choice.parts}};
    const auto base = what_ifs_->base();
    const auto workers = static_cast<unsigned>(workers_->value());
    if (base && workers != base->work.workers) plan.workers = workers;
    return plan;
}

void WhatIfStrip::showWorkers() {
    const auto base = what_ifs_->base();
    if (!base || property("run").toString() == to_qt(base->run.id)) return;
    const QSignalBlocker quiet(workers_);
    workers_->setValue(static_cast<int>(base->work.workers));
    setProperty("run", to_qt(base->run.id));
}

void WhatIfStrip::ask() {
    what_ifs_->ask(plan());
    showAll();
}

void WhatIfStrip::showAll() {
    const auto base = what_ifs_->base();
    const bool has_base = base != nullptr;
    how_->setEnabled(has_base && !key_.isEmpty());
    workers_->setEnabled(has_base);
    const runs::WhatIfPlan asked = plan();
    const QString why_not =
        asked.changes_nothing() ? tr("Nothing is changed") : what_ifs_->whyNotReplay(asked);
    verify_->setEnabled(why_not.isEmpty());
    verify_->setToolTip(
        why_not.isEmpty()
            ? tr("Replays the run as planned %1 times and shows the measured time beside the "
                 "predicted one; the new run is kept")
                  .arg(WhatIfs::repetitions)
            : tr("Cannot be replayed: %1").arg(why_not));
    QString words;
    const auto answer = what_ifs_->answer();
    if (!has_base) {
        words = what_ifs_->busy() ? tr("Reading the run…")
                : what_ifs_->why().isEmpty()
                    ? tr("What-ifs re-schedule a kept run: run this range first (Ctrl+Return).")
                    : tr("No what-if: %1.").arg(what_ifs_->why());
    } else if (key_.isEmpty() && asked.changes_nothing()) {
        words = tr("Select a key to see what relaxing it would gain.");
    } else if (!answer || text_of(answer->plan) != text_of(asked)) {
        words = tr("Re-scheduling…");
    } else if (!answer->result) {
        words = tr("No what-if: %1.").arg(answer->error);
    } else {
        const runs::WhatIf& result = *answer->result;
        Nanoseconds before = 0, after = 0;
        for (const runs::WhatIfWindow& window : result.windows)
            before += window.span_before, after += window.span;
        words = tr("%1 → %2 predicted, %3; executions %4 → %5; critical path %6 → %7.")
                    .arg(time_text(result.before), time_text(result.predicted),
                         ratio_text(result.gain()), time_text(result.execute_before),
                         time_text(result.execute), time_text(before), time_text(after));
        if (const WhatIfMeasured* replay = what_ifs_->measured(asked))
            words += tr(" Replay: %1; executions %2.")
                         .arg(to_qt(text_of(replay->wall)), to_qt(text_of(replay->execute)));
        else
            words += tr(" Of %1.").arg(run_title(base->run));
        QString tip;
        for (const std::string& line : result.assumptions)
            tip += to_qt(line) + QStringLiteral(".\n");
        words_->setToolTip(tip.trimmed());
    }
    words_->setText(words);
}

} // namespace blockloom::ui
