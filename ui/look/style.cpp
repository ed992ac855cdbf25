#include "look/style.h"

#include "look/icons.h"
#include "look/roles.h"
#include "look/theme_style.h"

#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFocusEvent>
#include <QFocusFrame>
#include <QHeaderView>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTreeView>

namespace blockloom::ui {
namespace {

constexpr int ring_width = 2, ring_gap = 1, text_inset = 3;

/// Sizes and dates of files in full; the name takes the rest.
void show_whole_columns(QFileDialog& dialog) {
    const auto* files = dialog.findChild<QTreeView*>(QStringLiteral("treeView"));
    if (files == nullptr || files->header()->count() == 0) return;
    files->header()->setStretchLastSection(false);
    files->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    files->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    dialog.resize(dialog.size().expandedTo({760, 480}));
}

} // namespace

QString fitted_parts(const QString& text, const QFontMetrics& metrics, int room) {
    const QString dot = QString::fromUtf8(" · ");
    for (QString part = text;; part = part.left(part.lastIndexOf(dot))) {
        if (metrics.horizontalAdvance(part) <= room) return part;
        if (!part.contains(dot)) return metrics.elidedText(part, Qt::ElideRight, room);
    }
}

QString fitted_form(const QStringList& longestFirst, const QFontMetrics& metrics, int room) {
    for (const QString& form : longestFirst)
        if (metrics.horizontalAdvance(form) <= room) return form;
    return metrics.elidedText(longestFirst.value(longestFirst.size() - 1), Qt::ElideMiddle, room);
}

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

QSize Style::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                              const QWidget* widget) const {
    // The tab bars that QMainWindow makes for dock groups take no room: TitleBar shows their tabs.
    if (type == CT_TabBarTab && widget != nullptr &&
        qobject_cast<const QMainWindow*>(widget->parentWidget()) != nullptr)
        return {0, 0};
    const QSize made = QProxyStyle::sizeFromContents(type, option, size, widget);
    return type == CT_ComboBox ? QSize(made.width() + 8, 26) : made;
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option,
                       const QWidget* widget) const {
    switch (metric) {
    case PM_FocusFrameHMargin:
    case PM_FocusFrameVMargin:
        return ring_width + ring_gap;
    case PM_DockWidgetSeparatorExtent:
        return 6;
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
        return 16;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

// The text of a combo box begins where that of a line edit does.
QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                            SubControl part, const QWidget* widget) const {
    const QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
    if (control != CC_ComboBox || part != SC_ComboBoxEditField) return rect;
    return option->direction == Qt::LeftToRight ? rect.adjusted(text_inset, 0, 0, 0)
                                                : rect.adjusted(0, 0, -text_inset, 0);
}

QIcon Style::standardIcon(StandardPixmap which, const QStyleOption* option,
                          const QWidget* widget) const {
    switch (which) {
    case SP_DialogOkButton:
    case SP_DialogYesButton:
    case SP_DialogApplyButton:
    case SP_DialogSaveButton:
        return icon("check");
    case SP_DialogCancelButton:
    case SP_DialogNoButton:
    case SP_DialogAbortButton:
        return icon("cancel");
    case SP_DialogCloseButton:
    case SP_DialogDiscardButton:
    case SP_LineEditClearButton:
    case SP_TitleBarCloseButton:
    case SP_DockWidgetCloseButton:
        return icon("close");
    case SP_DialogOpenButton:
    case SP_DirOpenIcon:
    case SP_DirIcon:
    case SP_DirClosedIcon:
    case SP_DirLinkIcon:
    case SP_DirHomeIcon:
        return icon("open");
    case SP_FileIcon:
    case SP_FileLinkIcon:
        return icon("report");
    case SP_ComputerIcon:
    case SP_DesktopIcon:
    case SP_DriveHDIcon:
        return icon("computer");
    case SP_FileDialogToParent:
        return icon("up");
    case SP_FileDialogNewFolder:
        return icon("folder_add");
    case SP_FileDialogListView:
        return icon("list");
    case SP_FileDialogDetailedView:
        return icon("table");
    case SP_DialogResetButton:
    case SP_RestoreDefaultsButton:
        return icon("undo");
    case SP_DialogHelpButton:
        return icon("help");
    case SP_ArrowBack:
    case SP_ArrowLeft:
        return icon("back");
    case SP_ArrowForward:
    case SP_ArrowRight:
        return icon("forward");
    case SP_MessageBoxInformation:
    case SP_MessageBoxQuestion:
        return icon("info");
    case SP_MessageBoxWarning:
        return icon("warning");
    case SP_MessageBoxCritical:
        return icon("error");
    default:
        return QProxyStyle::standardIcon(which, option, widget);
    }
}

void Style::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    // The ring of a button is cut off where its parent ends.
    constexpr int room = ring_width + ring_gap;
    if (qobject_cast<QDialogButtonBox*>(widget) != nullptr)
        widget->setContentsMargins(room, room, room, room);
    if (auto* dialog = qobject_cast<QFileDialog*>(widget)) show_whole_columns(*dialog);
    // Return presses the focused button, as in dialogs, where Qt sees to it.
    auto* button = qobject_cast<QPushButton*>(widget);
    if (button != nullptr && qobject_cast<QDialog*>(button->window()) == nullptr)
        button->setAutoDefault(true);
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* returned) const {
    switch (hint) {
    case SH_Widget_Animate:
    case SH_Widget_Animation_Duration:
        return 0;              // no motion
    case SH_UnderlineShortcut: // only in an open menu, where the letters help
        return qobject_cast<const QMenu*>(widget) != nullptr ? 1 : 0;
    case SH_FocusFrame_Mask:
        return 0;
    case SH_FocusFrame_AboveWidget:
        return 1;
    case SH_ComboBox_Popup:
        return 0;
    case SH_ItemView_ActivateItemOnSingleClick:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
    if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        combo != nullptr && element == CE_ComboBoxLabel) {
        QStyleOptionComboBox fitted = *combo; // Fusion cuts the text off
        const int room =
            subControlRect(CC_ComboBox, &fitted, SC_ComboBoxEditField, widget).width() -
            (combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + 4);
        const auto* box = qobject_cast<const QComboBox*>(widget);
        const QStringList forms =
            box != nullptr ? box->currentData(FormsRole).toStringList() : QStringList();
        fitted.currentText = forms.isEmpty()
                                 ? fitted_parts(combo->currentText, combo->fontMetrics, room - 2)
                                 : fitted_form(forms, combo->fontMetrics, room - 2);
        QProxyStyle::drawControl(element, &fitted, painter, widget);
        return;
    }
    if (element != CE_FocusFrame) {
        QProxyStyle::drawControl(element, option, painter, widget);
        return;
    }
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(qcolor(current_theme().accent), ring_width));
    painter->setBrush(Qt::NoBrush);
    painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), 5, 5);
    painter->restore();
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                               QPainter* painter, const QWidget* widget) const {
    if (control != CC_ComboBox) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        return;
    }
    // A style sheet can take the arrow from a file only, and a file has one colour.
    const scene::Theme& theme = current_theme();
    const bool enabled = option->state.testFlag(State_Enabled);
    const bool focused = option->state.testFlag(State_HasFocus);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(qcolor(focused ? theme.accent : enabled ? theme.control_border : theme.line));
    painter->setBrush(qcolor(theme.field));
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    const QRect rect = option->rect;
    const double ratio = painter->device()->devicePixelRatioF();
    painter->drawPixmap(rect.right() - 20, rect.center().y() - 6,
                        icon_pixmap("chevron", enabled ? theme.text2 : theme.text3, 14, ratio));
    painter->restore();
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    if (element == PE_FrameFocusRect) return; // the ring says it
    if (element == PE_IndicatorHeaderArrow) {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (header == nullptr || header->sortIndicator == QStyleOptionHeader::None) return;
        // SortUp means that the largest comes first.
        const double way = header->sortIndicator == QStyleOptionHeader::SortDown ? -1 : 1;
        const QPointF at = QRectF(option->rect).center();
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(qcolor(current_theme().text2));
        painter->drawPolygon(QPolygonF({at + QPointF(-3.5, -2 * way), at + QPointF(3.5, -2 * way),
                                        at + QPointF(0, 2.5 * way)}));
        painter->restore();
        return;
    }
    // Fusion's outline is a darker background colour: in the dark theme an empty box would be
    // invisible.
    if (element == PE_IndicatorCheckBox) {
        const bool enabled = (option->state & State_Enabled) != 0;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(qcolor(enabled ? current_theme().control_border : current_theme().line));
        painter->setBrush(qcolor(current_theme().field));
        const QRectF box = QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5);
        painter->drawRoundedRect(box, 2, 2);
        if ((option->state & State_On) != 0) {
            painter->setPen(QPen(qcolor(enabled ? current_theme().text : current_theme().text3), 2,
                                 Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            const auto at = [&](double x, double y) {
                return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
            };
            painter->drawPolyline(QPolygonF({at(0.22, 0.52), at(0.42, 0.72), at(0.78, 0.28)}));
        }
        painter->restore();
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

namespace {

/// Where something cuts off what is outside the control, the ring is drawn inside it: a table that
/// fills its panel has all four sides.
class Ring final : public QFocusFrame {
public:
    using QFocusFrame::QFocusFrame;

protected:
    void paintEvent(QPaintEvent*) override {
        QStyleOption option;
        initStyleOption(&option);
        option.rect = visibleRegion().boundingRect();
        QPainter painter(this);
        style()->drawControl(QStyle::CE_FocusFrame, &option, &painter, this);
    }
};

} // namespace

FocusRing::FocusRing(QApplication* app) : QObject(app) {
    setObjectName(QStringLiteral("focusRing"));
    app->installEventFilter(this);
}

QWidget* FocusRing::ringed() const {
    return frame_ != nullptr ? frame_->widget() : nullptr;
}

void FocusRing::show(QWidget* widget) {
    if (widget == nullptr) {
        if (frame_ != nullptr) frame_->setWidget(nullptr);
        return;
    }
    if (frame_ == nullptr) {
        frame_ = new Ring(widget->window());
        frame_->setAttribute(Qt::WA_TransparentForMouseEvents);
    }
    frame_->setWidget(widget);
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::FocusIn || !watched->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(watched);
    switch (static_cast<QFocusEvent*>(event)->reason()) {
    case Qt::TabFocusReason:
    case Qt::BacktabFocusReason:
    case Qt::ShortcutFocusReason:
    case Qt::MenuBarFocusReason:
        by_mouse_ = false;
        show(widget);
        break;
    case Qt::MouseFocusReason:
        by_mouse_ = true;
        show(nullptr);
        break;
    case Qt::PopupFocusReason:
        break;
    case Qt::ActiveWindowFocusReason:
        if (!by_mouse_) show(widget); // a fresh window shows where Enter goes
        break;
    default:
        if (ringed() != nullptr && ringed() != widget) show(nullptr);
    }
    return false;
}

} // namespace blockloom::ui
