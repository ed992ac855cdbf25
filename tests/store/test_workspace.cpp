// A workspace: blocks, undo, seeds, bulk mode, kept runs and traces.
#include "blocks.h"
#include "store/location.h"

#include <QTemporaryDir>
#include <QTest>

using namespace blockloom;
using namespace blockloom::store;
using namespace blockloom::test;

class TestWorkspace : public QObject {
    Q_OBJECT

    QTemporaryDir folder;
    std::filesystem::path path(const char* name) const {
        return folder.filePath(QLatin1String(name)).toStdString();
    }
    static std::unique_ptr<Workspace> opened(const std::filesystem::path& where,
                                             const OpenOptions& options = {}) {
        Result<std::unique_ptr<Workspace>> workspace = Workspace::open(where, options);
        if (!workspace) qWarning("%s", workspace.error().message.c_str());
        return workspace ? std::move(*workspace) : nullptr;
    }

private Q_SLOTS:
    void a_new_one_is_empty_and_opens_again() {
        for (int round = 0; round < 2; ++round) {
            const auto workspace = opened(path("new/below"));
            QVERIFY(workspace);
            QVERIFY(!workspace->tip());
            QCOMPARE(*workspace->state_digest(), ReferenceChain().digest(0));
            QVERIFY(!workspace->state().get("key")->has_value());
        }
    }

    void blocks_follow_the_reference_through_reopening() {
        // Saved at checkpoints only, or block after block behind the commits.
        for (const std::size_t bulk_bytes :
             {std::size_t{0}, std::size_t{64} << 20, std::size_t{1}}) {
            const bool bulk = bulk_bytes != 0;
            ReferenceChain reference;
            const auto where = path(("follow" + std::to_string(bulk_bytes)).c_str());
            state::MemoryState before;
            std::uint64_t height = 0;
            for (int session = 0; session < 4; ++session) {
                const auto workspace =
                    opened(where, {.bulk = bulk, .checkpoint_every = 7, .bulk_bytes = bulk_bytes});
                QVERIFY(workspace);
                QCOMPARE(workspace->tip() ? workspace->tip()->height : 0, height);
                for (int i = 0; i < 25; ++i) {
                    ++height;
                    const auto changes = changes_of_block(height, before);
                    const auto record = commit_block(*workspace, height);
                    VERIFY_OK(record);
                    QCOMPARE(record->digest, state::block_digest(changes));
                    QCOMPARE(record->keys, std::uint64_t{changes.size()});
                    before.apply(writes_of_block(height));
                    QCOMPARE(*workspace->state_digest(), reference.digest(height));
                    const auto kept = workspace->block(height);
                    VERIFY_OK(kept);
                    QVERIFY(kept->has_value());
                    QCOMPARE((*kept)->digest, record->digest);
                    QCOMPARE((*kept)->hash, hash_of_block(height));
                    QCOMPARE((*kept)->extra, std::string("extra"));
                }
                for (int i = 0; i < 300; ++i) {
                    const std::string key = "key:" + std::to_string(i);
                    QVERIFY(*workspace->state().get(key) == *before.get(key));
                }
            }
        }
    }

    void undo_restores_every_earlier_digest_data() {
        QTest::addColumn<bool>("bulk");
        QTest::newRow("logged") << false;
        QTest::newRow("bulk") << true;
    }

    void undo_restores_every_earlier_digest() {
        QFETCH(bool, bulk);
        std::mt19937_64 random(5);
        ReferenceChain reference;
        const auto workspace =
            opened(path(bulk ? "undo-bulk" : "undo"), {.bulk = bulk, .checkpoint_every = 9});
        QVERIFY(workspace);
        std::uint64_t tip = 0;
        for (int round = 0; round < 60; ++round) {
            if (tip > 0 && random() % 3 == 0) {
                const std::uint64_t from = 1 + random() % tip;
                const Result<std::uint64_t> undone = workspace->undo(from);
                VERIFY_OK(undone);
                QCOMPARE(*undone, tip - from + 1);
                tip = from - 1;
                QVERIFY(!workspace->block(from)->has_value());
            } else {
                for (std::uint64_t n = 1 + random() % 6; n > 0; --n)
                    VERIFY_OK(commit_block(*workspace, ++tip));
            }
            QCOMPARE(workspace->tip() ? workspace->tip()->height : 0, tip);
            QCOMPARE(*workspace->state_digest(), reference.digest(tip));
        }
        QCOMPARE(*workspace->undo(tip + 1), std::uint64_t{0});
        VERIFY_OK(workspace->undo(0));
        QVERIFY(!workspace->tip());
        QCOMPARE(*workspace->state_digest(), reference.digest(0));
    }

    void a_block_must_follow_the_tip() {
        const auto workspace = opened(path("order"));
        QVERIFY(workspace);
        VERIFY_OK(commit_block(*workspace, 10));
        for (const std::uint64_t height : {std::uint64_t{10}, std::uint64_t{9}}) {
            const auto refused = commit_block(*workspace, height);
            QVERIFY(!refused.ok());
            QVERIFY(refused.error().message.find("expected a block above the last one, 10") !=
                    std::string::npos);
        }
        // A hole: block 11 is missing, and both ends are named.
        const auto hole = commit_block(*workspace, 12);
        QVERIFY(!hole.ok());
        for (const std::string& part :
             {std::string("block 12 ("), to_reversed_hex(hash_of_block(12)),
              std::string("block 10 ("), to_reversed_hex(hash_of_block(10)),
              std::string("blocks are missing")})
            QVERIFY2(hole.error().message.find(part) != std::string::npos,
                     hole.error().message.c_str());
        const auto branch =
            workspace->commit({.height = 11, .hash = hash_of_block(11), .previous = {}});
        QVERIFY(!branch.ok());
        QVERIFY(branch.error().message.find("another branch") != std::string::npos);
        QCOMPARE(workspace->tip()->height, std::uint64_t{10});
        VERIFY_OK(commit_block(*workspace, 11));
        QCOMPARE(*workspace->undo(11), std::uint64_t{1});
        QCOMPARE(workspace->tip(), (std::optional<Tip>({10, hash_of_block(10)})));
    }

    /// A state says which block it is after; its first block is that block's child.
    void a_first_block_must_follow_the_base() {
        const auto workspace = opened(path("base"));
        QVERIFY(workspace);
        QVERIFY(!workspace->base()->has_value());
        VERIFY_OK(workspace->put({{"a", "1"}}, Base{9, std::nullopt}));
        QCOMPARE(*workspace->base(), (std::optional<Base>({9, std::nullopt})));
        QVERIFY(!commit_block(*workspace, 9).ok());
        QVERIFY(!commit_block(*workspace, 11).ok());
        VERIFY_OK(workspace->set_base({9, hash_of_block(8)}));
        QVERIFY(!commit_block(*workspace, 10).ok());
        VERIFY_OK(workspace->set_base({9, std::nullopt}));
        VERIFY_OK(commit_block(*workspace, 10));
        // The block says which one it followed, also after it was taken back.
        QCOMPARE(*workspace->base(), (std::optional<Base>({9, hash_of_block(9)})));
        QCOMPARE(*workspace->below(10), (std::optional<Tip>({9, hash_of_block(9)})));
        QCOMPARE(*workspace->below(11), (std::optional<Tip>({10, hash_of_block(10)})));
        QVERIFY(!workspace->below(12)->has_value());
        QVERIFY(!workspace->set_base({9, std::nullopt}).ok());
        QVERIFY(!*workspace->is_empty_before(10));
        VERIFY_OK(workspace->undo(10));
        QCOMPARE(*workspace->base(), (std::optional<Base>({9, hash_of_block(9)})));
        VERIFY_OK(commit_block(*workspace, 10));
    }

    void empty_before_the_first_block() {
        const auto workspace = opened(path("before"));
        QVERIFY(workspace && *workspace->is_empty_before(0));
        for (std::uint64_t height = 1; height <= 9; ++height)
            VERIFY_OK(commit_block(*workspace, height));
        QVERIFY(*workspace->is_empty_before(1));
        QVERIFY(!*workspace->is_empty_before(9));
    }

    void only_so_many_undos_are_kept() {
        ReferenceChain reference;
        const auto workspace = opened(path("keep"), {.keep_undo = 5});
        QVERIFY(workspace);
        for (std::uint64_t height = 1; height <= 12; ++height)
            VERIFY_OK(commit_block(*workspace, height));
        const auto refused = workspace->undo(7);
        QVERIFY(!refused.ok());
        QVERIFY(refused.error().message.find("block 7 cannot be undone") != std::string::npos);
        QCOMPARE(*workspace->state_digest(), reference.digest(12)); // untouched
        QCOMPARE(*workspace->undo(8), std::uint64_t{5});
        QCOMPARE(*workspace->state_digest(), reference.digest(7));
    }

    void seeds_stay_under_blocks() {
        const auto workspace = opened(path("seeds"));
        QVERIFY(workspace);
        VERIFY_OK(workspace->put({{"a", "1"}, {"b", "2"}, {"c", ""}}));
        QVERIFY(!workspace->state().get("c")->has_value());
        const Hash256 seeded = *workspace->state_digest();
        VERIFY_OK(commit_block(*workspace, 1));
        VERIFY_OK(workspace->undo(1));
        QCOMPARE(*workspace->state_digest(), seeded);
        VERIFY_OK(workspace->put({{"a", state::Value()}}));
        QVERIFY(!workspace->state().get("a")->has_value());
        std::string seen;
        VERIFY_OK(workspace->visit({}, [&](std::string_view key, std::string_view value) {
            (seen += key) += value;
            return true;
        }));
        QCOMPARE(QString::fromStdString(seen), QStringLiteral("b2"));
    }

    void visiting_keeps_to_the_prefix_data() {
        QTest::addColumn<bool>("bulk");
        QTest::addColumn<int>("saved"); ///< of two writes; in bulk mode the rest is in memory
        QTest::newRow("logged") << false << 0;
        for (int saved = 0; saved <= 2; ++saved) QTest::addRow("bulk %d", saved) << true << saved;
    }

    void visiting_keeps_to_the_prefix() {
        QFETCH(bool, bulk);
        QFETCH(int, saved);
        const auto workspace = opened(path(QTest::currentDataTag()), {.bulk = bulk});
        QVERIFY(workspace);
        const std::string high("\xff\xff", 2);
        VERIFY_OK(workspace->put({{"a", "1"}, {"b", "9"}, {"b1", "9"}, {"c", "4"}, {high, "5"}}));
        if (saved == 1) VERIFY_OK(workspace->checkpoint());
        VERIFY_OK(workspace->put({{"b", ""}, {"b1", "2"}, {"b2", "3"}}));
        if (saved == 2) VERIFY_OK(workspace->checkpoint());
        QCOMPARE(workspace->state().get("b1")->bytes(), std::string_view("2"));
        QVERIFY(!workspace->state().get("b")->has_value());
        const auto found = [&](std::string_view prefix, std::size_t most) {
            std::vector<std::string> keys;
            if (!workspace->visit(prefix, [&](std::string_view key, std::string_view) {
                    keys.emplace_back(key);
                    return keys.size() < most;
                }))
                keys.clear();
            return keys;
        };
        QCOMPARE(found("b", 9), (std::vector<std::string>{"b1", "b2"}));
        QCOMPARE(found("b", 1), (std::vector<std::string>{"b1"}));
        QCOMPARE(found("", 9).size(), std::size_t{5});
        QCOMPARE(found("\xff", 9), (std::vector<std::string>{high}));
    }

    void traces_are_cached_by_block_and_settings() {
        const auto workspace = opened(path("traces"));
        QVERIFY(workspace);
        VERIFY_OK(workspace->keep_trace(hash_of_block(1), "true", "one"));
        VERIFY_OK(workspace->keep_trace(hash_of_block(1), "estimated", "two"));
        QCOMPARE(workspace->load_trace(hash_of_block(1), "true")->value(), std::string("one"));
        QCOMPARE(workspace->load_trace(hash_of_block(1), "estimated")->value(), std::string("two"));
        QVERIFY(!workspace->load_trace(hash_of_block(1), "")->has_value());
        QVERIFY(!workspace->load_trace(hash_of_block(2), "true")->has_value());
    }

    void labels_are_kept() {
        {
            const auto workspace = opened(path("labels"));
            QVERIFY(workspace);
            QVERIFY(!workspace->label("network")->has_value());
            VERIFY_OK(workspace->set_label("network", "regtest"));
        }
        QCOMPARE(opened(path("labels"))->label("network")->value(), std::string("regtest"));
    }

    void reading_only_writes_nothing() {
        QVERIFY(opened(path("read")));
        const auto first = opened(path("read"), {.read_only = true}),
                   second = opened(path("read"), {.read_only = true});
        QVERIFY(first && second); // several may read
        QVERIFY(!first->put({{"a", "1"}}).ok());
        QVERIFY(!commit_block(*first, 1).ok());
        QVERIFY(!first->keep_trace({}, "a", "").ok());
        QCOMPARE(*second->state_digest(), ReferenceChain().digest(0));
    }

    void a_digest_can_be_cancelled() {
        const auto workspace = opened(path("cancel"));
        QVERIFY(workspace);
        VERIFY_OK(workspace->put({{"a", "1"}}));
        std::stop_source source;
        source.request_stop();
        const auto digest = workspace->state_digest(source.get_token());
        QVERIFY(!digest.ok() && digest.error().code == ErrorCode::cancelled);
    }

    /// Exceptions of the standard library do not leave the room: here of a callback that has no
    /// memory, and of a name that no string can hold.
    void what_throws_is_an_error() {
        const auto workspace = opened(path("throws"));
        QVERIFY(workspace);
        VERIFY_OK(workspace->put({{"a", "1"}}));
        const Status visited = workspace->visit(
            {}, [](std::string_view, std::string_view) -> bool { throw std::bad_alloc(); });
        QVERIFY(!visited.ok() && visited.error().code == ErrorCode::system);
        QCOMPARE(visited.error().message, std::string("reading the workspace: out of memory"));
        // Never read: that much cannot be allocated.
        const volatile std::size_t size = SIZE_MAX / 2;
        const std::string_view endless("x", size);
        const auto refused = [](const auto& result) {
            return !result.ok() && result.error().code == ErrorCode::system &&
                   result.error().message.ends_with(": out of memory");
        };
        QVERIFY(refused(workspace->label(endless)));
        QVERIFY(refused(workspace->set_label(endless, "")));
        QVERIFY(refused(workspace->load_trace({}, endless)));
        QVERIFY(refused(workspace->keep_trace({}, endless, "")));
        VERIFY_OK(workspace->state_digest());
        VERIFY_OK(commit_block(*workspace, 1));
    }

    void the_default_folder_follows_xdg() {
        qputenv("XDG_DATA_HOME", "/data");
        QCOMPARE(default_folder()->string(), std::string("/data/blockloom/workspace"));
        qputenv("XDG_DATA_HOME", "relative");
        qputenv("HOME", "/home/user");
        QCOMPARE(default_folder()->string(),
                 std::string("/home/user/.local/share/blockloom/workspace"));
        qunsetenv("XDG_DATA_HOME");
        qunsetenv("HOME");
        QVERIFY(!default_folder().ok());
    }
};

QTEST_APPLESS_MAIN(TestWorkspace)
#include "test_workspace.moc"
