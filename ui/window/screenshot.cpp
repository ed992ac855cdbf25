#include "window/screenshot.h"

#include "docks/dock.h"
#include "docks/graph/graph_dock.h"
#include "session/session.h"
#include "session/shortage.h"
#include "window/main_window.h"
#include "window/window_actions.h"

#include <QActionGroup>
#include <QApplication>
#include <QButtonGroup>
#include <QElapsedTimer>
#include <QPainter>
#include <QSet>
#include <QTimer>
#include <QToolButton>

#include <memory>
#include <utility>

namespace blockloom::ui {
namespace {

constexpr int look_every_ms = 50;
constexpr int calm_looks = 4; ///< consecutive checks in which it was settled

/// What the view "dialog:NAME" opens; nothing: no dialog has that name.
QAction* opens_dialog(const WindowActions& commands, QStringView name) {
    const std::pair<QLatin1StringView, QAction*> dialogs[] = {
        {QLatin1StringView("about"), commands.about},
        {QLatin1StringView("bundle"), commands.state_bundle},
        {QLatin1StringView("database"), commands.state_database},
        {QLatin1StringView("guide"), commands.guide},
        {QLatin1StringView("open-node"), commands.open_node},
        {QLatin1StringView("palette"), commands.palette},
        {QLatin1StringView("policy"), commands.policy},
        {QLatin1StringView("settings"), commands.settings},
        {QLatin1StringView("shortcuts"), commands.shortcuts}};
    for (const auto& [called, action] : dialogs)
        if (name == called) return action;
    return nullptr;
}

/// The window with the dialogs in front of it.
QPixmap picture_of(MainWindow& window) {
    QPixmap picture = window.grab();
    QPainter painter(&picture);
    for (QWidget* other : QApplication::topLevelWidgets())
        if (other != &window && other->isVisible())
            painter.drawPixmap(other->geometry().topLeft() - window.geometry().topLeft(),
                               other->grab());
    return picture;
}

/// Empty: done; else why the pose cannot be taken.
QString strike(MainWindow& window, const Pose& pose) {
    Session& session = *window.session();
    if (pose.block) {
        const auto& blocks = session.range()->blocks;
        int row = -1;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (blocks[i]->trace->block.height == *pose.block) row = static_cast<int>(i);
        if (row < 0)
            return MainWindow::tr("--block: expected a height of the range, found %1")
                .arg(*pose.block);
        session.setCurrentRow(row);
    }
    if (pose.task) {
        if (*pose.task >= session.currentBlock()->analysis.index->tasks())
            return MainWindow::tr("--select: expected a task of the block, found %1")
                .arg(*pose.task);
        session.selectTask(*pose.task);
    }
    if (pose.view.isEmpty()) return {};
    if (QAction* dialog = pose.view.startsWith(QLatin1String("dialog:"))
                              ? opens_dialog(*window.commands(), QStringView(pose.view).mid(7))
                              : nullptr) {
        dialog->trigger();
        return {};
    }
    if (const auto view = scene::view_named(pose.view.toStdString());
        view && *view != scene::View::schedule) {
        window.graph()->setView(*view);
        return {};
    }
    for (QAction* layout : window.commands()->layouts->actions())
        if (pose.view == QStringLiteral("layout-") + layout->data().toString().toLower()) {
            layout->trigger();
            return {};
        }
    for (Dock* dock : window.docks().all())
        if (dock->objectName() == pose.view.section(QLatin1Char(':'), 0, 0)) {
            dock->show();
            dock->raise();
            // "breakdown:Speed-up:USL": the dock's segments, by their names.
            QSet<QButtonGroup*> chosen; // names may occur in several groups: the first one counts
            for (const QString& part : pose.view.split(QLatin1Char(':')).mid(1))
                for (QToolButton* button : dock->findChildren<QToolButton*>()) {
                    if (!button->property("segment").toBool() || button->text() != part ||
                        chosen.contains(button->group()))
                        continue;
                    chosen.insert(button->group());
                    button->click();
                    break;
                }
            return {};
        }
    return MainWindow::tr("--view: expected a view (layered, arc, matrix, bipartite), a "
                          "panel's name, dialog:NAME or layout-NAME, found \"%1\"")
        .arg(pose.view);
}

} // namespace

void take_pose(MainWindow& window, const Pose& pose, std::function<void(const QString&)> done) {
    auto* timer = new QTimer(&window);
    auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    auto failure = std::make_shared<QString>();
    QObject::connect(window.session(), &Session::failed, timer,
                     [failure](const QString& message) { *failure = message; });
    QObject::connect(
        timer, &QTimer::timeout, &window,
        [&window, pose, done = std::move(done), timer, clock, failure, posed = false,
         calm = 0]() mutable {
            const auto end = [&](const QString& error) {
                timer->stop();
                timer->deleteLater();
                done(error);
            };
            if (!failure->isEmpty()) return end(*failure);
            if (clock->hasExpired(pose.time_limit.count()))
                return end(MainWindow::tr("the window did not settle within %1 s")
                               .arg(pose.time_limit.count() / 1000));
            if (!window.isSettled()) {
                calm = 0;
                return;
            }
            if (!posed && window.session()->range()) {
                posed = true;
                calm = 0;
                const QString error = strike(window, pose);
                if (!error.isEmpty() || pose.picture.isEmpty()) end(error);
                return;
            }
            if (++calm < calm_looks) return;
            if (!picture_of(window).save(pose.picture))
                return end(
                    shortage_noted()
                        ? MainWindow::tr("cannot write %1: the system refused the memory for it")
                              .arg(pose.picture)
                        : MainWindow::tr("cannot write %1").arg(pose.picture));
            end({});
        });
    timer->start(look_every_ms);
}

} // namespace blockloom::ui
