// A replay compared with an indexer's database: traces and states come from the serial interpreter
// and the tests' own writers; whatever is planted in them is found, with its place.
#include "alkanes/state_keys.h"
#include "execute/replay.h"
#include "range/indexer_export.h"
#include "range/indexer_rpc.h"
#include "range/indexer_views.h"
#include "range/node_check.h"
#include "range/node_trace.h"
#include "range/protobuf_writer.h"
#include "range/state_source.h"
#include "range/trace_writer.h"
#include "recipes/recipe_blocks.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <functional>

using namespace blockloom;
using namespace blockloom::test;
using alkanes::CallEvent;
using store::NodeLayout;

namespace {

#define VERIFY_OK(result)                                                                          \
    QVERIFY2((result).ok(), (result).ok() ? "" : (result).error().message.c_str())

constexpr std::size_t first_checked = 2; ///< of the blocks; those before are the state

std::vector<execute::ReplaySource> sources() {
    recipes::RecipeChanges changes;
    changes.blocks = 4;
    changes.tasks = 60;
    changes.contracts = 2;
    recipes::Recipe recipe = recipes::with_changes(*recipes::find_recipe("mixed"), changes);
    // Calls inside calls, of all kinds, and whatever can fail.
    for (recipes::BlockShape& shape : recipe.shapes) {
        shape.messages->mix.misbehave = 0.6;
        shape.messages->mix.create = 0.3;
    }
    auto made = recipes::make_blocks(recipe);
    std::vector<execute::ReplaySource> list;
    for (Bytes& bytes : *made)
        for (const auto& block : chain::list_block_bytes(std::move(bytes), "generated").blocks)
            list.push_back({block, block.height, {}});
    return list;
}

execute::ReplayOptions serial_interpreter() {
    execute::ReplayOptions how;
    how.engine = alkanes::Engine::interpreter;
    how.fuel = wasm::FuelRule::exact;
    how.trace = false;
    return how;
}

execute::ReplayOptions parallel_native() {
    execute::ReplayOptions how = serial_interpreter();
    how.engine = alkanes::Engine::native;
    how.strategy.strategy = execute::Strategy::speculative;
    how.strategy.workers = 3;
    how.strategy.batch_min = 1;
    how.strategy.window = 2;
    return how;
}

using Plant = std::function<void(std::vector<IndexedBlock>&)>;

/// The last block's first message whose trace has `least` events, and is a success if asked for.
IndexedMessage& message_with(std::vector<IndexedBlock>& blocks, std::size_t least, bool ok = true) {
    for (IndexedMessage& message : blocks.back().messages)
        if (message.events.size() >= least && message.events.back().ok == ok) return message;
    qFatal("no message with %zu events", least);
}

CallEvent& entry_in(IndexedMessage& message, std::size_t number) {
    for (CallEvent& event : message.events)
        if (event.kind == CallEvent::Kind::enter && number-- == 0) return event;
    qFatal("no entry");
}

/// Entry `number` of the last block's first message that has one there with inputs.
CallEvent& entry_of(std::vector<IndexedBlock>& blocks, std::size_t number) {
    for (IndexedMessage& message : blocks.back().messages) {
        std::size_t entries = 0;
        for (CallEvent& event : message.events)
            if (event.kind == CallEvent::Kind::enter && entries++ == number &&
                !event.inputs.empty())
                return event;
    }
    qFatal("no such entry");
}

QByteArray listed(const range::NodeCheck& check) {
    std::string text = range::check_words(check) + '\n';
    for (const range::CheckDifference& at : check.differences)
        text += fmt::format("{}: {} | {}\n", range::place_words(at), at.node, at.replay);
    return QByteArray::fromStdString(text);
}

} // namespace

class TestNodeCheck : public QObject {
    Q_OBJECT

    std::vector<execute::ReplaySource> blocks_ = sources();
    std::vector<IndexedBlock> indexed_;

    Result<range::NodeCheck> check(const std::filesystem::path& folder,
                                   execute::ReplayOptions how = parallel_native(),
                                   std::size_t from = first_checked) {
        return check_with("metashrew:" + folder.string(), std::move(how), from);
    }
    /// The node that has `blocks`, by JSON-RPC.
    Result<range::NodeCheck> check_by_rpc(const std::vector<IndexedBlock>& blocks) {
        const IndexerRpc rpc(blocks);
        const NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        return check_with("metashrew:" + server.url(), parallel_native(), first_checked);
    }
    Result<range::NodeCheck> check_with(const std::string& place, execute::ReplayOptions how,
                                        std::size_t from) {
        range::StateSource given;
        given.place = place;
        const auto open = range::open_state(given, blocks_[from]);
        if (!open) return open.error();
        how.events = true;
        range::NodeChecker checker(*open->records, open->view.get(),
                                   {.exact_fuel = how.fuel == wasm::FuelRule::exact});
        SilentProgress silent;
        const auto summary =
            execute::replay_on(open->view.get(), std::span(blocks_).subspan(from), how, false,
                               [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                                   return checker.add(*block);
                               },
                               silent, {});
        if (!summary) return summary.error();
        return checker.take();
    }
    Result<range::NodeCheck> check_planted(const Plant& plant, NodeLayout layout = NodeLayout::v9) {
        const QTemporaryDir folder;
        std::vector<IndexedBlock> blocks = indexed_;
        plant(blocks);
        {
            NodeWriter writer(folder.path().toStdString(), layout);
            write_indexer(writer, blocks, SheetForm::lists);
        }
        return check(folder.path().toStdString());
    }

private Q_SLOTS:
    void initTestCase() {
        auto indexed = index_blocks(blocks_, serial_interpreter());
        VERIFY_OK(indexed);
        indexed_ = *std::move(indexed);
        std::size_t nested = 0, failed = 0, created = 0;
        for (const IndexedBlock& block : indexed_)
            for (const IndexedMessage& message : block.messages) {
                failed += message.events.back().ok ? 0 : 1;
                for (const CallEvent& event : message.events) {
                    nested +=
                        event.kind == CallEvent::Kind::enter && event.caller != alkanes::AlkaneId{}
                            ? 1
                            : 0;
                    created += event.kind == CallEvent::Kind::created ? 1 : 0;
                }
            }
        QVERIFY(nested > 0 && failed > 0 && created > 0);
    }

    void equal_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<int>("form");
        for (const NodeLayout layout :
             {NodeLayout::v8, NodeLayout::v9, NodeLayout::v9_hashes, NodeLayout::v10})
            for (const SheetForm form : {SheetForm::lists, SheetForm::messages})
                QTest::addRow("%s, sheets as %s", std::string(text_of(layout)).c_str(),
                              form == SheetForm::lists ? "lists" : "messages")
                    << int(layout) << int(form);
    }
    void equal() {
        QFETCH(int, layout);
        QFETCH(int, form);
        const QTemporaryDir folder;
        {
            NodeWriter writer(folder.path().toStdString(), NodeLayout(layout));
            write_indexer(writer, indexed_, SheetForm(form));
        }
        const auto found = check(folder.path().toStdString());
        VERIFY_OK(found);
        QVERIFY2(found->equal(), listed(*found).constData());
        const range::CheckedBlock all = found->total();
        QCOMPARE(found->blocks.size(), blocks_.size() - first_checked);
        std::size_t traces = 0, events = 0;
        for (std::size_t i = first_checked; i < indexed_.size(); ++i) {
            traces += indexed_[i].messages.size();
            for (const IndexedMessage& message : indexed_[i].messages)
                events += message.events.size();
        }
        // Those that did not come to run are compared, too: that there is no trace.
        QVERIFY(all.messages >= traces && traces > 20);
        QCOMPARE(all.events, std::uint64_t{events});
        QVERIFY(all.keys > 50 && all.values > 7 * traces);
        QVERIFY(found->not_compared.contains("texts of failures, which depend on the indexer's "
                                             "version"));
        QVERIFY(found->not_compared.contains("keys of the indexer's own: traces"));
        QVERIFY(found->not_compared.contains("keys of the indexer's own: outpoints of creation"));
        const auto serial = check(folder.path().toStdString(), serial_interpreter());
        VERIFY_OK(serial);
        QVERIFY2(serial->equal(), listed(*serial).constData());
        QCOMPARE(serial->total().values, all.values);
    }

    void counted_fuel_is_not_compared() {
        const QTemporaryDir folder;
        auto how = serial_interpreter();
        how.fuel = wasm::FuelRule::counted;
        const auto indexed = index_blocks(blocks_, how);
        VERIFY_OK(indexed);
        std::vector<IndexedBlock> blocks = *indexed;
        entry_in(message_with(blocks, 2), 0).fuel += 1;
        {
            NodeWriter writer(folder.path().toStdString(), NodeLayout::v9);
            write_indexer(writer, blocks, SheetForm::lists);
        }
        const auto found = check(folder.path().toStdString(), how);
        VERIFY_OK(found);
        QVERIFY2(found->equal(), listed(*found).constData());
        QVERIFY(found->not_compared.contains(
            "fuel, which this replay counts by another rule (--fuel exact)"));
    }

    void planted_in_a_trace_data() {
        QTest::addColumn<Plant>("plant");
        QTest::addColumn<QString>("field");
        QTest::addColumn<int>("entry"); ///< of the message's entries; -1: none
        const auto row = [](const char* name, const char* field, int entry, Plant plant) {
            QTest::newRow(name) << std::move(plant) << QString::fromLatin1(field) << entry;
        };
        using Blocks = std::vector<IndexedBlock>;
        for (const int at : {0, 1}) {
            const auto number = static_cast<std::size_t>(at);
            const auto entry = [number](Blocks& blocks) -> CallEvent& {
                return entry_of(blocks, number);
            };
            const auto named = [&](const char* field) {
                return std::string(at == 0 ? "" : "nested ") + field;
            };
            row(named("fuel").c_str(), "fuel", at, [=](Blocks& b) { entry(b).fuel += 1; });
            row(named("myself").c_str(), "myself", at, [=](Blocks& b) { entry(b).myself.tx += 1; });
            row(named("caller").c_str(), "caller", at,
                [=](Blocks& b) { entry(b).caller.block += 1; });
            row(named("input").c_str(), "inputs", at, [=](Blocks& b) { entry(b).inputs[0] ^= 1; });
            row(named("missing input").c_str(), "inputs", at,
                [=](Blocks& b) { entry(b).inputs.pop_back(); });
            row(named("vout").c_str(), "vout", at, [=](Blocks& b) { entry(b).vout += 1; });
            row(named("incoming").c_str(), "incoming", at, [=](Blocks& b) {
                entry(b).transfers.push_back({{2, 9}, 1});
            });
            row(named("call").c_str(), "call", at, [=](Blocks& b) {
                CallEvent& event = entry(b);
                event.call = event.call == alkanes::NestedKind::delegate
                                 ? alkanes::NestedKind::fixed
                                 : alkanes::NestedKind::delegate;
            });
        }
        const auto last = [](Blocks& blocks) -> CallEvent& {
            return message_with(blocks, 2).events.back();
        };
        row("status", "status", -1, [=](Blocks& b) { last(b).ok = false; });
        row("transfers", "transfers", -1, [=](Blocks& b) {
            last(b).transfers.push_back({{2, 9}, u128{1} << 100});
        });
        row("data", "data", -1, [=](Blocks& b) { last(b).data += 'x'; });
        row("long data", "data", -1, [=](Blocks& b) { last(b).data += std::string(1000, 'x'); });
        row("storage", "storage", -1, [=](Blocks& b) {
            for (IndexedMessage& message : b.back().messages)
                for (CallEvent& event : message.events)
                    if (!event.storage.empty()) {
                        event.storage.front().second += '\0';
                        return;
                    }
        });
        row("more storage", "storage", -1,
            [=](Blocks& b) { last(b).storage.emplace_back("/planted", "1"); });
        row("less storage", "storage", -1, [=](Blocks& b) {
            for (IndexedMessage& message : b.back().messages)
                for (CallEvent& event : message.events)
                    if (!event.storage.empty()) {
                        event.storage.pop_back();
                        return;
                    }
        });
        row("event missing", "event", -1, [=](Blocks& b) { message_with(b, 2).events.pop_back(); });
        row("event more", "event", -1,
            [=](Blocks& b) { message_with(b, 2).events.push_back(last(b)); });
        row("trace missing", "trace", -1,
            [=](Blocks& b) { message_with(b, 2).listed = message_with(b, 2).kept = false; });
        row("trace listed only", "trace", -1, [=](Blocks& b) { message_with(b, 2).kept = false; });
        row("trace extra", "trace", -1, [=](Blocks& b) {
            IndexedMessage more = b.back().messages.front();
            more.outpoint[0] = static_cast<char>(more.outpoint[0] ^ 1);
            b.back().messages.push_back(more);
        });
        row("trace malformed", "trace", -1, [=](Blocks& b) {
            IndexedMessage& message = message_with(b, 2);
            message.bytes = trace_bytes(message.events);
            message.bytes->pop_back();
        });
        row("order", "order of messages", -1,
            [=](Blocks& b) { std::swap(b.back().messages[0], b.back().messages[1]); });
    }
    void planted_in_a_trace() {
        QFETCH(Plant, plant);
        QFETCH(QString, field);
        QFETCH(int, entry);
        const auto found = check_planted(plant);
        VERIFY_OK(found);
        QVERIFY2(found->differences.size() == 1, listed(*found).constData());
        QCOMPARE(found->total().differences, std::uint64_t{1});
        QVERIFY(!found->equal());
        const range::CheckDifference& at = found->differences.front();
        QCOMPARE(QString::fromStdString(at.field), field);
        QCOMPARE(at.height, indexed_.back().height);
        QVERIFY2(at.node != at.replay && !at.node.empty() && !at.replay.empty(),
                 listed(*found).constData());
        if (entry >= 0) {
            QVERIFY(at.transaction && at.protostone && at.event);
            QCOMPARE(at.txid.size(), std::size_t{64});
            QVERIFY(entry == 0 ? *at.event <= 1 : *at.event >= 1);
        }
        if (field == QLatin1String("storage")) QVERIFY(!at.key.empty());
        // In the block before there is nothing.
        QCOMPARE(found->blocks.front().differences, std::uint64_t{0});
    }

    void a_trace_that_is_listed_twice_is_compared_once() {
        const auto found = check_planted(
            [](std::vector<IndexedBlock>& blocks) {
                blocks.back().messages.push_back(blocks.back().messages.front());
            },
            NodeLayout::v10);
        VERIFY_OK(found);
        QVERIFY2(found->equal(), listed(*found).constData());
        QCOMPARE(found->not_compared.at("traces that the node lists more than once"),
                 std::uint64_t{1});
    }

    void planted_in_the_state_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"storage", "balance", "sheet", "sequence", "code"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    /// A key that the block changed has another value in the node, or was not written there.
    void planted_in_the_state() {
        QFETCH(QString, kind);
        const auto& before = indexed_[indexed_.size() - 2].after;
        const auto& after = indexed_.back().after;
        const auto changed = std::find_if(after.begin(), after.end(), [&](const auto& entry) {
            const auto was = before.find(entry.first);
            return alkanes::key_kind_text(entry.first.bytes()) == kind.toStdString() &&
                   (was == before.end() || !(was->second == entry.second));
        });
        QVERIFY(changed != after.end());
        const std::string key(changed->first.bytes());
        std::string wrong(changed->second.bytes());
        if (kind == QLatin1String("sheet"))
            wrong = alkanes::sheet_value({{{2, 9}, 1}});
        else if (kind == QLatin1String("code"))
            wrong = alkanes::id_bytes({2, 1}); // a template
        else
            wrong.back() = static_cast<char>(wrong.back() ^ 1);
        auto found = check_planted([&](std::vector<IndexedBlock>& blocks) {
            blocks.back().after.insert_or_assign(state::Key(key), state::Value(wrong));
        });
        VERIFY_OK(found);
        QVERIFY2(found->differences.size() == 1, listed(*found).constData());
        QCOMPARE(found->differences[0].field, std::string("value"));
        QCOMPARE(found->differences[0].key, alkanes::key_text(key));
        QVERIFY2(found->differences[0].node != found->differences[0].replay,
                 listed(*found).constData());

        found = check_planted([&](std::vector<IndexedBlock>& blocks) {
            const auto was = before.find(state::Key(key));
            if (was == before.end())
                blocks.back().after.erase(state::Key(key));
            else
                blocks.back().after.insert_or_assign(was->first, was->second);
        });
        VERIFY_OK(found);
        QVERIFY2(found->differences.size() == 1, listed(*found).constData());
        QCOMPARE(found->differences[0].field, std::string("written"));
        QCOMPARE(found->differences[0].key, alkanes::key_text(key));
    }

    /// By RPC: traces as from the database; of the keys those that the replay changed, as far as
    /// the node tells. What was not compared is said.
    void by_rpc() {
        const auto found = check_by_rpc(indexed_);
        VERIFY_OK(found);
        QVERIFY2(found->equal(), listed(*found).constData());
        QVERIFY2(found->place.starts_with("metashrew:http://127.0.0.1:"), found->place.c_str());
        std::size_t events = 0;
        for (std::size_t i = first_checked; i < indexed_.size(); ++i)
            for (const IndexedMessage& message : indexed_[i].messages)
                events += message.events.size();
        QCOMPARE(found->total().events, std::uint64_t{events});
        QVERIFY(found->total().keys > 20);
        for (const char* what :
             {"blocks whose written keys the node does not list: only keys that the replay changed "
              "were compared",
              "contracts whose code the node only returns decompressed (its RPC)"})
            QVERIFY2(found->not_compared.contains(what), what);
        // What the inventories leave out is not compared either, and no difference.
        std::vector<IndexedBlock> blocks = indexed_;
        const std::size_t left_out = std::erase_if(blocks.back().after, [&](const auto& entry) {
            const auto& before = indexed_[indexed_.size() - 2].after;
            const auto was = before.find(entry.first);
            return alkanes::key_kind_text(entry.first.bytes()) == "balance" &&
                   (was == before.end() || !(was->second == entry.second));
        });
        QVERIFY(left_out > 0);
        const auto incomplete = check_by_rpc(blocks);
        VERIFY_OK(incomplete);
        QVERIFY2(incomplete->equal(), listed(*incomplete).constData());
        QCOMPARE(incomplete->not_compared.at("balances that the node does not list (its RPC)"),
                 std::uint64_t{left_out});
        QCOMPARE(incomplete->total().keys, found->total().keys - left_out);
    }

    /// What is planted is found by RPC, too: in a trace, and in each kind of value that it tells.
    void planted_by_rpc_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"trace", "storage", "balance", "sheet", "sequence"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void planted_by_rpc() {
        QFETCH(QString, kind);
        std::vector<IndexedBlock> blocks = indexed_;
        const auto& before = indexed_[indexed_.size() - 2].after;
        std::string key;
        if (kind == QLatin1String("trace")) {
            entry_in(message_with(blocks, 2), 0).fuel += 1;
        } else {
            for (auto& [name, value] : blocks.back().after) {
                const auto was = before.find(name);
                if (alkanes::key_kind_text(name.bytes()) != kind.toStdString() ||
                    (was != before.end() && was->second == value))
                    continue;
                key = name.bytes();
                if (kind == QLatin1String("sheet")) {
                    value = state::Value(alkanes::sheet_value({{{2, 9}, 1}}));
                    break;
                }
                std::string wrong(value.bytes());
                wrong.back() = static_cast<char>(wrong.back() ^ 1);
                value = state::Value(wrong);
                break;
            }
            QVERIFY(!key.empty());
        }
        const auto found = check_by_rpc(blocks);
        VERIFY_OK(found);
        QVERIFY2(found->differences.size() == 1, listed(*found).constData());
        const range::CheckDifference& at = found->differences[0];
        QCOMPARE(QString::fromStdString(at.field),
                 key.empty() ? QStringLiteral("fuel") : QStringLiteral("value"));
        if (!key.empty()) QCOMPARE(at.key, alkanes::key_text(key));
        QVERIFY(at.node != at.replay);
    }

    void malformed_answers_of_traceblock() {
        const std::string txid(32, 'x');
        const std::string good = field(1, field(1, "t") + field(2, field(1, txid) + "\x10\x03"));
        const auto read = range::traces_answer(good + field(9, "later"));
        QVERIFY(read && read->size() == 1);
        QVERIFY(std::equal(txid.begin(), txid.end(), read->front().txid.begin()));
        QCOMPARE(read->front().vout, std::uint32_t{3});
        QCOMPARE(read->front().trace, std::string("t"));
        QVERIFY(range::traces_answer("")->empty());
        for (const std::string& wrong :
             {good.substr(0, good.size() - 1), field(1, field(1, "t")),
              field(1, field(2, field(1, "short"))), field(1, field(2, "\x10\x03")),
              field(1, field(2, field(1, txid) + number_field(2, std::uint64_t{1} << 32)))})
            QVERIFY2(!range::traces_answer(wrong), to_hex(as_bytes(wrong)).c_str());
    }

    /// The node wrote a key that the replay did not.
    void written_by_the_node_alone() {
        const std::string key = "/alkanes/" + alkanes::id_bytes({2, 7}) + "/storage//planted";
        auto found = check_planted(
            [&](std::vector<IndexedBlock>& blocks) { blocks.back().more.emplace_back(key, "1"); });
        VERIFY_OK(found);
        QVERIFY2(found->differences.size() == 1, listed(*found).constData());
        QCOMPARE(found->differences[0].key, std::string("storage:2:7:/planted"));
        QCOMPARE(found->differences[0].replay, std::string("absent"));
        // Of the indexer's own.
        const std::string own = "/alkanes/" + alkanes::id_bytes({32, 0}) + "/storage//last_block";
        found = check_planted(
            [&](std::vector<IndexedBlock>& blocks) { blocks.back().more.emplace_back(own, "1"); });
        VERIFY_OK(found);
        QVERIFY2(found->equal(), listed(*found).constData());
        QVERIFY(found->not_compared.contains("/last_block of 32:0, which the indexer itself "
                                             "writes"));
    }

    /// Version 9.0.2 lists no keys: those that the replay changed are compared.
    void without_a_list_of_keys() {
        const QTemporaryDir folder;
        const std::string place = folder.path().toStdString();
        std::vector<IndexedBlock> blocks = indexed_;
        for (auto& [key, value] : blocks.back().after)
            if (alkanes::key_kind_text(key.bytes()) == "sequence") value = u128_bytes(7);
        {
            NodeWriter writer(place, NodeLayout::v9);
            write_indexer(writer, blocks, SheetForm::lists);
            for (const IndexedBlock& block : blocks)
                writer.erase_raw("/__INTERNAL/keys-at-height/" + std::to_string(block.height));
        }
        const auto found = check(place);
        VERIFY_OK(found);
        QVERIFY2(found->differences.size() == 1, listed(*found).constData());
        QCOMPARE(found->differences[0].key, std::string("sequence"));
        QVERIFY(found->total().keys > 50);
    }

    void blocks_that_the_node_does_not_have() {
        const QTemporaryDir folder;
        const std::string place = folder.path().toStdString();
        {
            NodeWriter writer(place, NodeLayout::v9);
            write_indexer(writer, std::span(indexed_).first(3), SheetForm::lists);
        }
        const auto above = check(place);
        QVERIFY(!above);
        QVERIFY2(above.error().message.find("as the last one") != std::string::npos,
                 above.error().message.c_str());
        std::vector<IndexedBlock> other = indexed_;
        other.back().hash[0] ^= 1;
        const QTemporaryDir second;
        {
            NodeWriter writer(second.path().toStdString(), NodeLayout::v9);
            write_indexer(writer, other, SheetForm::lists);
        }
        const auto replaced = check(second.path().toStdString());
        QVERIFY(!replaced);
        QVERIFY2(replaced.error().message.find("to compare the replay with it, found") !=
                     std::string::npos,
                 replaced.error().message.c_str());
    }

    void a_malformed_list_is_an_error() {
        const auto found = check_planted([](std::vector<IndexedBlock>& blocks) {
            blocks.back().messages.front().outpoint.pop_back();
        });
        QVERIFY(!found);
        QVERIFY2(found.error().message.find("expected 36 bytes as entry 0, found 35") !=
                     std::string::npos,
                 found.error().message.c_str());
    }

    void traces_are_read() {
        for (const IndexedMessage& message : indexed_.back().messages) {
            const auto read = range::read_node_trace(trace_bytes(message.events));
            VERIFY_OK(read);
            QVERIFY(*read == message.events);
        }
        // Events of later indexers are left out.
        CallEvent created;
        created.kind = CallEvent::Kind::created;
        created.myself = {2, 5};
        const auto read =
            range::read_node_trace(field(1, field(4, "intent")) + trace_bytes({created}) +
                                   field(1, field(5, "")) + field(7, "x"));
        VERIFY_OK(read);
        QVERIFY(*read == std::vector{created});
        QVERIFY(range::read_node_trace("")->empty());
    }

    void malformed_traces_name_their_event_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& bytes, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(says);
        };
        row("cut", field(1, "x").substr(0, 2), "event 0: expected events");
        row("type of call", field(1, field(1, number_field(1, 4))), "event 1: expected an entry");
        row("status", field(1, field(3, "")) + field(1, field(2, number_field(1, 2))),
            "event 2: expected an exit");
        row("id", field(1, field(3, field(1, field(1, "\x08")))), "event 1: expected a number");
        row("vout", field(1, field(1, field(2, field(1, number_field(4, std::uint64_t{1} << 32))))),
            "event 1: expected a context");
        row("storage", field(1, field(2, field(2, field(2, "\x0a\x05")))),
            "event 1: expected an entry of the storage");
        row("transfer", field(1, field(2, field(2, field(1, "\x0a\x05")))),
            "event 1: expected a transfer");
    }
    void malformed_traces_name_their_event() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto read = range::read_node_trace(bytes.toStdString());
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).contains(says),
                 read.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestNodeCheck)
#include "test_node_check.moc"
