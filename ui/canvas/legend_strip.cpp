#include "canvas/legend_strip.h"

#include "canvas/list_painter.h"
#include "look/theme_style.h"
#include "scene/legend_signs.h"
#include "text/numbers.h"
#include "text/to_qt.h"

#include <QMenu>
#include <QPainter>
#include <QResizeEvent>
#include <QSizePolicy>
#include <QToolButton>
#include <QWidgetAction>

#include <algorithm>

namespace blockloom::ui {
namespace {

constexpr int row_height = 20, strip_side = 12, above = 3, strip_gap = 20;
constexpr int sign_width = static_cast<int>(scene::sign_width), ramp_width = 96, to_label = 6;
constexpr int step_width = 4, most_steps = ramp_width / step_width;
constexpr int label_flags = Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap;
constexpr int widest_whole = 420;                  ///< of the whole legend, in its menu
constexpr int least_sign = 140;                    ///< of one whose label is shortened
constexpr int slack = 4;                           ///< advances are rounded
constexpr int rest_padding = 14, rest_height = 18; ///< of the button of what does not fit

} // namespace

LegendStrip::LegendStrip(QWidget* parent) : QWidget(parent) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setFont(text_font(11));
    setObjectName(QStringLiteral("legend"));
    setAccessibleName(tr("Legend"));
}

void LegendStrip::setCoverage(const QString& text) {
    if (text == coverage_) return;
    coverage_ = text;
    retell();
}

void LegendStrip::setItems(std::vector<scene::OverlayLegend> items) {
    items_ = std::move(items);
    retell();
}

void LegendStrip::setMostRows(int rows) {
    if (rows == most_rows_) return;
    most_rows_ = rows;
    if (rows > 0 && rest_ == nullptr) makeRest();
    retell();
}

void LegendStrip::setColumn(bool column) {
    column_ = column;
    retell();
}

/// A menu with one widget: opens and closes like every other menu, by key too.
void LegendStrip::makeRest() {
    rest_ = new QToolButton(this);
    rest_->setObjectName(QStringLiteral("legendRest"));
    rest_->setProperty("small", true);
    rest_->setAccessibleName(tr("Whole legend"));
    rest_->setToolTip(tr("Whole legend"));
    rest_->setFont(font());
    rest_->setFocusPolicy(Qt::TabFocus);
    rest_->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(rest_);
    menu->setAccessibleName(tr("Whole legend"));
    auto* holder = new QWidgetAction(menu);
    whole_ = new LegendStrip(menu);
    whole_->setObjectName(QStringLiteral("wholeLegend"));
    whole_->setColumn(true);
    holder->setDefaultWidget(whole_);
    menu->addAction(holder);
    // Made when it is opened: while a run is followed, the strip changes with every frame.
    connect(menu, &QMenu::aboutToShow, this, [this, holder] {
        showWhole();
        holder->setText(text()); // a menu recomputes sizes only if an action has changed
    });
    rest_->setMenu(menu);
    rest_->hide();
}

std::size_t LegendStrip::shownItems() const {
    int height = 0;
    const std::vector<Place> places = layOut(width(), most_rows_, height);
    return static_cast<std::size_t>(std::count_if(
        places.begin(), places.end(), [](const Place& place) { return place.item >= 0; }));
}

void LegendStrip::retell() {
    setToolTip(most_rows_ > 0 ? text() : QString());
    setAccessibleDescription(text());
    updateGeometry();
    placeRest();
    update();
}

/// The button is where the next sign would be.
void LegendStrip::placeRest() {
    if (rest_ == nullptr) return;
    int height = 0;
    const std::vector<Place> places = layOut(width(), most_rows_, height);
    const std::size_t missing = items_.size() - shownItems();
    // A coverage that lost its end is whole there, too.
    rest_->setVisible(missing > 0 && !places.empty());
    if (rest_->isHidden()) return;
    rest_->setText(tr("+%1").arg(missing));
    rest_->setAccessibleName(tr("Whole legend, %1 more").arg(missing));
    rest_->setToolTip(text());
    const QRect last = places.back().rect;
    const int wide = restWidth();
    rest_->setGeometry(std::min(last.right() + strip_gap, width() - strip_side - wide),
                       last.top() + (row_height - rest_height) / 2, wide, rest_height);
}

void LegendStrip::showWhole() {
    whole_->setCoverage(coverage_);
    whole_->setItems(items_);
    int wide = fontMetrics().horizontalAdvance(coverage_) + slack;
    for (const scene::OverlayLegend& item : items_) wide = std::max(wide, widthOf(item));
    wide = std::min(wide, widest_whole) + 2 * strip_side;
    whole_->setFixedSize(wide, whole_->wholeHeight(wide));
}

int LegendStrip::restWidth() const {
    return fontMetrics().horizontalAdvance(tr("+%1").arg(99)) + rest_padding;
}

int LegendStrip::wholeHeight(int width) const {
    int height = 0;
    (void)layOut(width, 0, height);
    return height;
}

QString LegendStrip::coverage() const {
    return coverage_;
}

QString LegendStrip::text() const {
    QStringList parts;
    if (!coverage_.isEmpty()) parts.append(coverage_);
    for (const scene::OverlayLegend& item : items_) {
        QString part = to_qt(item.label);
        if (!item.first.empty())
            part += tr(" from %1 to %2").arg(to_qt(item.first), to_qt(item.last));
        parts.append(part);
    }
    return parts.join(QStringLiteral(" · "));
}

/// Rows that a text takes in this room: one that is too long is broken.
int LegendStrip::rowsOf(const QString& text, int room) const {
    if (fontMetrics().horizontalAdvance(text) <= room) return 1;
    const QRect box(0, 0, std::max(room, 1), 10'000);
    const int tall = fontMetrics().boundingRect(box, label_flags, text).height();
    return std::max(1, (tall + row_height - 1) / row_height);
}

int LegendStrip::widthOf(const scene::OverlayLegend& item) const {
    const QFontMetrics metrics = fontMetrics();
    const auto advance = [&](const std::string& s) { return metrics.horizontalAdvance(to_qt(s)); };
    if (item.sign == scene::OverlayLegend::Sign::ramp)
        return advance(item.label) + advance(item.first) + advance(item.last) + ramp_width +
               3 * to_label + slack;
    return sign_width + to_label + advance(item.label) + slack;
}

/// In a single row, what was merged or left out gives way to the first sign.
QString LegendStrip::shownCoverage(int width, int most_rows) const {
    if (most_rows != 1 || items_.empty()) return coverage_;
    const int needed = fontMetrics().horizontalAdvance(coverage_) + slack +
                       widthOf(items_.front()) + restWidth() + 2 * strip_gap;
    return needed <= width - 2 * strip_side ? coverage_
                                            : coverage_.section(QString::fromUtf8(" · "), 0, 0);
}

std::vector<LegendStrip::Place> LegendStrip::layOut(int width, int most_rows, int& height) const {
    std::vector<Place> places;
    int x = strip_side, y = above;
    int rows = 1; // of the line of items that is being filled
    const int last = static_cast<int>(items_.size()) - 1;
    bool full = false; // nothing fits any more, so nothing after it either
    const bool limited = most_rows > 0;
    const auto at_end = [&] { return limited && (y - above) / row_height + rows >= most_rows; };
    // In the last row the button keeps its room, unless this is the last sign.
    const auto end_of = [&](int item) {
        return width - strip_side - (at_end() && item != last ? restWidth() + strip_gap : 0);
    };
    const auto put = [&](int wide, int item, int needed) {
        if (full) return;
        if (x > strip_side && (column_ || x + wide > end_of(item))) {
            if (at_end()) {
                // The first sign is shortened rather than left out.
                wide = end_of(item) - x;
                full = item != 0 || wide < least_sign;
                if (full) return;
            } else {
                x = strip_side;
                y += rows * row_height;
                rows = 1;
            }
        }
        if (limited) needed = std::clamp(most_rows - (y - above) / row_height, 1, needed);
        places.push_back(
            {QRect(x, y, std::min(wide, end_of(item) - x), needed * row_height), item});
        rows = std::max(rows, needed);
        x += wide + strip_gap;
    };
    const int room = width - 2 * strip_side;
    const QString coverage = shownCoverage(width, most_rows);
    if (!coverage.isEmpty())
        put(fontMetrics().horizontalAdvance(coverage) + slack, -1, rowsOf(coverage, room));
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const bool ramp = items_[i].sign == scene::OverlayLegend::Sign::ramp;
        put(widthOf(items_[i]), static_cast<int>(i),
            ramp ? 1 : rowsOf(to_qt(items_[i].label), room - sign_width - to_label));
    }
    height = y + rows * row_height + above;
    return places;
}

QSize LegendStrip::sizeHint() const {
    return {200, heightForWidth(std::max(width(), 200))};
}

bool LegendStrip::hasHeightForWidth() const {
    return true;
}

int LegendStrip::heightForWidth(int width) const {
    int height = 0;
    (void)layOut(width, most_rows_, height);
    return height;
}

/// Layouts keep the height that a narrower strip needed.
void LegendStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->oldSize().width() == width()) return;
    updateGeometry();
    placeRest();
}

void LegendStrip::paintEvent(QPaintEvent*) {
    using Sign = scene::OverlayLegend::Sign;
    const scene::Theme& theme = current_theme();
    QPainter painter(this);
    painter.fillRect(rect(), qcolor(theme.panel));
    if (!column_) painter.fillRect(QRect(0, 0, width(), 1), qcolor(theme.line));
    int height = 0;
    const std::vector<Place> places = layOut(width(), most_rows_, height);
    for (const Place& place : places) {
        QRect rest = place.rect;
        const auto write = [&](const QString& text, scene::Colour colour) {
            painter.setPen(qcolor(colour));
            painter.drawText(rest, label_flags,
                             rest.height() > row_height
                                 ? text
                                 : fontMetrics().elidedText(text, Qt::ElideRight, rest.width()));
            rest.setLeft(rest.left() + fontMetrics().horizontalAdvance(text) + to_label);
        };
        if (place.item < 0) {
            write(shownCoverage(width(), most_rows_), theme.text);
            continue;
        }
        const scene::OverlayLegend& item = items_[static_cast<std::size_t>(place.item)];
        const QString label = to_qt(item.label);
        const int middle = rest.center().y();
        if (item.sign == Sign::ramp) {
            write(label, theme.text2);
            write(to_qt(item.first), theme.text2);
            // Where the strip is narrow the ramp is shorter; its ends stay named.
            const int missing = widthOf(item) - place.rect.width();
            const int steps = std::clamp((ramp_width - missing) / step_width, 4, most_steps);
            for (int i = 0; i < steps; ++i)
                painter.fillRect(QRect(rest.left() + i * step_width, middle - 4, step_width - 1, 9),
                                 qcolor(theme.ordinal(static_cast<std::size_t>(i),
                                                      static_cast<std::size_t>(steps))));
            rest.setLeft(rest.left() + steps * step_width + to_label);
            write(to_qt(item.last), theme.text2);
            continue;
        }
        const int left = rest.left();
        paint_layer(painter, scene::sign_marks(item,
                                               {static_cast<float>(left) + scene::sign_width / 2,
                                                static_cast<float>(middle)},
                                               theme));
        rest.setLeft(left + sign_width + to_label);
        write(label, theme.text2);
    }
}

QString coverage_text(const scene::Coverage& coverage) {
    QString text = LegendStrip::tr("Drawing %1 of %2 %3")
                       .arg(count_text(coverage.drawn_edges), count_text(coverage.all_edges),
                            to_qt(coverage.unit));
    if (!coverage.folded.empty()) text += QStringLiteral(" · ") + to_qt(coverage.folded);
    return text;
}

} // namespace blockloom::ui
