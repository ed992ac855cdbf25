// The table that all panels use, by real keys and clicks: rows that are no neighbours, copied in
// the order in which they stand.
#include "look/roles.h"
#include "look/table.h"
#include "window_waits.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QTest>

namespace blockloom::ui::test_table {

class TestTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        table_ = std::make_unique<Table>(QStringLiteral("Fruit"));
        model_.clear();
        model_.setHorizontalHeaderLabels({QStringLiteral("Name"), QStringLiteral("Count")});
        for (int row = 0; row < 6; ++row) {
            auto* name = new QStandardItem(QStringLiteral("row\t%1").arg(row));
            name->setData(row, SortRole);
            model_.appendRow({name, new QStandardItem(QString::number(10 - row))});
        }
        sorted_.setSourceModel(&model_);
        table_->setModel(&sorted_);
        table_->resize(400, 300);
        table_->show();
        test::wait_until_exposed(table_.get());
        QGuiApplication::clipboard()->clear();
    }

    void rows_by_clicks_with_control() {
        click(1, Qt::NoModifier);
        click(4, Qt::ControlModifier);
        click(2, Qt::ControlModifier);
        click(2, Qt::ControlModifier); // and taken back
        QTest::keyClick(table_.get(), Qt::Key_C, Qt::ControlModifier);
        // A tab in a cell is no border of cells.
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("Name\tCount\nrow 1\t9\nrow 4\t6\n"));
    }

    void rows_by_keys() {
        click(0, Qt::NoModifier);
        // Control moves without choosing, Control and Space choose.
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(table_.get(), Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(table_.get(), Qt::Key_Space, Qt::ControlModifier);
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(table_.get(), Qt::Key_Down, Qt::ControlModifier);
        QTest::keyClick(table_.get(), Qt::Key_Space, Qt::ControlModifier);
        QTest::keyClick(table_.get(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(),
                 QStringLiteral("Name\tCount\nrow 0\t10\nrow 3\t7\nrow 5\t5\n"));
    }

    /// In the order that is shown, whatever was clicked first; hidden columns stay out.
    void the_order_is_the_one_that_is_shown() {
        table_->sortByColumn(0, Qt::DescendingOrder);
        table_->setColumnHidden(1, true);
        click(5, Qt::NoModifier); // row 0
        click(0, Qt::ControlModifier);
        QTest::keyClick(table_.get(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Name\nrow 5\nrow 0\n"));
    }

    /// The unit of a column may change with its values, while the table is shown.
    void a_header_that_grows_is_not_cut() {
        const QString longer = QStringLiteral("Count of all pieces of fruit, in thousands");
        QHeaderView* header = table_->horizontalHeader();
        header->resizeSection(1, table_->headerWidth(1));
        model_.setHeaderData(1, Qt::Horizontal, longer);
        QVERIFY(header->sectionSize(1) >= table_->headerWidth(1));
        // By a reset, too.
        QStandardItemModel other(1, 2);
        other.setHorizontalHeaderLabels({QStringLiteral("Name"), longer + longer});
        sorted_.setSourceModel(&other);
        QVERIFY(header->sectionSize(1) >= table_->headerWidth(1));
    }

    /// A column that the user made narrow stays so when the values change and its header does not.
    void a_narrow_column_stays_when_the_header_does() {
        QHeaderView* header = table_->horizontalHeader();
        header->resizeSection(1, 200);
        const QPoint edge(header->sectionViewportPosition(1) + 200 - 1, header->height() / 2);
        QTest::mousePress(header->viewport(), Qt::LeftButton, {}, edge);
        QTest::mouseMove(header->viewport(), edge - QPoint(90, 0));
        QTest::mouseMove(header->viewport(), edge - QPoint(170, 0));
        QTest::mouseRelease(header->viewport(), Qt::LeftButton, {}, edge - QPoint(170, 0));
        const int narrow = header->sectionSize(1);
        QVERIFY2(narrow < table_->headerWidth(1), qPrintable(QString::number(narrow)));
        QStandardItemModel other(1, 2);
        other.setHorizontalHeaderLabels({QStringLiteral("Name"), QStringLiteral("Count")});
        sorted_.setSourceModel(&other);
        QCOMPARE(header->sectionSize(1), narrow);
    }

private:
    void click(int row, Qt::KeyboardModifiers with) {
        QTest::mouseClick(table_->viewport(), Qt::LeftButton, with,
                          table_->visualRect(table_->model()->index(row, 0)).center());
    }

    std::unique_ptr<Table> table_;
    QStandardItemModel model_;
    SortedRows sorted_;
};

} // namespace blockloom::ui::test_table

QTEST_MAIN(blockloom::ui::test_table::TestTable)
#include "test_table.moc"
