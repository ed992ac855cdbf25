// Lists that own their items or have them lie in an arena, and the arena.
#include "base/flat_text.h"

#include <QtTest>

#include <memory>
#include <string>
#include <vector>

using namespace blockloom;

namespace {

/// Something that an arena must destroy.
struct Counted {
    explicit Counted(int& alive) : alive_(&alive) { ++*alive_; }
    Counted(const Counted& other) : alive_(other.alive_) { ++*alive_; }
    Counted(Counted&& other) noexcept : alive_(other.alive_) { ++*alive_; }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --*alive_; }
    int* alive_;
};

FlatList<int> numbers(int count) {
    FlatList<int> list;
    for (int i = 0; i < count; ++i) list.push_back(i);
    return list;
}

} // namespace

class TestFlatList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void it_is_a_list() {
        FlatList<std::string> list{"a", "b"};
        list.push_back(list.front()); // an item of its own
        list.emplace_back(3, 'c');
        QCOMPARE(list, (FlatList<std::string>{"a", "b", "a", "ccc"}));
        list.drop_front(2);
        QCOMPARE(list, (FlatList<std::string>{"a", "ccc"}));
        list.resize(3);
        QCOMPARE(list.back(), std::string());
        list.clear();
        QVERIFY(list.empty() && list == FlatList<std::string>());
        QVERIFY(list.begin() == list.end());
    }

    void a_copy_owns_its_items() {
        FlatList<int> copy;
        FlatText text;
        {
            Arena arena;
            const std::vector<int> items{1, 2, 3};
            const auto placed = FlatList<int>::placed(arena, std::span(items));
            QVERIFY(placed.is_placed());
            copy = placed;
            const FlatText lies_there = FlatText::placed(arena, "kept");
            const FlatText& as_const = lies_there;
            text = as_const;
        }
        QVERIFY(!copy.is_placed());
        QCOMPARE(copy, (FlatList<int>{1, 2, 3}));
        QCOMPARE(text, FlatText("kept"));
    }

    void a_list_in_an_arena_grows_out_of_it() {
        Arena arena;
        const FlatList<int> before = numbers(5);
        auto placed = FlatList<int>::placed(arena, std::span(before.data(), before.size()));
        const auto there = FlatList<int>::of(placed);
        placed.push_back(5);
        QVERIFY(!placed.is_placed());
        QCOMPARE(placed, numbers(6));
        QCOMPARE(there, before);
    }

    void moving_leaves_items_where_they_are() {
        Arena arena(64);
        const std::vector<int> items{7, 8};
        auto list = FlatList<int>::placed(arena, std::span(items));
        const int* const at = list.data();
        Arena moved = std::move(arena);
        const FlatList<int> there = std::move(list);
        QCOMPARE(there.data(), at);
        QCOMPARE(there, (FlatList<int>{7, 8}));
    }

    void an_arena_destroys_what_owns_something() {
        int alive = 0;
        {
            Arena arena;
            const auto list =
                FlatList<Counted>::made(arena, 3, [&alive](std::size_t) { return Counted(alive); });
            QCOMPARE(alive, 3);
            {
                const ArenaScope scope(arena);
                const auto more = FlatList<Counted>::made(
                    arena, 1000, [&alive](std::size_t) { return Counted(alive); });
                QCOMPARE(alive, 1003);
            }
            QCOMPARE(alive, 3);
            const FlatList<Counted> own = list;
            QCOMPARE(alive, 6);
        }
        QCOMPARE(alive, 0);
    }

    void what_is_placed_stays_apart_and_aligned() {
        Arena arena(100);
        std::vector<std::pair<unsigned char*, std::size_t>> parts;
        for (std::size_t size : {1, 15, 16, 17, 100, 5000, 3, 70'000, 1}) {
            auto* const part = static_cast<unsigned char*>(arena.allocate(size));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(part) % alignof(std::max_align_t), 0U);
            std::fill(part, part + size, static_cast<unsigned char>(parts.size()));
            parts.emplace_back(part, size);
        }
        for (std::size_t i = 0; i < parts.size(); ++i)
            QVERIFY(std::all_of(parts[i].first, parts[i].first + parts[i].second,
                                [i](unsigned char byte) { return byte == i; }));
    }

    void reset_and_rewind_keep_memory() {
        Arena arena(1000);
        void* const first = arena.allocate(100);
        arena.reset();
        QCOMPARE(arena.allocate(100), first);
        const std::size_t size = arena.size();
        void* after = nullptr;
        {
            const ArenaScope scope(arena);
            after = arena.allocate(10);
            (void)arena.allocate(100'000);
            QVERIFY(arena.size() > size);
        }
        QCOMPARE(arena.size(), size);
        QCOMPARE(arena.allocate(10), after);
    }
};

QTEST_APPLESS_MAIN(TestFlatList)
#include "test_flat_list.moc"
