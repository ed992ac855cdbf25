#include "docks/compare/run_card.h"

#include "look/roles.h"
#include "look/theme_style.h"
#include "models/run_words.h"
#include "runs/run_comparison.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPainter>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <array>

namespace blockloom::ui {
namespace {

/// Of an item of the box: the colour of a baseline.
constexpr int baseline_role = Qt::UserRole + 1;
constexpr int narrow_box = 64;

/// The colours of baselines, as the list of runs has them.
QIcon baseline_icon(unsigned which, double ratio) {
    const scene::Theme& theme = current_theme();
    const std::array colours{theme.cpu_native, theme.vulkan, theme.cuda, theme.cpu_interpreter,
                             theme.serial};
    QPixmap picture(QSize(12, 12) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(qcolor(colours[which % colours.size()]));
    return QIcon(picture);
}

QLabel* caption(QWidget* parent) {
    auto* label = new QLabel(parent);
    set_role(label, "caption");
    return label;
}

} // namespace

RunCard::RunCard(QChar letter, QWidget* parent)
    : QWidget(parent), letter_(letter), sign_(new QLabel(this)), about_(caption(this)),
      time_(new QLabel(this)), interval_(caption(this)), box_(new QComboBox(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 8, 12, 8);
    row->setSpacing(10);
    const QString name = tr("Run %1").arg(letter_);
    box_->setObjectName(QStringLiteral("compare%1").arg(letter_));
    box_->setAccessibleName(name);
    box_->setToolTip(name);
    box_->setFocusPolicy(Qt::StrongFocus);
    box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box_->setMinimumContentsLength(8);
    about_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    set_role(time_, "title");
    time_->setAlignment(Qt::AlignRight);
    interval_->setAlignment(Qt::AlignRight);
    auto* words = new QVBoxLayout;
    words->setSpacing(3);
    words->addWidget(box_);
    words->addWidget(about_);
    auto* figures = new QVBoxLayout;
    figures->setSpacing(1);
    figures->addWidget(time_);
    figures->addWidget(interval_);
    row->addWidget(sign_);
    row->addLayout(words, 1);
    row->addLayout(figures);
    connect(box_, &QComboBox::activated, this,
            [this](int at) { Q_EMIT chosen(box_->itemData(at).toString()); });
    paintLetter();
}

void RunCard::setNarrow(bool narrow) {
    interval_->setVisible(!narrow);
    box_->setMinimumWidth(narrow ? narrow_box : 0);
}

QString RunCard::time() const {
    return time_->text();
}

void RunCard::setRuns(const std::vector<runs::KeptRun>& runs, const runs::KeptRun* other) {
    const QString current = box_->currentData().toString();
    box_->clear();
    box_->addItem(tr("none"), QString());
    auto* items = qobject_cast<QStandardItemModel*>(box_->model());
    for (const runs::KeptRun& run : runs) {
        box_->addItem(run_title(run), to_qt(run.id));
        const int at = box_->count() - 1;
        box_->setItemData(at, run_forms(run, other), FormsRole);
        if (!run.notes.baseline.empty()) box_->setItemData(at, run.notes.colour, baseline_role);
        QString tip = tr("%1\n%2, %3").arg(to_qt(run.id), source_words(run), time_text(run.wall));
        if (other != nullptr) {
            const std::string why = runs::input_difference(*other, run);
            if (!why.empty()) {
                items->item(at)->setEnabled(false);
                tip += tr("\nDifferent inputs: %1").arg(to_qt(why));
            }
        }
        box_->setItemData(at, tip, Qt::ToolTipRole);
        box_->setItemData(at, tip, Qt::AccessibleDescriptionRole);
    }
    box_->setCurrentIndex(std::max(0, box_->findData(current)));
    paintLetter();
}

void RunCard::setRun(const runs::KeptRun* run) {
    box_->setCurrentIndex(run == nullptr ? 0 : std::max(0, box_->findData(to_qt(run->id))));
    backend_ = run == nullptr ? std::string() : run->backend;
    engine_ = run == nullptr ? std::string() : run->engine;
    paintLetter();
    if (run == nullptr) {
        about_->setText(tr("Choose a kept run"));
        time_->clear();
        interval_->clear();
        return;
    }
    const QString machine = to_qt(run->device.empty() ? run->processor : run->device);
    QString about = tr("%1 · %2").arg(shortened(machine, 80, 40), source_words(*run));
    if (run->fuel_uncertain != 0) about += tr(" · fuel uncertain");
    if (!run->notes.baseline.empty())
        about += tr(" · baseline “%1”").arg(shortened(to_qt(run->notes.baseline), 80, 40));
    about_->setText(about);
    about_->setToolTip(tr("%1\n%2").arg(about, to_qt(run->id)));
    time_->setText(time_text(run->wall));
    const std::size_t samples =
        std::max<std::size_t>(run->walls.size(), run->repetitions) - run->warm_up;
    interval_->setText(
        run->interval ? tr("%1–%2, 95 %")
                            .arg(time_text(run->interval->first), time_text(run->interval->second))
                      : counted(samples, tr("repetition"), tr("repetitions")));
    interval_->setToolTip(
        tr("Median of %1; %2 excluded as warm-up")
            .arg(counted(samples, tr("repetition"), tr("repetitions")), count_text(run->warm_up)));
    box_->setAccessibleDescription(tr("%1, %2").arg(about, time_->text()));
}

/// The letter in a frame of its backend's colour; baselines in the box in theirs.
void RunCard::paintLetter() {
    const scene::Theme& theme = current_theme();
    for (int at = 0; at < box_->count(); ++at)
        if (const QVariant which = box_->itemData(at, baseline_role); which.isValid())
            box_->setItemIcon(at, baseline_icon(which.toUInt(), devicePixelRatioF()));
    runs::KeptRun look;
    look.backend = backend_;
    look.engine = engine_;
    const scene::Colour colour = backend_.empty() ? theme.text3 : colour_of(look, theme);
    const double ratio = devicePixelRatioF();
    QPixmap picture(QSize(30, 30) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(qcolor(colour), 2));
    painter.drawRoundedRect(QRectF(1, 1, 28, 28), 4, 4);
    painter.setPen(qcolor(theme.text));
    painter.setFont(text_font(16, true));
    painter.drawText(QRectF(0, 0, 30, 30), Qt::AlignCenter, letter_);
    sign_->setPixmap(picture);
}

void RunCard::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && sign_ != nullptr) paintLetter();
}

} // namespace blockloom::ui
