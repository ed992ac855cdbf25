// Text of others is never markup: a window full of hostile names, in every panel and dialog, reads
// no file that they name, lays out no table of theirs and keeps its size.
#include "base/json.h"
#include "docks/dock.h"
#include "look/plain_text.h"
#include "models/recent_model.h"
#include "report/kept_run.h"
#include "report/run_notes.h"
#include "session/runs.h"
#include "store/workspace.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/machine_line.h"
#include "window/window_actions.h"
#include "window_fixture.h"

#include <QAbstractItemView>
#include <QDialog>
#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTextBlock>
#include <QTextEdit>
#include <QToolTip>

#include <sys/inotify.h>
#include <unistd.h>

namespace blockloom::ui {
namespace {

/// Whether a file was opened since it was made; by anybody.
class Watched {
public:
    explicit Watched(const QString& path) : queue_(::inotify_init1(IN_NONBLOCK)) {
        (void)::inotify_add_watch(queue_, path.toLocal8Bit().constData(), IN_OPEN);
    }
    ~Watched() { ::close(queue_); }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
    [[nodiscard]] bool opened() const {
        char event[4096];
        return ::read(queue_, event, sizeof event) > 0;
    }

private:
    int queue_;
};

QByteArray json_text(const QString& text) {
    return QByteArray::fromStdString(json_string(text.toStdString()));
}

} // namespace

class TestPlainText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8()); // nobody's own workspace
        qputenv("XDG_CONFIG_HOME", data_.path().toUtf8());
        QImage image(4, 4, QImage::Format_RGB32);
        image.fill(0);
        QVERIFY(image.save(picture_));
        watched_ = std::make_unique<Watched>(picture_);
        QVERIFY(!watched_->opened());
    }

    void cleanup() {
        fixture_.window.reset();
        QVERIFY2(!watched_->opened(), "a picture that a name points to was read");
    }

    /// What the rule is made of, on Qt's own widgets.
    void labels_tips_and_boxes() {
        for (const QString& evil : evils()) {
            QLabel label(evil);
            label.show();
            QCOMPARE(label.textFormat(), Qt::PlainText);
            label.setText(evil + evil);
            (void)label.grab();

            QLabel early; // asked for its height before it is shown
            early.setWordWrap(true);
            early.setText(evil);
            (void)early.heightForWidth(100);
            QVERIFY(!watched_->opened());

            QToolTip::showText(QPoint(5, 5), evil);
            for (QWidget* widget : QApplication::topLevelWidgets())
                if (auto* tip = qobject_cast<QLabel*>(widget); tip && tip->inherits("QTipLabel")) {
                    QCOMPARE(tip->textFormat(), Qt::PlainText);
                    QVERIFY(tip->width() <= tip->screen()->availableSize().width());
                    (void)tip->grab();
                }
            QToolTip::hideText();

            QMessageBox box(QMessageBox::Warning, evil.left(100), evil);
            box.setInformativeText(evil);
            box.ensurePolished();
            for (const QLabel* part : box.findChildren<QLabel*>())
                if (!part->text().isEmpty()) {
                    part->ensurePolished();
                    QCOMPARE(part->textFormat(), Qt::PlainText);
                }

            QTextDocument help;
            help.setHtml(literal_help(evil));
            QCOMPARE(help.toPlainText(), evil);
        }
        QLabel own;
        show_markup(own, QStringLiteral("<b>%1</b>").arg(evils().front().toHtmlEscaped()));
        own.show();
        QCOMPARE(own.textFormat(), Qt::RichText);
        QVERIFY(shows_markup(own));
        QCOMPARE(literal_title(QStringLiteral("a&b && c")), QStringLiteral("a&&b &&&& c"));
    }

    /// A trace that calls its block, its tasks and its keys so.
    void a_trace_data() {
        QTest::addColumn<int>("number");
        for (int number = 0; number < evils().size(); ++number)
            QTest::addRow("%d", number) << number;
    }
    void a_trace() {
        QFETCH(int, number);
        const QString folder = evil_folder();
        {
            const QString evil = evils().at(number);
            const QString file = folder + QStringLiteral("/%1.bloomtrace").arg(number);
            QFile out(file);
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write("{\"schema\":\"blockloom.trace/1\",\"chain\":" + json_text(evil) + "}\n");
            for (int block = 0; block < 2; ++block) {
                out.write("{\"block\":{\"height\":" + QByteArray::number(block) + ",\"hash\":" +
                          json_text(evil) + ",\"label\":" + json_text(evil) + "}}\n");
                for (int task = 0; task < 12; ++task)
                    out.write("{\"id\":" + json_text(evil + QString::number(task)) +
                              ",\"writes\":[" + json_text(QStringLiteral("k:") + evil) + "," +
                              json_text(evil + QStringLiteral(":x")) + "]}\n");
            }
            out.close();
            fixture_.make();
            fixture_.window->open({file});
            QVERIFY2(fixture_.settle(), qPrintable(evil.left(60)));
            fixture_.window->session()->selectTask(3);
            fixture_.window->session()->selectKey(0);
            see_everything();
            fixture_.window->commands()->relax_key->trigger(); // names the key in the undo steps
            QVERIFY(fixture_.settle());
            check();
        }
    }

    /// Errors name paths; the start page lists what was open.
    void paths_and_errors() {
        fixture_.make();
        see_everything();
        const QString gone = evil_folder() + QStringLiteral("/gone");
        fixture_.window->open({gone});
        QTRY_VERIFY(!fixture_.window->session()->busy());
        fixture_.window->recent()->add(
            {{gone}, evils().back(), evils().front(), QDateTime::currentDateTime()});
        fixture_.window->firstStart()->machine()->setBackends(
            {{QStringLiteral("auto"), evils().front(), evils().back(), {}},
             {QStringLiteral("vulkan"), evils().back(), {}, evils().front()}});
        fixture_.window->runs()->setFolder(evil_folder() + QStringLiteral("/workspace"));
        see_everything();
    }

private:
    [[nodiscard]] QStringList evils() const {
        const QString image = QStringLiteral("<img src=\"file://%1\"> HOSTILE").arg(picture_);
        return {QStringLiteral("<table><tr><td>").repeated(3000) + QStringLiteral("HOSTILE"), image,
                QStringLiteral("<p>") + image + image,
                QStringLiteral("<b>HOSTILE</b> & <a href=\"x\">&amp;</a>\n") +
                    QStringLiteral("W").repeated(20'000),
                QStringLiteral("<!DOCTYPE html><style>*{background:url(file://%1)}</style>HOSTILE")
                    .arg(picture_)};
    }
    /// A folder whose own name is one.
    [[nodiscard]] QString evil_folder() const {
        const QString path = data_.filePath(
            QStringLiteral("<img src=%1>HOSTILE & <table>").arg(QFileInfo(picture_).fileName()));
        QDir().mkpath(path);
        return path;
    }

    /// Every layout and dialog is drawn, then every widget is looked at.
    void see_everything() {
        MainWindow& window = *fixture_.window;
        const WindowActions& commands = *window.commands();
        for (QAction* layout : {commands.layout_analyse, commands.layout_run,
                                commands.layout_compare, commands.layout_tune}) {
            if (!layout->isEnabled()) continue;
            layout->trigger();
            QTRY_VERIFY_WITH_TIMEOUT(window.isSettled(), 60'000);
            (void)window.grab();
            check();
        }
        for (Dock* dock : window.docks().all()) {
            if (!window.session()->range()) break;
            dock->show();
            dock->raise();
            dock->showError(evils().front());
            QApplication::processEvents();
            (void)dock->grab();
            dock->clearError();
        }
        for (QAction* action : {commands.settings, commands.policy, commands.palette,
                                commands.about, commands.shortcuts}) {
            if (!action->isEnabled()) continue;
            action->trigger();
            QApplication::processEvents();
            check();
            for (QDialog* dialog : window.findChildren<QDialog*>()) {
                (void)dialog->grab();
                dialog->close();
            }
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        for (QMenu* menu : window.menuBar()->findChildren<QMenu*>()) {
            Q_EMIT menu->aboutToShow();
            (void)menu->grab();
        }
        window.findBox()->setText(QStringLiteral("HOSTILE"));
        QApplication::processEvents();
        check();
        window.findBox()->clear();
        QVERIFY(!watched_->opened());
    }

    static void check() {
        for (QWidget* widget : QApplication::allWidgets()) {
            widget->ensurePolished();
            if (const auto* label = qobject_cast<QLabel*>(widget)) {
                QVERIFY2(label->textFormat() ==
                             (shows_markup(*label) ? Qt::RichText : Qt::PlainText),
                         qPrintable(label->text().left(200)));
                if (shows_markup(*label)) check_document(label->text());
            }
            if (const auto* edit = qobject_cast<QTextEdit*>(widget);
                edit && edit->objectName() != QStringLiteral("guidePage"))
                check_document(edit->document()->toHtml());
            // Of ours alone: QWhatsThis guesses.
            QVERIFY2(!widget->whatsThis().contains(QStringLiteral("HOSTILE")),
                     qPrintable(widget->whatsThis()));
        }
        for (const QAction* action : QApplication::activeWindow() != nullptr
                                         ? QApplication::activeWindow()->findChildren<QAction*>()
                                         : QList<QAction*>())
            QVERIFY(!action->whatsThis().contains(QStringLiteral("HOSTILE")));
    }

    /// No picture, no link and no table came out of a name.
    static void check_document(const QString& html) {
        QVERIFY2(!html.contains(QStringLiteral("<img")), qPrintable(html.left(2000)));
        QVERIFY(!html.contains(QStringLiteral("<a href=\"x\"")));
        QVERIFY(!html.contains(QStringLiteral("<table><tr><td>")));
        QVERIFY(!html.contains(QStringLiteral("<b>HOSTILE")));
    }

    QTemporaryDir data_;
    QString picture_ = data_.filePath(QStringLiteral("picture.png"));
    std::unique_ptr<Watched> watched_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui

QTEST_MAIN(blockloom::ui::TestPlainText)
#include "test_plain_text.moc"
