#include "docks/tuning/tuning_map.h"

#include "look/theme_style.h"
#include "text/to_qt.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <utility>
#include <vector>

namespace blockloom::ui {
namespace {

std::vector<std::string> texts_of(const QStringList& list) {
    std::vector<std::string> texts;
    for (const QString& text : list) texts.push_back(text.toStdString());
    return texts;
}

} // namespace

TuningMap::TuningMap(QWidget* parent) : ListCanvas(parent) {
    setObjectName(QStringLiteral("tuningMap"));
    setAccessibleName(tr("Times of the sweep"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void TuningMap::setShown(std::optional<Shown> shown) {
    shown_ = std::move(shown);
    cells_ = {};
    if (shown_) {
        report::TuningMapOptions options;
        options.x_title = shown_->x_title.toStdString();
        options.y_title = shown_->y_title.toStdString();
        options.x = texts_of(shown_->x);
        options.y = texts_of(shown_->y);
        options.text = [this](double ns) { return shown_->scale.text(ns).toStdString(); };
        options.with_unit = [this](double ns) { return shown_->scale.withUnit(ns).toStdString(); };
        options.best = shown_->best;
        options.measuring = shown_->measuring;
        options.chosen = shown_->chosen;
        cells_ = report::tuning_cells(shown_->map, options);
    }
    setAccessibleDescription(text());
    remake();
}

QString TuningMap::text() const {
    return to_qt(cells_.map.summary);
}

scene::DisplayList TuningMap::makeList(QSize size) const {
    scene::HeatMap map = cells_.map;
    map.focused = hasFocus();
    return scene::make_heat_map(map, static_cast<float>(size.width()),
                                static_cast<float>(size.height()), current_theme());
}

QRectF TuningMap::cellAt(int column, int row) const {
    const scene::Rect at = scene::heat_cell(
        cells_.map, static_cast<std::size_t>(column), static_cast<std::size_t>(row),
        static_cast<float>(width()), static_cast<float>(height()));
    return {static_cast<double>(at.x), static_cast<double>(at.y), static_cast<double>(at.width),
            static_cast<double>(at.height)};
}

bool TuningMap::isKnown(std::size_t cell) const {
    return cells_.map.cells[cell].share.has_value();
}

std::optional<std::size_t> TuningMap::cellUnder(QPointF at) const {
    const scene::Point point{static_cast<float>(at.x()), static_cast<float>(at.y())};
    for (const scene::PickTarget& target : list().targets)
        if (target.bounds.contains(point)) return target.task;
    return std::nullopt;
}

std::optional<std::size_t> TuningMap::cellOf(std::optional<std::size_t> point) const {
    for (std::size_t i = 0; point && i < cells_.map.cells.size(); ++i)
        if (isKnown(i) && shown_->map.cells[i].point == *point) return i;
    return std::nullopt;
}

/// The next known cell in a direction; where there is none, the same.
std::size_t TuningMap::step(std::size_t from, int across, int down) const {
    const auto columns = static_cast<int>(cells_.map.x.size());
    const auto rows = static_cast<int>(cells_.map.y.size());
    const auto start = static_cast<int>(from);
    for (int x = start % columns + across, y = start / columns + down;
         (across != 0 || down != 0) && x >= 0 && y >= 0 && x < columns && y < rows;
         x += across, y += down) {
        const auto cell = static_cast<std::size_t>(y * columns + x);
        if (isKnown(cell)) return cell;
    }
    return from;
}

void TuningMap::mousePressEvent(QMouseEvent* event) {
    const auto cell = cellUnder(event->position());
    if (event->button() != Qt::LeftButton || !cell) return ListCanvas::mousePressEvent(event);
    if (isKnown(*cell)) Q_EMIT chosen(shown_->map.cells[*cell].point);
}

/// Arrow keys step through the cells, Home goes to the best point.
void TuningMap::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool arrow =
        key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down;
    if (cells_.map.cells.empty() || (!arrow && key != Qt::Key_Home))
        return ListCanvas::keyPressEvent(event);
    std::optional<std::size_t> cell;
    if (key != Qt::Key_Home) cell = cellOf(shown_->chosen);
    if (cell)
        cell = step(*cell,
                    key == Qt::Key_Right  ? 1
                    : key == Qt::Key_Left ? -1
                                          : 0,
                    key == Qt::Key_Down ? 1
                    : key == Qt::Key_Up ? -1
                                        : 0);
    else
        cell = cellOf(shown_->best).value_or(0);
    if (!isKnown(*cell)) return;
    const QString words = to_qt(cells_.words[*cell]);
    const auto columns = static_cast<int>(cells_.map.x.size());
    const int at = static_cast<int>(*cell);
    const QPoint below = cellAt(at % columns, at / columns).bottomLeft().toPoint();
    QToolTip::showText(mapToGlobal(below + QPoint(0, 4)), words, this);
    Q_EMIT chosen(shown_->map.cells[*cell].point);
    setAccessibleDescription(words);
}

bool TuningMap::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return ListCanvas::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto cell = cellUnder(help->pos()))
        QToolTip::showText(help->globalPos(), to_qt(cells_.words[*cell]), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace blockloom::ui
