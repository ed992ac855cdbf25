#include "look/system_theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QGuiApplication>
#include <QPalette>

namespace blockloom::ui {
namespace {

constexpr auto service = "org.freedesktop.portal.Desktop";
constexpr auto portal_path = "/org/freedesktop/portal/desktop";
constexpr auto interface = "org.freedesktop.portal.Settings";
constexpr auto appearance = "org.freedesktop.appearance";
constexpr auto scheme_key = "color-scheme";

QString word(const char* text) {
    return QString::fromLatin1(text);
}

/// Read() wraps its answer in a variant inside a variant.
uint scheme_in(QVariant value) {
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}

} // namespace

SystemTheme::SystemTheme(QObject* parent)
    : QObject(parent),
      palette_dark_(QGuiApplication::palette().color(QPalette::Window).lightness() < 128) {
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(word(service), word(portal_path), word(interface), QStringLiteral("SettingChanged"),
                this, SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(word(service), word(portal_path),
                                                       word(interface), QStringLiteral("Read"));
    call << word(appearance) << word(scheme_key);
    auto* answer = new QDBusPendingCallWatcher(bus.asyncCall(call, 2000), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this, answer] {
        const QDBusPendingReply<QVariant> reply = *answer;
        if (!reply.isError()) take(scheme_in(reply.value()));
        answer->deleteLater();
    });
}

bool SystemTheme::prefersDark() const {
    return asked_.value_or(palette_dark_);
}

void SystemTheme::settingChanged(const QString& group, const QString& key,
                                 const QDBusVariant& value) {
    if (group == QLatin1StringView(appearance) && key == QLatin1StringView(scheme_key))
        take(scheme_in(value.variant()));
}

void SystemTheme::take(uint scheme) {
    // 0: no preference, 1: dark, 2: light.
    const std::optional<bool> dark = scheme == 0 ? std::nullopt : std::optional<bool>(scheme == 1);
    if (dark == asked_) return;
    asked_ = dark;
    Q_EMIT changed();
}

} // namespace blockloom::ui
