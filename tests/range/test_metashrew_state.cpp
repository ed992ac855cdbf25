// A range that was replayed normally, and its state as an indexer's database: every value of every
// block is read from it, and a replay from any block on has the same digests.
#include "alkanes/state_keys.h"
#include "execute/junction.h"
#include "range/indexer_export.h"
#include "range/indexer_keys.h"
#include "range/metashrew_state.h"
#include "range/open_range.h"
#include "range/state_source.h"
#include "recipes/recipe_blocks.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <set>

using namespace blockloom;
using namespace blockloom::test;
using store::NodeLayout;

namespace {

constexpr NodeLayout layouts[] = {NodeLayout::v8, NodeLayout::v9, NodeLayout::v9_hashes,
                                  NodeLayout::v10};

#define VERIFY_OK(result)                                                                          \
    QVERIFY2((result).ok(), (result).ok() ? "" : (result).error().message.c_str())

std::vector<execute::ReplaySource> sources(const char* recipe, std::uint32_t blocks,
                                           std::uint32_t tasks) {
    recipes::RecipeChanges changes;
    changes.blocks = blocks;
    changes.tasks = tasks;
    changes.contracts = 2;
    auto made = recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(recipe), changes));
    std::vector<execute::ReplaySource> list;
    for (Bytes& bytes : *made)
        for (const auto& block : chain::list_block_bytes(std::move(bytes), "generated").blocks)
            list.push_back({block, block.height, {}});
    return list;
}

execute::ReplayOptions how_to_replay() {
    execute::ReplayOptions how;
    how.engine = alkanes::Engine::interpreter;
    how.trace = false;
    return how;
}

std::string failure(const Result<range::OpenState>& result) {
    return result ? std::string() : result.error().message;
}

/// Blocks of a recipe with their states; made once.
struct Indexed {
    std::vector<execute::ReplaySource> blocks = sources("mixed", 4, 60);
    std::vector<IndexedBlock> indexed;
};

} // namespace

class TestMetashrewState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        auto indexed = index_blocks(range_.blocks, how_to_replay());
        VERIFY_OK(indexed);
        range_.indexed = *std::move(indexed);
        QCOMPARE(range_.indexed.size(), std::size_t{4});
        std::set<std::string_view> kinds;
        for (const auto& [key, value] : range_.indexed.back().after)
            kinds.insert(alkanes::key_kind_text(key.bytes()));
        for (const char* kind : {"storage", "balance", "sheet", "sequence", "code", "bytecode"})
            QVERIFY2(kinds.contains(kind), kind);
    }

    void digests_are_those_of_the_normal_replay_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<int>("form");
        QTest::addColumn<bool>("parallel");
        for (const NodeLayout layout : layouts)
            for (const SheetForm form : {SheetForm::lists, SheetForm::messages})
                QTest::addRow("%s, sheets as %s", std::string(text_of(layout)).c_str(),
                              form == SheetForm::lists ? "lists" : "messages")
                    << int(layout) << int(form) << (layout == NodeLayout::v9);
    }
    void digests_are_those_of_the_normal_replay() {
        QFETCH(int, layout);
        QFETCH(int, form);
        QFETCH(bool, parallel);
        const QTemporaryDir folder;
        write(folder, NodeLayout(layout), SheetForm(form));
        const std::string before = fingerprint(folder.path().toStdString());
        for (std::size_t from = 1; from < range_.blocks.size(); ++from) {
            const auto open = range::open_state(source(folder), range_.blocks[from]);
            VERIFY_OK(open);
            QVERIFY2(open->text.find(fmt::format(
                         "after block {}, ", range_.indexed[from - 1].height)) != std::string::npos,
                     open->text.c_str());
            // Every key that there ever is, those of outputs that were spent, too.
            std::set<state::Key> keys;
            for (const IndexedBlock& block : range_.indexed)
                for (const auto& [key, value] : block.after) keys.insert(key);
            QVERIFY(keys.size() > range_.indexed.back().after.size());
            for (const state::Key& key : keys) {
                const auto& then = range_.indexed[from - 1].after;
                const auto value = open->view->get(key);
                VERIFY_OK(value);
                const auto was = then.find(key);
                QVERIFY2(*value == (was == then.end() ? state::Value() : was->second),
                         alkanes::key_text(key.bytes()).c_str());
            }
            execute::ReplayOptions how = how_to_replay();
            if (parallel) {
                how.strategy.strategy = execute::Strategy::speculative;
                how.strategy.workers = 3;
            }
            std::size_t at = from;
            SilentProgress silent;
            const std::span<const execute::ReplaySource> blocks(range_.blocks);
            const auto summary = execute::replay_on(
                open->view.get(), blocks.subspan(from), how, false,
                [&](const std::shared_ptr<const execute::ReplayedBlock>& block) -> Status {
                    if (block->execution->digest == range_.indexed[at++].digest) return {};
                    return Error{ErrorCode::verification,
                                 fmt::format("block {} differs", block->height())};
                },
                silent, {});
            VERIFY_OK(summary);
            QCOMPARE(at, range_.blocks.size());
            QVERIFY(open->notes().empty());
        }
        QVERIFY(fingerprint(folder.path().toStdString()) == before);
    }

    /// The indexer keeps code by contract; whether code is there at all decides what a deployment
    /// changes.
    void stored_code_is_found_by_its_hash() {
        const QTemporaryDir folder;
        write(folder, NodeLayout::v9, SheetForm::lists);
        const auto& after = range_.indexed.back().after;
        std::size_t found = 0;
        for (const auto& [key, value] : after) {
            if (alkanes::key_kind_text(key.bytes()) != "bytecode") continue;
            const auto open =
                range::open_state(source(folder), range_.blocks.back()); // nothing read
            VERIFY_OK(open);
            const auto stored = open->view->get(key);
            VERIFY_OK(stored);
            const auto& then = range_.indexed[range_.indexed.size() - 2].after;
            QVERIFY(*stored == (then.contains(key) ? value : state::Value()));
            ++found;
        }
        QVERIFY(found > 2);
        const auto open = range::open_state(source(folder), range_.blocks.back());
        VERIFY_OK(open);
        const auto absent = open->view->get(alkanes::bytecode_key(test_hash("no code")));
        VERIFY_OK(absent);
        QVERIFY(!*absent);
    }

    void only_the_state_after_the_parent() {
        const QTemporaryDir folder;
        write(folder, NodeLayout::v10, SheetForm::lists);
        range::StateSource given = source(folder);
        // Another block's state.
        given.height = range_.indexed[0].height;
        QVERIFY(
            failure(range::open_state(given, range_.blocks[2])).find("indexed another branch") !=
            std::string::npos);
        given.declared = true;
        QVERIFY(range::open_state(given, range_.blocks[2]));
        given = source(folder);
        given.height = range_.indexed.back().height + 1;
        QVERIFY(failure(range::open_state(given, range_.blocks[2])).find("as the last indexed") !=
                std::string::npos);
        given = source(folder);
        execute::ReplaySource unknown = range_.blocks[2];
        unknown.height = unknown.block.height = std::nullopt;
        QVERIFY(failure(range::open_state(given, unknown)).find("--state-height") !=
                std::string::npos);
        given.height = range_.indexed[1].height;
        QVERIFY(range::open_state(given, unknown));
        given.label = "other";
        QVERIFY(failure(range::open_state(given, unknown)).find("label other") !=
                std::string::npos);
        for (const char* place : {"metashrew:", "folder", "rocksdb:/x"}) {
            given.place = place;
            QCOMPARE(range::check_state_source(given).error().code, ErrorCode::wrong_usage);
        }
        given.label.clear();
        given.place = "https://node.example";
        QCOMPARE(range::check_state_source(given).error().code, ErrorCode::wrong_usage);
        given.place = "metashrew:https://node.example";
        QVERIFY(range::check_state_source(given));
    }

    void malformed_values_are_errors_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("value");
        const std::string outpoint(36, '\x11');
        const QString sheet = QString::fromStdString(alkanes::key_text('\x03' + outpoint));
        const auto name = [&](const char* end) {
            return QByteArray::fromStdString("/runes/proto/1/byoutpoint/" + outpoint + end);
        };
        QTest::newRow("sequence of 15 bytes")
            << "sequence" << QByteArray("/alkanes/sequence") << QByteArray(15, 1);
        QTest::newRow("balance of 17 bytes")
            << "balance:2:1:2:0"
            << QByteArray::fromStdString("/alkanes/" + alkanes::id_bytes({2, 0}) + "/balances/" +
                                         alkanes::id_bytes({2, 1}))
            << QByteArray(17, 1);
        QTest::newRow("list without elements")
            << sheet << name("/runes/length") << QByteArray("\1\0\0\0", 4);
        QTest::newRow("length of 5 bytes") << sheet << name("/runes/length") << QByteArray(5, 1);
        QTest::newRow("endless list") << sheet << name("/runes/length") << QByteArray(4, '\xff');
        QTest::newRow("cut message") << sheet << name("") << QByteArray("\x0a\x05", 2);
        QTest::newRow("message with a wrong type") << sheet << name("") << QByteArray("\x0b", 1);
        QTest::newRow("number without an end") << sheet << name("") << QByteArray(11, '\xff');
    }
    void malformed_values_are_errors() {
        QFETCH(QString, key);
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, value);
        const QTemporaryDir folder;
        {
            NodeWriter writer(folder.path().toStdString(), NodeLayout::v9);
            writer.put(sequence_name, sixteen(1));
            writer.end_block(1, test_hash("1"));
            writer.put(name.toStdString(), value.toStdString());
            writer.end_block(2, test_hash("2"));
        }
        store::NodeOptions options;
        options.folder = folder.path().toStdString();
        auto database = store::NodeDatabase::open(options);
        VERIFY_OK(database);
        const range::MetashrewState state(*std::move(database), 2);
        const auto read = state.get(*alkanes::key_from_text(key.toStdString()));
        QVERIFY(!read);
        QVERIFY2(read.error().message.find("expected") != std::string::npos,
                 read.error().message.c_str());
    }

    /// The example of the encoding that the description has.
    void a_documented_sheet_is_read() {
        const auto bytes =
            from_hex("0a1f0a180a060a02080212001207554e4b4e4f574e180120012a01301203088827");
        const std::string key = alkanes::sheet_key({});
        const auto read = [&](std::string_view name) -> Result<std::optional<std::string>> {
            if (name != range::indexer_sheet_key(key)) return std::optional<std::string>();
            return std::optional(std::string(bytes->begin(), bytes->end()));
        };
        const auto sheet = range::read_indexer_sheet(read, key);
        VERIFY_OK(sheet);
        QVERIFY(*sheet == alkanes::sheet_value({{{2, 0}, 5000}}));
        const auto spent = range::read_indexer_sheet(
            [](std::string_view) -> Result<std::optional<std::string>> {
                return std::optional(std::string("\x10\xc6\xbd\x36"));
            },
            key);
        VERIFY_OK(spent);
        QVERIFY(spent->empty());
    }

private:
    static range::StateSource source(const QTemporaryDir& folder) {
        range::StateSource given;
        given.place = "metashrew:" + folder.path().toStdString();
        return given;
    }
    void write(const QTemporaryDir& folder, NodeLayout layout, SheetForm form) {
        NodeWriter writer(folder.path().toStdString(), layout);
        write_indexer(writer, range_.indexed, form);
    }

    Indexed range_;
};

QTEST_GUILESS_MAIN(TestMetashrewState)
#include "test_metashrew_state.moc"
