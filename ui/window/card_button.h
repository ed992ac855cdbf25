// A wide button with two lines of text, an icon and its shortcut: for the start page.
#pragma once

#include <QPushButton>

class QLabel;

namespace blockloom::ui {

class CardButton : public QPushButton {
    Q_OBJECT

public:
    CardButton(const char* icon, const QString& title, const QString& line, const QString& key,
               bool primary, QWidget* parent = nullptr);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void showIcon();

    const char* icon_name_;
    bool primary_;
    QLabel* icon_;
};

} // namespace blockloom::ui
