// The table equivalent of a canvas: sortable and filterable, for keyboard and screen reader.
#pragma once

#include "canvas/view_maker.h"
#include "scene/view_table.h"

#include <QWidget>

#include <memory>
#include <optional>

class QTableView;

namespace blockloom::ui {

class TwinModel;

/// Rows of a view's table. Choosing a row requests the selection of its task or key; Ctrl+C copies
/// the selected rows. The rows are filled in only while the table is visible.
class TableTwin : public QWidget {
    Q_OBJECT

public:
    explicit TableTwin(QWidget* parent = nullptr);
    ~TableTwin() override;

    void show(const ViewJob& job);
    void clear();
    void select(std::optional<quint32> task, std::optional<quint32> key);

    [[nodiscard]] TwinModel* model() const;
    [[nodiscard]] QTableView* view() const;

Q_SIGNALS:
    void chosen(std::optional<quint32> task, std::optional<quint32> key);

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct State;
    void fill();
    void take(std::shared_ptr<const scene::ViewTable> table);
    void showNote();

    std::unique_ptr<State> state_;
};

} // namespace blockloom::ui
