#include "look/cells.h"

#include "look/icons.h"
#include "look/roles.h"
#include "look/theme_style.h"

#include <QAbstractItemModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace blockloom::ui {
namespace {

constexpr int cell_padding = 8;

QRect inside(const QStyleOptionViewItem& option) {
    return option.rect.adjusted(cell_padding, 0, -cell_padding, -1);
}

const char* icon_of(Mark mark) {
    switch (mark) {
    case Mark::ok:
        return "check";
    case Mark::warning:
        return "warning";
    case Mark::error:
        return "error";
    case Mark::unknown:
        return "ring";
    case Mark::none:
        break;
    }
    return nullptr;
}

scene::Colour colour_of(Mark mark) {
    const scene::Theme& theme = current_theme();
    switch (mark) {
    case Mark::ok:
        return theme.ok;
    case Mark::warning:
        return theme.warning;
    case Mark::error:
        return theme.error;
    default:
        return theme.text3;
    }
}

void draw_text(QPainter& painter, const QStyleOptionViewItem& option, QRect rect,
               const QString& text, scene::Colour colour) {
    painter.setPen(qcolor(colour));
    const QString fitted = option.fontMetrics.elidedText(text, option.textElideMode, rect.width());
    painter.drawText(rect, static_cast<int>(option.displayAlignment), fitted);
}

bool is_selected(const QStyleOptionViewItem& option) {
    return option.state.testFlag(QStyle::State_Selected);
}

/// Captions become text on a selected row, where text 3 would be too faint.
scene::Colour caption_colour(const QStyleOptionViewItem& option) {
    return is_selected(option) ? current_theme().text : current_theme().text3;
}

} // namespace

double log_share(double value, double most) {
    if (!(most > 1) || !(value > 1)) return 0;
    return std::clamp(std::log(value) / std::log(most), 0.0, 1.0);
}

void Cell::paint(QPainter* painter, const QStyleOptionViewItem& given,
                 const QModelIndex& index) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, index);
    const scene::Theme& theme = current_theme();
    painter->save();
    painter->setClipRect(option.rect);
    if (is_selected(option)) painter->fillRect(option.rect, qcolor(theme.selected_row));
    painter->setPen(qcolor(theme.grid));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->setFont(option.font);
    draw(*painter, option, index);
    if (option.state.testFlag(QStyle::State_HasFocus)) {
        painter->setPen(QPen(qcolor(theme.accent), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

QString Cell::displayText(const QVariant& value, const QLocale& locale) const {
    QString text = QStyledItemDelegate::displayText(value, locale);
    return text.replace(QChar::LineSeparator, QLatin1Char(' ')); // into which Qt turns line breaks
}

QSize Cell::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize hint = QStyledItemDelegate::sizeHint(option, index);
    return {hint.width() + 2 * cell_padding, 26};
}

void Cell::draw(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex&) const {
    draw_text(painter, option, inside(option), option.text, current_theme().text);
}

void TwoLineCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const {
    const QRect rect = inside(option);
    const int half = rect.height() / 2;
    painter.setFont(text_font(12, true));
    draw_text(painter, option, {rect.x(), rect.y() + 2, rect.width(), half - 1}, option.text,
              current_theme().text);
    QStyleOptionViewItem second = option;
    second.font = mono_font();
    second.fontMetrics = QFontMetrics(second.font);
    painter.setFont(second.font);
    draw_text(painter, second, {rect.x(), rect.y() + half, rect.width(), half - 1},
              index.data(DetailRole).toString(), caption_colour(option));
}

QSize MarkCell::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QString word = index.data(Qt::DisplayRole).toString();
    const int words = word.isEmpty() ? 0 : 6 + option.fontMetrics.horizontalAdvance(word);
    return {14 + words + 2 * cell_padding, 26};
}

void MarkCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                    const QModelIndex& index) const {
    const auto mark = index.data(StatusRole).value<Mark>();
    QRect rect = inside(option);
    if (const char* name = icon_of(mark)) {
        const double ratio = painter.device()->devicePixelRatioF();
        painter.drawPixmap(rect.x(), rect.center().y() - 6,
                           icon_pixmap(name, colour_of(mark), 14, ratio));
        rect.adjust(20, 0, 0, 0);
    }
    const bool coloured = mark == Mark::error || mark == Mark::warning;
    draw_text(painter, option, rect, option.text,
              coloured ? colour_of(mark) : current_theme().text2);
}

void SwatchCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                      const QModelIndex& index) const {
    QRect rect = inside(option);
    const QVariant which = index.data(ColourRole);
    if (which.isValid()) {
        const scene::Theme& theme = current_theme();
        const std::array colours{theme.cpu_native, theme.vulkan, theme.cuda, theme.cpu_interpreter,
                                 theme.serial};
        const QColor colour = which.typeId() == QMetaType::QColor
                                  ? which.value<QColor>()
                                  : qcolor(colours[which.toUInt() % colours.size()]);
        painter.fillRect(QRect(rect.left(), rect.center().y() - 5, 11, 11), colour);
        rect.setLeft(rect.left() + 17);
    }
    draw_text(painter, option, rect, option.text, current_theme().text);
}

void SparklineCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
    const auto sizes = index.data(SparklineRole).value<QList<quint32>>();
    const QRect rect = inside(option).adjusted(0, 4, 0, -4);
    if (sizes.isEmpty()) {
        const QString detail = index.data(DetailRole).toString();
        draw_text(painter, option, inside(option), detail.isEmpty() ? option.text : detail,
                  caption_colour(option));
        return;
    }
    const double most = *std::max_element(sizes.begin(), sizes.end());
    const auto count = static_cast<int>(sizes.size());
    // Narrow bars touch, wide ones keep a gap; never wider than a level should look.
    const double step = std::min(8.0, static_cast<double>(rect.width()) / count);
    const double width = step >= 3 ? step - 1 : step;
    const scene::Theme& theme = current_theme();
    for (int i = 0; i < count; ++i) {
        // One task is one pixel above the base, so that every level shows.
        const double height = 2 + log_share(sizes.at(i), most) * (rect.height() - 2);
        painter.fillRect(
            QRectF(rect.x() + i * step, rect.bottom() + 1 - height, width, height),
            qcolor(theme.ordinal(static_cast<std::size_t>(i), static_cast<std::size_t>(count))));
    }
}

void BarCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                   const QModelIndex& index) const {
    const QVariant data = index.data(BarRole);
    const QRect rect = inside(option);
    const scene::Theme& theme = current_theme();
    if (!data.isValid()) {
        draw_text(painter, option, rect, option.text, caption_colour(option));
        return;
    }
    const auto bar = data.value<Bar>();
    // Numbers have three digits, so the bars of a column end at the same place.
    const bool ratio = option.text.endsWith(QChar(0xd7));
    const int number_width =
        std::max(40, 6 + QFontMetrics(option.font)
                             .horizontalAdvance(ratio ? QString::fromUtf8("0.000×")
                                                      : QStringLiteral("0.000")));
    const QRect track(rect.x(), rect.center().y() - 4, std::max(rect.width() - number_width, 8), 9);
    painter.fillRect(track, qcolor(theme.raised));
    const int length =
        std::max(2, static_cast<int>(log_share(bar.value, bar.most) * track.width()));
    const QRect filled(track.x(), track.y(), length, track.height());
    if (bar.predicted) {
        painter.fillRect(filled, qcolor(is_selected(option) ? theme.selected_row : theme.panel));
        QPen pen(qcolor(theme.accent));
        if (length > 6) pen.setDashPattern({2, 2});
        painter.setPen(pen);
        painter.drawRect(filled.adjusted(0, 0, -1, -1));
    } else {
        painter.fillRect(filled, qcolor(theme.accent));
    }
    draw_text(painter, option, rect.adjusted(track.width() + 4, 0, 0, 0), option.text, theme.text);
}

void CheckCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                     const QModelIndex& index) const {
    const scene::Theme& theme = current_theme();
    const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const QRectF box(option.rect.center().x() - 6.5, option.rect.center().y() - 6.5, 14, 14);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(qcolor(on ? theme.button_fill : theme.control_border));
    painter.setBrush(qcolor(on ? theme.button_fill : theme.field));
    painter.drawRoundedRect(box, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (!on) return;
    const double ratio = painter.device()->devicePixelRatioF();
    painter.drawPixmap(QPointF(box.x() + 1, box.y() + 1),
                       icon_pixmap("check", theme.button_text, 12, ratio));
}

bool CheckCell::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem&,
                            const QModelIndex& index) {
    bool toggles = false;
    if (event->type() == QEvent::MouseButtonRelease)
        toggles = static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton;
    else if (event->type() == QEvent::KeyPress)
        toggles = static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
    if (!toggles || !index.flags().testFlag(Qt::ItemIsUserCheckable)) return false;
    const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
    return model->setData(index, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

} // namespace blockloom::ui
