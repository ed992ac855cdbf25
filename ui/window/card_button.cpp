#include "window/card_button.h"

#include "look/icons.h"
#include "look/theme_style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

namespace blockloom::ui {

CardButton::CardButton(const char* icon_name, const QString& title, const QString& line,
                       const QString& key, bool primary, QWidget* parent)
    : QPushButton(parent), icon_name_(icon_name), primary_(primary), icon_(new QLabel(this)) {
    setProperty("card", true);
    if (primary) setProperty("primary", true);
    setAccessibleName(title);
    setAccessibleDescription(line);
    setAutoDefault(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(18, 10, 16, 10);
    row->setSpacing(14);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    auto* first = new QLabel(title, this);
    auto* second = new QLabel(line, this);
    auto* third = new QLabel(key, this);
    first->setFont(text_font(14, true));
    set_role(first, primary ? "onPrimary" : "plain");
    set_role(second, primary ? "onPrimary" : "second");
    set_role(third, primary ? "onPrimary" : "caption");
    words->addWidget(first);
    words->addWidget(second);
    row->addWidget(icon_);
    row->addLayout(words, 1);
    row->addWidget(third);
    for (QLabel* label : {icon_, first, second, third})
        label->setAttribute(Qt::WA_TransparentForMouseEvents);
    showIcon();
}

QSize CardButton::sizeHint() const {
    return {360, 64};
}

void CardButton::showIcon() {
    const scene::Theme& theme = current_theme();
    icon_->setPixmap(icon_pixmap(icon_name_,
                                 !isEnabled() ? theme.text3
                                 : primary_   ? theme.button_text
                                              : theme.text,
                                 20, devicePixelRatioF()));
}

void CardButton::changeEvent(QEvent* event) {
    QPushButton::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::EnabledChange)
        showIcon();
}

} // namespace blockloom::ui
