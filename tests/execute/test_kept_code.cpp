// A replay of a second start compiles nothing and gives the same digests.
#include "alkanes/contract.h"
#include "execute/replayed_recipes.h"
#include "native/kept_code.h"
#include "recipes/contracts.h"

#include <QTest>

#include <QTemporaryDir>

using namespace blockloom;

namespace {

/// As another start of the program has it.
std::shared_ptr<native::CodeStore> store_in(const QTemporaryDir& folder) {
    return std::make_shared<native::CodeStore>(std::filesystem::path(folder.path().toStdString()) /
                                               "code");
}

execute::ReplayOptions options_of(alkanes::Engine engine, execute::Strategy strategy) {
    execute::ReplayOptions options;
    options.engine = engine;
    options.contracts = std::make_shared<alkanes::Contracts>();
    options.await_code = true;
    options.strategy.strategy = strategy;
    options.strategy.workers = 2;
    return options;
}

/// Returns when all code of the demonstration contracts has been optimised.
void wait_until_all_optimised(alkanes::Contracts& contracts, wasm::FuelRule fuel) {
    for (const recipes::Contract which : recipes::all_contracts) {
        const auto contract =
            alkanes::load_contract({}, alkanes::CodeForm::plain, recipes::code_of(which), fuel);
        if ((*contract)->program) contracts.wait_until_optimised(**contract);
    }
}

} // namespace

class TestKeptCodeOfReplays : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { native::keep_code_in(nullptr); }

    void a_second_start_compiles_nothing() {
        const auto sources = tests::sources_of("mixed", 60);
        // By the interpreter, so that nothing else compiles in the background.
        const auto truth = tests::replay(
            sources, options_of(alkanes::Engine::interpreter, execute::Strategy::serial));
        QVERIFY(truth.ok());

        const QTemporaryDir folder;
        native::keep_code_in(store_in(folder));
        const native::CodeCounts at_first = native::code_counts();
        {
            const auto options = options_of(alkanes::Engine::native, execute::Strategy::serial);
            const auto first = tests::replay(sources, options);
            QVERIFY(first.ok());
            wait_until_all_optimised(*options.contracts, options.fuel);
        }
        const native::CodeCounts between = native::code_counts();
        QVERIFY(between.compiled > at_first.compiled);
        QCOMPARE(between.kept - at_first.kept, between.compiled - at_first.compiled);
        const auto contents = store_in(folder)->contents();
        QCOMPARE(contents->entries, between.kept - at_first.kept);

        for (const auto how : {execute::Strategy::serial, execute::Strategy::speculative}) {
            native::keep_code_in(store_in(folder));
            const native::CodeCounts before = native::code_counts();
            const auto second = tests::replay(sources, options_of(alkanes::Engine::native, how));
            QVERIFY(second.ok());
            const native::CodeCounts after = native::code_counts();
            QCOMPARE(after.compiled, between.compiled);
            QCOMPARE(after.kept, between.kept);
            QVERIFY(after.loaded > before.loaded);
            QCOMPARE(second->size(), truth->size());
            for (std::size_t i = 0; i < second->size(); ++i) {
                QCOMPARE((*second)[i]->execution->digest, (*truth)[i]->execution->digest);
                QCOMPARE((*second)[i]->execution->fuel, (*truth)[i]->execution->fuel);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestKeptCodeOfReplays)
#include "test_kept_code.moc"
