// Picking: what lies under the pointer, against a search from end to end.
#include "scene/blocks.h"
#include "scene/lists.h"

#include <QtTest>

#include <cmath>
#include <random>

namespace blockloom::scene::test_pick {
namespace {

using namespace tests;

constexpr View views[]{View::layered, View::arc, View::matrix, View::bipartite, View::schedule};

/// The definition, over all targets.
const PickTarget* slow_pick(const DisplayList& list, Point at, float reach_x, float reach_y) {
    const PickTarget* best = nullptr;
    for (const PickTarget& t : list.targets) {
        if (t.bounds.width <= 0 || !t.bounds.contains(at)) continue;
        if (best == nullptr ||
            t.bounds.width * t.bounds.height < best->bounds.width * best->bounds.height)
            best = &t;
    }
    if (best != nullptr) return best;
    float least = 1;
    for (const PickTarget& t : list.targets) {
        if (t.bounds.width > 0) continue;
        const float dx = (t.bounds.x - at.x) / reach_x, dy = (t.bounds.y - at.y) / reach_y;
        const float distance = dx * dx + dy * dy;
        if (distance > 1 || (best != nullptr && distance >= least)) continue;
        best = &t;
        least = distance;
    }
    return best;
}

} // namespace

class TestPick : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_target_is_found_at_its_middle() {
        for (const View view : views) {
            const auto analysis = analysed(random_block(11, 400, 500, 4));
            const DisplayList list = make_view(analysis, {.view = view});
            QVERIFY(!list.targets.empty());
            for (const PickTarget& target : list.targets) {
                const PickTarget* found = pick(list, centre(target.bounds), 1, 1);
                QVERIFY(found != nullptr);
                if (target.bounds.width > 0 && found != &target) {
                    // Rows of a matrix are crossed by the bars of its columns.
                    QVERIFY(found->bounds.contains(centre(target.bounds)));
                } else {
                    QCOMPARE(found->task, target.task);
                    QCOMPARE(found->key, target.key);
                }
            }
        }
    }

    void the_grid_finds_what_a_search_finds() {
        std::mt19937 random(5);
        for (const View view : views)
            for (std::uint32_t seed = 1; seed <= 3; ++seed) {
                const auto analysis = analysed(random_block(seed, 200, 250, 4));
                const DisplayList list = make_view(analysis, {.view = view});
                for (int i = 0; i < 2000; ++i) {
                    const auto part = [&] {
                        return static_cast<float>(random() % 12'000) / 10'000.0F - 0.1F;
                    };
                    const Point at{list.world.x + part() * list.world.width,
                                   list.world.y + part() * list.world.height};
                    const float rx = 0.5F + static_cast<float>(random() % 60),
                                ry = 0.5F + static_cast<float>(random() % 40);
                    const PickTarget* expected = slow_pick(list, at, rx, ry);
                    const PickTarget* found = pick(list, at, rx, ry);
                    QCOMPARE(found == nullptr, expected == nullptr);
                    if (found == nullptr || found == expected) continue;
                    // Equally near or equally small.
                    if (found->bounds.width > 0) {
                        QCOMPARE(found->bounds.width * found->bounds.height,
                                 expected->bounds.width * expected->bounds.height);
                    } else {
                        const auto far = [&](const PickTarget* t) {
                            return std::hypot((t->bounds.x - at.x) / rx, (t->bounds.y - at.y) / ry);
                        };
                        QVERIFY(std::abs(far(found) - far(expected)) < 1e-4F);
                    }
                }
            }
    }

    void nothing_beyond_reach() {
        const auto analysis = analysed(chains_block(2, 3, 0));
        const DisplayList list = make_view(analysis, {.view = View::layered});
        const Rect& at = list.targets.front().bounds;
        QVERIFY(pick(list, {at.x + 2, at.y}, 3, 3) != nullptr);
        QVERIFY(pick(list, {at.x - 30, at.y - 30}, 3, 3) == nullptr);
        QVERIFY(pick(list, {at.x + 2, at.y}, 0, 0) == nullptr);
    }

    void a_list_without_grid_is_searched() {
        DisplayList list;
        list.world = {0, 0, 100, 100};
        list.targets.push_back({{0, 0, 50, 50}, 1, {}});
        list.targets.push_back({{10, 10, 5, 5}, 2, {}});
        list.targets.push_back({{80, 80, 0, 0}, {}, 7});
        QCOMPARE(pick(list, {12, 12}, 1, 1)->task.value_or(0), 2U);
        QCOMPARE(pick(list, {30, 30}, 1, 1)->task.value_or(0), 1U);
        QCOMPARE(pick(list, {81, 80}, 2, 2)->key.value_or(0), 7U);
        QVERIFY(pick(list, {90, 20}, 2, 2) == nullptr);
    }

    void keys_can_be_picked() {
        const auto analysis = analysed(chains_block(5, 4, 3));
        const DisplayList list = make_view(analysis, {.view = View::bipartite});
        std::set<std::uint32_t> keys;
        for (const PickTarget& target : list.targets)
            if (target.key) {
                const PickTarget* found = pick(list, centre(target.bounds), 2, 2);
                QVERIFY(found != nullptr && found->key == target.key);
                keys.insert(*target.key);
            }
        QCOMPARE(keys, (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
    }
};

} // namespace blockloom::scene::test_pick

QTEST_APPLESS_MAIN(blockloom::scene::test_pick::TestPick)
#include "test_pick.moc"
