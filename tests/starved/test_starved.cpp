// The answer is the right digest or an error, whatever a machine lacks (docs/reliability.md). A
// sample of what tests/fuzz/starved.cpp runs for as long as one likes.
#include "native/code.h"
#include "recipes/contracts.h"
#include "starved/starved_runs.h"
#include "wasm/program.h"

#include <QtTest>

#include <random>

using namespace blockloom;
using namespace blockloom::test;

class TestStarved : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// One call fails: of each kind in each case, drawn from as many as a whole run makes.
    void a_call_that_fails() {
        StarvedCounts counts;
        std::mt19937_64 random(14);
        for (const StarvedCase& each : quick_cases()) {
            const StarvedBlocks blocks(each);
            const Ended whole = run_whole(blocks);
            QVERIFY2(whole.how == Ended::How::answered, text_of(each, whole).c_str());
            for (const CallKind kind : call_kinds) {
                const std::uint64_t calls = whole.calls[static_cast<std::size_t>(kind)];
                if (calls == 0) continue;
                const std::uint64_t samples = kind == CallKind::memory ? 2 : 1;
                for (std::uint64_t i = 0; i < samples; ++i)
                    check_starved(blocks, each, {kind, 1 + random() % calls, false, 0}, whole.text,
                                  counts);
            }
        }
        tell(counts);
    }

    /// The mapping of a contract's memory fails: no message may take it for its own failure.
    void a_contract_s_memory() {
        StarvedCounts counts;
        for (const auto strategy : {execute::Strategy::serial, execute::Strategy::speculative}) {
            StarvedCase each;
            each.recipe = "adversarial";
            each.strategy = strategy;
            each.workers = 2;
            const StarvedBlocks blocks(each);
            const Ended whole = run_whole(blocks);
            QVERIFY(whole.how == Ended::How::answered);
            const std::uint64_t calls = whole.calls[static_cast<std::size_t>(CallKind::map)];
            QVERIFY(calls > 0);
            for (std::uint64_t number = 1; number <= std::min<std::uint64_t>(calls, 40); ++number)
                check_starved(blocks, each, {CallKind::map, number, number % 2 == 0, 0}, whole.text,
                              counts);
        }
        tell(counts);
        QVERIFY(counts.failed > 0);
    }

    /// A replay makes pages executable among others of its protections; a compiler makes no others.
    void a_protection_of_machine_code() {
        const ByteView bytes = recipes::code_of(recipes::Contract::amm_pool);
        const auto module = wasm::load_module(Bytes(bytes.begin(), bytes.end()), "pool");
        QVERIFY(module);
        const auto program = wasm::lower(*module);
        QVERIFY(program);
        const auto compiled = [&](const Lack& lack) {
            return in_process(lack, [&]() -> Result<std::string> {
                const auto code = native::compile(*program);
                if (!code) return code.error();
                return std::to_string((*code)->bytes());
            });
        };
        const Ended whole = compiled({});
        QVERIFY2(whole.how == Ended::How::answered, whole.text.c_str());
        const std::uint64_t calls = whole.calls[static_cast<std::size_t>(CallKind::protect)];
        QVERIFY(calls > 1);
        for (std::uint64_t number = 1; number <= calls; ++number)
            for (const bool lasting : {false, true}) {
                const Lack lack{CallKind::protect, number, lasting, 0};
                const Ended ended = compiled(lack);
                QVERIFY2(ended.how == Ended::How::failed,
                         (lack.text() + ": " + ended.text).c_str());
                QVERIFY2(ended.text.find("native compiler: linking: Cannot allocate memory") !=
                             std::string::npos,
                         ended.text.c_str());
            }
    }

    void no_thread_at_all() {
        StarvedCounts counts;
        for (const StarvedCase& each : quick_cases()) {
            if (each.strategy == execute::Strategy::serial || each.workspace) continue;
            const StarvedBlocks blocks(each);
            const Ended whole = run_whole(blocks);
            check_starved(blocks, each, {CallKind::thread, 1, true, 0}, whole.text, counts);
        }
        tell(counts);
        QVERIFY(counts.failed > 0);
    }

    void little_address_space() {
        StarvedCounts counts;
        for (const auto strategy : {execute::Strategy::serial, execute::Strategy::levels,
                                    execute::Strategy::speculative}) {
            StarvedCase each;
            each.recipe = "adversarial";
            each.strategy = strategy;
            each.tasks = 30;
            each.workers = 3;
            const StarvedBlocks blocks(each);
            const Ended whole = run_whole(blocks);
            QVERIFY(whole.how == Ended::How::answered);
            for (const std::uint64_t megabytes : {300, 400, 500, 800, 1000, 1500, 2000})
                check_starved(blocks, each, {CallKind::memory, 0, false, megabytes * 1'000'000},
                              whole.text, counts);
        }
        tell(counts);
        QVERIFY(counts.failed > 0);
    }

private:
    /// The interpreter's, and one that compiles: a compiler takes seconds.
    static std::vector<StarvedCase> quick_cases() {
        std::vector<StarvedCase> cases = starved_cases();
        std::erase_if(cases, [](const StarvedCase& each) {
            return each.engine == alkanes::Engine::native &&
                   (each.recipe != "adversarial" || each.verify);
        });
        return cases;
    }
    static Ended run_whole(const StarvedBlocks& blocks) {
        const QTemporaryDir folder;
        return blocks.run({}, folder.filePath(QStringLiteral("workspace")).toStdString());
    }
    static std::string text_of(const StarvedCase& each, const Ended& ended) {
        return each.text() + ": " + ended.text;
    }
    static void tell(const StarvedCounts& counts) {
        qInfo(
            "%llu runs: %llu right, %llu errors, %llu ended by the compiler or a library's thread",
            static_cast<unsigned long long>(counts.runs),
            static_cast<unsigned long long>(counts.answered),
            static_cast<unsigned long long>(counts.failed),
            static_cast<unsigned long long>(counts.gave_up));
        for (const std::string& each : counts.wrong) qWarning("%s", each.c_str());
        QCOMPARE(counts.wrong.size(), std::size_t{0});
    }
};

QTEST_GUILESS_MAIN(TestStarved)
#include "test_starved.moc"
