// The table twin as a model: sorting by value, filtering, selections that stay on their rows.
#include "models/twin_model.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>

using namespace blockloom;
using ui::TwinModel;

namespace {

/// Row r is task r with a number and a name that sorts otherwise than the number.
class NumberTable final : public scene::ViewTable {
public:
    explicit NumberTable(std::vector<double> numbers, std::string note = {})
        : columns_{{"Task", true, false}, {"Name", false, true}}, numbers_(std::move(numbers)),
          note_(std::move(note)) {}
    const std::vector<scene::TableColumn>& columns() const override { return columns_; }
    std::size_t rows() const override { return numbers_.size(); }
    std::string text(std::size_t row, std::size_t column) const override {
        const std::string number = std::to_string(static_cast<long>(numbers_[row]));
        return column == 0 ? number : "name " + number;
    }
    std::optional<double> value(std::size_t row, std::size_t column) const override {
        return column == 0 ? std::optional(numbers_[row]) : std::nullopt;
    }
    std::optional<std::uint32_t> task(std::size_t row) const override {
        return static_cast<std::uint32_t>(row);
    }
    std::optional<std::uint32_t> key(std::size_t row) const override {
        return static_cast<std::uint32_t>(row + 1000);
    }
    const std::string& note() const override { return note_; }

private:
    std::vector<scene::TableColumn> columns_;
    std::vector<double> numbers_;
    std::string note_;
};

std::shared_ptr<const scene::ViewTable> random_table(int rows, quint32 seed) {
    QRandomGenerator random(seed);
    std::vector<double> numbers;
    for (int i = 0; i < rows; ++i) numbers.push_back(random.bounded(0, 50));
    return std::make_shared<NumberTable>(std::move(numbers));
}

} // namespace

class TestTwinModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_tester_finds_nothing() {
        TwinModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(random_table(200, 1));
        model.sort(0, Qt::DescendingOrder);
        model.sort(1);
        model.setFilter(QStringLiteral("3"));
        model.sort(-1);
        model.setTable(random_table(10, 2));
        model.setFilter({});
        model.setTable(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void numbers_sort_by_value() {
        TwinModel model;
        model.setTable(std::make_shared<NumberTable>(std::vector<double>{9, 100, 10, 1}));
        model.sort(0);
        QCOMPARE(shown(model), (std::vector<quint32>{3, 0, 2, 1}));
        model.sort(0, Qt::DescendingOrder);
        QCOMPARE(shown(model), (std::vector<quint32>{1, 2, 0, 3}));
        model.sort(1); // by text: "name 1", "name 10", "name 100", "name 9"
        QCOMPARE(shown(model), (std::vector<quint32>{3, 2, 1, 0}));
        model.sort(-1);
        QCOMPARE(shown(model), (std::vector<quint32>{0, 1, 2, 3}));
    }

    void equal_rows_keep_their_order() {
        TwinModel model;
        const auto table = random_table(500, 7);
        model.setTable(table);
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            model.sort(0, order);
            const auto rows = shown(model);
            QVERIFY(std::is_sorted(rows.begin(), rows.end(), [&](quint32 a, quint32 b) {
                const double x = *table->value(a, 0), y = *table->value(b, 0);
                if (x != y) return order == Qt::AscendingOrder ? x < y : x > y;
                return a < b;
            }));
        }
    }

    void filter_looks_into_every_cell() {
        TwinModel model;
        model.setTable(std::make_shared<NumberTable>(std::vector<double>{9, 100, 10, 1}, "half"));
        model.setFilter(QStringLiteral("NAME 10"));
        QCOMPARE(shown(model), (std::vector<quint32>{1, 2}));
        model.sort(0);
        QCOMPARE(shown(model), (std::vector<quint32>{2, 1}));
        QCOMPARE(model.allRows(), std::size_t{4});
        QCOMPARE(model.note(), QStringLiteral("half"));
        QCOMPARE(model.rowOf(3, std::nullopt), -1);
        QCOMPARE(model.rowOf(1, std::nullopt), 1);
        QCOMPARE(model.rowOf(std::nullopt, 1002), 0);
        QCOMPARE(model.rowOf(std::nullopt, std::nullopt), -1);
    }

    void held_indexes_follow_their_rows() {
        TwinModel model;
        model.setTable(random_table(100, 3));
        const QPersistentModelIndex held = model.index(42, 1);
        const auto task = model.task(42);
        for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
            model.sort(0, order);
            QCOMPARE(model.task(held.row()), task);
            QCOMPARE(held.column(), 1);
        }
    }

    void cells_say_how_they_stand() {
        TwinModel model;
        model.setTable(std::make_shared<NumberTable>(std::vector<double>{9}));
        QVERIFY(model.data(model.index(0, 0), Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QVERIFY(model.headerData(0, Qt::Horizontal, Qt::TextAlignmentRole).toInt() &
                Qt::AlignRight);
        QVERIFY(model.data(model.index(0, 1), Qt::FontRole).isValid());
        QCOMPARE(model.data(model.index(0, 0), Qt::AccessibleTextRole).toString(),
                 QStringLiteral("Task: 9"));
    }

private:
    static std::vector<quint32> shown(const TwinModel& model) {
        std::vector<quint32> tasks;
        for (int row = 0; row < model.rowCount(); ++row) tasks.push_back(model.task(row).value());
        return tasks;
    }
};

QTEST_MAIN(TestTwinModel)
#include "test_twin_model.moc"
