// Blocks of a node: the same as those of files, whatever the node does, or a clear refusal.
#include "base/file.h"
#include "range/core_rpc.h"
#include "range/fixtures.h"
#include "range/node_blocks.h"

#include <QTemporaryDir>

#include <atomic>
#include <memory>
#include <mutex>
#include <set>

using namespace blockloom;
using namespace blockloom::test;

namespace {

#define BLOCKS_OK(result)                                                                          \
    do {                                                                                           \
        const auto& checked_result = (result);                                                     \
        QVERIFY2(checked_result.ok(),                                                              \
                 checked_result.ok() ? "" : checked_result.error().message.c_str());               \
    } while (false)

template <typename T> std::string failure_of(const Result<T>& result) {
    return result ? std::string() : result.error().message;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

class TestNodeBlocks : public QObject {
    Q_OBJECT

    std::vector<Bytes> blocks_, other_;
    std::unique_ptr<CoreRpc> core_;
    SilentProgress silent_;
    std::unique_ptr<QTemporaryDir> kept_; ///< what interrupted reading leaves

    [[nodiscard]] Result<std::vector<chain::BlockRef>> read(const std::string& source,
                                                            std::optional<std::uint64_t> from,
                                                            std::optional<std::uint64_t> to) {
        return range::node_blocks(source, {}, from, to, silent_, {});
    }

private Q_SLOTS:
    void initTestCase() {
        auto made = recipes::make_blocks(small_recipe(40));
        BLOCKS_OK(made);
        blocks_ = *made;
        made = recipes::make_blocks(small_recipe(40, 2)); // another chain of the same heights
        BLOCKS_OK(made);
        other_ = *made;
    }
    void init() {
        core_ = std::make_unique<CoreRpc>(500, blocks_);
        // A later server may have the port, and so the URL, of one that was interrupted.
        kept_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", kept_->path().toUtf8());
    }

    void they_are_those_of_files_data() {
        QTest::addColumn<QString>("kind");
        QTest::newRow("JSON-RPC") << "core:";
        QTest::newRow("REST") << "rest:";
    }
    void they_are_those_of_files() {
        QFETCH(QString, kind);
        std::atomic<int> count = 0;
        NodeServer server([&](const ServedRequest& request) {
            Reply reply = (*core_)(request);
            if (++count % 9 == 0) reply.cut_after = reply.body.size() / 2;
            return reply;
        });
        const std::string source = kind.toStdString() + server.url();
        const Folder folder;
        folder.add(small_recipe(40));
        range::RangeOptions options = open_options({folder.path()});
        options.from = 503;
        options.to = 535;
        const auto of_files = open(options);
        BLOCKS_OK(of_files);
        options.sources = {source};
        const auto of_node = open(options);
        BLOCKS_OK(of_node);
        QCOMPARE((*of_node)->blocks.size(), std::size_t{33});
        for (std::size_t i = 0; i < 33; ++i) {
            const range::BlockRecord& a = *(*of_files)->blocks[i];
            const range::BlockRecord& b = *(*of_node)->blocks[i];
            QVERIFY(a.block->hash == b.block->hash);
            QCOMPARE(b.block->height.value_or(0), std::uint64_t{503 + i});
            QCOMPARE(a.analysis.index->work, b.analysis.index->work);
            QCOMPARE(a.analysis.index->span, b.analysis.index->span);
            QVERIFY(b.checks.merkle.value_or(false));
            QVERIFY2(has(b.source, source) && has(b.source, std::to_string(503 + i)),
                     b.source.c_str());
        }
        // Up to the last one.
        const auto rest = read(source, 537, {});
        BLOCKS_OK(rest);
        QCOMPARE(rest->size(), std::size_t{3});
    }

    void what_is_refused() {
        NodeServer server([&](const ServedRequest& request) { return (*core_)(request); });
        const std::string url = server.url(), source = "core:" + url;
        QVERIFY(has(failure_of(read(source, {}, {})), "--from H"));
        QVERIFY(has(failure_of(read(source, 540, {})), "found 539 as the last one"));
        QVERIFY(has(failure_of(read(source, 538, 541)), "Block height out of range"));
        QVERIFY(has(failure_of(read("rest:" + url, 538, 541)), "Block height out of range"));
        QVERIFY(has(failure_of(read(source, 1, 20'000)), "expected 1 to 10000 blocks"));
        QVERIFY(has(failure_of(read(url, 500, 500)), "expected core:"));
        const auto secret = read("core:http://alice:S3cr3tOf7heNode@127.0.0.1", 500, 500);
        QVERIFY(has(failure_of(secret), "no user name"));
        QVERIFY(!has(failure_of(secret), "S3cr3t"));
        for (const std::string kind : {"core:", "rest:"}) {
            const auto opened = open(open_options({kind + "alice:S3cr3tOf7heNode@127.0.0.1:8332"}));
            QVERIFY(has(failure_of(opened), kind + " expected http:// or https:// after it"));
            QVERIFY(!has(failure_of(opened), "S3cr3t"));
        }
        // Nor do sources that are not read at all.
        for (const char* text : {"core:http://a:S3cr3tOf7heNode@x", "http://a:S3cr3tOf7heNode@x"}) {
            const auto opened = open(open_options({text}));
            QVERIFY(!opened);
            QVERIFY2(!has(failure_of(opened), "S3cr3t"), failure_of(opened).c_str());
        }
    }

    void only_the_block_that_was_named_data() {
        QTest::addColumn<int>("how");
        QTest::addColumn<QString>("says");
        QTest::newRow("another block") << 0 << "expected ";
        QTest::newRow("another transaction") << 1 << "merkle root";
        QTest::newRow("cut") << 2 << "block 505";
        QTest::newRow("more bytes") << 3 << "block 505";
        QTest::newRow("nothing") << 4 << "block 505";
    }
    void only_the_block_that_was_named() {
        QFETCH(int, how);
        QFETCH(QString, says);
        NodeServer server([&](const ServedRequest& request) {
            Reply reply = (*core_)(request);
            if (!request.path.starts_with("/rest/block/")) return reply;
            switch (how) {
            case 0:
                return Reply::with_body({other_[5].begin(), other_[5].end()});
            case 1:
                reply.body.back() ^= 1; // of the lock time
                return reply;
            case 2:
                reply.body.resize(reply.body.size() / 2);
                return reply;
            case 3:
                reply.body += "more";
                return reply;
            default:
                return Reply::with_body("");
            }
        });
        const auto blocks = read("rest:" + server.url(), 505, 505);
        QVERIFY2(has(failure_of(blocks), says.toStdString()), failure_of(blocks).c_str());
    }

    /// A reorganisation between the hashes and the next ones: all blocks are of one chain.
    void one_chain_even_if_it_changes() {
        // Hashes are requested at the same time and arrive in any order: after the eighth of
        // sixteen, whichever it is, the node has another chain.
        std::mutex guard;
        int hashes = 0;
        NodeServer server([&](const ServedRequest& request) {
            const std::lock_guard lock(guard);
            const Reply reply = (*core_)(request);
            if (request.path.starts_with("/rest/blockhashbyheight/") && ++hashes == 8)
                core_->replace(other_);
            return reply;
        });
        const auto blocks = read("rest:" + server.url(), 505, 520);
        BLOCKS_OK(blocks);
        for (std::size_t i = 1; i < blocks->size(); ++i)
            QVERIFY((*blocks)[i].header.previous == (*blocks)[i - 1].hash);
        QVERIFY2(hashes > 16, "the chain was read once only");
        const auto listing = chain::list_block_bytes(other_[5], "other");
        QVERIFY((*blocks)[0].hash == listing.blocks.front().hash);
    }

    void it_can_be_cancelled_and_reports_progress() {
        std::stop_source stop;
        class Watching final : public ProgressSink {
        public:
            explicit Watching(std::stop_source& of) : stop(of) {}
            void report(const Progress& progress) override {
                most = std::max(most, progress.done);
                total = progress.total;
                if (progress.done >= 20) stop.request_stop();
            }
            std::stop_source& stop;
            std::uint64_t most = 0, total = 0;
        } progress(stop);
        NodeServer server([&](const ServedRequest& request) { return (*core_)(request); });
        const auto blocks =
            range::node_blocks("core:" + server.url(), {}, 500, 539, progress, stop.get_token());
        QVERIFY(!blocks);
        QCOMPARE(blocks.error().code, ErrorCode::cancelled);
        QCOMPARE(progress.total, std::uint64_t{40});
        QVERIFY(progress.most >= 20 && progress.most < 40);
    }

    /// Blocks that were read before reading was interrupted are not asked for again.
    void what_was_interrupted_is_continued() {
        std::mutex guard;
        std::set<std::string> answered;
        std::size_t again = 0, most = 20;
        NodeServer server([&](const ServedRequest& request) {
            if (!request.path.starts_with("/rest/block/")) return (*core_)(request);
            const std::lock_guard lock(guard);
            if (answered.size() >= most) return Reply::with_status(400, "no more");
            again += answered.insert(request.path).second ? 0 : 1;
            return (*core_)(request);
        });
        QVERIFY(!read("rest:" + server.url(), 500, 539));
        QCOMPARE(answered.size(), std::size_t{20});
        most = 1000;
        const auto blocks = read("rest:" + server.url(), 500, 539);
        BLOCKS_OK(blocks);
        QCOMPARE(blocks->size(), std::size_t{40});
        for (std::size_t i = 0; i < 40; ++i) {
            const auto listing = chain::list_block_bytes(blocks_[i], "block");
            QVERIFY((*blocks)[i].hash == listing.blocks.front().hash);
        }
        QVERIFY2(again <= 8, std::to_string(again).c_str()); // those that were under way
        QCOMPARE(answered.size(), std::size_t{40});
    }

    void credentials_are_for_one_node() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("cookie")).toStdString();
        BLOCKS_OK(write_file(file, as_bytes("__cookie__:S3cr3tOf7heNode")));
        NodeServer server([&](const ServedRequest& request) {
            if (!request.headers.contains("authorization")) return Reply::with_status(401);
            return (*core_)(request);
        });
        range::RangeOptions options = open_options({"core:" + server.url()});
        options.from = 500;
        options.to = 502;
        QVERIFY(has(failure_of(open(options)), "wants credentials"));
        options.nodes.credentials_file = file;
        BLOCKS_OK(open(options));
        options.sources.push_back("rest:http://127.0.0.1:1");
        QVERIFY(has(failure_of(open(options)), "one node to send them to"));
        options.sources = {"core:http://node.example"};
        QVERIFY(has(failure_of(open(options)), "expected https://"));
    }
};

QTEST_GUILESS_MAIN(TestNodeBlocks)
#include "test_node_blocks.moc"
