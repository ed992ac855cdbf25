// --rules and the code of built-in contracts by height, through the command line: blocks written
// for rows of docs/alkanes.md#where-the-rule-sets-differ-and-what-we-do, replayed on a workspace by
// both rule sets.
#include "program.h"

#include "alkanes/message_blocks.h"
#include "alkanes/state_keys.h"
#include "alkanes/wat_contract.h"
#include "base/sha256.h"
#include "store/workspace.h"

#include <QCryptographicHash>
#include <QDir>
#include <QJsonArray>

using namespace blockloom;
using namespace blockloom::test;

namespace {

using alkanes::AlkaneId;
using alkanes::Protostone;
using alkanes::Transfer;

constexpr AlkaneId payer{2, 2}, keeper{2, 3}, brought{3, 1};

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

Hash256 txid_of(const model::Transaction& tx) {
    return Sha256().twice({model::bytes_of(tx, false)});
}

/// A block of one transaction behind a coinbase that says its height.
Bytes block_at(int height, const model::Transaction& tx, const Hash256& previous = {}) {
    model::Block block;
    block.previous = previous;
    model::Transaction& first = block.transactions.emplace_back();
    model::Input& input = first.inputs.emplace_back();
    input.vout = 0xffffffff;
    input.script = model::height_push(static_cast<std::uint32_t>(height));
    first.outputs.push_back({312'500'000, {0x51}});
    block.transactions.push_back(tx);
    model::commit_to_witnesses(block, Bytes(32, 0));
    model::set_merkle_root(block);
    return model::bytes_of(block);
}

/// A contract that turns so often; a turn costs 7 counted and 3 exactly (the loop, the sum, the
/// comparison).
Bytes turning(int turns) {
    return calls::contract("(local $i i32) (loop $l (br_if $l (i32.lt_u (local.tee $i (i32.add "
                           "(local.get $i) (i32.const 1))) (i32.const " +
                           std::to_string(turns) + ")))) (call $empty)");
}

} // namespace

class TestRules : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;
    int made_ = 0;

    QString path(const QString& name) const { return folder_.filePath(name); }

    QString file(const QString& name, const Bytes& bytes) const {
        write(path(name), QByteArray(reinterpret_cast<const char*>(bytes.data()),
                                     static_cast<qsizetype>(bytes.size())));
        return path(name);
    }

    /// A workspace with the contracts that the blocks call.
    QString workspace() {
        const QString name = path(QStringLiteral("w%1").arg(++made_));
        const auto put = [&](const QStringList& words) {
            const Answer answer = run(
                QStringList{QStringLiteral("--workspace"), name, QStringLiteral("state")} + words);
            QVERIFY2(answer.status == 0, answer.err.constData());
        };
        put({QStringLiteral("put-code"), QStringLiteral("2:2"),
             path(QStringLiteral("payer.wasm"))});
        put({QStringLiteral("put-code"), QStringLiteral("2:3"),
             path(QStringLiteral("keeper.wasm"))});
        return name;
    }

    void bring(const QString& workspace, const model::Transaction& tx, const Transfer& token) {
        Hash256 txid;
        std::copy(tx.inputs[0].txid.begin(), tx.inputs[0].txid.end(), txid.begin());
        const Answer answer =
            run({QStringLiteral("--workspace"), workspace, QStringLiteral("state"),
                 QStringLiteral("put-sheet"),
                 text(to_reversed_hex(txid) + ":" + std::to_string(tx.inputs[0].vout)),
                 text(alkanes::id_text(token.id)), text(u128_text(token.value))});
        QVERIFY2(answer.status == 0, answer.err.constData());
    }

    Answer replay(const QString& workspace, const model::Transaction& tx, int height,
                  const QString& line, const QStringList& more = {}) {
        const QString block =
            file(QStringLiteral("block%1.bin").arg(++made_), block_at(height, tx));
        return run(QStringList{QStringLiteral("--workspace"), workspace, QStringLiteral("replay"),
                               block, QStringLiteral("--backend"), QStringLiteral("cpu"),
                               QStringLiteral("--json")} +
                   (line.isEmpty() ? QStringList() : QStringList{QStringLiteral("--rules"), line}) +
                   more);
    }

    Answer replay_file(const QString& workspace, const QString& block,
                       const QStringList& more) const {
        return run(QStringList{QStringLiteral("--workspace"), workspace, QStringLiteral("replay"),
                               block, QStringLiteral("--backend"), QStringLiteral("cpu"),
                               QStringLiteral("--json")} +
                   more);
    }

    /// A block at 960,000 and its child, each with a message to the keeper.
    std::pair<QString, QString> two_blocks() {
        const model::Transaction tx = stones::carrying({stones::calling({keeper, {1}})});
        const Bytes first = block_at(960'000, tx);
        const Hash256 hash = Sha256().twice({ByteView(first).first(80)});
        const model::Transaction next = stones::carrying({stones::calling({keeper, {1}})});
        ++made_;
        return {file(QStringLiteral("first%1.bin").arg(made_), first),
                file(QStringLiteral("second%1.bin").arg(made_), block_at(960'001, next, hash))};
    }

    /// The message names all of it.
    static void names(const Answer& answer, const QStringList& words) {
        for (const QString& word : words)
            QVERIFY2(answer.err.contains(word.toUtf8()),
                     qPrintable(word + QLatin1String(" in: ") + QString::fromUtf8(answer.err)));
    }

    /// What an output carries afterwards: "2:3:15 …".
    std::string tokens(const QString& workspace, const model::Transaction& tx, int vout) const {
        const QJsonObject found =
            json(run({QStringLiteral("--workspace"), workspace, QStringLiteral("state"),
                      QStringLiteral("get"), QStringLiteral("--json"),
                      text("sheet:" + to_reversed_hex(txid_of(tx)) + ":" + std::to_string(vout))}));
        if (!found[QLatin1String("present")].toBool()) return {};
        const auto bytes = from_hex(found[QLatin1String("value")].toString().toStdString());
        const auto found_tokens =
            alkanes::tokens_of_sheet({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
        std::string all;
        for (const Transfer& token : found_tokens.value())
            all += (all.empty() ? "" : " ") + alkanes::id_text(token.id) + ":" +
                   u128_text(token.value);
        return all;
    }

    static QJsonObject settings(const Answer& answer) {
        return json(answer)[QLatin1String("settings")].toObject();
    }
    static QJsonObject block(const Answer& answer) {
        return json(answer)[QLatin1String("blocks")].toArray().at(0).toObject();
    }

private Q_SLOTS:
    void initTestCase() {
        QVERIFY2(calls::can_assemble(), "wat2wasm is not installed (package wabt)");
        qputenv("XDG_DATA_HOME", path(QStringLiteral("own")).toUtf8());
        file(QStringLiteral("payer.wasm"),
             calls::contract(
                 "(i32.const 3000)",
                 calls::buffer(3000, alkanes::parcel_bytes({{payer, 1}}) + std::string(4, '\0'))));
        file(QStringLiteral("keeper.wasm"), calls::contract("(call $empty)"));
    }

    /// Runs, settings and texts name the line and what it follows; without --rules it is released.
    void settings_name_the_line() {
        const model::Transaction tx = stones::carrying({stones::calling({keeper, {1}})});
        for (const auto& [given, line, follows] :
             {std::tuple("", "released", "v2.2.1-rc.4"),
              std::tuple("released", "released", "v2.2.1-rc.4"),
              std::tuple("develop", "develop", "b4e0ec36")}) {
            const Answer answer = replay(workspace(), tx, 960'000, QString::fromLatin1(given));
            QVERIFY2(answer.status == 0, answer.err.constData());
            QCOMPARE(settings(answer)[QLatin1String("rules")].toString(),
                     QString::fromLatin1(line));
            QCOMPARE(settings(answer)[QLatin1String("rules_follow")].toString(),
                     QString::fromLatin1(follows));
            QCOMPARE(settings(answer)[QLatin1String("code")].toString(), QStringLiteral("height"));
        }
        QCOMPARE(replay(workspace(), tx, 960'000, QStringLiteral("v2")).status, 2);
    }

    /// A workspace whose blocks ran by one line is no state for the other, for commands that only
    /// read it neither; where nothing is chosen it continues by its own.
    void a_workspace_keeps_its_rules_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("usual");
        QTest::addColumn<QString>("other");
        QTest::newRow("line") << "--rules"
                              << "released"
                              << "develop";
        QTest::newRow("fuel") << "--fuel"
                              << "exact"
                              << "counted";
        QTest::newRow("network") << "--network"
                                 << "mainnet"
                                 << "regtest";
    }
    void a_workspace_keeps_its_rules() {
        QFETCH(QString, option);
        QFETCH(QString, usual);
        QFETCH(QString, other);
        const QString setting = option.mid(2);
        for (const auto& [mine, wrong] : {std::pair(usual, other), {other, usual}}) {
            const QString state = workspace();
            const auto [first, second] = two_blocks();
            const Answer began = replay_file(state, first, {option, mine});
            QVERIFY2(began.status == 0, began.err.constData());
            const Answer refused = replay_file(state, second, {option, wrong});
            QCOMPARE(refused.status, 3);
            names(refused,
                  {state, option + QLatin1Char(' ') + mine, wrong, QStringLiteral("--workspace")});
            const Answer continued = replay_file(state, second, {});
            QVERIFY2(continued.status == 0, continued.err.constData());
            QCOMPARE(settings(continued)[setting].toString(), mine);
            if (mine == usual) continue; // what only reads asks the same
            const QStringList with_state{QStringLiteral("--workspace"), state};
            for (const QStringList& reader :
                 {QStringList{QStringLiteral("analyze"), second},
                  QStringList{QStringLiteral("report"), second, QStringLiteral("-o"),
                              path(QStringLiteral("refused.html"))},
                  QStringList{QStringLiteral("render"), second, QStringLiteral("-o"),
                              path(QStringLiteral("refused.svg"))},
                  QStringList{QStringLiteral("tune"), second, QStringLiteral("--strategies"),
                              QStringLiteral("serial")}}) {
                QStringList words = with_state + reader + QStringList{option, wrong};
                if (reader.front() != QLatin1String("tune"))
                    words += {QStringLiteral("--chain"), QStringLiteral("alkanes")};
                const Answer answer = run(words);
                QVERIFY2(answer.status == 3, answer.err.constData());
                names(answer, {state, option + QLatin1Char(' ') + mine, wrong});
            }
        }
    }

    /// Blocks that lie above the range are no reason to refuse: what is below the first one was put
    /// there by the user.
    void blocks_above_say_nothing_about_the_state_below() {
        const QString state = workspace();
        const auto [first, second] = two_blocks();
        QCOMPARE(
            replay_file(state, first, {QStringLiteral("--fuel"), QStringLiteral("counted")}).status,
            0);
        const Answer analysed =
            run({QStringLiteral("--workspace"), state, QStringLiteral("analyze"), first,
                 QStringLiteral("--chain"), QStringLiteral("alkanes"), QStringLiteral("--fuel"),
                 QStringLiteral("exact")});
        QVERIFY2(analysed.status == 0, analysed.err.constData());
    }

    /// A workspace from before --rules and --fuel: its blocks were counted, and continue so; of the
    /// lines it mixed one has to be chosen. Nothing is recorded without a word.
    void an_older_workspace_asks() {
        const auto [first, second] = two_blocks();
        const auto older = [&, block = first] {
            const QString state = workspace();
            auto opened = store::Workspace::open(state.toStdString());
            const QByteArray header = content(block).left(80);
            store::BlockCommit commit;
            commit.height = 960'000;
            commit.hash = Sha256().twice({as_bytes({header.constData(), 80})});
            const auto done = opened.value()->commit(commit);
            if (!done) qWarning("%s", done.error().message.c_str());
            return state;
        };
        const QStringList released{QStringLiteral("--rules"), QStringLiteral("released")};
        const QStringList exact{QStringLiteral("--fuel"), QStringLiteral("exact")};
        const Answer silent = replay_file(older(), second, {});
        QCOMPARE(silent.status, 3);
        names(silent, {QStringLiteral("--rules released"), QStringLiteral("--rules develop")});
        const QString state = older();
        const Answer other = replay_file(state, second, released + exact);
        QCOMPARE(other.status, 3);
        names(other, {QStringLiteral("--fuel counted"), QStringLiteral("exact")});
        const Answer chosen = replay_file(state, second, released);
        QVERIFY2(chosen.status == 0, chosen.err.constData());
        names(chosen, {QStringLiteral("960000"), QStringLiteral("--rules"),
                       QStringLiteral("--fuel"), QStringLiteral("counted")});
        QCOMPARE(settings(chosen)[QLatin1String("fuel")].toString(), QStringLiteral("counted"));
        // It says so now.
        const Answer again = replay_file(state, second, {});
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(settings(again)[QLatin1String("fuel")].toString(), QStringLiteral("counted"));
        QVERIFY2(!again.err.contains("960000"), again.err.constData());
        QCOMPARE(replay_file(state, second, exact).status, 3);
    }

    /// compare and scaling execute nothing: they refuse to mix kept runs of other rules or fuel.
    void kept_runs_of_other_rules_are_not_mixed() {
        const model::Transaction tx = stones::carrying({stones::calling({keeper, {1}})});
        const QString raw = file(QStringLiteral("alone.bin"), block_at(960'000, tx));
        const auto kept = [&](const char* line, const char* fuel, const char* strategy) {
            return json(run({QStringLiteral("replay"), raw, QStringLiteral("--empty-state"),
                             QStringLiteral("--json"), QStringLiteral("--backend"),
                             QStringLiteral("cpu"), QStringLiteral("--rules"),
                             QString::fromLatin1(line), QStringLiteral("--fuel"),
                             QString::fromLatin1(fuel), QStringLiteral("--strategy"),
                             QString::fromLatin1(strategy)}))[QLatin1String("run")]
                .toString();
        };
        const QString mine = kept("released", "exact", "serial");
        const QString same = kept("released", "exact", "levels");
        QVERIFY(!mine.isEmpty() && !same.isEmpty());
        const Answer equal = run({QStringLiteral("compare"), mine, same});
        QVERIFY2(equal.status == 0, equal.err.constData());
        for (const auto& [line, fuel] :
             {std::pair("develop", "exact"), std::pair("released", "counted")}) {
            const QString other = kept(line, fuel, "levels");
            QVERIFY(!other.isEmpty());
            const Answer refused = run({QStringLiteral("compare"), mine, other});
            QCOMPARE(refused.status, 3);
            names(refused, {QStringLiteral("not compared"),
                            QStringLiteral("released rules (v2.2.1-rc.4), exact fuel"),
                            QString::fromLatin1(line) + QStringLiteral(" rules (")});
            const Answer scaled = run({QStringLiteral("scaling"), mine, QStringLiteral("--json")});
            QVERIFY2(scaled.status == 0, scaled.err.constData());
            QVERIFY(scaled.out.contains(same.toUtf8()));
            QVERIFY2(!scaled.out.contains(other.toUtf8()), scaled.out.constData());
        }
    }

    void row_3_gasless_target() {
        const model::Transaction tx = stones::carrying({stones::calling({{32, 0}, {77}})});
        for (const char* const line : {"released", "develop"}) {
            // Loops so often that the fuel of a block below 899,087 does not pay for it.
            file(QStringLiteral("loop.wasm"), turning(40'000'000));
            const QString state = workspace();
            const Answer put =
                run({QStringLiteral("--workspace"), state, QStringLiteral("state"),
                     QStringLiteral("put-code"), QStringLiteral("--built-in"),
                     QStringLiteral("frbtc-1.0=") + path(QStringLiteral("loop.wasm"))});
            QVERIFY2(put.status == 0, put.err.constData());
            const Answer answer = replay(state, tx, 881'000, QString::fromLatin1(line));
            QVERIFY2(answer.status == 0, answer.err.constData());
            QCOMPARE(block(answer)[QLatin1String("succeeded")].toInt(),
                     qstrcmp(line, "develop") == 0 ? 1 : 0);
        }
    }

    void row_4_rune_pointer() {
        alkanes::Runestone stone;
        stone.protocol = alkanes::encode_protostones(std::vector{stones::calling({keeper, {1}})});
        stone.pointer = 2;
        const model::Transaction tx = stones::carrying(alkanes::encode_runestone(stone));
        for (const char* const line : {"released", "develop"}) {
            const int runs = qstrcmp(line, "develop") == 0 ? 1 : 0;
            const Answer answer = replay(workspace(), tx, 960'000, QString::fromLatin1(line));
            QVERIFY2(answer.status == 0, answer.err.constData());
            QCOMPARE(block(answer)[QLatin1String("messages")].toInt(), runs);
            const QString raw = file(QStringLiteral("decoded.bin"), block_at(960'000, tx));
            const QJsonObject decoded = json(run(
                {QStringLiteral("alkanes"), QStringLiteral("decode"), raw, QStringLiteral("--json"),
                 QStringLiteral("--rules"), QString::fromLatin1(line)}));
            QCOMPARE(decoded[QLatin1String("rules")].toString(), QString::fromLatin1(line));
            QCOMPARE(decoded[QLatin1String("messages")].toArray().size(), runs);
        }
    }

    void row_5_spread_edict() {
        Protostone stone;
        stone.protocol = alkanes::alkanes_protocol;
        stone.pointer = 1;
        stone.edicts = {{keeper, 10, 3}};
        const model::Transaction tx = stones::carrying({stone}, 0, 2);
        for (const char* const line : {"released", "develop"})
            for (const int height : {943'499, 943'500}) {
                const QString state = workspace();
                bring(state, tx, {keeper, 15});
                const Answer answer = replay(state, tx, height, QString::fromLatin1(line));
                QVERIFY2(answer.status == 0, answer.err.constData());
                const bool early = height < 943'500;
                QCOMPARE(tokens(state, tx, 1), std::string(early ? "2:3:5" : "2:3:10"));
                QCOMPARE(tokens(state, tx, 2), std::string(early ? "2:3:10" : "2:3:5"));
            }
    }

    void row_6_overflow_at_the_pointer() {
        Protostone first;
        first.protocol = alkanes::alkanes_protocol;
        first.pointer = 0;
        first.edicts = {{brought, 7, 5}};
        Protostone message = stones::calling({payer, {1}});
        message.pointer = 0;
        message.refund = 1;
        const model::Transaction tx = stones::carrying({first, message}, 2);
        const std::string most = u128_text(~u128{0});
        for (const char* const line : {"released", "develop"}) {
            const QString state = workspace();
            bring(state, tx, {payer, ~u128{0}});
            bring(state, tx, {brought, 7});
            const Answer answer = replay(state, tx, 960'000, QString::fromLatin1(line));
            QVERIFY2(answer.status == 0, answer.err.constData());
            QCOMPARE(tokens(state, tx, 0), "2:2:" + most);
            QCOMPARE(tokens(state, tx, 1),
                     std::string(qstrcmp(line, "develop") == 0 ? "3:1:7" : ""));
        }
    }

    /// A block's only message gets all of its 100,000,000: 20,000,000 turns fit exactly and not
    /// counted. Exact is what holds on mainnet, and runs say which it was.
    void row_1_fuel() {
        file(QStringLiteral("loop.wasm"), turning(20'000'000));
        const model::Transaction tx = stones::carrying({stones::calling({{2, 4}, {1}})});
        for (const auto& [given, rule] :
             {std::pair("", "exact"), {"exact", "exact"}, {"counted", "counted"}}) {
            const QString state = workspace();
            QCOMPARE(run({QStringLiteral("--workspace"), state, QStringLiteral("state"),
                          QStringLiteral("put-code"), QStringLiteral("2:4"),
                          path(QStringLiteral("loop.wasm"))})
                         .status,
                     0);
            QStringList more;
            if (*given != 0) more = {QStringLiteral("--fuel"), QString::fromLatin1(given)};
            const Answer answer = replay(state, tx, 881'000, {}, more);
            QVERIFY2(answer.status == 0, answer.err.constData());
            const bool exact = qstrcmp(rule, "exact") == 0;
            QCOMPARE(settings(answer)[QLatin1String("fuel")].toString(), QString::fromLatin1(rule));
            QCOMPARE(block(answer)[QLatin1String("succeeded")].toInt(), exact ? 1 : 0);
            QCOMPARE(block(answer)[QLatin1String("fuel_uncertain")].toInt(), 0);
            const Answer other = replay(
                state, tx, 881'000, {},
                {QStringLiteral("--fuel"), QString::fromLatin1(exact ? "counted" : "exact")});
            QCOMPARE(other.status, 3);
            names(other, {QStringLiteral("--fuel ") + QString::fromLatin1(rule)});
        }
    }

    /// One charge by either rule on the interpreter, on machine code and on a device; it runs out
    /// on all of them or on none.
    void row_1_engines_charge_the_same() {
        file(QStringLiteral("call.wasm"), turning(1'000));
        const auto call = [&](const char* rule, const QStringList& more) {
            const Answer answer =
                run(QStringList{QStringLiteral("alkanes"), QStringLiteral("call"),
                                QStringLiteral("--code"), path(QStringLiteral("call.wasm")),
                                QStringLiteral("--json"), QStringLiteral("--fuel-rule"),
                                QString::fromLatin1(rule)} +
                    more);
            if (answer.status != 0) qWarning("%s", answer.err.constData());
            return json(answer);
        };
        for (const char* const rule : {"counted", "exact"}) {
            QSet<qint64> charged;
            for (const QStringList& engine :
                 {QStringList{}, QStringList{QStringLiteral("--engine"), QStringLiteral("native")},
                  QStringList{QStringLiteral("--backend"), QStringLiteral("vulkan")}}) {
                const QJsonObject full = call(rule, engine);
                QCOMPARE(full[QLatin1String("status")].toString(), QStringLiteral("success"));
                QCOMPARE(full[QLatin1String("fuel_rule")].toString(), QString::fromLatin1(rule));
                charged.insert(full[QLatin1String("fuel_used")].toInteger());
                // Between 3 and 7 a turn: one of both runs out.
                const QJsonObject poor = call(
                    rule, engine + QStringList{QStringLiteral("--fuel"), QStringLiteral("5000")});
                QCOMPARE(
                    poor[QLatin1String("status")].toString(),
                    QString::fromLatin1(qstrcmp(rule, "exact") == 0 ? "success" : "out_of_fuel"));
            }
            QCOMPARE(charged.size(), 1);
            // Exactly: 3 of the body, 3 a turn, 3 of $empty, the map's 4 bytes.
            if (qstrcmp(rule, "exact") == 0) QCOMPARE(*charged.begin(), 3 + 3'000 + 3 + 4 * 40);
        }
    }

    /// What rests on an uncertain constant says so.
    void row_1_what_is_not_certain_says_so() {
        file(QStringLiteral("doubtful.wasm"),
             calls::contract("(drop (f32.const nan)) (call $empty)"));
        const model::Transaction tx = stones::carrying({stones::calling({{2, 4}, {1}})});
        for (const char* const rule : {"exact", "counted"}) {
            const int uncertain = qstrcmp(rule, "exact") == 0 ? 1 : 0;
            const QString state = workspace();
            QCOMPARE(run({QStringLiteral("--workspace"), state, QStringLiteral("state"),
                          QStringLiteral("put-code"), QStringLiteral("2:4"),
                          path(QStringLiteral("doubtful.wasm"))})
                         .status,
                     0);
            const Answer answer = replay(state, tx, 960'000, {},
                                         {QStringLiteral("--fuel"), QString::fromLatin1(rule)});
            QVERIFY2(answer.status == 0, answer.err.constData());
            QCOMPARE(block(answer)[QLatin1String("fuel_uncertain")].toInt(), uncertain);
            QCOMPARE(block(answer)[QLatin1String("fuel_doubt")].toString().startsWith(
                         QLatin1String("2:4: function ")),
                     uncertain == 1);
            // In the table's text and in the page of the kept run.
            const Answer reported =
                run({QStringLiteral("--workspace"), state, QStringLiteral("replay"),
                     path(QStringLiteral("block%1.bin").arg(made_)), QStringLiteral("--backend"),
                     QStringLiteral("cpu")});
            QVERIFY2(reported.status == 0, reported.err.constData());
            QCOMPARE(
                reported.out.contains(
                    "The fuel of block 960000 is uncertain, like all results that depend on it: "
                    "1 message; the first 2:4: function "),
                uncertain == 1);
            const QString page = path(QStringLiteral("kept.html"));
            const Answer written =
                run({QStringLiteral("--workspace"), state, QStringLiteral("report"),
                     json(answer)[QLatin1String("run")].toString(), QStringLiteral("-o"), page});
            QVERIFY2(written.status == 0, written.err.constData());
            const QByteArray html = content(page);
            QVERIFY(html.contains(uncertain == 1 ? "(v2.2.1-rc.4), exact fuel" : "(v2.2.1-rc.4)<"));
            QCOMPARE(html.contains(
                         "Uncertain, like everything that depends on it: 1 message ran modules"),
                     uncertain == 1);
            const Answer called =
                run({QStringLiteral("alkanes"), QStringLiteral("call"), QStringLiteral("--code"),
                     path(QStringLiteral("doubtful.wasm")), QStringLiteral("--fuel-rule"),
                     QString::fromLatin1(rule)});
            QCOMPARE(called.out.contains("The fuel is uncertain: 2:0: function "), uncertain == 1);
        }
    }

    /// Modules are asked for once: kept by hash, named in the settings of runs; a block that needs
    /// one that is not there, or that was damaged, stops with exit status 3 and says which.
    void row_2_code_by_height() {
        const QString state = workspace();
        const auto put = [&](const QString& words) {
            return run({QStringLiteral("--workspace"), state, QStringLiteral("state"),
                        QStringLiteral("put-code"), QStringLiteral("--json"),
                        QStringLiteral("--built-in"), words});
        };
        const model::Transaction tx = stones::carrying({stones::calling({{2, 0}, {77}})});
        const Answer missing = replay(workspace(), tx, 918'000, {});
        QCOMPARE(missing.status, 3);
        for (const char* const word : {"2:0", "918000", "f780aacd1718a312", "--built-in"})
            QVERIFY2(missing.err.contains(word), missing.err.constData());

        const QString keeper_file = path(QStringLiteral("keeper.wasm"));
        const Answer nameless = put(keeper_file);
        QCOMPARE(nameless.status, 3);
        QVERIFY(nameless.err.contains("diesel-base"));
        QCOMPARE(put(QStringLiteral("diesel-eoa=") + keeper_file).status, 3);
        QCOMPARE(put(QStringLiteral("nothing=") + keeper_file).status, 2);
        QDir().mkpath(path(QStringLiteral("modules")));
        QVERIFY(QFile::copy(keeper_file, path(QStringLiteral("modules/diesel-base.wasm"))));
        QVERIFY(QFile::copy(path(QStringLiteral("payer.wasm")),
                            path(QStringLiteral("modules/diesel-upgraded.wasm"))));
        const Answer kept = put(path(QStringLiteral("modules")));
        QVERIFY2(kept.status == 0, kept.err.constData());
        QCOMPARE(json(kept)[QLatin1String("built_in_code")].toArray().size(), 2);

        const Answer ran = replay(state, tx, 890'000, {});
        QVERIFY2(ran.status == 0, ran.err.constData());
        QCOMPARE(block(ran)[QLatin1String("succeeded")].toInt(), 1);
        const auto hash =
            QCryptographicHash::hash(content(keeper_file), QCryptographicHash::Sha256).toHex();
        QCOMPARE(settings(ran)[QLatin1String("built_in_code")]
                     .toObject()[QLatin1String("diesel-base")]
                     .toString(),
                 QString::fromLatin1(hash));
        // Blocks have run with it: another one is refused, the same one is not.
        QCOMPARE(put(QStringLiteral("diesel-base=") + path(QStringLiteral("payer.wasm"))).status,
                 3);
        QCOMPARE(put(QStringLiteral("diesel-base=") + keeper_file).status, 0);

        const QString kept_file = state + QStringLiteral("/modules/") + QString::fromLatin1(hash) +
                                  QStringLiteral(".wasm");
        write(kept_file, content(path(QStringLiteral("payer.wasm"))));
        const Answer damaged = replay(state, tx, 890'001, {});
        QCOMPARE(damaged.status, 3);
        for (const QByteArray& word : {QByteArray(hash), QByteArray("880000"), QByteArray("2:0")})
            QVERIFY2(damaged.err.contains(word), damaged.err.constData());
    }

    /// What the state holds runs where the user says so, and in generated ranges.
    void code_in_the_state_on_request() {
        const QString state = workspace();
        const Answer put = run({QStringLiteral("--workspace"), state, QStringLiteral("state"),
                                QStringLiteral("put-code"), QStringLiteral("2:0"),
                                path(QStringLiteral("keeper.wasm"))});
        QCOMPARE(put.status, 0);
        const model::Transaction tx = stones::carrying({stones::calling({{2, 0}, {77}})});
        const Answer ran = replay(state, tx, 918'000, {},
                                  {QStringLiteral("--built-in-code"), QStringLiteral("state")});
        QVERIFY2(ran.status == 0, ran.err.constData());
        QCOMPARE(block(ran)[QLatin1String("succeeded")].toInt(), 1);
        QCOMPARE(settings(ran)[QLatin1String("code")].toString(), QStringLiteral("state"));
    }

    /// The generated network has rules of its own, whatever line is asked for.
    void generated_network_has_its_own_rules() {
        const QString blocks = path(QStringLiteral("generated"));
        QCOMPARE(
            run({QStringLiteral("synth"), QStringLiteral("mixed"), QStringLiteral("-o"), blocks,
                 QStringLiteral("--blocks"), QStringLiteral("2"), QStringLiteral("--tasks"),
                 QStringLiteral("30"), QStringLiteral("--prefixed"), QStringLiteral("0.5")})
                .status,
            0);
        QString digest;
        for (const char* const line : {"released", "develop"}) {
            const Answer ran = run({QStringLiteral("replay"), blocks, QStringLiteral("--json"),
                                    QStringLiteral("--backend"), QStringLiteral("cpu"),
                                    QStringLiteral("--rules"), QString::fromLatin1(line)});
            QVERIFY2(ran.status == 0, ran.err.constData());
            QVERIFY(ran.err.contains("has its own rules"));
            QCOMPARE(settings(ran)[QLatin1String("rules")].toString(), QStringLiteral("own"));
            QVERIFY(settings(ran)[QLatin1String("rules_follow")].isNull());
            QCOMPARE(settings(ran)[QLatin1String("code")].toString(), QStringLiteral("state"));
            QCOMPARE(settings(ran)[QLatin1String("fuel")].toString(), QStringLiteral("counted"));
            const QString found = json(ran)[QLatin1String("state_digest")].toString();
            QVERIFY(digest.isEmpty() || digest == found);
            digest = found;
        }
    }
};

QTEST_GUILESS_MAIN(TestRules)
#include "test_rules.moc"
