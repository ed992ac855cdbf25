// Text of others is never markup: a window full of hostile names, in every panel and dialog, reads
// no file that they name, lays out no table of theirs and keeps its size.
#include "base/json.h"
#include "docks/dock.h"
#include "headers/waiting.h"
#include "look/plain_text.h"
#include "models/recent_model.h"
#include "runs/kept_run.h"
#include "runs/run_notes.h"
#include "session/backends.h"
#include "session/runs.h"
#include "store/workspace.h"
#include "window/find_box.h"
#include "window/first_start.h"
#include "window/machine_line.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QDialog>
#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLayoutItem>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QTextBlock>
#include <QTextEdit>
#include <QToolTip>

#include <sys/inotify.h>
#include <unistd.h>

namespace blockloom::ui::test_plain_text {
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

    void cleanup() { QVERIFY2(!watched_->opened(), "a picture that a name points to was read"); }

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

            QLabel sentence;
            sentence.setWordWrap(true);
            sentence.setTextInteractionFlags(Qt::TextSelectableByMouse);
            show_sentence(sentence, evil);
            QVERIFY(sentence.minimumSizeHint().width() < 3 * widest_word);
            QVERIFY(sentence.heightForWidth(400) < 600);
            QVERIFY(sentence.text() == evil || sentence.toolTip() == evil);
            sentence.show();
            test::wait_until_active(&sentence);
            sentence.setFocus();
            sentence.setSelection(0, static_cast<int>(sentence.text().size()));
            QTest::keySequence(&sentence, QKeySequence::Copy);
            QCOMPARE(QGuiApplication::clipboard()->text(),
                     QString(sentence.text()).remove(QChar(0x200B)));

            QTextDocument help;
            help.setHtml(literal_help(evil));
            QCOMPARE(help.toPlainText(), evil);
        }
        for (const char* part : {"/a", "/1", "//", "/a1"}) { // where a path may be broken
            const QString path = QString::fromLatin1(part).repeated(350);
            QLabel sentence;
            sentence.setWordWrap(true);
            show_sentence(sentence, path);
            QVERIFY2(sentence.minimumSizeHint().width() < 2 * widest_word, part);
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
            fixture_.window->commands()->layout_analyse->trigger();
            QVERIFY(fixture_.settle());
            check_size();
            check();
        }
    }

    /// Runs of a workspace whose device, sources, notes and names are like that.
    void runs() {
        const QString blocks = evil_folder() + QStringLiteral("/blocks");
        QVERIFY(test::write_messages(blocks, 12));
        fixture_.make();
        fixture_.window->open({blocks});
        QVERIFY(fixture_.settle());
        Runs& runs = *fixture_.window->runs();
        fixture_.window->commands()->run->trigger();
        WAIT_UNTIL(runs.kept().size() == std::size_t{1});
        QVERIFY(fixture_.settle());
        const std::string id = runs.kept().front().id;
        int number = 0;
        {
            const auto kept = test::open_runs(runs.folder());
            QVERIFY(kept.ok());
            const auto document = kept->load(id);
            QVERIFY(document.ok() && *document);
            const auto spans = kept->load_part(id, runs::spans_part);
            QVERIFY(spans.ok() && *spans);
            const store::DocumentPart part{runs::spans_part, **spans};
            for (const QString& evil : evils()) {
                const std::string name = id + "-" + std::to_string(++number);
                const std::string changed =
                    with_names(**document, QString::fromStdString(name), evil);
                QVERIFY(kept->keep(name, "evil", changed, {&part, 1}).ok());
                QVERIFY(runs::set_notes(*kept, name,
                                        {evil.toStdString(), evil.left(most_name).toStdString(), 1})
                            .ok());
            }
        }
        fixture_.make(); // one that made no run itself: it shows the newest one
        fixture_.window->open({blocks});
        QVERIFY(fixture_.settle());
        Runs& listed = *fixture_.window->runs();
        WAIT_UNTIL(listed.kept().size() == std::size_t(number) + 1);
        for (std::size_t run = 0; run + 1 < listed.kept().size(); run += 2) {
            listed.choose(Runs::Side::a, QString::fromStdString(listed.kept()[run].id));
            listed.choose(Runs::Side::b, QString::fromStdString(listed.kept()[run + 1].id));
            see_layouts();
        }
        see_everything(); // what no run changes, once
    }

    /// Errors name paths; the start page lists what was open.
    void paths_and_errors() {
        fixture_.make();
        see_everything();
        const QString gone = evil_folder() + QStringLiteral("/gone");
        fixture_.window->open({gone});
        WAIT_UNTIL(!fixture_.window->session()->busy());
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
        return {QStringLiteral("<table><tr><td>").repeated(3000) + QStringLiteral("HOSTILE"),
                image,
                QStringLiteral("<p>") + image + image,
                QStringLiteral("<b>HOSTILE</b> & <a href=\"x\">&amp;</a>\n") +
                    QStringLiteral("W").repeated(20'000),
                QStringLiteral("HOSTILE\n").repeated(1000) + QStringLiteral("HOSTILE"),
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

    static constexpr int most_name = 4000; ///< that a run's document may hold

    /// A run's document whose every text is `evil`, but for those that say which run it is and
    /// which blocks it ran.
    static std::string with_names(const std::string& document, const QString& id,
                                  const QString& evil) {
        const QStringList kept{QStringLiteral("schema"), QStringLiteral("hash"),
                               QStringLiteral("date")};
        const std::function<QJsonValue(const QJsonValue&)> rename = [&](const QJsonValue& value) {
            if (value.isString()) return QJsonValue(evil.left(most_name));
            if (value.isArray()) {
                QJsonArray items;
                for (const QJsonValue& item : value.toArray()) items.append(rename(item));
                return QJsonValue(items);
            }
            if (!value.isObject()) return value;
            QJsonObject object = value.toObject();
            for (const QString& key : object.keys())
                if (!kept.contains(key)) object.insert(key, rename(object.value(key)));
            return QJsonValue(object);
        };
        QJsonObject run =
            rename(QJsonDocument::fromJson(QByteArray::fromStdString(document)).object())
                .toObject();
        run.insert(QStringLiteral("run"), id);
        run.insert(QStringLiteral("source"), QJsonArray{evil});
        QJsonArray blocks = run.value(QStringLiteral("blocks")).toArray();
        for (QJsonValueRef at : blocks) {
            QJsonObject block = at.toObject();
            block.insert(QStringLiteral("difference"), evil);
            block.insert(QStringLiteral("on_host"),
                         QJsonObject{{evil.left(most_name), QJsonArray{QJsonArray{0, 1}}}});
            block.insert(QStringLiteral("ejected"), QJsonObject{{evil.left(most_name), 1}});
            at = block;
        }
        run.insert(QStringLiteral("blocks"), blocks);
        return QJsonDocument(run).toJson().toStdString();
    }

    void see_layouts() {
        MainWindow& window = *fixture_.window;
        const WindowActions& commands = *window.commands();
        for (QAction* layout : {commands.layout_analyse, commands.layout_run,
                                commands.layout_compare, commands.layout_tune}) {
            if (!layout->isEnabled()) continue;
            layout->trigger();
            WAIT_UNTIL(window.isSettled());
            test::drain_events(); // what was shown last has its place
            check_size();
            (void)window.grab();
            check();
        }
    }

    /// Every layout and dialog is drawn, then every widget is looked at.
    void see_everything() {
        see_layouts();
        MainWindow& window = *fixture_.window;
        const WindowActions& commands = *window.commands();
        for (Dock* dock : window.docks().all()) {
            if (!window.session()->range()) break;
            dock->show();
            dock->raise();
            dock->showError(evils().front());
            QApplication::processEvents();
            check_size(*dock);
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

    /// No name sets the size of the window.
    void check_size() const {
        const QSize least = fixture_.window->minimumSizeHint();
        QVERIFY2(least.width() <= 1280 && least.height() <= 800, qPrintable(least_sizes(least)));
    }

    /// Nor of a panel, whose errors name it too.
    void check_size(const Dock& dock) const {
        const QSize least = dock.minimumSizeHint();
        QVERIFY2(least.width() <= 640 && least.height() <= 560, qPrintable(least_sizes(least)));
    }

    /// What each panel needs, and each part that needs much.
    QString least_sizes(QSize of) const {
        QStringList lines{QStringLiteral("%1 x %2").arg(of.width()).arg(of.height())};
        for (const Dock* dock : fixture_.window->docks().all())
            if (dock->isVisible())
                lines.append(QStringLiteral("%1: %2 at %3")
                                 .arg(dock->objectName())
                                 .arg(dock->minimumSizeHint().width())
                                 .arg(dock->x()));
        for (QWidget* widget : QApplication::allWidgets()) {
            if (widget->isWindow() || !widget->isVisible()) continue;
            const QSize least = QWidgetItem(widget).minimumSize();
            if (qobject_cast<Dock*>(widget) != nullptr || least.width() > 300 ||
                least.height() > 400)
                lines.append(
                    QStringLiteral("%1 %2 in %3: %4 x %5")
                        .arg(QString::fromLatin1(widget->metaObject()->className()),
                             widget->objectName(),
                             QString::fromLatin1(widget->parentWidget()->metaObject()->className()))
                        .arg(least.width())
                        .arg(least.height()));
        }
        return lines.join(QLatin1Char('\n'));
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
                edit && edit->objectName() != QStringLiteral("guidePage")) {
                check_document(edit->document()->toHtml());
                // Laying out takes time that grows with the square of a name's length.
                QVERIFY(edit->document()->characterCount() < 30'000);
            }
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

} // namespace blockloom::ui::test_plain_text

QTEST_MAIN(blockloom::ui::test_plain_text::TestPlainText)
#include "test_plain_text.moc"
