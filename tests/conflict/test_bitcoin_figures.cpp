// The reference figures of real blocks (../shared/data), computed independently.
#include "chain/block_file.h"
#include "conflict/conflict_index.h"
#include "conflict/index_conflicts.h"
#include "headers/shared_data.h"
#include "places.h"
#include "trace/bitcoin.h"

#include <QTest>

#include <array>
#include <filesystem>

using namespace blockloom;

class TestBitcoinFigures : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void figures_data() {
        for (const char* column :
             {"tasks", "accesses", "keys", "pairs", "conflicting", "groups", "largest", "levels"})
            QTest::addColumn<quint64>(column);
        const auto row = [](const char* file, std::array<quint64, 8> figures) {
            QTestData& data = QTest::newRow(file);
            for (const quint64 figure : figures) data << figure;
        };
        row("300025", {461, 4080, 2465, 134, 169, 355, 16, 14});
        row("367891", {420, 42487, 21651, 19, 33, 401, 5, 5});
        row("413567", {1557, 13353, 8180, 287, 428, 1270, 25, 25});
        row("482683", {12, 127, 76, 0, 0, 12, 1, 1});
        row("849236", {2410, 22544, 12244, 1827, 1955, 585, 25, 25});
        row("892614", {2489, 20908, 13382, 1113, 1249, 1386, 25, 25});
        row("testnet3-928848", {676, 29809, 18594, 0, 0, 676, 1, 1});
        row("testnet3-928849", {993, 27452, 18847, 11, 15, 982, 9, 9});
        row("testnet3-1087400", {97, 641, 426, 7, 11, 90, 4, 3});
    }

    void figures() {
        QFETCH(quint64, tasks);
        QFETCH(quint64, accesses);
        QFETCH(quint64, keys);
        QFETCH(quint64, pairs);
        QFETCH(quint64, conflicting);
        QFETCH(quint64, groups);
        QFETCH(quint64, largest);
        QFETCH(quint64, levels);
        NEEDS_SHARED_DATA("bitcoin");
        const std::filesystem::path path =
            std::filesystem::path(test::shared_data("bitcoin").toStdString()) /
            (std::string(QTest::currentDataTag()) + ".bin");
        auto file = FileContent::read(path);
        QVERIFY(file.ok());
        const auto storage = std::make_shared<chain::FileBytes>(*std::move(file));
        auto block = chain::decode_block(storage, storage->bytes(), path.string());
        QVERIFY2(block.ok(), block ? "" : block.error().message.c_str());
        auto trace = trace::trace_block(std::make_shared<chain::Block>(*std::move(block)));
        QVERIFY2(trace.ok(), trace ? "" : trace.error().message.c_str());
        auto policed = trace::apply(*trace, {}, false);
        QVERIFY(policed.ok());
        QVERIFY(policed->same_sets);
        const auto index =
            conflict::index_conflicts(std::make_shared<trace::PolicedTrace>(*std::move(policed)),
                                      conflict::ConflictModel::single_version);
        QVERIFY(index.ok());
        QCOMPARE(quint64{index->tasks()}, tasks);
        QCOMPARE(quint64{index->accesses}, accesses);
        QCOMPARE(quint64{index->keys}, keys);
        QCOMPARE(quint64{index->pairs.any}, pairs);
        QCOMPARE(quint64{index->conflicting_tasks}, conflicting);
        QCOMPARE(quint64{index->groups}, groups);
        QCOMPARE(quint64{index->largest_group}, largest);
        QCOMPARE(quint64{index->level_sizes.size()}, levels);
    }
};

QTEST_APPLESS_MAIN(TestBitcoinFigures)
#include "test_bitcoin_figures.moc"
