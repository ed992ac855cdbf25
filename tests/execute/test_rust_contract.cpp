// A contract that another compiler built, of the size of real ones: Rust's allocator, collections,
// formatting and panics (tests/rust_contract). Every engine gives the interpreter's answer, and
// compiled lanes leave only where the contract traps.
#include "execute/rust_blocks.h"

#include "alkanes/contract.h"
#include "alkanes/profiler.h"
#include "compute/cpu/cpu_provider.h"
#include "compute/faults/renamed_provider.h"
#include "execute/first_difference.h"
#include "execute/replayed_recipes.h"
#include "execute/vulkan_device.h"
#include "rust_contract/rust_contract.h"

#include <QTest>

#include <map>

using namespace blockloom;
using alkanes::Engine;
using execute::ReplayOptions;
using execute::Strategy;
using wasm::FuelRule;

namespace {

constexpr std::uint32_t mints = 15; // so that every other method is called once in a block

ReplayOptions options_with(FuelRule fuel) {
    ReplayOptions options;
    options.engine = Engine::interpreter;
    options.fuel = fuel;
    options.contracts = std::make_shared<alkanes::Contracts>();
    return options;
}

} // namespace

class TestRustContract : public QObject {
    Q_OBJECT

    std::vector<execute::ReplaySource> sources_;
    std::map<FuelRule, tests::ReplayedBlocks> truth_;

private Q_SLOTS:
    void initTestCase() {
        if (tests::rust_contract().empty())
            QSKIP("rustc or its library for wasm32 is not installed (packages rustc, "
                  "libstd-rust-dev-wasm32)");
        sources_ = tests::rust_blocks(mints);
        for (const FuelRule fuel : {FuelRule::counted, FuelRule::exact}) {
            auto blocks = tests::replay(sources_, options_with(fuel));
            QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
            truth_[fuel] = *std::move(blocks);
        }
    }

    void it_is_large_and_does_what_it_should() {
        const auto contract =
            alkanes::load_contract({}, alkanes::CodeForm::plain, tests::rust_contract());
        QVERIFY(contract && (*contract)->program);
        const wasm::Module& module = *(*contract)->program->module;
        const std::size_t own = module.functions.size() - module.imported_functions;
        std::map<alkanes::CallStatus, int> by_status;
        std::uint64_t steps = 0, minted = 0;
        for (const auto& block : truth_.at(FuelRule::counted))
            for (const auto& tx : block->execution->transactions)
                for (const auto& record : tx.records) {
                    ++by_status[record.status];
                    if (record.opcode != u128{77}) continue;
                    QVERIFY2(record.ok(), record.text.c_str());
                    ++minted, steps += record.steps;
                    const std::string_view data = record.data.view();
                    QVERIFY(data.find("Rusty  coin (RST): 50,000 for ") != std::string_view::npos);
                    QVERIFY(data.find(" of any minted\n") != std::string_view::npos);
                    QCOMPARE(record.transfers.size(), std::size_t{1});
                }
        qInfo("%zu functions; %llu steps a mint; %d succeed, %d revert, %d trap", own,
              static_cast<unsigned long long>(steps / minted),
              by_status[alkanes::CallStatus::success], by_status[alkanes::CallStatus::revert],
              by_status[alkanes::CallStatus::trap]);
        QVERIFY(own >= 300);
        QCOMPARE(minted, std::uint64_t{mints + (mints + 1) / 2});
        QVERIFY(by_status[alkanes::CallStatus::success] > static_cast<int>(4 * mints));
        QVERIFY(by_status[alkanes::CallStatus::revert] > 0);
        QVERIFY(by_status[alkanes::CallStatus::trap] > 0);
    }

    void engines_agree_data() {
        QTest::addColumn<QString>("engine");
        QTest::addColumn<FuelRule>("fuel");
        for (const FuelRule fuel : {FuelRule::counted, FuelRule::exact})
            for (const char* const engine : {"native", "simt", "profiled", "vulkan"})
                QTest::addRow("%s, %s", engine, wasm::name_of(fuel))
                    << QString::fromLatin1(engine) << fuel;
    }
    void engines_agree() {
        QFETCH(QString, engine);
        QFETCH(FuelRule, fuel);
        ReplayOptions options = options_with(fuel);
        Engine expected = Engine::native;
        if (engine == QStringLiteral("native")) {
            // One after the other: workers do not wait for code.
            options.engine = Engine::native;
            options.await_code = true;
        } else {
            options.strategy.strategy = Strategy::speculative;
            options.strategy.workers = 2;
        }
        if (engine == QStringLiteral("simt")) {
            options.device = compute::open_lanes();
            expected = Engine::simt;
        } else if (engine == QStringLiteral("profiled")) {
            // As on a GPU, which this processor plays under the name of CUDA.
            options.device = compute::renamed(compute::open_lanes(), "cuda");
            options.device_options.wait_for_code = true;
            expected = Engine::cuda;
        } else if (engine == QStringLiteral("vulkan")) {
            options.device = tests::open_vulkan_device();
            if (options.device == nullptr) QSKIP("no Vulkan device");
            expected = Engine::vulkan;
        }
        const tests::ReplayedBlocks& truth = truth_.at(fuel);
        if (engine == QStringLiteral("profiled")) {
            // The first replay shows the blocks of the methods: most of it runs on the processor.
            const auto shows = tests::replay(sources_, options);
            QVERIFY2(shows.ok(), shows ? "" : shows.error().message.c_str());
            for (std::size_t i = 0; i < truth.size(); ++i)
                QCOMPARE(execute::first_difference(*(*shows)[i]->execution, *truth[i]->execution),
                         std::string());
        }
        const auto blocks = tests::replay(sources_, options);
        QVERIFY2(blocks.ok(), blocks ? "" : blocks.error().message.c_str());
        std::uint64_t stayed = 0, tasks = 0, traps = 0;
        std::map<std::string, std::uint64_t> ejected, on_host;
        for (std::size_t i = 0; i < truth.size(); ++i) {
            const std::string text =
                execute::first_difference(*(*blocks)[i]->execution, *truth[i]->execution);
            QVERIFY2(text.empty(), text.c_str());
            const execute::BlockRounds& rounds = (*blocks)[i]->rounds;
            for (const auto& [code, count] : rounds.ejected) ejected[code] += count;
            for (const auto& [why, which] : rounds.on_host) on_host[why] += which.size();
            for (const auto& tx : (*blocks)[i]->execution->transactions)
                for (const auto& record : tx.records) {
                    ++tasks, stayed += record.engine == expected;
                    traps += record.status == alkanes::CallStatus::trap;
                }
        }
        qInfo("%llu of %llu messages on %s", static_cast<unsigned long long>(stayed),
              static_cast<unsigned long long>(tasks), qPrintable(engine));
        for (const auto& [code, count] : ejected)
            qInfo("  ejected, %s: %llu", code.c_str(), static_cast<unsigned long long>(count));
        for (const auto& [why, count] : on_host)
            qInfo("  on the host, %s: %llu", why.c_str(), static_cast<unsigned long long>(count));
        if (engine == QStringLiteral("native")) {
            QCOMPARE(stayed, tasks);
            return;
        }
        for (const auto& [code, count] : ejected) QCOMPARE(code, std::string("trap"));
        // The rest is what runs on the host by choice: small rounds, the first ones of a kind,
        // profiles; and traps.
        const std::uint64_t by_choice = on_host["in_order"] + on_host["below_batch_min"] +
                                        on_host["first_of_kind"] + on_host["profiled"];
        QVERIFY(stayed + by_choice + traps >= tasks);
        QVERIFY(stayed * 2 > tasks);
    }
};

QTEST_GUILESS_MAIN(TestRustContract)
#include "test_rust_contract.moc"
