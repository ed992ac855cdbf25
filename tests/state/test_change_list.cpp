// Changes put in place in pieces, by several threads or not all of them.
#include "state/change_list.h"

#include <QTest>

#include <memory>
#include <string>
#include <vector>

using namespace blockloom;

namespace {

state::Change change_of(std::size_t i) {
    // Long values are owned: they would leak, or be freed twice.
    return {state::Key(std::to_string(i)), state::Value(std::string(100, 'a')),
            state::Value(std::to_string(i))};
}

std::vector<state::Change> changes_to(std::size_t size) {
    std::vector<state::Change> changes;
    for (std::size_t i = 0; i < size; ++i) changes.push_back(change_of(i));
    return changes;
}

std::vector<state::Change*> places_of(std::vector<state::Change>& changes, std::size_t begin,
                                      std::size_t end) {
    std::vector<state::Change*> places;
    for (std::size_t i = begin; i < end; ++i) places.push_back(&changes[i]);
    return places;
}

} // namespace

class TestChangeList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pieces_are_one_list() {
        std::vector<state::Change> changes = changes_to(10);
        auto pieces = std::make_unique<state::ChangePieces>(std::vector<std::size_t>{0, 4, 4, 10});
        pieces->fill(2, places_of(changes, 4, 10));
        pieces->fill(0, places_of(changes, 0, 4));
        pieces->fill(1, {});
        state::ChangeList list(std::move(pieces));
        QVERIFY(list == state::ChangeList(changes_to(10)));
        QCOMPARE(list.size(), std::size_t{10});
        const state::ChangeList copy = list;
        const state::ChangeList moved = std::move(list);
        QVERIFY(copy == moved && copy.data() != moved.data());
        QVERIFY(copy[9] == change_of(9));
    }

    void pieces_that_were_not_filled_hold_nothing() {
        std::vector<state::Change> changes = changes_to(10);
        state::ChangePieces pieces({0, 4, 10});
        pieces.fill(1, places_of(changes, 4, 10));
        // Only what was filled is destroyed.
    }

    void an_empty_list() {
        QVERIFY(state::ChangeList().empty());
        const state::ChangeList list(
            std::make_unique<state::ChangePieces>(std::vector<std::size_t>{0, 0}));
        QVERIFY(list.empty() && list == state::ChangeList());
    }
};

QTEST_APPLESS_MAIN(TestChangeList)
#include "test_change_list.moc"
