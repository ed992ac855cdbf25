// Ids in text and bytes.
#include "alkanes/ids.h"

#include <QTest>

using namespace blockloom;
using alkanes::AlkaneId;

class TestIds : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void text_and_bytes_come_back() {
        const u128 most = ~u128{0};
        for (const AlkaneId& id : {AlkaneId{}, AlkaneId{2, 0}, AlkaneId{4, 65522},
                                   AlkaneId{0, most}, AlkaneId{most, 1}}) {
            QVERIFY(alkanes::id_from_text(alkanes::id_text(id)) == id);
            QVERIFY(alkanes::id_from_bytes(alkanes::id_bytes(id)) == id);
        }
        QCOMPARE(alkanes::id_text({2, 19}), std::string("2:19"));
        const std::string bytes = alkanes::id_bytes({2, 0x1234});
        QCOMPARE(bytes.size(), alkanes::id_size);
        QCOMPARE(bytes[0], char{2});
        QCOMPARE(bytes[16], char{0x34});
        QCOMPARE(bytes[17], char{0x12});
    }

    void ids_are_ordered_by_block_first() {
        QVERIFY((AlkaneId{2, 9} < AlkaneId{3, 0}));
        QVERIFY((AlkaneId{2, 9} < AlkaneId{2, 10}));
    }

    void other_text_is_no_id() {
        for (const char* text : {"", "2", "2:", ":0", "2:0:1", "a:0", "2: 0", "-1:0"})
            QVERIFY2(!alkanes::id_from_text(text), text);
        QVERIFY(!alkanes::id_from_bytes(std::string(31, '\0')));
    }
};

QTEST_APPLESS_MAIN(TestIds)
#include "test_ids.moc"
