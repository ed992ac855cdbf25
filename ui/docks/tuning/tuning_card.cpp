#include "docks/tuning/tuning_card.h"

#include "look/icons.h"
#include "look/plain_text.h"
#include "look/theme_style.h"
#include "session/tunings.h"
#include "text/numbers.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace blockloom::ui {
namespace {

using runs::TuningAxis;

QFrame* rule() {
    auto* line = new QFrame;
    line->setObjectName(QStringLiteral("rule"));
    return line;
}

} // namespace

TuningCard::TuningCard(Tunings* tunings, QWidget* parent) : QWidget(parent), tunings_(tunings) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    head_ = new QWidget(this);
    // With its rule, without which the rest would look scrolled.
    auto* best = new QWidget;
    auto* above = new QVBoxLayout(head_);
    above->setContentsMargins(0, 0, 0, 0);
    above->setSpacing(0);
    above->addWidget(best);
    above->addWidget(rule());
    auto* middle = new QWidget(this);
    makeHead(best);
    makeSlider(middle);
    column->addWidget(head_);
    column->addWidget(middle);
    column->addWidget(rule());
    showSeen();
}

TuningCard::Figure TuningCard::addFigure(QGridLayout* grid, int row, int column,
                                         const QString& caption) {
    Figure made{new QLabel, new QLabel};
    auto* name = new QLabel(caption);
    set_role(name, "caption");
    set_role(made.note, "caption");
    made.value->setFont(text_font(20, true));
    made.value->setAccessibleName(caption);
    auto* box = new QVBoxLayout;
    box->setSpacing(1);
    box->addWidget(name);
    box->addWidget(made.value);
    box->addWidget(made.note);
    grid->addLayout(box, row, column);
    return made;
}

void TuningCard::makeHead(QWidget* page) {
    auto* lines = new QVBoxLayout(page);
    lines->setContentsMargins(12, 10, 12, 12);
    lines->setSpacing(8);
    heading_ = new QLabel;
    set_role(heading_, "heading");
    heading_->setObjectName(QStringLiteral("tuningHeading"));
    device_ = new QLabel;
    set_role(device_, "second");
    device_->setWordWrap(true);
    lines->addWidget(heading_);
    lines->addWidget(device_);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(10);
    batch_ = addFigure(grid, 0, 0, tr("Batch max"));
    workers_ = addFigure(grid, 0, 1, tr("Workers"));
    time_ = addFigure(grid, 1, 0, tr("Replay, wall time"));
    share_ = addFigure(grid, 1, 1, tr("Per message"));
    time_.value->setObjectName(QStringLiteral("tuningTime"));
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    lines->addLayout(grid);

    apply_ = new QPushButton;
    apply_->setObjectName(QStringLiteral("tuningApply"));
    apply_->setProperty("primary", true);
    apply_->setFixedHeight(30);
    apply_->setFocusPolicy(Qt::StrongFocus);
    lines->addWidget(apply_);
    offer_ = new QLabel;
    offer_->setObjectName(QStringLiteral("tuningKept"));
    offer_->setWordWrap(true);
    set_role(offer_, "caption");
    use_ = new QPushButton(tr("Use tuned"));
    use_->setObjectName(QStringLiteral("tuningUse"));
    use_->setAccessibleName(tr("Use tuned settings"));
    lines->addWidget(offer_);
    lines->addWidget(use_, 0, Qt::AlignLeft);
    connect(apply_, &QPushButton::clicked, this, [this] {
        if (setting_) tunings_->apply(*setting_);
    });
    connect(use_, &QPushButton::clicked, tunings_, &Tunings::useKept);
}

void TuningCard::makeSlider(QWidget* page) {
    auto* lines = new QVBoxLayout(page);
    lines->setContentsMargins(12, 10, 12, 12);
    lines->setSpacing(8);
    auto* first = new QHBoxLayout;
    auto* name = new QLabel(tr("Batch max"));
    set_role(name, "second");
    at_ = new QLabel;
    set_role(at_, "value");
    first->addWidget(name);
    first->addStretch(1);
    first->addWidget(at_);
    lines->addLayout(first);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(QStringLiteral("tuningSlider"));
    slider_->setAccessibleName(tr("Batch max"));
    slider_->setToolTip(tr("Replay time with a different Batch max, predicted at once; press "
                           "Measure below to measure it"));
    slider_->setPageStep(2);
    name->setBuddy(slider_);
    lines->addWidget(slider_);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(0, 1);
    const QString heads[] = {tr("Predicted"), tr("Measured"), tr("Error")};
    const QString names[] = {tr("Replay"), tr("Per message")};
    for (int column = 0; column < 3; ++column) {
        auto* head = new QLabel(heads[column]);
        set_role(head, "caption");
        grid->addWidget(head, 0, column + 1, Qt::AlignRight);
    }
    for (int row = 0; row < 2; ++row) {
        auto* head = new QLabel(names[row]);
        set_role(head, "second");
        grid->addWidget(head, row + 1, 0);
        for (int column = 0; column < 3; ++column) {
            QLabel*& cell = cells_[row][column];
            cell = new QLabel;
            cell->setAccessibleName(QStringLiteral("%1: %2").arg(names[row], heads[column]));
            if (column == 1) set_role(cell, "value");
            grid->addWidget(cell, row + 1, column + 1, Qt::AlignRight);
        }
    }
    cells_[0][0]->setObjectName(QStringLiteral("tuningPredicted"));
    cells_[0][1]->setObjectName(QStringLiteral("tuningMeasured"));
    lines->addLayout(grid);
    auto* last = new QHBoxLayout;
    last->setSpacing(8);
    measure_ = new QPushButton(tr("Measure"));
    measure_->setObjectName(QStringLiteral("tuningMeasure"));
    measure_->setAccessibleName(tr("Measure this batch size"));
    replays_ = new QLabel;
    replays_->setWordWrap(true);
    set_role(replays_, "caption");
    last->addWidget(measure_);
    last->addWidget(replays_, 1);
    lines->addLayout(last);

    connect(slider_, &QSlider::valueChanged, this, [this](int at) {
        if (following_ || !setting_ || at < 0 || at >= static_cast<int>(sizes_.size())) return;
        runs::TuningSetting moved = *setting_;
        moved.how.batch_max = static_cast<std::size_t>(sizes_[static_cast<std::size_t>(at)]);
        moved.how.batch_min = moved.how.batch_max == 0
                                  ? moved.how.batch_min
                                  : std::min(moved.how.batch_min, moved.how.batch_max);
        Q_EMIT settingChosen(moved);
    });
    connect(measure_, &QPushButton::clicked, this, [this] {
        if (setting_) tunings_->measure(*setting_);
    });
}

/// Powers of two, and what was swept; all at once at the end.
std::vector<std::uint64_t> TuningCard::sizes() const {
    std::vector<std::uint64_t> found;
    for (std::uint64_t size = 1; size <= 65'536; size *= 2) found.push_back(size);
    if (const auto tuned = tunings_->seen().tuning)
        for (const std::uint64_t value : runs::values_of(*tuned, TuningAxis::batch_max))
            if (value != 0) found.push_back(value);
    if (setting_ && setting_->how.batch_max != 0) found.push_back(setting_->how.batch_max);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    found.push_back(0);
    return found;
}

void TuningCard::setSetting(std::optional<runs::TuningSetting> setting) {
    setting_ = std::move(setting);
    showSeen();
}

const profile::TunedPoint* TuningCard::measured() const {
    const auto tuned = tunings_->seen().tuning;
    if (!tuned || !setting_) return nullptr;
    for (std::size_t i = 0; i < tuned->settings.size(); ++i)
        if (runs::same_setting(tuned->settings[i], *setting_))
            return tuned->tuning.points[i].samples.empty() ? nullptr : &tuned->tuning.points[i];
    return nullptr;
}

bool TuningCard::isBest() const {
    const auto tuned = tunings_->seen().tuning;
    return tuned && setting_ && !tuned->settings.empty() &&
           runs::same_setting(tuned->best(), *setting_);
}

void TuningCard::showSeen() {
    head_->setVisible(tunings_->seen().tuning || tunings_->kept());
    showFigures();
    showSlider();
    showOffer();
}

void TuningCard::showFigures() {
    const auto tuned = tunings_->seen().tuning;
    const bool there = tuned && setting_ && !tuned->settings.empty();
    const bool best = isBest();
    const profile::TunedPoint* point = measured();
    heading_->setText(!there                    ? tr("Best point")
                      : !best                   ? tr("Chosen point")
                      : tuned->tuning.measuring ? tr("Best point so far")
                                                : tr("Best point"));
    for (const Figure& figure : {batch_, workers_, time_, share_}) {
        figure.value->setText(not_applicable());
        figure.note->setText({});
    }
    device_->setVisible(there);
    apply_->setText(best || !there ? tr("Apply best point") : tr("Apply this point"));
    apply_->setEnabled(there && point != nullptr && tunings_->doing() == Tunings::Doing::nothing);
    apply_->setToolTip(!there || point == nullptr
                           ? tr("Only measured points can be applied")
                           : tr("Use these settings for the next run and keep them for this device "
                                "and these contracts; Undo reverts both"));
    if (!there) return;
    const execute::StrategyOptions& how = setting_->how;
    const bool serial = how.strategy == execute::Strategy::serial;
    show_sentence(*device_, tunings_->words(*setting_));
    batch_.value->setText(serial ? not_applicable()
                                 : axis_value(TuningAxis::batch_max, how.batch_max));
    workers_.value->setText(count_text(serial ? 1 : how.workers));
    const auto curve = runs::tuning_curve(*tuned, tunings_->seen().predicted, *setting_);
    if (const QString band = band_words(curve); best && !band.isEmpty())
        batch_.note->setText(tr("band %1").arg(band));
    const auto predicted = runs::predict_setting(*tuned, *setting_);
    for (const auto& [figure, value] :
         {std::pair{time_, TuningValue::replay}, {share_, TuningValue::message}}) {
        const TuningScale scale = scale_of(*tuned, value);
        if (point == nullptr) {
            if (!predicted) continue;
            figure.value->setText(scale.withUnit(*predicted));
            figure.note->setText(tr("predicted"));
            continue;
        }
        figure.value->setText(scale.withUnit(point->median));
        const auto interval = profile::median_interval(point->samples);
        figure.note->setText(
            interval
                ? tr("%1–%2, 95 % interval")
                      .arg(scale.text(interval->low), scale.text(interval->high))
                : counted(point->samples.size(), tr("sample"), tr("samples, no interval yet")));
    }
}

void TuningCard::showSlider() {
    const auto tuned = tunings_->seen().tuning;
    const bool there = setting_ && setting_->how.strategy != execute::Strategy::serial;
    following_ = true;
    sizes_ = sizes();
    slider_->setRange(0, static_cast<int>(sizes_.size()) - 1);
    if (there) {
        const auto at = std::find(sizes_.begin(), sizes_.end(), setting_->how.batch_max);
        slider_->setValue(static_cast<int>(at - sizes_.begin()));
    }
    following_ = false;
    slider_->setEnabled(there);
    at_->setText(there ? axis_value(TuningAxis::batch_max, setting_->how.batch_max)
                       : not_applicable());
    slider_->setAccessibleDescription(at_->text());
    const profile::TunedPoint* point = measured();
    const auto predicted =
        tuned && setting_ ? runs::predict_setting(*tuned, *setting_) : std::nullopt;
    const double guess = predicted.value_or(0);
    for (const auto& [row, value] :
         {std::pair{0, TuningValue::replay}, {1, TuningValue::message}}) {
        const TuningScale scale = tuned ? scale_of(*tuned, value) : TuningScale{unit_for(1), 1};
        cells_[row][0]->setText(predicted ? scale.withUnit(guess) : not_applicable());
        cells_[row][1]->setText(point != nullptr ? scale.withUnit(point->median)
                                                 : not_applicable());
        cells_[row][2]->setText(predicted && point != nullptr
                                    ? signed_text((guess / point->median - 1) * 100) +
                                          QStringLiteral(" %")
                                    : not_applicable());
        const auto interval =
            point != nullptr ? profile::median_interval(point->samples) : std::nullopt;
        cells_[row][1]->setToolTip(
            interval ? tr("95 % interval %1 to %2")
                           .arg(scale.withUnit(interval->low), scale.withUnit(interval->high))
                     : QString());
        cells_[row][0]->setToolTip(predicted
                                       ? tr("From a cost model fitted to the other measured points")
                                       : tr("A prediction needs measurements of two other sizes"));
    }
    const QString why = tunings_->whyNot();
    measure_->setEnabled(there && why.isEmpty());
    measure_->setToolTip(
        why.isEmpty() ? tr("Replay a few times with this size and add the samples to the sweep")
                      : why);
    replays_->setText(tunings_->doing() == Tunings::Doing::measuring
                          ? tr("measuring…")
                          : tr("6 replays of %1").arg(tunings_->scopeWords()));
}

void TuningCard::showOffer() {
    const auto& kept = tunings_->kept();
    offer_->setVisible(kept.has_value());
    use_->setVisible(kept && !tunings_->usesKept());
    if (!kept) return;
    show_sentence(*offer_,
                  (tunings_->usesKept() ? tr("In use: settings kept for %1 and this code, %2")
                                        : tr("Settings kept for %1 and this code: %2"))
                      .arg(tunings_->keptDevice(), tunings_->words(*kept)));
    use_->setToolTip(tunings_->words(*kept));
}

} // namespace blockloom::ui
