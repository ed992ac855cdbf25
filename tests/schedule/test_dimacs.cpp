// The DIMACS reader: what it takes, what it mends, what it refuses and how it says so.
#include "random_graphs.h"
#include "schedule/dimacs.h"

#include <QTest>

using namespace blockloom;
using namespace blockloom::schedule;
using namespace blockloom::testing;

namespace {

Result<DimacsGraph> read(std::string_view text) {
    return read_dimacs(as_bytes(text), "graph.col");
}

QString message_of(std::string_view text) {
    const auto result = read(text);
    return result ? QStringLiteral("read without an error")
                  : QString::fromStdString(result.error().message);
}

} // namespace

class TestDimacs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void reads_what_it_wrote() {
        Random random(1);
        for (int round = 0; round < 100; ++round) {
            const auto graph = random_graph(random, below(random, 40), below(random, 100));
            const auto again = read(write_dimacs(graph));
            QVERIFY(again.ok());
            QCOMPARE(again->graph.begin, graph.begin);
            QCOMPARE(again->graph.neighbours, graph.neighbours);
            QVERIFY(again->warnings.empty());
        }
    }

    void edges_in_any_order_and_direction_are_sorted_and_counted_once() {
        Random random(2);
        for (int round = 0; round < 100; ++round) {
            const std::uint32_t n = 2 + below(random, 20);
            std::string text = "p edge " + std::to_string(n) + " 50\n";
            std::vector<std::vector<bool>> adjacent(n, std::vector<bool>(n, false));
            for (int i = 0; i < 50; ++i) {
                const std::uint32_t u = below(random, n), v = below(random, n);
                if (u == v) continue;
                adjacent[u][v] = adjacent[v][u] = true;
                text += "e " + std::to_string(u + 1) + " " + std::to_string(v + 1) + "\n";
            }
            const auto result = read(text);
            QVERIFY(result.ok());
            QCOMPARE(result->graph.vertices(), n);
            for (std::uint32_t v = 0; v < n; ++v) {
                std::vector<std::uint32_t> expected;
                for (std::uint32_t u = 0; u < n; ++u)
                    if (adjacent[v][u]) expected.push_back(u);
                const auto row = result->graph.of(v);
                QVERIFY(std::equal(row.begin(), row.end(), expected.begin(), expected.end()));
            }
        }
    }

    void comments_blank_lines_and_other_systems_line_ends() {
        for (const char* text :
             {"c made by hand\np edge 3 2\ne 1 2\ne 3 2\n", "p col 3 2\r\ne 1 2\r\n\r\ne 3 2\r\n",
              "  p  edges\t3 2 \n\n e 1\t2\nc\ncomment\ne 3 2",
              "p edge 3 2\nn 1 4\ne 1 2\ne 2 3"}) {
            const auto result = read(text);
            QVERIFY2(result.ok(), text);
            QCOMPARE(result->graph.edges(), 2u);
            QVERIFY(result->warnings.empty());
        }
    }

    void mends_and_says_so() {
        const auto twice = read("p edge 3 2\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n");
        QVERIFY(twice.ok());
        QCOMPARE(twice->graph.edges(), 2u);
        QCOMPARE(twice->warnings,
                 std::vector<std::string>{
                     "graph.col: 4 edge lines list 2 distinct edges (both directions)"});
        const auto wrong = read("p edge 3 7\ne 1 2\n");
        QVERIFY(wrong.ok());
        QCOMPARE(wrong->warnings,
                 std::vector<std::string>{"graph.col: the p line declares 7 edges, found 1"});
        const auto longer = read("p edge 3 1\ne 1 2 99\n");
        QVERIFY(longer.ok());
        QCOMPARE(
            longer->warnings,
            std::vector<std::string>{"graph.col: line 2: text after the two vertices is ignored"});
    }

    void a_graph_may_be_empty() {
        const auto none = read("p edge 0 0\n");
        QVERIFY(none.ok());
        QCOMPARE(none->graph.vertices(), 0u);
        const auto isolated = read("p edge 5 0");
        QVERIFY(isolated.ok());
        QCOMPARE(isolated->graph.vertices(), 5u);
        QCOMPARE(isolated->graph.edges(), 0u);
    }

    void refuses_with_the_line_and_what_it_expected_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const char* text, const char* message) {
            QTest::newRow(name) << QByteArray(text) << QString::fromUtf8(message);
        };
        row("nothing", "", "graph.col: line 1: expected \"p edge N M\", found the end of the file");
        row("no p line", "c only words\n",
            "graph.col: line 2: expected \"p edge N M\", found the end of the file");
        row("edge first", "e 1 2\np edge 2 1\n",
            "graph.col: line 1: expected \"p edge N M\" before the first edge, found \"e\"");
        row("two p lines", "p edge 2 1\np edge 2 1\n",
            "graph.col: line 2: expected one p line, found a second one");
        row("other problem", "p sp 2 1\n",
            "graph.col: line 1: expected \"edge\" or \"col\", found \"sp\"");
        row("no count", "p edge 2\n",
            "graph.col: line 1: expected the number of edges, found the end of the line");
        row("negative", "p edge -2 1\n",
            "graph.col: line 1: expected the number of vertices, found \"-2\"");
        row("loop", "p edge 2 1\ne 2 2\n",
            "graph.col: line 2: expected two different vertices, found a loop at 2");
        row("zero", "p edge 2 1\ne 0 2\n",
            "graph.col: line 2: expected a vertex of 1 … 2, found 0");
        row("beyond", "p edge 2 1\ne 1 3\n",
            "graph.col: line 2: expected a vertex of 1 … 2, found 3");
        row("word", "p edge 2 1\ne 1 two\n", "graph.col: line 2: expected a vertex, found \"two\"");
        row("huge number", "p edge 2 1\ne 1 99999999999999999999999\n",
            "graph.col: line 2: expected a vertex, found \"99999999999999999999999\"");
        row("half an edge", "p edge 2 1\ne 1\n",
            "graph.col: line 2: expected a vertex, found the end of the line");
        row("other line", "p edge 2 1\nedge 1 2\n",
            "graph.col: line 2: expected a line that starts with c, p or e, found \"edge\"");
        row("binary", "p edge 2 1\n\x01\xff\n",
            "graph.col: line 2: expected a line that starts with c, p or e, found \"??\"");
        row("absurd", "p edge 4000000000 1\n",
            "graph.col: line 1: expected at most 1000000 vertices in a file of 20 bytes, found "
            "4000000000");
    }
    void refuses_with_the_line_and_what_it_expected() {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        QCOMPARE(message_of(text.toStdString()), message);
    }

    void many_vertices_need_a_file_that_justifies_them() {
        std::string text = "p edge 1600000 0\n";
        QVERIFY(!read(text).ok());
        while (text.size() < 100'000) text += "c this file is longer than it has to be\n";
        QVERIFY(read(text).ok());
    }
};

QTEST_APPLESS_MAIN(TestDimacs)
#include "test_dimacs.moc"
