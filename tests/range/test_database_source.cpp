// Blocks by height and code of built-in contracts from an indexer's database.
#include "alkanes/envelope.h"
#include "base/sha256.h"
#include "chain/block_source.h"
#include "range/database_source.h"
#include "range/indexer_export.h"
#include "range/indexer_rpc.h"
#include "range/node_code.h"
#include "range/open_range.h"
#include "range/rpc_records.h"
#include "range/sources.h"
#include "recipes/recipe_blocks.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>

using namespace blockloom;
using namespace blockloom::test;
using store::NodeLayout;

namespace {

#define VERIFY_OK(result)                                                                          \
    QVERIFY2((result).ok(), (result).ok() ? "" : (result).error().message.c_str())

std::vector<execute::ReplaySource> generated() {
    recipes::RecipeChanges changes;
    changes.blocks = 4;
    changes.tasks = 30;
    changes.contracts = 2;
    auto made =
        recipes::make_blocks(recipes::with_changes(*recipes::find_recipe("mixed"), changes));
    std::vector<execute::ReplaySource> list;
    for (Bytes& bytes : *made)
        for (const auto& block : chain::list_block_bytes(std::move(bytes), "generated").blocks)
            list.push_back({block, block.height, {}});
    return list;
}

/// A module that does nothing, and how an indexer stores it.
Bytes module_bytes(unsigned char mark) {
    Bytes module{0, 'a', 's', 'm', 1, 0, 0, 0, 0, 2, 1};
    module.push_back(mark); // a custom section named so
    return module;
}

} // namespace

class TestDatabaseSource : public QObject {
    Q_OBJECT

    std::vector<execute::ReplaySource> blocks_ = generated();
    std::vector<IndexedBlock> indexed_;

    range::RangeOptions options(const QTemporaryDir& folder, std::size_t from, std::size_t to) {
        range::RangeOptions made;
        made.sources = {"metashrew:" + folder.path().toStdString()};
        made.chain = "bitcoin";
        made.from = indexed_[from].height;
        made.to = indexed_[to].height;
        return made;
    }
    static std::string failure(const range::RangeOptions& options) {
        SilentProgress silent;
        const auto sources = range::gather_sources(options, silent, {});
        return sources ? std::string() : sources.error().message;
    }

private Q_SLOTS:
    void initTestCase() {
        execute::ReplayOptions how;
        how.engine = alkanes::Engine::interpreter;
        how.trace = false;
        auto indexed = index_blocks(blocks_, how);
        VERIFY_OK(indexed);
        indexed_ = *std::move(indexed);
    }

    void blocks_by_height_data() {
        QTest::addColumn<int>("layout");
        for (const NodeLayout layout :
             {NodeLayout::v8, NodeLayout::v9, NodeLayout::v9_hashes, NodeLayout::v10})
            QTest::addRow("%s", std::string(text_of(layout)).c_str()) << int(layout);
    }
    void blocks_by_height() {
        QFETCH(int, layout);
        const QTemporaryDir folder;
        {
            NodeWriter writer(folder.path().toStdString(), NodeLayout(layout));
            write_indexer(writer, indexed_, SheetForm::lists);
        }
        const std::string print = fingerprint(folder.path().toStdString());
        SilentProgress silent;
        const auto sources = range::gather_sources(options(folder, 1, 3), silent, {});
        VERIFY_OK(sources);
        QCOMPARE(sources->pending.size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            const range::Pending& pending = sources->pending[i];
            QVERIFY(pending.block && pending.height == indexed_[i + 1].height);
            QVERIFY(pending.block->hash == indexed_[i + 1].hash);
            const auto stored = chain::read_block(*pending.block);
            VERIFY_OK(stored);
            QVERIFY(std::string(stored->bytes.begin(), stored->bytes.end()) == indexed_[i + 1].raw);
        }
        // Blocks and the state before them from one place.
        range::RangeOptions open = options(folder, 2, 3);
        open.chain = "auto";
        open.network = alkanes::Network::mainnet;
        open.code_in_state = true;
        open = range::with_state_of_source(std::move(open));
        const auto range = range::open_range(open, silent, {}, 1);
        VERIFY_OK(range);
        QCOMPARE((*range)->blocks.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY((*range)->blocks[i]->replayed &&
                    (*range)->blocks[i]->replayed->height() == indexed_[i + 2].height);
        QVERIFY((*range)->state.starts_with(open.sources.front()));
        QVERIFY(fingerprint(folder.path().toStdString()) == print);
    }

    void what_is_refused() {
        const QTemporaryDir folder, without, wrong;
        std::vector<IndexedBlock> changed = indexed_;
        {
            NodeWriter writer(folder.path().toStdString(), NodeLayout::v9);
            write_indexer(writer, changed, SheetForm::lists);
        }
        changed[2].raw.clear();
        {
            NodeWriter writer(without.path().toStdString(), NodeLayout::v9);
            write_indexer(writer, changed, SheetForm::lists);
        }
        changed[2].raw = changed[1].raw;
        {
            NodeWriter writer(wrong.path().toStdString(), NodeLayout::v9);
            write_indexer(writer, changed, SheetForm::lists);
        }
        const auto says = [](const std::string& message, const char* words) {
            return message.find(words) != std::string::npos;
        };
        const auto no_heights = [&] {
            range::RangeOptions made = options(folder, 1, 2);
            made.to.reset();
            return made;
        };
        QVERIFY(says(failure(no_heights()), "--from H --to"));
        range::RangeOptions above = options(folder, 1, 3);
        ++*above.to;
        QVERIFY(says(failure(above), "as the last indexed block"));
        std::swap(above.from, above.to);
        QVERIFY(says(failure(above), "expected up to"));
        QVERIFY2(says(failure(options(without, 1, 3)), "this indexer keeps no blocks"),
                 failure(options(without, 1, 3)).c_str());
        QVERIFY2(says(failure(options(wrong, 1, 3)), "expected the block that was indexed"),
                 failure(options(wrong, 1, 3)).c_str());
        range::RangeOptions nowhere = options(folder, 1, 2);
        nowhere.sources = {"metashrew:/nowhere"};
        QVERIFY(says(failure(nowhere), "/nowhere"));
        // A workspace, or another state, stays what it is.
        nowhere.workspace = "/w";
        QVERIFY(!range::with_state_of_source(nowhere).state.given());
    }

    /// Only what a known hash proves; what the user gave comes first.
    void code_of_built_in_contracts() {
        const Bytes right = module_bytes('r'), other = module_bytes('o');
        const std::string hash = to_hex(Sha256().once({right})).substr(0, 16);
        const alkanes::AlkaneId id{2, 0};
        const alkanes::BuiltInSlot known{id, "known", 5, hash.c_str(), right.size()},
            later{id, "later", 7, hash.c_str(), right.size() + 1}, unknown{id, "unknown", 9, "", 0};
        const std::vector<alkanes::BuiltInSlot> slots{known, later, unknown};
        const QTemporaryDir folder;
        {
            NodeWriter writer(folder.path().toStdString(), NodeLayout::v10);
            const std::string key = "/alkanes/" + alkanes::id_bytes(id);
            const auto store = [&](const Bytes& module, std::uint64_t height) {
                const auto packed = alkanes::deflate_code(module);
                writer.put(sequence_name, sixteen(height));
                writer.put(key, std::string(packed->begin(), packed->end()));
                writer.end_block(height, test_hash(std::to_string(height)));
            };
            store(right, 5);
            store(other, 8);
        }
        store::NodeOptions where;
        where.folder = folder.path().toStdString();
        auto database = store::NodeDatabase::open(where);
        VERIFY_OK(database);
        const auto records = range::node_records(*std::move(database));
        alkanes::BuiltInCode code(alkanes::Network::mainnet);
        const Status taken = range::take_code_of_node(code, slots, *records);
        VERIFY_OK(taken);
        const auto bound = code.bindings();
        QCOMPARE(bound.size(), std::size_t{1});
        QVERIFY(bound.at("known") == Sha256().once({right}));

        const std::string others = to_hex(Sha256().once({other})).substr(0, 16);
        const std::vector<alkanes::BuiltInSlot> at_tip{
            {id, "at-tip", 100, others.c_str(), other.size()}};
        QVERIFY(range::take_code_of_node(code, at_tip, *records));
        QVERIFY(code.bindings().at("at-tip") == Sha256().once({other}));

        // The same by JSON-RPC, which gives it inflated; what it gives is checked by hash.
        std::atomic<int> questions = 0;
        NodeServer server([&](const ServedRequest& request) {
            const auto call =
                QJsonDocument::fromJson(QByteArray::fromStdString(request.body)).object();
            if (call[QStringLiteral("method")].toString() != QStringLiteral("metashrew_view"))
                return rpc_result(request, QStringLiteral("8"));
            const QJsonArray given = call[QStringLiteral("params")].toArray();
            ++questions;
            if (given[0].toString() != QStringLiteral("getbytecode"))
                return rpc_error(request, -32000, QStringLiteral("another view"));
            const Bytes& module = given[2].toInt() < 8 ? right : other;
            return rpc_result(request,
                              QStringLiteral("0x") + QString::fromStdString(to_hex(module)));
        });
        auto address = node::node_address(server.url());
        VERIFY_OK(address);
        auto http = node::HttpClient::open(*std::move(address), {});
        VERIFY_OK(http);
        const auto by_rpc =
            range::rpc_records(std::make_shared<const node::MetashrewNode>(*std::move(http)), {});
        alkanes::BuiltInCode modules(alkanes::Network::mainnet);
        VERIFY_OK(range::take_code_of_node(modules, slots, *by_rpc));
        QCOMPARE(modules.bindings().size(), std::size_t{1});
        QVERIFY(modules.bindings().at("known") == Sha256().once({right}));
        VERIFY_OK(range::take_code_of_node(modules, at_tip, *by_rpc));
        QVERIFY(modules.bindings().at("at-tip") == Sha256().once({other}));
        // What is there already, or has no known hash, is not asked for.
        const int before = questions;
        VERIFY_OK(range::take_code_of_node(modules, std::vector{known, unknown}, *by_rpc));
        QCOMPARE(questions.load(), before);
    }
};

QTEST_GUILESS_MAIN(TestDatabaseSource)
#include "test_database_source.moc"
