#include "look/plain_text.h"

#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QScreen>

namespace {

constexpr const char* own_markup = "ownMarkup";

/// A label is polished before it is drawn. Where a layout asks it for a height before, it has made
/// the child that would parse a text that Qt guessed to be HTML: that is seen, too.
class PlainLabels final : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Polish && event->type() != QEvent::ChildAdded) return false;
        auto* label = qobject_cast<QLabel*>(watched);
        if (label == nullptr) return false;
        if (!label->property(own_markup).toBool()) label->setTextFormat(Qt::PlainText);
        // A tool tip grows with its text, beyond what a display can show or even hold.
        if (label->windowType() == Qt::ToolTip && label->screen() != nullptr)
            label->setMaximumSize(label->screen()->availableSize());
        return false;
    }
};

void keep_labels_plain() {
    QCoreApplication* app = QCoreApplication::instance();
    app->installEventFilter(new PlainLabels(app));
}

} // namespace

// Not a call that a program or a test could forget.
Q_COREAPP_STARTUP_FUNCTION(keep_labels_plain)

namespace blockloom::ui {

void show_markup(QLabel& label, const QString& html) {
    label.setProperty(own_markup, true);
    label.setTextFormat(Qt::RichText);
    label.setText(html);
}

bool shows_markup(const QLabel& label) {
    return label.property(own_markup).toBool();
}

QString literal_help(const QString& text) {
    return QStringLiteral("<p style=\"white-space:pre-wrap\">%1</p>").arg(text.toHtmlEscaped());
}

QString literal_title(QString text) {
    return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

} // namespace blockloom::ui
