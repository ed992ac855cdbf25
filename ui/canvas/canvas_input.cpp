// Pointer and keys of a SceneCanvas.
#include "canvas/canvas_state.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace blockloom::ui {

namespace {
constexpr double pick_reach = 6;    // pixels around the pointer
constexpr double key_pan = 64;      // pixels a key press
constexpr double key_zoom = 1.25;   // a key press
constexpr double wheel_step = 1.25; // a notch
constexpr double fine_step = 1.05;  // a notch with Ctrl
} // namespace

void SceneCanvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    const QPointF at = event->position();
    const double notches = event->angleDelta().y() / 120.0;
    if (state_->overlayUnderPointer) {
        state_->input.wheel += static_cast<float>(notches);
        return changed();
    }
    const double sideways = event->angleDelta().x() / 120.0;
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (sideways != 0 || shift) {
        state_->camera.panBy((sideways != 0 ? sideways : notches) * key_pan, 0);
        return cameraMoved();
    }
    if (notches == 0) return;
    const bool fine = event->modifiers().testFlag(Qt::ControlModifier);
    const double factor = std::pow(fine ? fine_step : wheel_step, notches);
    state_->camera.zoomAt(at.x(), at.y(), std::clamp(factor, 1 / wheel_step, wheel_step));
    cameraMoved();
}

void SceneCanvas::mousePressEvent(QMouseEvent* event) {
    if (state_->owner != PressOwner::nobody ||
        (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton))
        return;
    event->accept();
    state_->button = event->button();
    state_->pressedAt = state_->lastAt = event->position();
    state_->dragging = state_->released = false;
    if (!state_->panel || event->button() != Qt::LeftButton) {
        state_->owner = PressOwner::canvas;
        return;
    }
    state_->owner = PressOwner::unknown;
    state_->pressSerial = 0;
    state_->input.mouse_x = static_cast<float>(event->position().x());
    state_->input.mouse_y = static_cast<float>(event->position().y());
    state_->input.down = state_->input.pressed = true;
    changed();
}

void SceneCanvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (state_->panel) {
        state_->input.mouse_x = static_cast<float>(at.x());
        state_->input.mouse_y = static_cast<float>(at.y());
        changed();
    }
    if (state_->owner == PressOwner::canvas) {
        if (!state_->dragging &&
            (at - state_->pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
            state_->dragging = true;
            setCursor(Qt::ClosedHandCursor);
        }
        if (state_->dragging) {
            const QPointF by = at - state_->lastAt;
            state_->lastAt = at;
            state_->camera.panBy(by.x(), by.y());
            cameraMoved();
        }
        return;
    }
    if (event->buttons() != Qt::NoButton) return;
    state_->hoverPosition = at;
    if (!state_->hoverTimer.isActive()) state_->hoverTimer.start();
}

void SceneCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != state_->button || state_->owner == PressOwner::nobody) return;
    event->accept();
    if (state_->input.down) {
        state_->input.down = false;
        changed();
    }
    if (state_->owner == PressOwner::unknown) {
        state_->lastAt = event->position();
        state_->released = true; // judgePress() decides what it was
        return;
    }
    const bool click = state_->owner == PressOwner::canvas && !state_->dragging &&
                       event->button() == Qt::LeftButton;
    state_->owner = PressOwner::nobody;
    state_->button = Qt::NoButton;
    state_->dragging = false;
    unsetCursor();
    if (click) pickAt(state_->pressedAt);
}

void SceneCanvas::judgePress(bool overlayOwnsIt) {
    state_->owner = overlayOwnsIt ? PressOwner::overlay : PressOwner::canvas;
    if (!state_->released) return;
    state_->owner = PressOwner::nobody;
    state_->button = Qt::NoButton;
    if (overlayOwnsIt) return;
    const QPointF by = state_->lastAt - state_->pressedAt;
    if (by.manhattanLength() < QApplication::startDragDistance()) return pickAt(state_->pressedAt);
    state_->camera.panBy(by.x(), by.y());
    cameraMoved();
}

const scene::PickTarget* SceneCanvas::targetAt(QPointF position) const {
    if (!state_->list) return nullptr;
    const scene::Camera& camera = state_->camera.camera();
    return scene::pick(*state_->list, state_->camera.toWorld(position.x(), position.y()),
                       static_cast<float>(pick_reach / camera.scale_x),
                       static_cast<float>(pick_reach / camera.scale_y));
}

void SceneCanvas::pickAt(QPointF position) {
    const scene::PickTarget* target = targetAt(position);
    if (target == nullptr) return Q_EMIT picked(std::nullopt, std::nullopt);
    Q_EMIT picked(target->task, target->key);
}

void SceneCanvas::hoverAt() {
    const scene::PickTarget* target = nullptr;
    if (!state_->overlayUnderPointer && underMouse()) target = targetAt(state_->hoverPosition);
    const auto task = target != nullptr ? target->task : std::nullopt;
    const auto key = target != nullptr ? target->key : std::nullopt;
    if (task == state_->hoveredTask && key == state_->hoveredKey) return;
    state_->hoveredTask = task;
    state_->hoveredKey = key;
    Q_EMIT hovered(task, key, mapToGlobal(state_->hoverPosition.toPoint()));
}

void SceneCanvas::leaveEvent(QEvent*) {
    state_->hoverTimer.stop();
    if (state_->panel) {
        state_->input.mouse_x = state_->input.mouse_y = -1;
        changed();
    }
    if (!state_->hoveredTask && !state_->hoveredKey) return;
    state_->hoveredTask = state_->hoveredKey = std::nullopt;
    Q_EMIT hovered(std::nullopt, std::nullopt, QCursor::pos());
}

bool SceneCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && state_->tooltip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const scene::PickTarget* target =
            state_->overlayUnderPointer ? nullptr : targetAt(QPointF(help->pos()));
        const QString text =
            target != nullptr ? state_->tooltip(target->task, target->key) : QString();
        if (text.isEmpty()) {
            QToolTip::hideText();
            event->ignore();
        } else {
            QToolTip::showText(help->globalPos(), text, this);
        }
        return true;
    }
    // Alt + cursor keys are ours while the focus is here, whatever the window binds them to.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::AltModifier &&
            (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right ||
             key->key() == Qt::Key_Up || key->key() == Qt::Key_Down)) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::PaletteChange) update();
    return QWidget::event(event);
}

void SceneCanvas::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    if (event->modifiers() & (Qt::ControlModifier | Qt::MetaModifier))
        return QWidget::keyPressEvent(event);
    double across = 0, along = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        across = -1;
        break;
    case Qt::Key_Right:
        across = 1;
        break;
    case Qt::Key_Up:
        along = -1;
        break;
    case Qt::Key_Down:
        along = 1;
        break;
    default:
        break;
    }
    if (alt) {
        if (across == 0 && along == 0) return QWidget::keyPressEvent(event);
        return Q_EMIT stepRequested(static_cast<int>(across), static_cast<int>(along));
    }
    switch (event->key()) {
    case Qt::Key_A:
        across = -1;
        break;
    case Qt::Key_D:
        across = 1;
        break;
    case Qt::Key_W:
        along = -1;
        break;
    case Qt::Key_S:
        along = 1;
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomBy(key_zoom);
    case Qt::Key_Minus:
    case Qt::Key_Underscore:
        return zoomBy(1 / key_zoom);
    case Qt::Key_F:
    case Qt::Key_Home:
        return fit();
    default:
        break;
    }
    if (across == 0 && along == 0) return QWidget::keyPressEvent(event);
    // Looking right moves the picture left.
    state_->camera.panBy(-across * key_pan, -along * key_pan);
    cameraMoved();
}

void SceneCanvas::focusInEvent(QFocusEvent*) {
    update();
}

void SceneCanvas::focusOutEvent(QFocusEvent*) {
    update();
}

} // namespace blockloom::ui
