// The HTML report: self-contained, whole, escaped, and honest about what is predicted.
#include "fixtures.h"

#include "report/chart_html.h"
#include "report/charts.h"
#include "report/export.h"
#include "report/range_document.h"
#include "report/themed_svg.h"

#include <QCryptographicHash>
#include <QDir>
#include <QImage>
#include <QRegularExpression>
#include <QXmlStreamReader>

using namespace blockloom;
using namespace blockloom::test;

namespace {

report::RangeReportOptions options() {
    report::RangeReportOptions made;
    made.provenance = {"9.9.9",
                       "2030-01-02 03:04 UTC",
                       {"Test processor", "Test kernel", "Test compiler", 3, 4096}};
    return made;
}

QString html_of(const range::Range& range, const report::RangeReportOptions& html = options()) {
    SilentProgress silent;
    const auto made = report::range_html(range, html, silent);
    return made.ok() ? QString::fromStdString(*made) : QString();
}

bool well_formed(const std::string& svg) {
    QXmlStreamReader xml(QByteArray::fromStdString(svg));
    while (!xml.atEnd()) xml.readNext();
    return !xml.hasError();
}

} // namespace

class TestHtml : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;

private Q_SLOTS:
    void it_needs_nothing_from_outside() {
        const auto range = open_demo();
        const QString html = html_of(*range);
        QVERIFY(!html.isEmpty());
        static const QRegularExpression outside(
            QStringLiteral("(src=|url\\(|@import|<link|<script|<iframe|<object|<base|https?://)"));
        const auto match = outside.match(html);
        QVERIFY2(!match.hasMatch(), qPrintable(html.mid(match.capturedStart() - 40, 120)));
        for (const QString& href : html.split(QStringLiteral("href=\"")).mid(1))
            QVERIFY(href.startsWith(u'#'));
    }

    void every_link_leads_somewhere() {
        const auto range = open_demo();
        const QString html = html_of(*range);
        static const QRegularExpression link(QStringLiteral("href=\"#([^\"]+)\""));
        int links = 0;
        for (auto it = link.globalMatch(html); it.hasNext(); ++links)
            QVERIFY(html.contains(QStringLiteral(" id=\"%1\"").arg(it.next().captured(1))));
        QVERIFY(links > 3);
    }

    void provenance_is_there() {
        const auto range = open_text(folder, hostile_trace);
        QVERIFY(range);
        SilentProgress silent;
        const QString path = folder.filePath(QStringLiteral("report.html"));
        report::ExportOptions exported;
        exported.report = options();
        const Status written =
            report::export_range(*range, nullptr, path.toStdString(), exported, silent);
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        const QByteArray hash = QCryptographicHash::hash(QByteArray::fromStdString(hostile_trace),
                                                         QCryptographicHash::Sha256)
                                    .toHex();
        for (const QByteArray& fact :
             {hash, QByteArray("Blockloom 9.9.9"), QByteArray("2030-01-02 03:04 UTC"),
              QByteArray("Test processor"), QByteArray("Test kernel"), QByteArray("Test compiler"),
              QByteArray("single-version"), QByteArray("nothing left out")})
            QVERIFY2(html.contains(fact), fact.constData());
    }

    void names_cannot_break_out() {
        const auto range = open_text(folder, hostile_trace);
        const QString html = html_of(*range);
        QVERIFY(!html.contains(QStringLiteral("<script")));
        QVERIFY(!html.contains(QStringLiteral("<b>,")));
        QVERIFY(html.contains(QStringLiteral("x:&quot;a&quot; &amp; &lt;b&gt;")));
        QVERIFY(html.contains(QStringLiteral("toy&lt;&amp;&gt;")));
    }

    void every_block_has_a_row_and_the_hottest_a_section() {
        const auto range = open_demo();
        auto html = options();
        html.detailed_blocks = 2;
        const QString text = html_of(*range, html);
        QCOMPARE(text.count(QStringLiteral("<section id=\"block-")), qsizetype{2});
        std::size_t hottest = 0;
        for (std::size_t i = 0; i < range->blocks.size(); ++i) {
            QVERIFY(text.contains(QString::number(*range->blocks[i]->trace->block.height)));
            if (range->blocks[i]->analysis.index->pairs.any >
                range->blocks[hottest]->analysis.index->pairs.any)
                hottest = i;
        }
        QVERIFY(text.contains(QStringLiteral("<section id=\"block-%1\"").arg(hottest)));
        QVERIFY(text.contains(QStringLiteral("Sections follow for the 2 blocks")));
    }

    void what_is_simulated_says_predicted() {
        const QString html = html_of(*open_demo());
        for (const char* heading :
             {"Parallelism, predicted", "Speed-up by number of workers, predicted",
              "List schedule on 8 workers, predicted", "predicted speed-up",
              "Gain if relaxed, predicted"})
            QVERIFY2(html.contains(QLatin1String(heading)), heading);
        QVERIFY(html.contains(QStringLiteral("Phase times, measured once")));
    }

    void what_was_left_out_is_listed() {
        auto range = *open_text(folder, hostile_trace);
        range.left_out.push_back({"<bad>.bin", "expected a block, found <nothing>", false});
        range.left_out.push_back({"old.bin", "of a branch with less work", true});
        const QString html = html_of(range);
        QVERIFY(html.contains(QStringLiteral("&lt;bad&gt;.bin")));
        QVERIFY(html.contains(QStringLiteral("stale branch")));
    }

    void charts_are_well_formed() {
        for (const auto& range : {open_text(folder, hostile_trace), open_demo()}) {
            QVERIFY(well_formed(
                report::chart_figure(report::range_chart(*range), "a <caption>", 1080)));
            for (const auto& record : range->blocks) {
                QVERIFY(well_formed(
                    "<p>" +
                    report::chart_figure(report::level_chart(*record->analysis.index), {}, 520) +
                    "</p>"));
                QVERIFY(well_formed(
                    "<p>" + report::chart_figure(report::speedup_chart(record->analysis), {}, 520) +
                    "</p>"));
                report::PictureOptions picture;
                picture.legend = false;
                for (const scene::View view :
                     {scene::View::layered, scene::View::arc, scene::View::matrix,
                      scene::View::bipartite, scene::View::schedule}) {
                    picture.view.view = view;
                    const auto made = report::make_picture(*record, picture);
                    QVERIFY(made.ok());
                    const std::string svg =
                        report::themed_svg(made->request, made->request, "a <title>");
                    QVERIFY(well_formed(svg));
                    QVERIFY(svg.size() < 4'000'000);
                }
            }
        }
    }

    void a_stop_gives_no_report() {
        std::stop_source stop;
        stop.request_stop();
        SilentProgress silent;
        const auto made = report::range_html(*open_demo(), options(), silent, stop.get_token());
        QVERIFY(!made.ok());
        QCOMPARE(made.error().code, ErrorCode::cancelled);
    }

    void the_same_range_gives_the_same_bytes() {
        const auto range = open_demo();
        QCOMPARE(html_of(*range), html_of(*range));
    }

    void each_ending_gives_its_form_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("html") << "a.html" << QByteArray("<!DOCTYPE html>");
        QTest::newRow("csv") << "a.csv" << QByteArray("height,hash,");
        QTest::newRow("json") << "a.JSON" << QByteArray("{");
        QTest::newRow("dot") << "a.dot" << QByteArray("digraph ");
        QTest::newRow("graphml") << "a.graphml" << QByteArray("<?xml ");
        QTest::newRow("png") << "a.png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "a.svg" << QByteArray("<?xml ");
        QTest::newRow("pdf") << "a.pdf" << QByteArray("%PDF-");
    }

    void each_ending_gives_its_form() {
        QFETCH(QString, name);
        QFETCH(QByteArray, begins);
        const auto range = open_demo();
        SilentProgress silent;
        const QString path = folder.filePath(name);
        const Status written =
            report::export_range(*range, range->blocks[1].get(), path.toStdString(), {}, silent);
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(begins));
    }

    void an_unknown_ending_is_wrong_usage() {
        const auto range = open_demo();
        SilentProgress silent;
        for (const char* name : {"a.doc", "a", "a.trace.json"}) {
            const std::string path = folder.filePath(QLatin1String(name)).toStdString();
            const Status written = report::export_range(*range, nullptr, path, {}, silent);
            QVERIFY(!written.ok());
            QCOMPARE(written.error().code, ErrorCode::wrong_usage);
            QVERIFY(!QFile::exists(QString::fromStdString(path)));
        }
    }

    void a_picture_of_a_task_that_is_not_there_is_an_error() {
        const auto range = open_demo();
        report::PictureOptions picture;
        picture.select = range->blocks[0]->trace->tasks();
        QVERIFY(!report::make_picture(*range->blocks[0], picture).ok());
        picture.select = 0;
        const auto made = report::make_picture(*range->blocks[0], picture);
        QVERIFY(made.ok());
        QVERIFY(!made->request.marks.empty());
    }
};

QTEST_GUILESS_MAIN(TestHtml)
#include "test_html.moc"
