// Every algorithm on the DIMACS instances of ../shared/data, where they are.
#include "base/file.h"
#include "headers/shared_data.h"
#include "places.h"
#include "schedule/colouring.h"
#include "schedule/dimacs.h"

#include <QDir>
#include <QTest>

#include <map>

using namespace blockloom;
using namespace blockloom::schedule;

namespace {

/// Proved chromatic numbers that a short search reaches on any machine: no flakiness.
const std::map<QString, std::uint32_t> easily_reached{
    {QStringLiteral("myciel3"), 4},     {QStringLiteral("myciel4"), 5},
    {QStringLiteral("myciel5"), 6},     {QStringLiteral("myciel6"), 7},
    {QStringLiteral("myciel7"), 8},     {QStringLiteral("queen5_5"), 5},
    {QStringLiteral("fpsol2.i.1"), 65}, {QStringLiteral("mulsol.i.1"), 49},
    {QStringLiteral("zeroin.i.1"), 49}, {QStringLiteral("anna"), 11},
    {QStringLiteral("david"), 11},      {QStringLiteral("games120"), 9},
    {QStringLiteral("miles750"), 31},   {QStringLiteral("wap05a"), 50},
    {QStringLiteral("1-FullIns_4"), 5}, {QStringLiteral("2-Insertions_3"), 4},
};

/// Proved lower bounds of the others: no colouring may claim fewer.
const std::map<QString, std::uint32_t> proved{
    {QStringLiteral("queen8_8"), 9},      {QStringLiteral("queen11_11"), 11},
    {QStringLiteral("le450_15b"), 15},    {QStringLiteral("le450_25c"), 25},
    {QStringLiteral("school1_nsh"), 14},  {QStringLiteral("DSJC125.5"), 17},
    {QStringLiteral("flat300_26_0"), 26},
};

/// What plain DSATUR (saturation, degree, index) gives, computed by another program.
const std::map<QString, std::uint32_t> plain_dsatur{
    {QStringLiteral("queen8_8"), 12},  {QStringLiteral("le450_25c"), 29},
    {QStringLiteral("DSJC500.5"), 65}, {QStringLiteral("latin_square_10"), 132},
    {QStringLiteral("wap05a"), 50},
};

} // namespace

class TestInstances : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void colourings_are_proper_data() {
        QTest::addColumn<QString>("file");
        const QDir folder(test::shared_data("dimacs"));
        const auto files = folder.entryInfoList({QStringLiteral("*.col")}, QDir::Files);
        if (files.isEmpty()) QTest::newRow("absent") << QString();
        for (const QFileInfo& file : files)
            QTest::newRow(qPrintable(file.completeBaseName())) << file.filePath();
    }
    void colourings_are_proper() {
        NEEDS_SHARED_DATA("dimacs");
        QFETCH(QString, file);
        const QString name = QFileInfo(file).completeBaseName();
        const auto bytes = FileContent::read(file.toStdString());
        QVERIFY(bytes.ok());
        const auto read = read_dimacs(bytes->bytes(), file.toStdString());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message.c_str());
        const auto& graph = read->graph;
        std::uint32_t least = 0;
        for (const auto* known : {&easily_reached, &proved})
            if (known->contains(name)) least = known->at(name);
        for (const Algorithm algorithm :
             {Algorithm::greedy, Algorithm::welsh_powell, Algorithm::smallest_last,
              Algorithm::dsatur, Algorithm::best}) {
            const auto reached =
                algorithm == Algorithm::best ? easily_reached.find(name) : easily_reached.end();
            Colouring result = colour(graph, algorithm, 0.2);
            // A search on a loaded machine needs more than the usual time.
            for (double seconds = 0.4;
                 reached != easily_reached.end() && result.colours > reached->second; seconds *= 2)
                result = colour(graph, algorithm, seconds);
            QVERIFY(is_proper(graph, result.colour));
            QVERIFY(result.colours >= least);
            if (algorithm == Algorithm::dsatur && plain_dsatur.contains(name))
                QCOMPARE(result.colours, plain_dsatur.at(name));
        }
    }
};

QTEST_APPLESS_MAIN(TestInstances)
#include "test_instances.moc"
