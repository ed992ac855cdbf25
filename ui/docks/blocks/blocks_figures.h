// The figures of the current block, below the table of blocks.
#pragma once

#include <QWidget>

#include <memory>

class QGridLayout;
class QLabel;

namespace blockloom::ui {

class BlocksLevelBars;
class Session;

class BlocksFigures : public QWidget {
    Q_OBJECT

public:
    explicit BlocksFigures(Session* session, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showBlock();
    void showLevels();
    void showChecks();

    Session* session_;
    QLabel *heading_, *check_icon_, *check_words_, *levels_text_;
    QGridLayout* grid_;
    QList<QLabel*> labels_, values_;
    BlocksLevelBars* bars_;
};

} // namespace blockloom::ui
