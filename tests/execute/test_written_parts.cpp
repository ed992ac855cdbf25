// Parts of a state that workers fill at once, beside a map.
#include "execute/written_parts.h"
#include "recipes/random.h"

#include <QTest>

#include <map>

using namespace blockloom;
using execute::PartedChanges;
using execute::WorkerPool;
using execute::WrittenParts;

class TestWrittenParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void as_a_map_data() {
        QTest::addColumn<unsigned>("workers");
        QTest::addColumn<bool>("before");
        for (const unsigned workers : {0U, 1U, 2U, 4U, 7U}) {
            QTest::addRow("%u workers", workers) << workers << false;
            QTest::addRow("%u workers, parted before", workers) << workers << true;
        }
    }
    void as_a_map() {
        QFETCH(unsigned, workers);
        QFETCH(bool, before);
        std::optional<WorkerPool> pool;
        if (workers != 0) pool.emplace(workers);
        recipes::Random random(7);
        WrittenParts parts;
        std::map<std::string, state::Value> expected;
        // Small blocks are put on one thread, large ones by the workers.
        for (const std::size_t size : {1UL, 300UL, 5'000UL, 100UL, 20'000UL}) {
            std::map<std::string, state::Value> block;
            for (std::size_t i = 0; i < size; ++i)
                block["key " + std::to_string(random.below(30'000))] =
                    random.below(9) == 0 ? state::Value()
                                         : state::Value(std::to_string(random.below(1'000)));
            std::vector<state::Change> changes;
            for (const auto& [key, value] : block) {
                changes.push_back({state::Key(key), state::Value(), value});
                expected[key] = value;
            }
            PartedChanges parted(changes);
            if (before) parted.begin();
            for (std::size_t range = parted.ranges(); range-- > 0;) parted.part(range);
            parts.apply(parted, pool ? &*pool : nullptr);
            QCOMPARE(parts.size(), expected.size());
        }
        const auto sorted = parts.sorted();
        QCOMPARE(sorted.size(), expected.size());
        auto at = expected.begin();
        for (const WrittenParts::Entry* const entry : sorted) {
            QVERIFY(entry->key == state::Key(at->first));
            QVERIFY(entry->value == at->second);
            const state::Value* const found = parts.find(state::Key(at->first));
            QVERIFY(found != nullptr && *found == at->second);
            ++at;
        }
        QVERIFY(parts.find(state::Key("another key")) == nullptr);
    }
};

QTEST_GUILESS_MAIN(TestWrittenParts)
#include "test_written_parts.moc"
