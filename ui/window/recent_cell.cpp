#include "window/recent_cell.h"

#include "look/icons.h"
#include "look/theme_style.h"
#include "models/recent_model.h"

#include <QPainter>

namespace blockloom::ui {

RecentCell::RecentCell(const RecentModel* model, QObject* parent)
    : QStyledItemDelegate(parent), model_(model) {}

QSize RecentCell::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {320, 50};
}

void RecentCell::paint(QPainter* painter, const QStyleOptionViewItem& option,
                       const QModelIndex& index) const {
    const scene::Theme& theme = current_theme();
    const double ratio = painter->device()->devicePixelRatioF();
    const int row = index.row();
    const QRect rect = option.rect;
    const bool selected = option.state.testFlag(QStyle::State_Selected) &&
                          option.state.testFlag(QStyle::State_HasFocus);
    painter->save();
    if (selected || option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(rect, qcolor(selected ? theme.selected_row : theme.raised));
    painter->setPen(qcolor(theme.line));
    painter->drawLine(rect.bottomLeft(), rect.bottomRight());
    painter->drawPixmap(rect.x() + 4, rect.center().y() - 7,
                        icon_pixmap("layers", theme.text2, 16, ratio));

    const QRect upper(rect.x() + 32, rect.y() + 7, rect.width() - 36, 17);
    const QRect lower(upper.x(), upper.bottom() + 1, upper.width(), 17);
    const auto put = [painter](QRect at, const QString& text, const QFont& font,
                               scene::Colour colour, Qt::Alignment side) {
        painter->setFont(font);
        painter->setPen(qcolor(colour));
        const QString fitted = QFontMetrics(font).elidedText(text, Qt::ElideMiddle, at.width());
        painter->drawText(at, static_cast<int>(side | Qt::AlignVCenter), fitted);
        return QFontMetrics(font).horizontalAdvance(fitted);
    };
    const bool missing = model_->isMissing(row);
    const QString figures = missing ? tr("not found") : model_->at(row).figures;
    const int right =
        put(upper, figures, text_font(), missing ? theme.warning : theme.text2, Qt::AlignRight);
    if (missing)
        painter->drawPixmap(upper.right() - right - 18, upper.y() + 1,
                            icon_pixmap("warning", theme.warning, 14, ratio));
    const int age = put(lower, model_->age(row), text_font(), theme.text3, Qt::AlignRight);
    put(upper.adjusted(0, 0, -right - 28, 0), model_->at(row).title, text_font(12, true),
        theme.text, Qt::AlignLeft);
    put(lower.adjusted(0, 0, -age - 12, 0), model_->place(row), text_font(), theme.text3,
        Qt::AlignLeft);
    painter->restore();
}

} // namespace blockloom::ui
