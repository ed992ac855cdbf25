// blockloom-cli state: seeds, looks, digests, undo; what it refuses.
#include "program.h"

#include "base/u128.h"
#include "store/workspace.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonArray>
#include <QRegularExpression>

using namespace blockloom::test;

namespace {

/// The smallest module.
const QByteArray module("\0asm\1\0\0\0", 8);
const char* const txid = "88b11e54000000000000000000000000000000000000000000000000000000dc";

/// JSON, written with single quotes.
QByteArray quoted(QByteArray text) {
    return text.replace('\'', '"');
}

} // namespace

class TestState : public QObject {
    Q_OBJECT

    const QTemporaryDir folder;
    QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }

    /// state WORDS in the workspace `name`.
    Answer state(const char* name, const QStringList& words) const {
        return run(QStringList{QStringLiteral("--workspace"), path(name), QStringLiteral("state")} +
                   words);
    }
    Answer state(const char* name, const char* words) const {
        return state(name, QString::fromUtf8(words).split(u' ', Qt::SkipEmptyParts));
    }
    /// The hexadecimal value of `state get`; "absent".
    QString value(const char* name, const char* key) const {
        const QJsonObject answer = json(state(name, (std::string("get --json ") + key).c_str()));
        if (!answer.contains(QLatin1String("present"))) return QStringLiteral("no answer");
        return answer[QLatin1String("present")].toBool() ? answer[QLatin1String("value")].toString()
                                                         : QStringLiteral("absent");
    }
    QString digest(const char* name) const {
        return json(state(name, "digest --json"))[QLatin1String("state_digest")].toString();
    }
    static QString number(blockloom::u128 n) {
        return QString::fromStdString(
            blockloom::to_hex(blockloom::as_bytes(blockloom::u128_bytes(n))));
    }

    /// "1 keys" and its like.
    static QString wrong_plurals(const Answer& answer) {
        static const QRegularExpression plural(QStringLiteral("(?<![\\d.,:])1 [a-z]+s\\b"));
        return answer.status == 0 ? plural.match(QString::fromUtf8(answer.out)).captured()
                                  : QString::fromUtf8(answer.err);
    }

private Q_SLOTS:
    void one_of_a_thing_is_singular() {
        QCOMPARE(state("one", "put-storage 2:0 /key value").status, 0);
        const Answer check = state("one", "check");
        QVERIFY2(check.out.contains("State   1 key, "), check.out.constData());
        QCOMPARE(wrong_plurals(check), QString());
        write(path("one.wasm"), module + QByteArray("\1\4\1\x60\0\0\3\2\1\0\x0a\4\1\2\0\x0b", 16));
        const Answer inspected =
            run({QStringLiteral("wasm"), QStringLiteral("inspect"), path("one.wasm")});
        QVERIFY2(inspected.out.contains(", 1 function (0 imported), 0 globals, "),
                 inspected.out.constData());
        QCOMPARE(wrong_plurals(inspected), QString());
        QCOMPARE(wrong_plurals(run({QStringLiteral("synth"), QStringLiteral("mixed"),
                                    QStringLiteral("--blocks"), QStringLiteral("1"),
                                    QStringLiteral("--tasks"), QStringLiteral("2"),
                                    QStringLiteral("-o"), path("one_block")})),
                 QString());
        write(path("one.col"), "p edge 2 1\ne 1 2\n");
        QCOMPARE(wrong_plurals(run({QStringLiteral("color"), path("one.col")})), QString());
    }

    void storage_takes_text_hex_and_numbers() {
        const char* name = "storage";
        struct Case {
            const char *key, *value, *read, *expected;
        };
        const std::vector<Case> cases{
            {"/text", "words", "storage:2:0:/text", "776f726473"},
            {"/hex", "hex:00ff", "storage 2:0 /hex", "00ff"},
            {"/hex2", "0x00FF", "storage 2:0 /hex2", "00ff"},
            {"/n", "u32:258", "storage 2:0 /n", "02010000"},
            {"/seen/0xc69e0d0000000000", "u8:1", "storage 2:0 /seen/0xc69e0d0000000000", "01"},
            {"hex:2f7365656e2fc69e0d0000000001", "text:0x", "storage:2:0:/seen/0xc69e0d0000000001",
             "3078"},
            {"/id", "id:2:0", "storage 2:0 hex:2f6964",
             "0200000000000000000000000000000000000000000000000000000000000000"}};
        for (const Case& c : cases) {
            const Answer put =
                state(name, QStringList{QStringLiteral("put-storage"), QStringLiteral("2:0"),
                                        QLatin1String(c.key), QLatin1String(c.value)});
            QVERIFY2(put.status == 0 && put.err.isEmpty(), put.err.constData());
            QCOMPARE(value(name, c.read), QLatin1String(c.expected));
        }
        QCOMPARE(value(name, "storage 2:1 /text"), QStringLiteral("absent"));
        QCOMPARE(state(name, QStringList{QStringLiteral("put-storage"), QStringLiteral("2:0"),
                                         QStringLiteral("/text"), QString()})
                     .status,
                 0);
        QCOMPARE(value(name, "storage 2:0 /text"), QStringLiteral("absent")); // empty is absence
    }

    void code_is_compressed_and_raises_the_sequence() {
        const char* name = "code";
        write(path("module.wasm"), module);
        const QString file = path("module.wasm");
        const auto put = [&](const char* id) {
            return state(name, QStringList{QStringLiteral("put-code"), QLatin1String(id), file});
        };
        QCOMPARE(put("2:19").status, 0);
        QCOMPARE(value(name, "sequence"), number(20));
        QCOMPARE(put("2:3").status, 0);
        QCOMPARE(put("4:65522").status, 0); // reserved numbers are not the sequence's
        QCOMPARE(value(name, "sequence"), number(20));

        // The key holds form and hash; the code lies under its hash, as gzip.
        const QByteArray code = QByteArray::fromHex(value(name, "code 2:19").toLatin1());
        QCOMPARE(code.size(), qsizetype{33});
        QCOMPARE(code[0], '\1');
        const QByteArray stored = QByteArray::fromHex(
            value(name, ("bytecode:" + code.mid(1).toHex()).constData()).toLatin1());
        QCOMPARE(QCryptographicHash::hash(stored, QCryptographicHash::Sha256), code.mid(1));
        QVERIFY(stored.startsWith("\x1f\x8b"));

        // What is stored can be put as it is, and is the same code.
        write(path("module.wasm.gz"), stored);
        QCOMPARE(state(name, QStringList{QStringLiteral("put-code"), QStringLiteral("2:30"),
                                         path("module.wasm.gz")})
                     .status,
                 0);
        QCOMPARE(value(name, "code 2:30"), value(name, "code 2:19"));
        QCOMPARE(value(name, "sequence"), number(31));
        QCOMPARE(state(name, "put-sequence 7").status, 0);
        QCOMPARE(value(name, "sequence"), number(7));
    }

    void balances_and_sheets() {
        const char* name = "sheets";
        const QString outpoint = QLatin1String(txid) + QStringLiteral(":3");
        QCOMPARE(state(name, "put-balance 4:7 2:0 340282366920938463463374607431768211455").status,
                 0);
        QCOMPARE(value(name, "balance 4:7 2:0"), QString(32, u'f'));
        QCOMPARE(state(name, "put-balance 4:7 2:0 0").status, 0);
        QCOMPARE(value(name, "balance:4:7:2:0"), QStringLiteral("absent"));

        const auto put = [&](const char* id, const char* amount) {
            return state(name, QStringList{QStringLiteral("put-sheet"), outpoint, QLatin1String(id),
                                           QLatin1String(amount)})
                .status;
        };
        const auto sheet = [&] {
            return value(name, qPrintable(QStringLiteral("sheet ") + outpoint));
        };
        // Sorted by id whatever came first, each token once.
        QCOMPARE(put("2:19", "7"), 0);
        QCOMPARE(put("2:0", "5"), 0);
        QCOMPARE(put("2:19", "9"), 0);
        QCOMPARE(sheet(), number(2) + number(0) + number(5) + number(2) + number(19) + number(9));
        QCOMPARE(put("2:0", "0"), 0);
        QCOMPARE(put("2:19", "0"), 0);
        QCOMPARE(sheet(), QStringLiteral("absent"));
    }

    void a_seed_file_does_what_single_puts_do() {
        write(path("module.wasm"), module);
        write(path("seed.json"),
              quoted(QByteArray("{'sequence': 5,"
                                "'code': {'2:19': 'module.wasm', '2:20': {'clone': '2:19'}},"
                                "'storage': {'2:19': {'/cap': 'u128:5000', '/name': 'free mint'}},"
                                "'balances': {'4:7': {'2:19': 100,"
                                "'2:0': '340282366920938463463374607431768211455'}},"
                                "'sheets': {'") +
                     txid + ":0': {'2:19': 7, '2:0': '0'}}}"));
        const Answer seeded = state("seeded", QStringList{QStringLiteral("seed"), path("seed.json"),
                                                          QStringLiteral("--json")});
        QVERIFY2(seeded.status == 0 && seeded.err.isEmpty(), seeded.err.constData());
        QCOMPARE(json(seeded)[QLatin1String("put")].toArray().size(), qsizetype{9});

        QCOMPARE(value("seeded", "sequence"), number(21));
        QCOMPARE(value("seeded", "code 2:20"), number(2) + number(19));
        QCOMPARE(value("seeded", "storage 2:19 /cap"), number(5000));

        const QString file = path("module.wasm");
        QCOMPARE(
            state("single", QStringList{QStringLiteral("put-code"), QStringLiteral("2:19"), file})
                .status,
            0);
        for (const QStringList& words : std::vector<QStringList>{
                 {QStringLiteral("put-storage"), QStringLiteral("2:19"), QStringLiteral("/cap"),
                  QStringLiteral("u128:5000")},
                 {QStringLiteral("put-storage"), QStringLiteral("2:19"), QStringLiteral("/name"),
                  QStringLiteral("free mint")},
                 {QStringLiteral("put-balance"), QStringLiteral("4:7"), QStringLiteral("2:19"),
                  QStringLiteral("100")},
                 {QStringLiteral("put-balance"), QStringLiteral("4:7"), QStringLiteral("2:0"),
                  QStringLiteral("340282366920938463463374607431768211455")},
                 {QStringLiteral("put-sheet"), QLatin1String(txid) + QStringLiteral(":0"),
                  QStringLiteral("2:19"), QStringLiteral("7")},
                 {QStringLiteral("put-sequence"), QStringLiteral("21")}})
            QCOMPARE(state("single", words).status, 0);
        QVERIFY(digest("single") != digest("seeded")); // the clone is still missing
        write(path("clone.json"), quoted("{'code': {'2:20': {'clone': '2:19'}}}"));
        QCOMPARE(state("single", QStringList{QStringLiteral("seed"), path("clone.json")}).status,
                 0);
        QCOMPARE(digest("single"), digest("seeded"));
    }

    void a_bad_seed_file_names_the_place_and_changes_nothing() {
        const QString before = [&] {
            (void)state("bad", "put-sequence 3");
            return digest("bad");
        }();
        const std::vector<std::pair<QByteArray, QByteArray>> cases{
            {"{", "expected JSON"},
            {"[]", "expected an object"},
            {"{'stroage': {}}", "stroage: expected one of code"},
            {"{'storage': {'2': {}}}", "storage.2: expected an id"},
            {"{'storage': {'2:0': {'/a': 'ok', '/b': 5}}}", "storage.2:0.\"/b\": expected a value"},
            {"{'storage': {'2:0': {'/a': 'u8:256'}}}", "at most 1 bytes"},
            {"{'balances': {'4:7': {'2:0': -1}}}", "balances.4:7.2:0: expected a whole number"},
            {"{'balances': {'4:7': {'2:0': 1.5}}}", "expected a whole number"},
            {"{'sheets': {'77:0': {'2:0': 1}}}", "sheets.77:0: expected an outpoint"},
            {"{'code': {'2:0': 'absent.wasm'}}", "absent.wasm"},
            {"{'code': {'2:0': {'clone': 1}}}", "code.2:0: expected a file"}};
        for (const auto& [text, message] : cases) {
            write(path("bad.json"), quoted(text));
            const Answer answer =
                state("bad", QStringList{QStringLiteral("seed"), path("bad.json")});
            QVERIFY2(answer.status == 3 && answer.err.contains(message), answer.err.constData());
        }
        QCOMPARE(digest("bad"), before);
    }

    void wrong_words_are_wrong_usage() {
        for (const char* words :
             {"put-storage 2 /k v", "put-storage 2:0 hex:0 v", "put-storage 2:0 /k 0xabc",
              "put-storage 2:0 /k u64:18446744073709551616", "put-balance 2:0 2:0 -1",
              "put-balance 2:0 2:0 340282366920938463463374607431768211456", "put-sheet 2:0 2:0 1",
              "put-sequence x", "get nothing", "get storage 2:0", "list everything", "undo x", "",
              "put-code 2:0"}) {
            const Answer answer = state("usage", words);
            QVERIFY2(answer.status == 2 && !answer.err.isEmpty(), words);
        }
        write(path("text.wasm"), "no module");
        const Answer answer = state("usage", QStringList{QStringLiteral("put-code"),
                                                         QStringLiteral("2:0"), path("text.wasm")});
        QCOMPARE(answer.status, 3);
        QVERIFY(answer.err.contains("expected a WebAssembly module"));
        QVERIFY(!QDir(path("usage")).exists()); // nothing was made
    }

    void looking_needs_a_workspace_and_makes_none() {
        for (const char* words : {"get sequence", "digest", "list", "undo 1"}) {
            const Answer answer = state("none", words);
            QCOMPARE(answer.status, 3);
            QVERIFY2(answer.err.contains("no such folder"), answer.err.constData());
        }
        QVERIFY(!QDir(path("none")).exists());
    }

    void undo_takes_blocks_back() {
        using namespace blockloom;
        QCOMPARE(state("blocks", "put-sequence 3").status, 0);
        QStringList digests{digest("blocks")};
        for (std::uint64_t height = 5; height < 8; ++height) {
            auto workspace = store::Workspace::open(path("blocks").toStdString());
            QVERIFY(workspace.ok());
            const std::string key(1, '\4');
            const std::vector<state::Change> changes{
                {key, *(*workspace)->state().get(key), u128_bytes(height)}};
            Hash256 hash{}, previous{};
            hash[0] = static_cast<Byte>(height);
            previous[0] = static_cast<Byte>(height - 1);
            QVERIFY(
                (*workspace)
                    ->commit(
                        {.height = height, .hash = hash, .previous = previous, .changes = changes})
                    .ok());
            (*workspace).reset();
            digests.append(digest("blocks"));
        }
        const QJsonObject undone = json(state("blocks", "undo 6 --json"));
        QCOMPARE(undone[QLatin1String("undone")].toInt(), 2);
        QCOMPARE(undone[QLatin1String("height")].toInt(), 5);
        QCOMPARE(undone[QLatin1String("state_digest")].toString(), digests[1]);
        const QJsonObject all = json(state("blocks", "undo 0 --json"));
        QVERIFY(all[QLatin1String("height")].isNull());
        QCOMPARE(all[QLatin1String("state_digest")].toString(), digests[0]);
    }

    void listing_and_the_option_after_the_command() {
        (void)state("list", "put-storage 2:0 /a 1");
        (void)state("list", "put-storage 2:1 /b 2");
        (void)state("list", "put-sequence 9");
        const auto keys = [&](const char* words) {
            QStringList found;
            for (const QJsonValue& entry :
                 json(state("list", words))[QLatin1String("entries")].toArray())
                found.append(entry[QLatin1String("key")].toString());
            return found.join(u' ');
        };
        QCOMPARE(keys("list --json"), QStringLiteral("storage:2:0:/a storage:2:1:/b sequence"));
        QCOMPARE(keys("list storage --json"), QStringLiteral("storage:2:0:/a storage:2:1:/b"));
        QCOMPARE(keys("list storage:2:1 --json"), QStringLiteral("storage:2:1:/b"));
        QCOMPARE(keys("list --most 1 --json"), QStringLiteral("storage:2:0:/a"));
        const Answer after = run({QStringLiteral("state"), QStringLiteral("digest"),
                                  QStringLiteral("--workspace"), path("list")});
        QVERIFY2(after.status == 0 && after.out.contains(digest("list").toLatin1()),
                 after.err.constData());
    }

    void the_users_own_workspace_follows_xdg() {
        qputenv("XDG_DATA_HOME", path("data").toLocal8Bit());
        QCOMPARE(run({QStringLiteral("state"), QStringLiteral("put-sequence"), QStringLiteral("1")})
                     .status,
                 0);
        QVERIFY(QFile::exists(path("data/blockloom/workspace/format")));
    }
};

QTEST_GUILESS_MAIN(TestState)
#include "test_state.moc"
