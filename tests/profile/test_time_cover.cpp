// Moments in which something happened, compared with a bit for each nanosecond.
#include "profile/time_cover.h"

#include <QTest>

#include <bitset>
#include <random>

using namespace blockloom;
using namespace blockloom::profile;

namespace {

constexpr std::size_t most = 256;
using Moments = std::bitset<most>;

std::vector<TimeRange> random_ranges(std::mt19937_64& random) {
    std::vector<TimeRange> ranges(random() % 12);
    for (TimeRange& range : ranges) {
        range.begin = static_cast<Nanoseconds>(random() % (most - 40));
        range.end = range.begin + static_cast<Nanoseconds>(random() % 40);
    }
    return ranges;
}

Moments moments_of(const std::vector<TimeRange>& ranges) {
    Moments moments;
    for (const TimeRange& range : ranges)
        for (Nanoseconds at = range.begin; at < range.end; ++at)
            moments.set(static_cast<std::size_t>(at));
    return moments;
}

bool is_tidy(const TimeCover& cover) {
    Nanoseconds before = -1;
    for (const TimeRange& range : cover.ranges()) {
        if (range.begin <= before || range.length() <= 0) return false;
        before = range.end;
    }
    return true;
}

} // namespace

class TestTimeCover : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equals_a_bit_for_each_moment() {
        std::mt19937_64 random(31);
        for (int round = 0; round < 2000; ++round) {
            const auto first = random_ranges(random), second = random_ranges(random);
            const TimeCover a(first), b(second);
            const Moments of_a = moments_of(first), of_b = moments_of(second);
            const auto check = [&](const TimeCover& cover, const Moments& moments) {
                QVERIFY(moments_of(cover.ranges()) == moments);
                QCOMPARE(cover.length(), static_cast<Nanoseconds>(moments.count()));
            };
            check(a, of_a);
            QVERIFY(is_tidy(a));
            check(a.without(b), of_a & ~of_b);
            check(a.within(b), of_a & of_b);
            check(a.without(a), {});
            check(a.without(TimeCover()), of_a);
        }
    }
};

QTEST_APPLESS_MAIN(TestTimeCover)
#include "test_time_cover.moc"
