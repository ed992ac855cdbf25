// The guide: a section for every panel, pictures that are there, and "?" that opens the right part.
#include "headers/waiting.h"
#include "window/guide_dialog.h"
#include "window/window_actions.h"
#include "window_fixture.h"
#include "window_waits.h"

#include "docks/dock.h"
#include "places.h"

#include <QAbstractTextDocumentLayout>
#include <QImage>
#include <QListWidget>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QToolButton>

namespace blockloom::ui::test_guide {

class TestGuide : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", data_.path().toUtf8());
        fixture_.make();
        QVERIFY(fixture_.open());
    }

    void cleanupTestCase() { fixture_.window.reset(); }

    void anchors_of_titles() {
        QCOMPARE(guide_anchor(QStringLiteral("Live run")), QStringLiteral("live-run"));
        QCOMPARE(guide_anchor(QStringLiteral("What is kept?")), QStringLiteral("what-is-kept"));
    }

    /// Each anchor names one section, and each panel has one.
    void every_panel_has_its_section() {
        GuideDialog* guide = open(QString());
        QStringList anchors;
        for (const GuideSection& section : guide->page()->sections()) {
            QVERIFY2(!anchors.contains(section.anchor), qPrintable(section.anchor));
            anchors.append(section.anchor);
        }
        QVERIFY(anchors.size() > 12);
        for (const Dock* dock : fixture_.window->docks().all())
            QVERIFY2(anchors.contains(guide_anchor(dock->windowTitle())),
                     qPrintable(dock->windowTitle()));
        QCOMPARE(guide->contents()->count(), anchors.size());
        QVERIFY(!guide->page()->goTo(QStringLiteral("no-such-section")));
    }

    void its_pictures_and_links_are_there() {
        GuideDialog* guide = open(QString());
        QFile file(QStringLiteral(":/guide/guide.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QFile maker(QStringLiteral(BLOCKLOOM_SOURCE_DIR "/docs/make-pictures"));
        QVERIFY(maker.open(QIODevice::ReadOnly));
        const QString script = QString::fromUtf8(maker.readAll());
        const QRegularExpression picture(QStringLiteral("!\\[([^\\]]+)\\]\\(([^)]+)\\)"));
        int pictures = 0;
        for (const auto& match : picture.globalMatch(text)) {
            const QString path = match.captured(2);
            // One that docs/make-pictures makes only with the next release is left out of both.
            QVERIFY2(script.contains(QFileInfo(path).completeBaseName().section(u'-', 0, 0)),
                     qPrintable(path));
            if (!QFile::exists(QStringLiteral(BLOCKLOOM_SOURCE_DIR "/docs/") + path)) continue;
            QVERIFY2(!QImage(QStringLiteral(":/guide/") + path).isNull(), qPrintable(path));
            QVERIFY2(match.captured(1).size() > 5, "a picture that says nothing to a reader");
            ++pictures;
        }
        QVERIFY(pictures >= 5);
        const QRegularExpression link(QStringLiteral("\\]\\(#([^)]+)\\)"));
        for (const auto& match : link.globalMatch(text))
            QVERIFY2(guide->page()->goTo(match.captured(1)), qPrintable(match.captured(1)));
        // Without a network there is nothing to fetch.
        QVERIFY(!text.contains(QStringLiteral("](http")));
    }

    /// F1 in a panel, and its button, lead to its part: the heading stands at the top.
    void a_panel_opens_its_part() {
        const Docks& docks = fixture_.window->docks();
        docks.schedule->raise();
        WAIT_UNTIL(!docks.schedule->visibleRegion().isEmpty());
        docks.schedule->widget()->setFocus();
        fixture_.window->activateWindow();
        test::wait_until_active(fixture_.window.get());
        for (QWidget* child : docks.schedule->findChildren<QWidget*>())
            if (child->focusPolicy() != Qt::NoFocus && child->isVisible() && child->isEnabled()) {
                child->setFocus();
                break;
            }
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        GuideDialog* guide = shown();
        QVERIFY(guide != nullptr);
        QCOMPARE(guide->page()->current(), QStringLiteral("schedule"));
        QVERIFY(guide->page()->verticalScrollBar()->value() > 0);
        QVERIFY(!guide->isModal()); // to be read beside the window

        for (QToolButton* button : docks.blocks->findChildren<QToolButton*>())
            if (button->accessibleName() == QStringLiteral("About Blocks"))
                QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(shown(), guide); // the same one
        QCOMPARE(guide->page()->current(), QStringLiteral("blocks"));

        QTest::keyClick(guide->page(), Qt::Key_Escape);
        WAIT_UNTIL(shown() == nullptr);
    }

    void sections_by_key() {
        GuideDialog* guide = open(QStringLiteral("graph"));
        guide->contents()->setFocus();
        QTest::keyClick(guide->contents(), Qt::Key_Down);
        QCOMPARE(guide->page()->current(), QStringLiteral("schedule"));
        guide->close();
    }

    /// Whatever the width: the heading that was gone to, or the words that were scrolled to.
    void what_is_read_stays_at_the_top() {
        GuideDialog* guide = open(QStringLiteral("schedule"));
        GuidePage* page = guide->page();
        const auto resized = [&](int width, int height) {
            guide->resize(width, height);
            WAIT_UNTIL(guide->size() == QSize(width, height));
            QCoreApplication::processEvents(); // it is laid out before somebody scrolls again
        };
        for (const int width : {700, 1240, 620, 960}) {
            resized(width, 720);
            WAIT_UNTIL(page->current() == QStringLiteral("schedule"));
        }
        // Inside a section: its words stay, its heading is not jumped to.
        QTextCursor cursor;
        for (QTextBlock block = page->document()->begin(); block.isValid(); block = block.next())
            if (block.text().size() > 120 && block.position() > page->sections().at(6).position) {
                cursor = QTextCursor(block);
                break;
            }
        QVERIFY(!cursor.isNull());
        const auto top_of = [&] {
            return page->document()->documentLayout()->blockBoundingRect(cursor.block()).top();
        };
        const int at = cursor.block().blockNumber();
        page->verticalScrollBar()->setValue(static_cast<int>(top_of()) - 2);
        for (const int width : {720, 1180, 660, 1300, 700, 960}) {
            resized(width, 640);
            cursor = QTextCursor(page->document()->findBlockByNumber(at));
            WAIT_UNTIL(qAbs(page->verticalScrollBar()->value() - (top_of() - 2)) < 3);
        }
        guide->close();
    }

private:
    [[nodiscard]] GuideDialog* shown() const {
        auto* guide = fixture_.window->findChild<GuideDialog*>();
        return guide != nullptr && guide->isVisible() ? guide : nullptr;
    }
    GuideDialog* open(const QString& anchor) {
        if (shown() == nullptr) fixture_.window->commands()->guide->trigger();
        shown()->goTo(anchor);
        return shown();
    }

    QTemporaryDir data_;
    test::WindowFixture fixture_;
};

} // namespace blockloom::ui::test_guide

QTEST_MAIN(blockloom::ui::test_guide::TestGuide)
#include "test_guide.moc"
