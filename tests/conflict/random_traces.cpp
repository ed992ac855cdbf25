#include "conflict/random_traces.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace blockloom::test {

using namespace trace;

namespace {

class TestKeyNames final : public KeyNames {
public:
    [[nodiscard]] std::string printable(KeyId key) const override {
        const std::string account(1, static_cast<char>('A' + key / 7 % 4));
        const std::string number = std::to_string(key);
        switch (key % 7) {
        case 0:
            return "storage:" + account + ":" + number;
        case 1:
            return "balance:" + account + (key >= 28 ? "/" + number : std::string());
        case 2:
            return "storage:" + account + "/" + number;
        case 3:
            return "utxo:" + account + ":" + number;
        case 4:
            return "nonce:" + account + (key >= 28 ? ":" + number : std::string());
        case 5:
            return "account:" + account + (key >= 28 ? ":" + number : std::string());
        default:
            return "code:" + account + (key >= 28 ? ":" + number : std::string());
        }
    }
};

class TestTaskNames final : public TaskNames {
public:
    [[nodiscard]] std::string printable(TaskId task) const override {
        return "task" + std::to_string(task);
    }
};

Mode random_mode(std::mt19937_64& random, const TraceShape& shape) {
    const double at = std::uniform_real_distribution<>(0, 1)(random);
    if (at < shape.both_share) return Mode::read_write;
    return at < shape.both_share + shape.write_share ? Mode::write : Mode::read;
}

} // namespace

std::shared_ptr<const BlockTrace> random_trace(std::mt19937_64& random, const TraceShape& shape) {
    auto made = std::make_shared<BlockTrace>();
    made->chain = "test";
    made->sets.key_count = shape.keys;
    made->keys = std::make_shared<TestKeyNames>();
    made->names = std::make_shared<TestTaskNames>();
    std::vector<double> weights;
    for (KeyId key = 0; key < shape.keys; ++key)
        weights.push_back(1 / std::pow(key + 1, shape.skew));
    std::discrete_distribution<KeyId> draw_key(weights.begin(), weights.end());
    std::uint32_t transaction = 0;
    for (TaskId task = 0; task < shape.tasks; ++task) {
        std::map<KeyId, Mode> touches;
        const std::uint64_t count = random() % (shape.most_touches + 1);
        for (std::uint64_t i = 0; i < count && shape.keys > 0; ++i)
            touches.emplace(draw_key(random), random_mode(random, shape));
        std::vector<Access> accesses;
        for (const auto& [key, mode] : touches) accesses.emplace_back(key, mode);
        std::shuffle(accesses.begin(), accesses.end(), random);
        made->sets.accesses.insert(made->sets.accesses.end(), accesses.begin(), accesses.end());
        made->sets.begin.push_back(static_cast<std::uint32_t>(made->sets.accesses.size()));
        if (shape.costs) made->cost.push_back(random() % 4 == 0 ? 0 : random() % 100);
        if (random() % 3 != 0) ++transaction;
        if (shape.transactions) made->transaction.push_back(transaction);
        if (shape.votes) made->vote.push_back(random() % 4 == 0);
    }
    return made;
}

TraceShape random_shape(std::mt19937_64& random) {
    TraceShape shape;
    shape.tasks = static_cast<TaskId>(random() % (random() % 4 == 0 ? 90 : 14));
    shape.keys = static_cast<KeyId>(1 + random() % (random() % 3 == 0 ? 60 : 6));
    shape.most_touches = static_cast<unsigned>(1 + random() % 6);
    shape.skew = static_cast<double>(random() % 3) * 0.6;
    shape.write_share = static_cast<double>(random() % 6) * 0.1;
    shape.both_share = static_cast<double>(random() % 5) * 0.1;
    shape.costs = random() % 2 == 0;
    shape.transactions = random() % 3 == 0;
    shape.votes = random() % 3 == 0;
    return shape;
}

} // namespace blockloom::test
