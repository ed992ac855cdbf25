#include "docks/dock.h"

#include "docks/body_area.h"
#include "docks/title_bar.h"
#include "look/icons.h"
#include "look/plain_text.h"
#include "look/theme_style.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMetaMethod>
#include <QPointer>
#include <QPushButton>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWhatsThis>
#include <QWindow>

namespace blockloom::ui {
namespace {

constexpr int least_width = 160, least_height = 72, look_again_ms = 50;

enum Rank { own = 0, table = 1, share = 2, question = 3, floating = 4, closing = 5 };

} // namespace

struct Dock::Parts {
    TitleBar* title = nullptr;
    QWidget* error_bar = nullptr;
    BodyArea* body = nullptr;
    QLabel *error_icon = nullptr, *error_text = nullptr;
    QStackedWidget* pages = nullptr;
    QPointer<QWidget> main;
    QLabel* sentence = nullptr;
    QPushButton* button = nullptr;
    std::function<void()> empty_act, export_act;
    QToolButton* twin = nullptr;
    QString error, help;
};

Dock::Dock(const QString& name, const QString& title, QWidget* parent)
    : QDockWidget(title, parent), parts_(std::make_unique<Parts>()) {
    setObjectName(name);
    setAccessibleName(title);
    Parts& p = *parts_;
    p.title = new TitleBar(this);
    setTitleBarWidget(p.title);

    auto* frame = new QWidget(this);
    frame->setObjectName(QStringLiteral("dockBody"));
    frame->setAttribute(Qt::WA_StyledBackground);
    frame->setMinimumSize(least_width, least_height);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(1, 0, 1, 1);
    column->setSpacing(0);

    p.error_bar = new QWidget(frame);
    p.error_bar->setObjectName(QStringLiteral("errorBar"));
    p.error_bar->setAttribute(Qt::WA_StyledBackground);
    auto* error_row = new QHBoxLayout(p.error_bar);
    error_row->setContentsMargins(12, 6, 8, 6);
    error_row->setSpacing(8);
    p.error_icon = new QLabel(p.error_bar);
    p.error_text = new QLabel(p.error_bar);
    p.error_text->setWordWrap(true);
    p.error_text->setAccessibleName(tr("Error"));
    p.error_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* copy = new QPushButton(tr("Copy details"), p.error_bar);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(parts_->error); });
    auto* dismiss = new QToolButton(p.error_bar);
    dismiss->setIcon(icon("close"));
    dismiss->setAccessibleName(tr("Dismiss the error"));
    dismiss->setToolTip(tr("Dismiss the error"));
    connect(dismiss, &QToolButton::clicked, this, &Dock::clearError);
    error_row->addWidget(p.error_icon, 0, Qt::AlignTop);
    error_row->addWidget(p.error_text, 1);
    error_row->addWidget(copy, 0, Qt::AlignTop);
    error_row->addWidget(dismiss, 0, Qt::AlignTop);
    p.error_bar->hide();

    p.pages = new QStackedWidget(frame);
    auto* empty = new QWidget(p.pages);
    auto* centre = new QVBoxLayout(empty);
    centre->setContentsMargins(24, 24, 24, 24);
    centre->setSpacing(12);
    p.sentence = new QLabel(empty);
    p.sentence->setWordWrap(true);
    p.sentence->setAlignment(Qt::AlignCenter);
    p.sentence->setProperty("role", QStringLiteral("second"));
    p.button = new QPushButton(empty);
    p.button->hide();
    connect(p.button, &QPushButton::clicked, this, [this] {
        if (parts_->empty_act) parts_->empty_act();
    });
    centre->addStretch(1);
    centre->addWidget(p.sentence);
    centre->addWidget(p.button, 0, Qt::AlignHCenter);
    centre->addStretch(1);
    p.pages->addWidget(empty);

    column->addWidget(p.error_bar);
    column->addWidget(p.pages, 1);
    setWidget(frame);

    p.title->addButton(floating, "float", tr("Float or dock %1").arg(title),
                       QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
                       [this] { setFloating(!isFloating()); });
    connect(this, &QDockWidget::topLevelChanged, this, &Dock::giveFrame);
    p.title->addButton(closing, "close", tr("Close %1").arg(title),
                       QKeySequence(Qt::CTRL | Qt::Key_W), [this] { close(); });
}

Dock::~Dock() = default;

/// On X11 Qt floats a panel without a frame, so that it could be dragged by its title alone and
/// docks again wherever it is dropped.
void Dock::giveFrame() {
    if (!isFloating() || !windowFlags().testFlag(Qt::FramelessWindowHint)) return;
    const bool shown = isVisible();
    // A window manager that is still showing this window may hide the next one in its place.
    const bool is_coming = shown && (windowHandle() == nullptr || !windowHandle()->isExposed());
    if (is_coming ||
        QGuiApplication::mouseButtons() != Qt::NoButton) // another window would end the drag
        return QTimer::singleShot(look_again_ms, this, &Dock::giveFrame);
    const QRect place = geometry();
    setWindowFlags(Qt::Tool | Qt::CustomizeWindowHint | Qt::WindowTitleHint |
                   Qt::WindowSystemMenuHint | Qt::WindowMinMaxButtonsHint |
                   Qt::WindowCloseButtonHint);
    setGeometry(place);
    setVisible(shown);
}

void Dock::setBody(QWidget* body) {
    Parts& p = *parts_;
    if (p.body != nullptr) p.body->deleteLater();
    p.body = new BodyArea(body, p.pages);
    p.pages->addWidget(p.body);
    p.pages->setCurrentWidget(p.body);
}

void Dock::setEmptyPage(const QString& sentence, const QString& button, std::function<void()> act) {
    Parts& p = *parts_;
    show_sentence(*p.sentence, sentence);
    p.button->setText(button);
    p.button->setVisible(!button.isEmpty());
    p.empty_act = std::move(act);
}

void Dock::showEmpty(bool empty) {
    Parts& p = *parts_;
    if (empty || p.body == nullptr)
        p.pages->setCurrentIndex(0);
    else
        p.pages->setCurrentWidget(p.body);
}

bool Dock::isShowingEmpty() const {
    return parts_->pages->currentIndex() == 0;
}

void Dock::setMain(QWidget* canvas) {
    parts_->main = canvas;
}

QWidget* Dock::focusTarget() const {
    if (QWidget* main = parts_->main; main != nullptr && !main->visibleRegion().isEmpty())
        return main;
    // The widget that takes the focus and of which most can be seen is the panel's content; the
    // others are controls around it, or below the fold of a panel that scrolls.
    QWidget* target = nullptr;
    int most = 0;
    for (QWidget* child : widget()->findChildren<QWidget*>()) {
        if ((child->focusPolicy() & Qt::TabFocus) == 0 || !child->isVisible() ||
            !child->isEnabled())
            continue;
        const QSize seen = child->visibleRegion().boundingRect().size();
        const int area = seen.isEmpty() ? 0 : seen.width() * seen.height();
        if (target != nullptr && area <= most) continue;
        target = child;
        most = area;
    }
    return target;
}

QToolButton* Dock::addTitleButton(const char* icon_name, const QString& name,
                                  const QKeySequence& key, std::function<void()> act) {
    return parts_->title->addButton(own, icon_name, name, key, std::move(act));
}

void Dock::setTableTwin(std::function<void(bool)> show) {
    Parts& p = *parts_;
    p.twin = p.title->addButton(table, "table", tr("%1 as a table").arg(windowTitle()),
                                QKeySequence(Qt::CTRL | Qt::Key_T), [] {});
    p.twin->defaultAction()->setCheckable(true);
    connect(p.twin->defaultAction(), &QAction::toggled, this,
            [show = std::move(show)](bool on) { show(on); });
}

void Dock::setExport(std::function<void()> act, const QString& name) {
    parts_->export_act = std::move(act);
    parts_->title->addButton(share, "export",
                             name.isEmpty() ? tr("Export %1").arg(windowTitle()) : name,
                             QKeySequence(Qt::CTRL | Qt::Key_E), [this] { exportView(); });
}

bool Dock::canExport() const {
    return static_cast<bool>(parts_->export_act);
}

void Dock::exportView() {
    if (parts_->export_act) parts_->export_act();
}

void Dock::setHelp(const QString& text) {
    const bool first = parts_->help.isEmpty();
    parts_->help = text;
    setWhatsThis(text);
    if (first)
        parts_->title->addButton(question, "help", tr("About %1").arg(windowTitle()),
                                 QKeySequence(Qt::Key_F1), [this] { showHelp(); });
}

QString Dock::help() const {
    return parts_->help;
}

void Dock::showHelp() {
    if (isSignalConnected(QMetaMethod::fromSignal(&Dock::helpRequested)))
        return Q_EMIT helpRequested(anchor());
    QWhatsThis::showText(parts_->title->mapToGlobal(QPoint(parts_->title->width() / 2, 32)),
                         parts_->help, this);
}

void Dock::setBefore(bool before) {
    parts_->title->setBefore(before);
}

void Dock::showError(const QString& message) {
    Parts& p = *parts_;
    p.error_icon->setPixmap(icon_pixmap("error", current_theme().error, 16, devicePixelRatioF()));
    p.error = message;
    show_sentence(*p.error_text, message);
    p.error_bar->setAccessibleName(tr("Error: %1").arg(message));
    p.error_bar->show();
}

void Dock::clearError() {
    parts_->error_bar->hide();
}

void Dock::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && parts_->error_bar != nullptr &&
        parts_->error_bar->isVisibleTo(this))
        parts_->error_icon->setPixmap(
            icon_pixmap("error", current_theme().error, 16, devicePixelRatioF()));
    QDockWidget::changeEvent(event);
}

} // namespace blockloom::ui
