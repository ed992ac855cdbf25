// Generated blocks by both ways of metering (docs/fuel.md) and both rule sets: interpreter,
// machine code and device, serial and speculative, come to one state, whose digest is recorded.
#include "execute/first_difference.h"
#include "execute/replayed_recipes.h"
#include "execute/vulkan_device.h"

#include "base/sha256.h"

#include <QTest>

using namespace blockloom;
using alkanes::RuleLine;
using execute::ReplayOptions;
using execute::Strategy;
using wasm::FuelRule;

namespace {

using tests::replay;
using tests::sources_of;
using Blocks = tests::ReplayedBlocks;

/// So many that `adversarial` meets what only it has: a contract that stores the fuel it has left,
/// and one such behind a message to [8, n] in its transaction (row 8).
std::vector<execute::ReplaySource> blocks_of(const char* recipe) {
    return std::string_view(recipe) == "adversarial" ? sources_of(recipe, 100, 4)
                                                     : sources_of(recipe, 40);
}

struct Recorded {
    const char* recipe;
    RuleLine line;
    FuelRule fuel;
    const char* digest; ///< the first 16 digits
};

/// docs/fuel.md says which of them differ and why.
constexpr Recorded recorded[]{
    {"demo", RuleLine::released, FuelRule::counted, "4b07403a014558ca"},
    {"demo", RuleLine::released, FuelRule::exact, "4b07403a014558ca"},
    {"independent", RuleLine::released, FuelRule::counted, "a9e0c7206c349253"},
    {"independent", RuleLine::released, FuelRule::exact, "a9e0c7206c349253"},
    {"mixed", RuleLine::released, FuelRule::counted, "17f7c0400b734fca"},
    {"mixed", RuleLine::released, FuelRule::exact, "17f7c0400b734fca"},
    {"amm", RuleLine::released, FuelRule::counted, "12ca92c10a2793f9"},
    {"amm", RuleLine::released, FuelRule::exact, "12ca92c10a2793f9"},
    {"chained", RuleLine::released, FuelRule::counted, "e57102096cdc7be9"},
    {"chained", RuleLine::released, FuelRule::exact, "e57102096cdc7be9"},
    {"mainnet-2025", RuleLine::released, FuelRule::counted, "7be3ee100fef5ada"},
    {"mainnet-2025", RuleLine::released, FuelRule::exact, "7be3ee100fef5ada"},
    {"mainnet-2026", RuleLine::released, FuelRule::counted, "2862e208adc875fb"},
    {"mainnet-2026", RuleLine::released, FuelRule::exact, "2862e208adc875fb"},
    {"adversarial", RuleLine::released, FuelRule::counted, "f0b98429abef8f10"},
    {"adversarial", RuleLine::released, FuelRule::exact, "5c1f0139154c1950"},
    {"adversarial", RuleLine::develop, FuelRule::counted, "15df33395a1d29d0"},
    {"adversarial", RuleLine::develop, FuelRule::exact, "eecea36b20bfd3ef"},
};

std::string digest_of(const Blocks& blocks) {
    Hash256 digest{};
    Sha256 hasher;
    for (const auto& block : blocks) digest = hasher.once({digest, block->execution->digest});
    return to_hex(digest).substr(0, 16);
}

std::uint64_t fuel_of(const Blocks& blocks) {
    std::uint64_t fuel = 0;
    for (const auto& block : blocks) fuel += block->execution->fuel;
    return fuel;
}

std::string difference(const Blocks& found, const Blocks& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (auto text = execute::first_difference(*found[i]->execution, *expected[i]->execution);
            !text.empty())
            return text;
    return {};
}

#define EQUAL(options, truth)                                                                      \
    do {                                                                                           \
        const auto found = replay(sources, options);                                               \
        QVERIFY2(found.ok(), found ? "" : found.error().message.c_str());                          \
        const std::string text = difference(*found, truth);                                        \
        QVERIFY2(text.empty(), text.c_str());                                                      \
    } while (false)

} // namespace

class TestFuelRules : public QObject {
    Q_OBJECT

    compute::ProviderPtr provider_;
    /// Of all rows: machine code is compiled once for each rule.
    std::shared_ptr<alkanes::Contracts> contracts_ = std::make_shared<alkanes::Contracts>();

private Q_SLOTS:
    void initTestCase() {
        provider_ = tests::open_vulkan_device();
        QVERIFY2(provider_ != nullptr, "no Vulkan device; lavapipe will do");
    }

    void one_digest_data() {
        QTest::addColumn<int>("row");
        for (int row = 0; row < int(std::size(recorded)); ++row)
            QTest::addRow("%s %s %s", recorded[row].recipe, name_of(recorded[row].line),
                          wasm::name_of(recorded[row].fuel))
                << row;
    }
    void one_digest() {
        QFETCH(int, row);
        const Recorded& expected = recorded[row];
        const auto sources = blocks_of(expected.recipe);
        ReplayOptions options;
        options.line = expected.line;
        options.fuel = expected.fuel;
        options.engine = alkanes::Engine::interpreter;
        const auto truth = replay(sources, options);
        QVERIFY2(truth.ok(), truth ? "" : truth.error().message.c_str());
        qInfo("%llu fuel", static_cast<unsigned long long>(fuel_of(*truth)));
        for (const auto& block : *truth)
            for (const auto& tx : block->execution->transactions)
                for (const auto& record : tx.records)
                    QVERIFY2(record.fuel_doubt.empty(), record.fuel_doubt.c_str());
        ReplayOptions native = options;
        native.engine = alkanes::Engine::native;
        native.contracts = contracts_;
        native.verify = true; // so that the interpreter does not stand in until code is compiled
        EQUAL(native, *truth);
        native.verify = false;
        native.strategy.strategy = row % 2 == 0 ? Strategy::levels : Strategy::speculative;
        native.strategy.workers = 3;
        EQUAL(native, *truth);
        QCOMPARE(QString::fromStdString(digest_of(*truth)), QString::fromLatin1(expected.digest));
    }

    void device_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<bool>("exact");
        QTest::newRow("mixed") << "mixed" << true;
        QTest::newRow("adversarial") << "adversarial" << true;
        QTest::newRow("adversarial, counted") << "adversarial" << false;
    }
    /// However often a device hands a contract back before it continues, it pays the same.
    void device() {
        QFETCH(QString, recipe);
        QFETCH(bool, exact);
        const auto sources = sources_of(recipe.toLatin1().constData(), 12);
        ReplayOptions options;
        options.fuel = exact ? FuelRule::exact : FuelRule::counted;
        options.engine = alkanes::Engine::interpreter;
        const auto truth = replay(sources, options);
        QVERIFY2(truth.ok(), truth ? "" : truth.error().message.c_str());
        options.strategy.strategy = Strategy::speculative;
        options.strategy.workers = 2;
        options.device = provider_;
        for (const std::uint32_t slice : {0U, 997U}) { // 0: as the device's kind has it
            options.device_options.slice = slice;
            EQUAL(options, *truth);
        }
    }
};

QTEST_GUILESS_MAIN(TestFuelRules)
#include "test_fuel_rules.moc"
