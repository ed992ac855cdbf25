// The state is read by several threads while blocks are committed: what no block changes has its
// value at any moment, and what one changes has its value of before or after a commit.
#include "blocks.h"

#include <QTemporaryDir>

#include <atomic>
#include <thread>

using namespace blockloom;

class TestReadsDuringCommits : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void values_of_before_or_after_data() {
        QTest::addColumn<bool>("bulk");
        QTest::newRow("logged") << false;
        QTest::newRow("bulk") << true;
    }
    void values_of_before_or_after() {
        QFETCH(bool, bulk);
        const QTemporaryDir folder;
        store::OpenOptions how;
        how.bulk = bulk;
        how.bulk_bytes = 65'536; // handed over and saved many times
        auto opened =
            store::Workspace::open(folder.filePath(QStringLiteral("w")).toStdString(), how);
        QVERIFY2(opened.ok(), opened ? "" : opened.error().message.c_str());
        store::Workspace& workspace = **opened;
        constexpr int kept = 200;
        const auto kept_key = [](int n) { return "kept:" + std::to_string(n); };
        state::WriteSet seeds;
        for (int n = 0; n < kept; ++n)
            seeds.push_back({state::Key(kept_key(n)), state::Value(std::to_string(n))});
        QVERIFY(workspace.put(seeds));
        QVERIFY(workspace.set_base({0, test::hash_of_block(0)}));

        std::atomic<bool> over{false};
        std::atomic<int> wrong{0}, ready{0};
        std::vector<std::jthread> readers;
        for (int thread = 0; thread < 3; ++thread)
            readers.emplace_back([&, thread] {
                std::uint64_t last = 0;
                for (int n = thread; !over; n = (n + 7) % kept) {
                    const auto value = workspace.state().get(state::Key(kept_key(n)));
                    wrong += !value || value->bytes() != std::to_string(n);
                    // Each block raises it by one: it never falls.
                    const auto counter = workspace.state().get(state::Key("counter"));
                    const std::uint64_t now =
                        counter && *counter ? std::stoull(std::string(counter->bytes())) : 0;
                    wrong += !counter || now < last;
                    last = now;
                    if (last != 0 && n < 7) ready |= 1 << thread;
                }
            });
        // At least 60 blocks, and until each reader has seen one of them.
        std::uint64_t height = 1;
        for (; height <= 60 || ready != 7; ++height) {
            auto changes = test::changes_of_block(height, workspace.state());
            changes.insert(changes.begin(),
                           {state::Key("counter"), state::Value(std::to_string(height - 1)),
                            state::Value(std::to_string(height))});
            const auto committed = workspace.commit({.height = height,
                                                     .hash = test::hash_of_block(height),
                                                     .previous = test::hash_of_block(height - 1),
                                                     .changes = changes,
                                                     .extra = {}});
            QVERIFY2(committed.ok(), committed ? "" : committed.error().message.c_str());
        }
        over = true;
        readers.clear();
        QCOMPARE(wrong.load(), 0);
        const auto counter = workspace.state().get(state::Key("counter"));
        QCOMPARE(std::string(counter->bytes()), std::to_string(height - 1));
    }
};

QTEST_GUILESS_MAIN(TestReadsDuringCommits)
#include "test_reads_during_commits.moc"
