// How table cells are painted: one delegate each, reading typed roles (look/roles.h).
#pragma once

#include "scene/colour.h"

#include <QStyledItemDelegate>

namespace blockloom::ui {

/// Background, row line and focus of every cell; text by default.
class Cell : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const final;
    /// On one line: a text of several lines is shown in full in the tooltip and copied in full.
    QString displayText(const QVariant& value, const QLocale& locale) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    /// `option` is initialised; paint inside option.rect.
    virtual void draw(QPainter& painter, const QStyleOptionViewItem& option,
                      const QModelIndex& index) const;
    static constexpr int cell_padding = 8;
    [[nodiscard]] static QRect inside(const QStyleOptionViewItem& option); ///< without the padding
    /// Elided where it does not fit.
    static void drawText(QPainter& painter, const QStyleOptionViewItem& option, const QRect& rect,
                         const QString& text, scene::Colour colour);
    /// Captions become text on a selected row, where text 3 would be too faint.
    [[nodiscard]] static scene::Colour captionColour(const QStyleOptionViewItem& option);
};

/// Display text over DetailRole in the mono face; the row should be 36 px high.
class TwoLineCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;
};

/// StatusRole as an icon, with the display text beside it.
class MarkCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;
};

/// ColourRole as a swatch before the display text.
class SwatchCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;
};

/// CheckStateRole; click or Space toggles.
class CheckCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;
};

} // namespace blockloom::ui
