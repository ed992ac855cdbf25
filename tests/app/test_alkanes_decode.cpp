// blockloom-cli alkanes decode: the document, the tables, every container, wrong sources.
#include "program.h"

#include "alkanes/message_blocks.h"

#include <QDir>
#include <QJsonArray>

using namespace blockloom;
using namespace blockloom::test;

namespace {

QByteArray bytes_of(const Bytes& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
}

/// A mint, a cellpack with an amount of 128 bits, calldata that is none, a cenotaph, an envelope.
QByteArray made_block() {
    alkanes::Protostone broken = stones::calling({});
    broken.message = Bytes(15, 0x80);
    Bytes cenotaph = alkanes::encode_runestone({});
    cenotaph.push_back(0xac);
    model::Transaction create = stones::carrying({stones::calling({{1, 0}, {~u128{0}}})});
    create.inputs[0].witness = alkanes::envelope_witness(*alkanes::deflate_code(Bytes(900, 3)));
    return bytes_of(
        stones::block_bytes({stones::carrying({stones::calling({{2, 0}, {77}})}), create,
                             stones::carrying({broken}), stones::carrying(cenotaph)}));
}

QJsonArray list(const QJsonObject& document, const char* name) {
    return document[QLatin1String(name)].toArray();
}

QStringList decode(const QString& file) {
    return {QStringLiteral("alkanes"), QStringLiteral("decode"), file};
}

} // namespace

class TestAlkanesDecode : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;
    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }

private Q_SLOTS:
    void document() {
        write(path("made.bin"), made_block());
        const Answer answer = run(decode(path("made.bin")) << QStringLiteral("--json"));
        QVERIFY2(answer.status == 0 && answer.err.isEmpty(), answer.err.constData());
        const QJsonObject found = json(answer);
        QCOMPARE(found[QLatin1String("height")].toInteger(), qint64{stones::test_height});
        QCOMPARE(list(found, "runestones").size(), qsizetype{4});
        QCOMPARE(list(found, "protostones").size(), qsizetype{3});
        QCOMPARE(list(found, "messages").size(), qsizetype{3});
        QCOMPARE(list(found, "envelopes").size(), qsizetype{1});
        const QJsonValue mint = list(found, "messages")[0];
        QCOMPARE(mint[QLatin1String("tx")].toInteger(), qint64{1});
        QCOMPARE(mint[QLatin1String("txid")].toString().size(), qsizetype{64});
        QCOMPARE(mint[QLatin1String("protostone")].toInteger(), qint64{0});
        QCOMPARE(mint[QLatin1String("shadow_vout")].toInteger(), qint64{3});
        QCOMPARE(mint[QLatin1String("target")].toString(), QStringLiteral("2:0"));
        QCOMPARE(mint[QLatin1String("pointer")].toInteger(), qint64{0});
        QCOMPARE(mint[QLatin1String("refund")].toInteger(), qint64{0});
        const QJsonArray inputs = mint[QLatin1String("inputs")].toArray();
        QCOMPARE(inputs.size(), qsizetype{13}); // the opcode and what pads the message
        QCOMPARE(inputs[0].toInteger(), qint64{77});
        // All digits of the largest amount are there, whatever a reader makes of them.
        QVERIFY(answer.out.contains("340282366920938463463374607431768211455"));
        const QJsonValue broken = list(found, "messages")[2];
        QVERIFY(broken[QLatin1String("target")].isNull());
        QVERIFY(!broken[QLatin1String("error")].toString().isEmpty());
        const QJsonValue cenotaph = list(found, "runestones")[3];
        QVERIFY(cenotaph[QLatin1String("cenotaph")].toBool());
        QCOMPARE(cenotaph[QLatin1String("flaw")].toString(), QStringLiteral("opcode"));
        const QJsonValue envelope = list(found, "envelopes")[0];
        QCOMPARE(envelope[QLatin1String("tx")].toInteger(), qint64{2});
        QCOMPARE(envelope[QLatin1String("inflated")].toInteger(), qint64{900});
    }

    void containers_give_the_same() {
        const QByteArray block = made_block();
        QByteArray height(4, '\0'), magic = QByteArray::fromHex("fabfb5da"), size(4, '\0');
        const auto put = [](QByteArray& to, quint32 value) {
            for (int i = 0; i < 4; ++i) to[i] = static_cast<char>(value >> (8 * i));
        };
        put(height, stones::test_height);
        put(size, static_cast<quint32>(block.size()));
        write(path("raw.bin"), block);
        write(path("text.hex"), block.toHex() + "\n");
        write(path("height.bin"), height + block);
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("blocks")));
        write(path("blocks/blk00000.dat"), magic + size + block + QByteArray(100, '\0'));
        QJsonArray expected;
        for (const char* name : {"raw.bin", "text.hex", "height.bin", "blocks"}) {
            const Answer answer = run(decode(path(name)) << QStringLiteral("--json"));
            QVERIFY2(answer.status == 0, answer.err.constData());
            const QJsonObject found = json(answer);
            if (expected.isEmpty()) expected = list(found, "messages");
            QVERIFY(!expected.isEmpty());
            QCOMPARE(list(found, "messages"), expected);
            QCOMPARE(found[QLatin1String("height")].toInteger(), qint64{stones::test_height});
        }
    }

    void tables() {
        write(path("table.bin"), made_block());
        const Answer answer = run(decode(path("table.bin")));
        QVERIFY2(answer.status == 0 && answer.err.isEmpty(), answer.err.constData());
        for (const char* part : {"Block 892614", "4 runestones (1 cenotaph: 1 opcode)",
                                 "3 messages", "1 envelope", "2:0", "gzip of 900 B"})
            QVERIFY2(answer.out.contains(part), answer.out.constData());
        const Answer one =
            run(decode(path("table.bin")) << QStringLiteral("--rows") << QStringLiteral("1"));
        QVERIFY2(one.out.contains("and 2 more"), one.out.constData());
    }

    void wrong_sources() {
        QCOMPARE(run(decode(path("absent.bin"))).status, 3);
        write(path("cut.bin"), made_block().chopped(9));
        const Answer cut = run(decode(path("cut.bin")));
        QCOMPARE(cut.status, 3);
        QVERIFY2(cut.err.contains("offset"), cut.err.constData());
        QVERIFY(QDir(folder.path()).mkdir(QStringLiteral("two")));
        write(path("two/1.bin"), made_block());
        write(path("two/2.bin"),
              bytes_of(stones::block_bytes({stones::carrying({stones::calling({{2, 1}, {}})})})));
        const Answer two = run(decode(path("two")));
        QCOMPARE(two.status, 2);
        QVERIFY2(two.err.contains("--height"), two.err.constData());
        QCOMPARE(
            run(decode(path("two")) << QStringLiteral("--height") << QStringLiteral("7")).status,
            3);
        QCOMPARE(run({QStringLiteral("alkanes")}).status, 2);
    }

    void block_892614() {
        NEEDS_SHARED_DATA("bitcoin/892614.bin");
        const QString file = shared_data("bitcoin/892614.bin");
        const Answer answer = run(decode(file) << QStringLiteral("--json"));
        QVERIFY2(answer.status == 0 && answer.err.isEmpty(), answer.err.constData());
        const QJsonObject found = json(answer);
        QCOMPARE(list(found, "runestones").size(), qsizetype{309});
        QCOMPARE(list(found, "protostones").size(), qsizetype{169});
        QCOMPARE(list(found, "messages").size(), qsizetype{165});
        const QJsonValue first = list(found, "messages")[0];
        QVERIFY(first[QLatin1String("txid")].toString().startsWith(QLatin1String("88b11e54")));
        QCOMPARE(first[QLatin1String("shadow_vout")].toInteger(), qint64{4});
        QVERIFY(answer.out.contains("1259877289045384579159"));
    }
};

QTEST_GUILESS_MAIN(TestAlkanesDecode)
#include "test_alkanes_decode.moc"
