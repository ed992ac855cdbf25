// Profiles: the document and back, what is refused, and the page with its flame graph.
#include "report/profile_report.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;

namespace {

/// main calls fold, which calls itself, and a function whose name wants to be markup.
Profile sample() {
    Profile profile;
    profile.file = "toy.wasm";
    profile.sha256 = std::string(64, 'a');
    profile.invoked = "main";
    profile.outcome = "returned";
    profile.fuel = 1000;
    profile.steps = 990;
    profile.functions = {
        {4, "fold", 12, 700, 700}, {2, "<b>;\"&", 3, 290, 290}, {9, "main", 1, 10, 1000}};
    profile.stacks = {{std::nullopt, 2, 1, 10}, {0, 0, 2, 500}, {1, 0, 10, 200}, {0, 1, 3, 290}};
    return profile;
}

ProfileOptions options() {
    ProfileOptions made;
    made.version = "9.9.9";
    made.date = "2030-01-02 03:04 UTC";
    return made;
}

QString html_of(const Profile& profile) {
    return QString::fromStdString(profile_html(profile, options()));
}

} // namespace

class TestProfile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_document_reads_back() {
        const std::string text = profile_json(sample());
        QVERIFY(looks_like_profile(text));
        QVERIFY(!looks_like_profile("{\"schema\":\"blockloom.analysis/1\"}"));
        const auto read = read_profile(text, "p.json");
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
        QCOMPARE(profile_json(*read), text);
        QCOMPARE(read->stacks[2].parent, std::optional<std::uint32_t>(1));
        QCOMPARE(read->functions[read->stacks[3].function].name, std::string("<b>;\"&"));
    }

    void what_is_refused_data() {
        QTest::addColumn<QByteArray>("from");
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* says) {
            QTest::newRow(name) << QByteArray(from) << QByteArray(to) << QByteArray(says);
        };
        row("no JSON", "{\n \"schema\"", "\n \"schema\"", "offset ");
        row("another version", "profile/1", "profile/2", "found \"blockloom.profile/2\"");
        row("no fuel", "\"fuel\": 1000", "\"fool\": 1000", "fuel: expected a value, found none");
        row("negative", "\"steps\": 990", "\"steps\": -1",
            "steps: expected a whole number from 0 to 18446744073709551615, found -1");
        row("sum of functions", "\"self\": 700", "\"self\": 701", "found 1001");
        row("sum of stacks", "\"self\": 500", "\"self\": 499",
            "stacks: expected values of \"self\"");
        row("own beyond 64 bits", "\"self\": 700", "\"self\": 18446744073709551615",
            "functions: expected values of \"self\"");
        row("total beyond fuel", "\"total\": 290", "\"total\": 1001",
            "functions[1].total: expected a whole number from 0 to 1000, found 1001");
        row("unknown function", "\"function\": 9,\n   \"calls\"", "\"function\": 8,\n   \"calls\"",
            "stacks[0].function: expected one of \"functions\", found 8");
        row("the same function twice", "\"function\": 2,\n   \"name\"",
            "\"function\": 4,\n   \"name\"", "distinct");
        row("a caller that comes later", "\"parent\": 1", "\"parent\": 3",
            "stacks[2].parent: expected a whole number from 0 to 1, found 3");
        row("the first has a caller", "\"parent\": null", "\"parent\": 0",
            "stacks[0].parent: expected null");
        row("a list of numbers", "\"stacks\": [", "\"stacks\": [1,",
            "stacks[0]: expected an object, found 1");
        row("a name that is none", "\"name\": \"fold\"", "\"name\": 4",
            "functions[0].name: expected a text, found 4");
    }

    void what_is_refused() {
        QFETCH(QByteArray, from);
        QFETCH(QByteArray, to);
        QFETCH(QByteArray, says);
        QByteArray text = QByteArray::fromStdString(profile_json(sample()));
        const qsizetype at = text.indexOf(from);
        QVERIFY(at >= 0);
        text.replace(at, from.size(), to);
        const auto read = read_profile(text.toStdString(), "folder/p.json");
        QVERIFY(!read.ok());
        QVERIFY(read.error().code == ErrorCode::bad_input);
        const std::string& message = read.error().message;
        QVERIFY2(message.starts_with("folder/p.json: "), message.c_str());
        QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
    }

    void cut_documents_are_errors() {
        const std::string text = profile_json(sample());
        for (std::size_t size = 0; size + 2 < text.size(); size += 5)
            QVERIFY(!read_profile(std::string_view(text).substr(0, size), "p.json").ok());
        const std::string deep(100'000, '[');
        QVERIFY(!read_profile(deep, "p.json").ok());
        QVERIFY(!read_profile("{\"schema\":" + deep, "p.json").ok());
    }

    /// 30,000 calls within one another: whole paths would be 900,000,000 names.
    void deep_stacks_are_folded_to_their_ends() {
        Profile deep;
        deep.functions = {{7, "f", 1, 1, 1}};
        deep.stacks.resize(30000);
        for (std::uint32_t i = 0; i < deep.stacks.size(); ++i) {
            if (i > 0) deep.stacks[i].parent = i - 1;
            deep.stacks[i].self = 1;
        }
        const std::string text = folded_stacks(deep);
        QVERIFY(text.size() < 20000000);
        const auto frames = [&](std::size_t line) {
            std::size_t at = 0;
            for (; line > 0; --line) at = text.find('\n', at) + 1;
            const std::string_view shown =
                std::string_view(text).substr(at, text.find('\n', at) - at);
            return static_cast<std::size_t>(std::count(shown.begin(), shown.end(), 'f'));
        };
        QCOMPARE(frames(0), std::size_t{1});
        QCOMPARE(frames(255), std::size_t{256});
        QCOMPARE(frames(256), std::size_t{256}); // 128, an ellipsis and 128
        QCOMPARE(frames(29999), std::size_t{256});
    }

    void folded_stacks_are_lines() {
        QCOMPARE(folded_stacks(sample()), std::string("main 10\nmain;fold 500\nmain;fold;fold "
                                                      "200\nmain;<b>:\"& 290\n"));
    }

    void the_page_is_whole() {
        const QString html = html_of(sample());
        QCOMPARE(html, html_of(sample()));
        for (const char* part :
             {"main <span class=\"quiet\">of toy.wasm", "9.9.9", "2030-01-02 03:04 UTC", "returned",
              "<b>1,000</b><span>fuel</span>", "<b>990</b><span>steps</span>",
              "<b>16</b><span>calls</span>"})
            QVERIFY2(html.contains(QLatin1String(part)), part);
        static const QRegularExpression outside(
            QStringLiteral("(src=|url\\(|@import|<link|<script|<iframe|https?://)"));
        QVERIFY(!outside.match(html).hasMatch());
        QVERIFY(!html.contains(QStringLiteral("<b>;")));
        QVERIFY(html.contains(QStringLiteral("&lt;b&gt;;&quot;&amp;")));
    }

    void every_frame_has_a_tooltip_and_a_row() {
        const Profile profile = sample();
        const QString html = html_of(profile);
        const qsizetype from = html.indexOf(QStringLiteral("<svg")),
                        to = html.indexOf(QStringLiteral("</svg>")) + 6;
        QXmlStreamReader xml(html.mid(from, to - from));
        QStringList tips;
        bool in_tip = false;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            if (xml.name() == QLatin1String("rect"))
                in_tip = xml.attributes().value(QLatin1String("class")) == QLatin1String("tip");
            else if (xml.name() == QLatin1String("title") && in_tip)
                tips.append(xml.readElementText());
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(tips.size(), qsizetype{4});
        QCOMPARE(tips[0], QStringLiteral("main: 100.0 % of the fuel, 1,000 with callees, 10 "
                                         "without, 1 call"));
        QCOMPARE(tips[1], QStringLiteral("fold: 70.0 % of the fuel, 700 with callees, 500 "
                                         "without, 2 calls"));
        const auto rows = [&](const char* id) {
            const qsizetype begin =
                html.indexOf(QStringLiteral("id=\"%1\"").arg(QLatin1String(id)));
            return html.mid(begin, html.indexOf(QStringLiteral("</section>"), begin) - begin)
                .count(QStringLiteral("<tr><td"));
        };
        QCOMPARE(rows("functions"), qsizetype{3});
        QCOMPARE(rows("stacks"), qsizetype{4});
        QVERIFY(html.contains(QStringLiteral("main › fold ×2")));
    }

    void long_paths_are_shortened() {
        Profile profile = sample();
        profile.functions = {{0, "even", 50, 1000, 1000}, {1, "odd", 50, 0, 1000}};
        profile.stacks.clear();
        for (std::uint32_t i = 0; i < 100; ++i)
            profile.stacks.push_back(
                {i == 0 ? std::nullopt : std::optional(i - 1), i % 2, 1, i % 2 == 0 ? 20U : 0U});
        const QString html = html_of(profile);
        QVERIFY(html.contains(QStringLiteral("even › odd › … › ")));
        QVERIFY(html.size() < 120'000);
    }

    void a_trap_and_merged_calls_are_told() {
        Profile profile = sample();
        QVERIFY(!html_of(profile).contains(QStringLiteral("Too many")));
        profile.outcome = "trapped: unreachable in fold at offset 7";
        profile.merged_calls = 5;
        const QString html = html_of(profile);
        QVERIFY(html.contains(QStringLiteral("The call trapped: unreachable in fold")));
        QVERIFY(html.contains(QStringLiteral("Too many different stacks")));
    }

    void pictures_are_as_wide_as_asked() {
        ProfileOptions wide = options();
        wide.width = 900;
        const scene::FrameRequest natural = flame_picture(sample(), wide);
        QCOMPARE(natural.width, 900);
        QVERIFY(natural.height < 200); // as high as three levels need
        wide.height = 500;
        QCOMPARE(flame_picture(sample(), wide).height, 500);
        wide.width = wide.height = 16;
        QVERIFY(flame_picture(sample(), wide).base != nullptr);
    }
};

QTEST_GUILESS_MAIN(TestProfile)
#include "test_profile.moc"
