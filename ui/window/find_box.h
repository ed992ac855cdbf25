// The search field at the right of the menu bar: finds a transaction, a key or a block.
#pragma once

#include "models/find.h"

#include <QLineEdit>

class QListWidget;

namespace blockloom::ui {

class BackgroundWork;
class Session;

/// Results appear in a list below; Down enters it, Enter takes one, Escape closes it.
class FindBox : public QLineEdit {
    Q_OBJECT

public:
    explicit FindBox(Session* session, QWidget* parent = nullptr);
    [[nodiscard]] QListWidget* answers() const { return answers_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    static constexpr int most = 40; ///< results

    void look();
    void showAnswers();
    void take(int at);
    void hideAnswers();

    Session* session_;
    QListWidget* answers_;
    BackgroundWork* others_; ///< searches the blocks other than the current one
    QList<Found> found_;
    bool looking_ = false, whole_ = true;
    bool take_first_ = false; ///< Enter was pressed before there was a result
};

} // namespace blockloom::ui
