// The figures of the current block, below the table of blocks.
#pragma once

#include <QWidget>

#include <memory>

class QGridLayout;
class QLabel;

namespace blockloom::conflict {
struct ConflictIndex;
}

namespace blockloom::ui {

class ChartView;
class Session;

class BlocksFigures : public QWidget {
    Q_OBJECT

public:
    explicit BlocksFigures(Session* session, QWidget* parent = nullptr);
    /// The available width, px: figures that do not fit side by side are placed below each other.
    void setRoom(int width);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showBlock();
    void showLevels();
    void showChecks();
    void place();

    Session* session_;
    QLabel *heading_, *check_icon_, *check_words_, *levels_text_;
    QGridLayout* grid_;
    QList<QLabel*> labels_, values_;
    ChartView* bars_; ///< tasks per level
    std::shared_ptr<const conflict::ConflictIndex> charted_;
    int room_ = 0;
    bool stacked_ = false;
};

} // namespace blockloom::ui
