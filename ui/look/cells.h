// How table cells are painted: one delegate each, reading typed roles (look/roles.h).
#pragma once

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

/// SparklineRole: bars on a log scale in the ordinal ramp; DetailRole as text where there is none.
class SparklineCell final : public Cell {
    Q_OBJECT

public:
    using Cell::Cell;

protected:
    void draw(QPainter& painter, const QStyleOptionViewItem& option,
              const QModelIndex& index) const override;
};

/// BarRole on a log scale at the left, display text at the right. Predicted: dashed and hollow.
class BarCell final : public Cell {
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

/// Where a value lies on a log scale from 1 to `most`: 0 … 1.
[[nodiscard]] double log_share(double value, double most);

} // namespace blockloom::ui
