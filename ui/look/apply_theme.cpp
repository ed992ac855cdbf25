#include "look/apply_theme.h"

#include "look/style.h"
#include "look/theme_style.h"

#include <QApplication>
#include <QList>
#include <QMargins>
#include <QPointer>
#include <QWidget>

#include <utility>

namespace blockloom::ui {

void start_look(QApplication& app) {
    if (app.findChild<QObject*>(QStringLiteral("focusRing")) != nullptr) return;
    app.setStyle(new Style);
    new FocusRing(&app);
    app.setFont(text_font());
    // Windows that exist already resolve their fonts again, and their children with them.
    for (QWidget* window : QApplication::topLevelWidgets()) window->setFont(window->font());
}

void apply_theme(QApplication& app, const scene::Theme& theme) {
    const QString sheet = style_sheet_of(theme); // registers the icons that the style draws, too
    start_look(app);
    if (app.styleSheet() == sheet) return; // it would be resolved again for each widget
    // Another sheet takes away the margins that labels were given.
    QList<std::pair<QPointer<QWidget>, QMargins>> margins;
    for (QWidget* widget : QApplication::allWidgets())
        if (!widget->contentsMargins().isNull())
            margins.append({widget, widget->contentsMargins()});
    app.setPalette(palette_of(theme));
    app.setStyleSheet(sheet);
    for (const auto& [widget, margin] : margins)
        if (widget && widget->contentsMargins() != margin) widget->setContentsMargins(margin);
}

} // namespace blockloom::ui
