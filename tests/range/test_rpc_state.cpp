// A range that was replayed normally, and its state as an indexer's JSON-RPC: replays from it have
// the same digests, and what it does not know is counted.
#include "alkanes/state_keys.h"
#include "base/file.h"
#include "execute/junction.h"
#include "range/indexer_rpc.h"
#include "range/indexer_views.h"
#include "range/make_bundle.h"
#include "range/node_blocks.h"
#include "range/open_range.h"
#include "range/rpc_state.h"
#include "range/state_bundle.h"
#include "range/state_source.h"
#include "recipes/recipe_blocks.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <set>
#include <sys/stat.h>

using namespace blockloom;
using namespace blockloom::test;

namespace {

#define RPC_OK(result)                                                                             \
    do {                                                                                           \
        const auto& checked_result = (result);                                                     \
        QVERIFY2(checked_result.ok(),                                                              \
                 checked_result.ok() ? "" : checked_result.error().message.c_str());               \
    } while (false)

execute::ReplayOptions how_to_replay() {
    execute::ReplayOptions how;
    how.engine = alkanes::Engine::interpreter;
    how.trace = false;
    return how;
}

template <typename T> std::string error_of_result(const Result<T>& result) {
    return result ? std::string() : result.error().message;
}

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class TestRpcState : public QObject {
    Q_OBJECT

    std::vector<Bytes> raw_;
    std::vector<execute::ReplaySource> blocks_;
    std::vector<IndexedBlock> indexed_;
    std::unique_ptr<QTemporaryDir> kept_; ///< what interrupted reading leaves

    static range::StateSource source(const NodeServer& server) {
        range::StateSource given;
        given.place = "metashrew:" + server.url();
        return given;
    }

    /// Replays from block `from` on; how many have their digest. Fails if the replay does.
    Result<std::size_t> equal_digests(const state::StateView& view, std::size_t from,
                                      execute::ReplayOptions how = how_to_replay()) const {
        std::size_t at = from, equal = 0;
        SilentProgress silent;
        const auto summary =
            execute::replay_on(&view, std::span(blocks_).subspan(from), how, false,
                               [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                                   equal +=
                                       block->execution->digest == indexed_[at++].digest ? 1 : 0;
                                   return Status();
                               },
                               silent, {});
        if (!summary) return summary.error();
        return equal;
    }

private Q_SLOTS:
    void initTestCase() {
        recipes::RecipeChanges changes;
        changes.blocks = 4;
        changes.tasks = 60;
        changes.contracts = 2;
        auto made =
            recipes::make_blocks(recipes::with_changes(*recipes::find_recipe("mixed"), changes));
        RPC_OK(made);
        raw_ = *made;
        for (const Bytes& bytes : raw_)
            for (const auto& block : chain::list_block_bytes(bytes, "generated").blocks)
                blocks_.push_back({block, block.height, {}});
        auto indexed = index_blocks(blocks_, how_to_replay());
        RPC_OK(indexed);
        indexed_ = *std::move(indexed);
        QCOMPARE(indexed_.size(), std::size_t{4});
    }
    /// A later server may have the port, and so the URL, of one that was interrupted.
    void init() {
        kept_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", kept_->path().toUtf8());
    }

    void digests_are_those_of_the_normal_replay_data() {
        QTest::addColumn<bool>("parallel");
        QTest::addColumn<bool>("ahead");
        QTest::newRow("serial, on demand") << false << false;
        QTest::newRow("serial, read ahead") << false << true;
        QTest::newRow("speculative, read ahead") << true << true;
    }
    void digests_are_those_of_the_normal_replay() {
        QFETCH(bool, parallel);
        QFETCH(bool, ahead);
        const IndexerRpc rpc(indexed_);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        for (std::size_t from = 1; from < blocks_.size(); ++from) {
            const auto open = range::open_state(source(server), blocks_[from]);
            RPC_OK(open);
            QVERIFY2(says(open->text,
                          fmt::format("after block {}, by JSON-RPC", indexed_[from - 1].height)),
                     open->text.c_str());
            SilentProgress silent;
            if (ahead)
                RPC_OK(range::read_ahead(*open, std::span(blocks_).subspan(from), how_to_replay(),
                                         silent, {}));
            execute::ReplayOptions how = how_to_replay();
            if (parallel) {
                how.strategy.strategy = execute::Strategy::speculative;
                how.strategy.workers = 3;
            }
            const auto equal = equal_digests(*open->view, from, how);
            RPC_OK(equal);
            QCOMPARE(*equal, blocks_.size() - from);
            RPC_OK(range::confirm(*open, {}));
            // Balances of 0 are not in the lists: they were right, but not known.
            QVERIFY(open->unknown().balances > 0);
            QCOMPARE(open->unknown().outputs, std::uint64_t{0});
            QVERIFY(says(open->notes().front(), "taken as 0"));
        }
    }

    /// Each value is asked for once, whoever reads it, and all that is certain before anything
    /// runs.
    void nothing_is_asked_twice() {
        const IndexerRpc rpc(indexed_);
        std::mutex guard;
        std::map<std::string, int> asked;
        NodeServer server([&](const ServedRequest& request) {
            const std::string call = request.body.substr(request.body.find("\"method\""));
            const std::lock_guard lock(guard);
            ++asked[call];
            return rpc(request);
        });
        const auto open = range::open_state(source(server), blocks_[1]);
        RPC_OK(open);
        SilentProgress silent;
        RPC_OK(
            range::read_ahead(*open, std::span(blocks_).subspan(1), how_to_replay(), silent, {}));
        const auto count = [&](const char* view) {
            std::size_t found = 0;
            for (const auto& [call, times] : asked) found += says(call, view) ? 1U : 0U;
            return found;
        };
        const std::size_t outputs = count("protorunesbyoutpoint");
        QVERIFY(outputs > 10);
        QVERIFY(count("getbytecode") > 0);
        QVERIFY(count("getstorageat") > 10);
        QVERIFY(open->unknown().total() == 0); // nothing was taken for absent yet
        const std::size_t before = asked.size();
        // In order, the replay reads what was found: nothing is left to be asked for.
        RPC_OK(equal_digests(*open->view, 1));
        QCOMPARE(asked.size(), before);
        execute::ReplayOptions how = how_to_replay();
        how.strategy.strategy = execute::Strategy::speculative;
        how.strategy.workers = 4;
        RPC_OK(equal_digests(*open->view, 1, how));
        QCOMPARE(count("protorunesbyoutpoint"), outputs); // none was missing
        for (const auto& [call, times] : asked) QVERIFY2(times == 1, call.c_str());
    }

    /// Storage and balances, too, are asked for several at a time, although a contract reads one
    /// after the other: no answer comes before so many are asked for.
    void storage_and_balances_are_read_in_parallel() {
        constexpr int wanted = 4; // at a time
        const IndexerRpc rpc(indexed_);
        std::mutex guard;
        std::condition_variable changed;
        int now = 0, most = 0, all = 0;
        NodeServer server([&](const ServedRequest& request) {
            if (!says(request.body, "getstorageat") && !says(request.body, "getinventory"))
                return rpc(request);
            {
                std::unique_lock lock(guard);
                ++all;
                most = std::max(most, ++now);
                changed.notify_all();
                changed.wait(lock, [&] { return most >= wanted; });
            }
            Reply reply = rpc(request);
            const std::lock_guard lock(guard);
            --now;
            return reply;
        });
        const auto open = range::open_state(source(server), blocks_[1]);
        RPC_OK(open);
        SilentProgress silent;
        RPC_OK(
            range::read_ahead(*open, std::span(blocks_).subspan(1), how_to_replay(), silent, {}));
        const int ahead = all;
        QVERIFY(ahead > 20);
        const auto equal = equal_digests(*open->view, 1);
        RPC_OK(equal);
        QCOMPARE(*equal, blocks_.size() - 1);
        QCOMPARE(all, ahead); // the replay waits for none
    }

    /// A guess may ask for nonsense: whatever becomes of that, the replay's results are right.
    void guesses_that_fail_do_no_harm() {
        const IndexerRpc rpc(indexed_);
        std::atomic<bool> guessing = true;
        NodeServer server([&](const ServedRequest& request) {
            if (guessing && says(request.body, "getstorageat"))
                return rpc_error(request, -32000, QStringLiteral("View function failed"));
            return rpc(request);
        });
        const auto open = range::open_state(source(server), blocks_[1]);
        RPC_OK(open);
        SilentProgress silent;
        RPC_OK(
            range::read_ahead(*open, std::span(blocks_).subspan(1), how_to_replay(), silent, {}));
        guessing = false;
        const auto equal = equal_digests(*open->view, 1);
        RPC_OK(equal);
        QCOMPARE(*equal, blocks_.size() - 1);
    }

    void every_value_is_that_of_the_state() {
        const IndexerRpc rpc(indexed_);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        const auto open = range::open_state(source(server), blocks_[3]);
        RPC_OK(open);
        std::set<std::string_view> kinds;
        for (const auto& [key, value] : indexed_[2].after) {
            const std::string_view kind = alkanes::key_kind_text(key.bytes());
            const auto read = open->view->get(key);
            RPC_OK(read);
            // Code is not in the envelope's form.
            if (kind == "code" || kind == "bytecode") continue;
            kinds.insert(kind);
            QVERIFY2(*read == value, alkanes::key_text(key.bytes()).c_str());
        }
        QCOMPARE(kinds.size(), std::size_t{4});
        for (const auto& [key, value] : indexed_[3].after)
            if (!indexed_[2].after.contains(key) &&
                alkanes::key_kind_text(key.bytes()) != "bytecode") {
                const auto read = open->view->get(key);
                RPC_OK(read);
                QVERIFY2(!*read, alkanes::key_text(key.bytes()).c_str());
            }
        const auto wrong = open->view->get("no key");
        QVERIFY(says(error_of_result(wrong), "expected a key of the state"));
    }

    /// What the inventory does not list is taken as 0 and counted; the results are then not
    /// certain.
    void what_is_not_known_is_counted() {
        IndexerRpc rpc(indexed_);
        rpc.incomplete_inventories = true;
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        const auto open = range::open_state(source(server), blocks_[3]);
        RPC_OK(open);
        std::uint64_t listed = 0, missing = 0;
        for (const auto& [key, value] : indexed_[2].after) {
            if (alkanes::key_kind_text(key.bytes()) != "balance") continue;
            const auto read = open->view->get(key);
            RPC_OK(read);
            const bool unknown = open->is_unknown(key.bytes());
            QVERIFY(unknown ? !*read : *read == value);
            ++(unknown ? missing : listed);
        }
        QVERIFY(listed > 0);
        QVERIFY(missing > 0);
        QCOMPARE(open->unknown(), (range::UnknownValues{missing, 0, 0}));
        const state::Key code = alkanes::bytecode_key(test_hash("no code"));
        RPC_OK(open->view->get(code));
        QCOMPARE(open->unknown().codes, std::uint64_t{1});
        QVERIFY2(says(open->notes().front(), "1 code that some contract may have already"),
                 open->notes().front().c_str());
    }

    void outputs_that_the_node_does_not_have() {
        NodeServer server([&](const ServedRequest& request) {
            if (says(request.body, "protorunesbyoutpoint"))
                return rpc_result(request, QStringLiteral("0x0a001200"));
            return IndexerRpc(indexed_)(request);
        });
        const auto open = range::open_state(source(server), blocks_[3]);
        RPC_OK(open);
        const auto sheet = open->view->get(alkanes::sheet_key({}));
        RPC_OK(sheet);
        QVERIFY(!*sheet);
        QCOMPARE(open->unknown().outputs, std::uint64_t{1});
    }

    void a_bundle_is_made_from_it() {
        const QTemporaryDir folder;
        for (std::size_t i = 0; i < raw_.size(); ++i)
            RPC_OK(write_file(
                fmt::format("{}/{}.bin", folder.path().toStdString(), indexed_[i].height),
                raw_[i]));
        const IndexerRpc rpc(indexed_);
        auto server = std::make_unique<NodeServer>(
            [&](const ServedRequest& request) { return rpc(request); });
        range::RangeOptions options;
        options.sources = {folder.path().toStdString()};
        options.from = indexed_[2].height;
        options.code_in_state = true; // a generated range without its manifest
        options.state = source(*server);
        SilentProgress silent;
        const auto bundle = range::make_bundle(options, "1", silent, {});
        RPC_OK(bundle);
        QVERIFY(!bundle->unknown.empty());
        const auto bytes = range::bundle_bytes(*bundle);
        RPC_OK(bytes);
        const std::string file = folder.filePath(QStringLiteral("state")).toStdString();
        RPC_OK(write_file(file, *bytes));
        server.reset(); // nobody is asked any more
        const auto read = range::bundle_from(*bytes, "bundle");
        RPC_OK(read);
        QVERIFY(read->entries == bundle->entries);
        QVERIFY(read->unknown == bundle->unknown);
        range::StateSource given;
        given.place = file;
        const auto open = range::open_state(given, blocks_[2]);
        RPC_OK(open);
        const auto equal = equal_digests(*open->view, 2);
        RPC_OK(equal);
        QCOMPARE(*equal, std::size_t{2});
        QVERIFY(open->unknown().balances > 0);
    }

    void a_server_that_misbehaves() {
        const IndexerRpc rpc(indexed_);
        std::atomic<int> count = 0;
        NodeServer server([&](const ServedRequest& request) {
            Reply reply = rpc(request);
            switch (++count % 7) {
            case 1:
                reply.cut_after = reply.body.size() / 2;
                break;
            case 3:
                return Reply::with_status(503, "busy");
            case 5:
                reply.body.pop_back();
                break;
            default:
                break;
            }
            return reply;
        });
        const auto open = range::open_state(source(server), blocks_[3]);
        RPC_OK(open);
        SilentProgress silent;
        // A few at a time, so that pauses are short: it is the real clock.
        const auto sequence = open->view->get(alkanes::sequence_key());
        RPC_OK(sequence);
        QVERIFY(*sequence == indexed_[2].after.at(alkanes::sequence_key()));
    }

    /// What was answered before reading was interrupted is not asked for again, although answers
    /// were cut, refused and wrong; the digests are those of the normal replay.
    void what_was_interrupted_is_continued() {
        const IndexerRpc rpc(indexed_);
        std::mutex guard;
        std::set<std::string> answered;
        std::size_t again = 0, answers = 0, requests = 0, most = 40;
        NodeServer server([&](const ServedRequest& request) {
            const std::string call = request.body.substr(request.body.find("\"method\""));
            if (call.find("metashrew_view") == std::string::npos) return rpc(request);
            const std::lock_guard lock(guard);
            switch (++requests % 11) {
            case 3: {
                Reply cut = rpc(request);
                cut.cut_after = cut.body.size() / 2;
                return cut;
            }
            case 6: {
                Reply busy = Reply::with_status(429, "slower");
                busy.headers.emplace_back("Retry-After", "0");
                return busy;
            }
            case 9:
                return Reply::with_status(500, "<html>");
            default:
                break;
            }
            if (answers >= most) return Reply::with_status(404, "gone");
            ++answers;
            again += answered.insert(call).second ? 0 : 1;
            return rpc(request);
        });
        const auto kept_files = [&] {
            std::size_t files = 0;
            const std::filesystem::path folder = kept_->path().toStdString() + "/blockloom/nodes";
            for (const auto& file : std::filesystem::directory_iterator(folder)) {
                ++files;
                struct stat about {};
                if (::stat(file.path().c_str(), &about) != 0 || (about.st_mode & 07777) != 0600 ||
                    ::stat(folder.c_str(), &about) != 0 || (about.st_mode & 07777) != 0700)
                    return std::size_t{1000};
                std::ifstream content(file.path(), std::ios::binary);
                const std::string bytes{std::istreambuf_iterator<char>(content), {}};
                if (says(bytes, server.url())) return std::size_t{1000};
            }
            return files;
        };
        SilentProgress silent;
        const auto read = [&] {
            const auto open = range::open_state(source(server), blocks_[1]);
            if (!open) return Status(open.error());
            return range::read_ahead(*open, std::span(blocks_).subspan(1), how_to_replay(), silent,
                                     {});
        };
        QVERIFY(!read());
        QVERIFY(answered.size() >= 30);
        QCOMPARE(kept_files(), std::size_t{1});
        // Half a record at its end, as a kill leaves it, and another interruption.
        for (const auto& file :
             std::filesystem::directory_iterator(kept_->path().toStdString() + "/blockloom/nodes"))
            std::filesystem::resize_file(file.path(), file.file_size() - 5);
        most = 80;
        QVERIFY(!read());
        most = std::numeric_limits<std::size_t>::max();
        const auto open = range::open_state(source(server), blocks_[1]);
        RPC_OK(open);
        RPC_OK(
            range::read_ahead(*open, std::span(blocks_).subspan(1), how_to_replay(), silent, {}));
        const auto equal = equal_digests(*open->view, 1);
        RPC_OK(equal);
        QCOMPARE(*equal, blocks_.size() - 1);
        // Only those that were under way when it ended, and the one that was cut.
        QVERIFY2(again <= 2 * 8 + 1, std::to_string(again).c_str());
        QVERIFY(open->unknown().balances > 0);
        RPC_OK(range::confirm(*open, {}));
        QCOMPARE(kept_files(), std::size_t{0}); // all was read
    }

    void only_the_state_after_the_parent() {
        IndexerRpc rpc(indexed_);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        range::StateSource given = source(server);
        given.height = indexed_[0].height;
        QVERIFY(
            says(error_of_result(range::open_state(given, blocks_[2])), "indexed another branch"));
        given.declared = true;
        QVERIFY(range::open_state(given, blocks_[2]));
        given = source(server);
        given.height = indexed_.back().height + 1;
        QVERIFY(says(error_of_result(range::open_state(given, blocks_[2])),
                     "as the last indexed block"));
        rpc.version_8 = true; // names the block that comes next
        QVERIFY(says(error_of_result(range::open_state(given, blocks_[2])),
                     "as the last indexed block"));
        given = source(server);
        const auto open = range::open_state(given, blocks_[2]);
        RPC_OK(open);
        RPC_OK(range::confirm(*open, {}));
        rpc.another_branch = true;
        QVERIFY(says(error_of_result(range::confirm(*open, {})), "changed to another branch"));
        QVERIFY(
            says(error_of_result(range::open_state(given, blocks_[2])), "indexed another branch"));
    }

    void malformed_answers_are_errors_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("answer");
        QTest::newRow("sequence") << "sequence"
                                  << "0x0102";
        QTest::newRow("storage") << "storage:2:1:/x"
                                 << "0x0a05";
        QTest::newRow("balance") << "balance:2:1:2:0"
                                 << "0x0a020a05";
        QTest::newRow("code") << "code:2:1"
                              << "0x0102030405060708";
        QTest::newRow("sheet") << QStringLiteral("sheet:%1:0").arg(QString(64, u'1')) << "0x0a0109";
        QTest::newRow("not hexadecimal") << "sequence"
                                         << "0xzz";
    }
    void malformed_answers_are_errors() {
        QFETCH(QString, key);
        QFETCH(QString, answer);
        NodeServer server(
            [&](const ServedRequest& request) { return rpc_result(request, answer); });
        auto http = node::HttpClient::open(*node::node_address(server.url()), {});
        RPC_OK(http);
        const range::RpcState state(std::make_shared<const node::MetashrewNode>(*std::move(http)),
                                    7, {});
        const auto read = state.get(*alkanes::key_from_text(key.toStdString()));
        QVERIFY2(says(error_of_result(read), "expected"), error_of_result(read).c_str());
    }

    void a_stop_ends_reads() {
        NodeServer server([&](const ServedRequest& request) {
            if (!says(request.body, "getstorageat")) return IndexerRpc(indexed_)(request);
            Reply reply;
            reply.silent = true;
            return reply;
        });
        std::stop_source stop;
        const auto open = range::open_state(source(server), blocks_[3], stop.get_token());
        RPC_OK(open);
        const std::size_t before = server.count();
        Result<state::Value> read = state::Value();
        std::jthread reading([&] { read = open->view->get(alkanes::storage_key({2, 1}, "/x")); });
        server.wait_for(before + 1);
        stop.request_stop();
        reading.join();
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::cancelled);
    }

    /// The examples that the description of the indexer has.
    void documented_questions() {
        const auto hex = [](const std::string& bytes) { return to_hex(as_bytes(bytes)); };
        QCOMPARE(hex(range::storage_question({2, 0}, "/totalsupply")),
                 std::string("0a060a0208021200120c2f746f74616c737570706c79"));
        QCOMPARE(hex(range::contract_question({4, 33})), std::string("0a080a02080412020821"));
        QCOMPARE(hex(range::output_question(std::string(32, '\x11') + std::string(4, '\0'))),
                 "0a20" + hex(std::string(32, '\x11')) + "1a020801");
        QCOMPARE(hex(range::block_question(892614)), std::string("08c6bd36"));
    }

    void blocks_of_the_indexer() {
        const IndexerRpc rpc(indexed_, raw_);
        NodeServer server([&](const ServedRequest& request) { return rpc(request); });
        SilentProgress silent;
        const std::string place = "metashrew:" + server.url();
        const auto read = range::node_blocks(place, {}, indexed_[1].height, {}, silent, {});
        RPC_OK(read);
        QCOMPARE(read->size(), std::size_t{3});
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY((*read)[i].hash == indexed_[1 + i].hash);
            QVERIFY((*read)[i].height == indexed_[1 + i].height);
        }
        // Blocks and state from one place.
        range::RangeOptions options;
        options.sources = {place};
        options.from = indexed_[2].height;
        options.code_in_state = true; // a generated range without its manifest
        options.state.place = place;
        const auto range = range::open_range(options, silent, {});
        RPC_OK(range);
        QCOMPARE((*range)->blocks.size(), std::size_t{2});
        QVERIFY((*range)->blocks[1]->replayed != nullptr);
        QVERIFY((*range)->unknown.total() > 0);
        QVERIFY(says((*range)->state, "by JSON-RPC"));
    }
};

QTEST_GUILESS_MAIN(TestRpcState)
#include "test_rpc_state.moc"
