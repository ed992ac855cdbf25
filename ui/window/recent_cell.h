// A recent range on two lines: title and place at the left, figures and age at the right.
#pragma once

#include <QStyledItemDelegate>

namespace blockloom::ui {

class RecentModel;

class RecentCell : public QStyledItemDelegate {
    Q_OBJECT

public:
    RecentCell(const RecentModel* model, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const RecentModel* model_;
};

} // namespace blockloom::ui
