#include "look/cells.h"

#include "look/icons.h"
#include "look/roles.h"
#include "look/theme_style.h"

#include <QAbstractItemModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <array>

namespace blockloom::ui {
namespace {

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

bool is_selected(const QStyleOptionViewItem& option) {
    return option.state.testFlag(QStyle::State_Selected);
}

} // namespace

QRect Cell::inside(const QStyleOptionViewItem& option) {
    return option.rect.adjusted(cell_padding, 0, -cell_padding, -1);
}

void Cell::drawText(QPainter& painter, const QStyleOptionViewItem& option, const QRect& rect,
                    const QString& text, scene::Colour colour) {
    painter.setPen(qcolor(colour));
    const QString fitted = option.fontMetrics.elidedText(text, option.textElideMode, rect.width());
    painter.drawText(rect, static_cast<int>(option.displayAlignment), fitted);
}

scene::Colour Cell::captionColour(const QStyleOptionViewItem& option) {
    return is_selected(option) ? current_theme().text : current_theme().text3;
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
    drawText(painter, option, inside(option), option.text, current_theme().text);
}

void TwoLineCell::draw(QPainter& painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const {
    const QRect rect = inside(option);
    const int half = rect.height() / 2;
    painter.setFont(text_font(12, true));
    drawText(painter, option, {rect.x(), rect.y() + 2, rect.width(), half - 1}, option.text,
             current_theme().text);
    QStyleOptionViewItem second = option;
    second.font = mono_font();
    second.fontMetrics = QFontMetrics(second.font);
    painter.setFont(second.font);
    drawText(painter, second, {rect.x(), rect.y() + half, rect.width(), half - 1},
             index.data(DetailRole).toString(), captionColour(option));
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
    drawText(painter, option, rect, option.text,
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
    drawText(painter, option, rect, option.text, current_theme().text);
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
