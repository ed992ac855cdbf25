#include "look/theme_style.h"

#include <QFile>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QStyle>
#include <QWidget>

// Resources of a static library are not registered by themselves; the macro must stand outside
// namespaces.
static void register_resources() {
    Q_INIT_RESOURCE(blockloom);
}

namespace blockloom::ui {
namespace {

QString hex(scene::Colour c) {
    return qcolor(c).name(QColor::HexRgb);
}

/// The first of `families` that is installed; Qt would substitute silently and without tabular
/// figures.
QString installed(const QStringList& families) {
    const QStringList all = QFontDatabase::families();
    for (const QString& family : families)
        if (all.contains(family)) return family;
    return families.last();
}

} // namespace

QString name_of(ThemeChoice choice) {
    switch (choice) {
    case ThemeChoice::dark:
        return QStringLiteral("dark");
    case ThemeChoice::light:
        return QStringLiteral("light");
    case ThemeChoice::system:
        break;
    }
    return QStringLiteral("system");
}

ThemeChoice theme_choice_named(const QString& name) {
    if (name == QLatin1StringView("dark")) return ThemeChoice::dark;
    if (name == QLatin1StringView("light")) return ThemeChoice::light;
    return ThemeChoice::system;
}

const scene::Theme& current_theme() {
    const bool dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark ? scene::dark_theme() : scene::light_theme();
}

QPalette palette_of(const scene::Theme& t) {
    QPalette p;
    const auto set = [&p](QPalette::ColorRole role, scene::Colour c) {
        p.setColor(role, qcolor(c));
    };
    set(QPalette::Window, t.window);
    set(QPalette::WindowText, t.text);
    set(QPalette::Base, t.panel);
    set(QPalette::AlternateBase, t.raised);
    set(QPalette::Text, t.text);
    set(QPalette::PlaceholderText, t.text3);
    set(QPalette::Button, t.raised);
    set(QPalette::ButtonText, t.text);
    set(QPalette::BrightText, t.pick);
    set(QPalette::Highlight, t.selected_row);
    set(QPalette::HighlightedText, t.text);
    set(QPalette::Link, t.accent);
    set(QPalette::LinkVisited, t.accent);
    set(QPalette::ToolTipBase, t.raised);
    set(QPalette::ToolTipText, t.text);
    set(QPalette::Light, t.raised);
    set(QPalette::Midlight, t.line);
    set(QPalette::Mid, t.line);
    set(QPalette::Dark, t.control_border);
    set(QPalette::Shadow, t.canvas);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, qcolor(t.text3));
    return p;
}

QString with_roles(QString text, const scene::Theme& t) {
    const struct {
        const char* name;
        scene::Colour colour;
    } roles[] = {{"window", t.window},
                 {"panel", t.panel},
                 {"canvas", t.canvas},
                 {"raised", t.raised},
                 {"field", t.field},
                 {"line", t.line},
                 {"grid", t.grid},
                 {"control_border", t.control_border},
                 {"text", t.text},
                 {"text2", t.text2},
                 {"text3", t.text3},
                 {"accent", t.accent},
                 {"button_fill", t.button_fill},
                 {"button_text", t.button_text},
                 {"selected_row", t.selected_row},
                 {"pick", t.pick},
                 {"critical", t.critical},
                 {"ok", t.ok},
                 {"warning", t.warning},
                 {"error", t.error}};
    for (const auto& role : roles) {
        // Whole words: "@text" must not eat the beginning of "@text2".
        const QRegularExpression word(QStringLiteral("@%1\\b").arg(QLatin1StringView(role.name)));
        text.replace(word, hex(role.colour));
    }
    for (std::size_t i = 0; i < t.ramp.size(); ++i)
        text.replace(QStringLiteral("@ramp%1").arg(i), hex(t.ramp[i]));
    return text;
}

QString style_sheet_of(const scene::Theme& theme) {
    register_resources();
    QFile file(QStringLiteral(":/style.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return with_roles(QString::fromUtf8(file.readAll()), theme);
}

QFont text_font(int pixels, bool medium) {
    static const QString family =
        installed({QStringLiteral("Roboto"), QStringLiteral("DejaVu Sans")});
    QFont font(family);
    font.setPixelSize(pixels);
    font.setWeight(medium ? QFont::Medium : QFont::Normal);
    return font;
}

QFont mono_font(int pixels) {
    static const QString family =
        installed({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono")});
    QFont font(family);
    font.setPixelSize(pixels);
    return font;
}

void set_role(QWidget* widget, const char* role) {
    if (widget->property("role") == QVariant(QLatin1StringView(role))) return;
    widget->setProperty("role", QString(QLatin1StringView(role)));
    widget->style()->unpolish(widget); // the sheet looks at properties only when it polishes
    widget->style()->polish(widget);
}

} // namespace blockloom::ui
