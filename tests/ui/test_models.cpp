// Models without a window: what they show, how they sort, and that views can rely on them.
#include "block_fixture.h"
#include "look/table.h"
#include "models/block_figures.h"
#include "models/block_words.h"
#include "models/blocks_model.h"
#include "models/contention_model.h"
#include "models/find.h"
#include "models/log_model.h"
#include "models/recent_model.h"
#include "session/rules.h"

#include <QAbstractItemModelTester>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace blockloom;
using namespace blockloom::ui;
using namespace blockloom::test;

namespace {

constexpr auto strict = QAbstractItemModelTester::FailureReportingMode::QtTest;

QString shown(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data().toString();
}

std::shared_ptr<const range::BlockRecord> with_checks(range::Checks checks, std::uint64_t height) {
    auto record = std::make_shared<range::BlockRecord>(*make_record(hot_trace(height)));
    record->checks = checks;
    return record;
}

} // namespace

class TestModels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocks_show_the_engines_figures() {
        BlocksModel model;
        QAbstractItemModelTester tester(&model, strict);
        const auto record = make_record(hot_trace(2489));
        model.setRange(make_range({record}));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(shown(model, 0, BlocksModel::Block), QStringLiteral("2489"));
        QCOMPARE(shown(model, 0, BlocksModel::Tasks), QStringLiteral("6"));
        QCOMPARE(shown(model, 0, BlocksModel::Pairs), QStringLiteral("6")); // 4 tasks on one key
        QCOMPARE(shown(model, 0, BlocksModel::Levels), QStringLiteral("4"));
        QCOMPARE(shown(model, 0, BlocksModel::Parallelism), QStringLiteral("1.50"));
        const auto sizes =
            model.index(0, BlocksModel::LevelSizes).data(SparklineRole).value<QList<quint32>>();
        QCOMPARE(sizes, (QList<quint32>{3, 1, 1, 1}));
        const auto bar = model.index(0, BlocksModel::Parallelism).data(BarRole).value<Bar>();
        QCOMPARE(bar.value, 1.5);
        QVERIFY(bar.predicted);
        for (int column = 0; column < BlocksModel::ColumnCount; ++column)
            QVERIFY(
                !model.headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().isEmpty());
    }

    void a_failed_check_is_spelled_out() {
        BlocksModel model;
        model.setRange(
            make_range({with_checks({true, std::nullopt}, 1), with_checks({false, true}, 2),
                        with_checks({true, false}, 3), with_checks({}, 4)}));
        const auto mark = [&](int row) {
            return model.index(row, BlocksModel::Status).data(StatusRole).value<Mark>();
        };
        QCOMPARE(mark(0), Mark::ok);
        QCOMPARE(mark(1), Mark::error);
        QCOMPARE(mark(2), Mark::error);
        QCOMPARE(mark(3), Mark::unknown);
        QCOMPARE(shown(model, 1, BlocksModel::Status), QStringLiteral("invalid"));
        QCOMPARE(check_words({true, false}), QStringLiteral("witness commitment invalid"));
        for (int row = 0; row < 4; ++row) // a reader who sees no icon hears the words
            QVERIFY(!model.index(row, BlocksModel::Status)
                         .data(Qt::AccessibleTextRole)
                         .toString()
                         .isEmpty());
    }

    void what_was_left_out_is_listed_last_in_every_order() {
        auto range = std::make_shared<range::Range>(
            *make_range({make_record(hot_trace(7)), make_record(hot_trace(3))}));
        range->left_out = {
            {"/blocks/0001.bin", "stale: a longer branch won", true},
            {"/blocks/bad.bin", "offset 80: expected a count, found the end", false}};
        BlocksModel model;
        SortedRows rows;
        rows.setSourceModel(&model);
        rows.setRank([&](int row) { return model.isBlock(row) ? 0 : 1; });
        QAbstractItemModelTester tester(&rows, strict);
        model.setRange(range);
        QCOMPARE(rows.rowCount(), 4);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            rows.sort(BlocksModel::Block, order);
            const bool up = order == Qt::AscendingOrder;
            QCOMPARE(shown(rows, 0, BlocksModel::Block),
                     up ? QStringLiteral("3") : QStringLiteral("7"));
            QVERIFY(shown(rows, 2, BlocksModel::Tasks).size() > 5); // the reason
            QCOMPARE(rows.index(2, 0).data(StatusRole).value<Mark>() == Mark::none, false);
        }
        QCOMPARE(shown(rows, 3, BlocksModel::Levels), QStringLiteral("—"));
    }

    void blocks_sort_by_value_and_filter_by_pattern() {
        std::vector<std::shared_ptr<const range::BlockRecord>> records;
        for (const std::uint64_t height : {9U, 100U, 20U})
            records.push_back(make_record(hot_trace(height)));
        BlocksModel model;
        SortedRows rows;
        rows.setSourceModel(&model);
        model.setRange(make_range(records));
        rows.sort(BlocksModel::Block);
        QCOMPARE(shown(rows, 0, BlocksModel::Block), QStringLiteral("9")); // not "100"
        QCOMPARE(shown(rows, 2, BlocksModel::Block), QStringLiteral("100"));
        QVERIFY(rows.setFilterText(QStringLiteral("^(9|20)$")));
        QCOMPARE(rows.rowCount(), 2);
        QVERIFY(!rows.setFilterText(QStringLiteral("(")));
        QCOMPARE(rows.rowCount(), 2); // as it was
        QVERIFY(rows.setFilterText({}));
        QCOMPARE(rows.rowCount(), 3);
    }

    void other_rules_keep_the_rows() {
        const auto trace = hot_trace();
        BlocksModel model;
        QAbstractItemModelTester tester(&model, strict);
        model.setRange(make_range({make_record(trace)}));
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        schedule::AnalysisOptions options;
        options.policy.ignore = {"balance:0xfee"};
        const auto relaxed = make_record(trace, options);
        model.setRecord(0, relaxed);
        QCOMPARE(shown(model, 0, BlocksModel::Pairs), QStringLiteral("1"));
        model.setRange(make_range({relaxed}));
        QCOMPARE(reset.count(), 0);
        QVERIFY(changed.count() >= 1);
        model.setRecord(0, make_record(hot_trace(8))); // of another block: refused
        QCOMPARE(shown(model, 0, BlocksModel::Block), QStringLiteral("100"));
    }

    void merged_sizes_keep_peaks() {
        std::vector<std::uint32_t> sizes(1000, 1);
        sizes[777] = 50;
        const QList<quint32> merged = merged_sizes(sizes, 48);
        QCOMPARE(merged.size(), 48);
        QVERIFY(merged.contains(50U));
        QCOMPARE(merged_sizes({4, 2}, 48), (QList<quint32>{4, 2}));
        QVERIFY(merged_sizes({}, 48).isEmpty());
    }

    void totals_are_the_ranges() {
        BlockTotalsModel model;
        QAbstractItemModelTester tester(&model, strict);
        QCOMPARE(model.rowCount(), 0);
        model.setRange(make_range({make_record(hot_trace(1)), make_record(hot_trace(2))}));
        QCOMPARE(shown(model, 0, BlocksModel::Block), QStringLiteral("2 blocks"));
        QCOMPARE(shown(model, 0, BlocksModel::Tasks), QStringLiteral("12"));
        QCOMPARE(shown(model, 0, BlocksModel::Levels), QStringLiteral("—"));
    }

    void figures_have_labels_and_words() {
        const BlockFigures figures = figures_of(*make_record(hot_trace()));
        QCOMPARE(figures.left.size(), figures.right.size());
        for (const Figure& figure : figures.left + figures.right)
            QVERIFY(!figure.label.isEmpty() && !figure.value.isEmpty() && !figure.tip.isEmpty());
        QCOMPARE(level_sizes_text({1386, 328, 31, 31, 31}), QStringLiteral("1,386 · 328 · 31 × 3"));
        QCOMPARE(level_sizes_text({5, 4, 3, 2}, 2), QStringLiteral("5 · 4 · …"));
    }

    void contention_ranks_and_asks() {
        const auto record = make_record(hot_trace());
        ContentionModel model;
        QAbstractItemModelTester tester(&model, strict);
        model.setBlock(record, {});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.keyAt(0), QStringLiteral("balance:0xfee"));
        QCOMPARE(shown(model, 0, ContentionModel::Key), QStringLiteral("Account balance"));
        QCOMPARE(shown(model, 0, ContentionModel::Pairs), QStringLiteral("6"));
        QCOMPARE(shown(model, 0, ContentionModel::ReadersWriters), QStringLiteral("4 / 4"));
        QVERIFY(model.index(0, ContentionModel::Gain).data(SortRole).toDouble() > 1.5);
        QCOMPARE(model.rowOf(*model.idAt(1)), 1);

        QSignalSpy asked(&model, &ContentionModel::relaxRequested);
        QVERIFY(
            model.setData(model.index(0, ContentionModel::Relax), Qt::Checked, Qt::CheckStateRole));
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.at(0).at(0).toString(), QStringLiteral("balance:0xfee"));
        QCOMPARE(asked.at(0).at(1).toBool(), true);
        // The tick waits for the policy.
        QCOMPARE(model.index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Unchecked));
    }

    void a_relaxed_key_stays_with_its_figures() {
        const auto trace = hot_trace();
        ContentionModel model;
        QAbstractItemModelTester tester(&model, strict);
        model.setBlock(make_record(trace), {});
        const QString gain = shown(model, 0, ContentionModel::Gain);
        schedule::AnalysisOptions options;
        options.policy = with_key({}, "balance:0xfee", true);
        // First the policy, then the record made by it: listed once at any time.
        model.setBlock(make_record(trace), options.policy);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        model.setBlock(make_record(trace, options), options.policy);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.keyAt(0), QStringLiteral("balance:0xfee"));
        QCOMPARE(model.index(0, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        QCOMPARE(shown(model, 0, ContentionModel::Gain), gain);
        QCOMPARE(model.keyAt(1), QStringLiteral("storage:0xaa/1"));
        // In another block nothing is known of the key.
        model.setBlock(make_record(hot_trace(101), options), options.policy);
        QCOMPARE(shown(model, 0, ContentionModel::Gain), QStringLiteral("—"));
        QVERIFY(!model.idAt(0));
    }

    void patterns_name_exactly_one_key() {
        for (const char* key : {"balance:0xfee", "storage:0xbb[2]", "odd:*?[]]["}) {
            const trace::KeyPolicy policy = with_key({}, key, true);
            QVERIFY(is_relaxed(policy, key));
            QCOMPARE(relaxed_keys(policy), std::vector<std::string>{key});
            QVERIFY(with_key(policy, key, false).leaves_all());
            QCOMPARE(with_key(policy, key, true).ignore.size(), std::size_t{1});
        }
        trace::KeyPolicy globs;
        globs.ignore = {"balance:*", "kind:nonce", "storage:[ab]"};
        QVERIFY(relaxed_keys(globs).empty());
        // The engine reads the pattern as the key itself.
        schedule::AnalysisOptions options;
        options.policy = with_key({}, "storage:0xbb[2]", true);
        const auto record = make_record(hot_trace(), options);
        QVERIFY(record != nullptr);
        QCOMPARE(record->analysis.index->trace->access_sets().of(4).size(), std::size_t{0});
    }

    void log_forgets_the_oldest() {
        LogModel model;
        {
            QAbstractItemModelTester tester(&model, strict); // looks at every row at every change
            for (int i = 0; i < 5; ++i)
                model.append(QStringLiteral("info"), QStringLiteral("line"));
            model.clear();
        }
        for (std::size_t i = 0; i < LogModel::most + 3; ++i)
            model.append(QStringLiteral("info"), QString::number(i));
        QCOMPARE(model.rowCount(), static_cast<int>(LogModel::most));
        QCOMPARE(shown(model, 0, LogModel::Message), QStringLiteral("3"));
        model.append(QStringLiteral("error"), QStringLiteral("bad"));
        QCOMPARE(model.index(model.rowCount() - 1, LogModel::Level).data(StatusRole).value<Mark>(),
                 Mark::error);
    }

    void recent_is_kept_and_flags_what_is_gone() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("settings.ini"));
        const QString gone = folder.filePath(QStringLiteral("gone"));
        const QDateTime now = QDateTime::currentDateTime();
        RecentModel model;
        QAbstractItemModelTester tester(&model, strict);
        model.add({{gone}, QStringLiteral("gone"), QStringLiteral("1 block"), now.addDays(-1)});
        model.add({{folder.path()}, QStringLiteral("here"), QStringLiteral("2 blocks"), now});
        model.add({{gone}, QStringLiteral("gone"), QStringLiteral("3 blocks"), now.addDays(-1)});
        QCOMPARE(model.rowCount(), 2); // the same sources: moved to the top
        QCOMPARE(model.at(0).figures, QStringLiteral("3 blocks"));
        QVERIFY(model.isMissing(0));
        QVERIFY(!model.isMissing(1));
        QCOMPARE(model.age(0), QStringLiteral("yesterday"));
        for (int i = 0; i < 20; ++i)
            model.add({{QString::number(i)}, QStringLiteral("n"), {}, now});
        QCOMPARE(model.rowCount(), RecentModel::most);

        QSettings settings(file, QSettings::IniFormat);
        model.save(settings);
        RecentModel other;
        other.load(settings);
        QCOMPARE(other.rowCount(), model.rowCount());
        QCOMPARE(other.at(3).sources, model.at(3).sources);
        QCOMPARE(other.at(3).when.toSecsSinceEpoch(), model.at(3).when.toSecsSinceEpoch());
    }

    void finds_tasks_keys_and_blocks() {
        const auto record = make_record(hot_trace(100));
        const auto range = make_range({record, make_record(hot_trace(2100))});
        const auto look = [&](const char* text) {
            return find_in(*range, 0, record.get(), QString::fromLatin1(text)).found;
        };
        QCOMPARE(look("#3").at(0).task, std::optional<quint32>(3));
        QCOMPARE(look("task-4").at(0).task, std::optional<quint32>(4));
        QCOMPARE(look("0xaa").at(0).key, std::optional<quint32>(1));
        QCOMPARE(look("2100").at(0).row, 1);
        QCOMPARE(look("100").size(), 2); // both heights hold it
        QVERIFY(look("nowhere").isEmpty());
        QVERIFY(look("  ").isEmpty());
        QVERIFY(find_in(*range, 0, record.get(), QStringLiteral("task"), 2).found.size() <= 2);

        const auto others = [&](int row, const char* text, int most) {
            return find_elsewhere(*range, row, QString::fromLatin1(text), most, {}).found;
        };
        const auto keys = others(0, "0xaa", 10);
        QCOMPARE(keys.size(), 1);
        QCOMPARE(keys.at(0).row, 1);
        QCOMPARE(keys.at(0).key, std::optional<quint32>(1));
        QVERIFY(keys.at(0).title.contains(QStringLiteral("2,100")) ||
                keys.at(0).title.contains(QStringLiteral("2100")));
        QCOMPARE(others(1, "task-4", 10).at(0).row, 0);
        QCOMPARE(others(0, "task", 2).size(), 2);
        QVERIFY(others(0, "nowhere", 10).isEmpty());
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(find_elsewhere(*range, 0, QStringLiteral("task"), 9, stopped.get_token())
                    .found.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestModels)
#include "test_models.moc"
