// The desktop's preference: dark or light.
#pragma once

#include <QDBusVariant>
#include <QObject>

#include <optional>

namespace blockloom::ui {

/// Asks the desktop portal (org.freedesktop.appearance, "color-scheme") without blocking; Qt 6.4
/// itself does not read it. Until the answer arrives, and where there is no portal, the palette
/// that Qt started with decides.
class SystemTheme : public QObject {
    Q_OBJECT

public:
    explicit SystemTheme(QObject* parent = nullptr);
    [[nodiscard]] bool prefersDark() const;

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void take(uint scheme);
    bool palette_dark_;
    std::optional<bool> asked_;
};

} // namespace blockloom::ui
