#include "look/apply_theme.h"

#include "look/style.h"
#include "look/theme_style.h"

#include <QApplication>

namespace blockloom::ui {

void apply_theme(QApplication& app, const scene::Theme& theme) {
    const QString sheet = style_sheet_of(theme); // registers the icons that the style draws, too
    if (app.findChild<QObject*>(QStringLiteral("focusRing")) == nullptr) {
        app.setStyle(new Style);
        new FocusRing(&app);
        app.setFont(text_font());
    }
    app.setPalette(palette_of(theme));
    app.setStyleSheet(sheet);
}

} // namespace blockloom::ui
