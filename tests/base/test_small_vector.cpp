// A vector with room inside against std::vector, with items that own memory.
#include "base/small_vector.h"

#include <QtTest>

#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace blockloom;

namespace {

/// Too long to lie inside a string.
std::string text(std::uint64_t number) {
    return "a text of more than fifteen bytes: " + std::to_string(number);
}

using Texts = SmallVector<std::string, 3>;

std::vector<std::string> items_of(const Texts& texts) {
    return {texts.begin(), texts.end()};
}

} // namespace

class TestSmallVector : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void random_changes_equal_those_of_a_vector() {
        std::mt19937_64 random(11);
        for (int round = 0; round < 200; ++round) {
            Texts texts;
            std::vector<std::string> expected;
            for (int step = 0; step < 40; ++step) {
                const std::size_t place = random() % (expected.size() + 1);
                const auto at = expected.begin() + static_cast<std::ptrdiff_t>(place);
                switch (random() % 6) {
                case 0:
                    texts.push_back(text(random()));
                    expected.push_back(texts.back());
                    break;
                case 1:
                case 2: {
                    const std::string item = text(random());
                    QCOMPARE(*texts.insert(texts.begin() + place, item), item);
                    expected.insert(at, item);
                    break;
                }
                case 3:
                    if (place == expected.size()) break;
                    texts.erase(texts.begin() + place);
                    expected.erase(at);
                    break;
                case 4: {
                    const std::vector<std::string> more(random() % 3, text(random()));
                    texts.append(more);
                    expected.insert(expected.end(), more.begin(), more.end());
                    break;
                }
                case 5:
                    if (!expected.empty()) texts.push_back(texts[0]); // one of its own
                    if (!expected.empty()) expected.push_back(expected[0]);
                    break;
                }
                QCOMPARE(items_of(texts), expected);
                QCOMPARE(texts.empty(), expected.empty());
            }
        }
    }

    void copies_and_moves_keep_the_items() {
        for (const std::size_t size : {0, 1, 3, 4, 20}) {
            Texts texts;
            for (std::size_t i = 0; i < size; ++i) texts.push_back(text(i));
            const auto expected = items_of(texts);
            Texts copy(texts);
            QCOMPARE(items_of(copy), expected);
            Texts moved(std::move(texts));
            QCOMPARE(items_of(moved), expected);
            for (const std::size_t held : {0, 2, 9}) {
                Texts other;
                for (std::size_t i = 0; i < held; ++i) other.push_back(text(100 + i));
                Texts third(other);
                third = copy;
                QCOMPARE(items_of(third), expected);
                other = std::move(third);
                QCOMPARE(items_of(other), expected);
                third = std::move(other); // what was moved from can be used again
                QCOMPARE(items_of(third), expected);
            }
            copy.clear();
            QVERIFY(copy.empty());
            copy.push_back("again");
            QCOMPARE(items_of(copy), std::vector<std::string>{"again"});
        }
    }

    /// Every item is destroyed once.
    void items_end_with_it() {
        const auto counted = std::make_shared<int>(0);
        {
            SmallVector<std::shared_ptr<int>, 2> owners;
            for (int i = 0; i < 10; ++i) owners.push_back(counted);
            QCOMPARE(counted.use_count(), 11L);
            owners.erase(owners.begin());
            QCOMPARE(counted.use_count(), 10L);
            const SmallVector<std::shared_ptr<int>, 2> copy(owners);
            QCOMPARE(counted.use_count(), 19L);
            owners = SmallVector<std::shared_ptr<int>, 2>();
            QCOMPARE(counted.use_count(), 10L);
        }
        QCOMPARE(counted.use_count(), 1L);
    }
};

QTEST_GUILESS_MAIN(TestSmallVector)
#include "test_small_vector.moc"
