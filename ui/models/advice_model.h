// What limits a kept run, one row a limit, ranked by the predicted gain of changing it.
#pragma once

#include "look/roles.h"
#include "session/what_ifs.h"

#include <QAbstractTableModel>

#include <functional>
#include <memory>
#include <vector>

namespace blockloom::ui {

class AdviceModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Gain, Limit, WhatIf, Measured, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// `measured`: of each line, null where it was not replayed.
    void setAdvice(std::shared_ptr<const WhatIfBase> base,
                   const std::function<const WhatIfMeasured*(const runs::WhatIfPlan&)>& measured);
    /// Null: no such row.
    [[nodiscard]] const runs::Advice* adviceAt(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const WhatIfBase> base_;
    std::vector<std::optional<WhatIfMeasured>> measured_; ///< by row
    double most_gain_ = 1;
};

} // namespace blockloom::ui
