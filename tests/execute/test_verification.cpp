// A block that differs from its serial execution ends the replay before it is kept.
#include "execute/replayed_recipes.h"

#include "alkanes/state_keys.h"

#include <QtTest>

#include <atomic>

using namespace blockloom;
using namespace blockloom::tests;

namespace {

/// An empty state that reads otherwise from some read on, as no state may: what is executed after
/// it differs.
class ChangingState final : public state::StateView {
public:
    explicit ChangingState(std::uint64_t reads) : reads_(reads) {}

    [[nodiscard]] Result<state::Value> get(const state::KeyView& key) const override {
        if (++read_ <= reads_ || key != alkanes::sequence_key()) return state::Value();
        return state::Value(u128_bytes(77));
    }
    [[nodiscard]] std::uint64_t read() const noexcept { return read_; }

private:
    std::uint64_t reads_;
    mutable std::atomic<std::uint64_t> read_{0};
};

} // namespace

class TestVerification : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_difference_ends_the_run_before_the_block_is_kept() {
        const auto sources = sources_of("mixed", 20, 1);
        execute::ReplayOptions options;
        options.trace = false;
        options.engine = alkanes::Engine::interpreter;
        SilentProgress silent;
        std::size_t kept = 0;
        const execute::BlockDone done = [&](const auto&) {
            ++kept;
            return Status();
        };
        const ChangingState whole(~std::uint64_t{0});
        QVERIFY(execute::replay_on(&whole, sources, options, false, done, silent, {}).ok());
        QCOMPARE(kept, std::size_t{1});

        options.verify = true;
        const ChangingState changing(whole.read());
        const auto summary =
            execute::replay_on(&changing, sources, options, false, done, silent, {});
        QVERIFY(!summary.ok());
        QCOMPARE(kept, std::size_t{1});
        QCOMPARE(summary.error().code, ErrorCode::verification);
        const std::string& words = summary.error().message;
        QVERIFY2(words.find("block " + std::to_string(*sources[0].height)) != std::string::npos &&
                     words.find("not committed") != std::string::npos,
                 words.c_str());
    }
};

QTEST_GUILESS_MAIN(TestVerification)
#include "test_verification.moc"
