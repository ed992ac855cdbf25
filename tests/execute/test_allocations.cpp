// How often a message of each recipe makes memory be allocated, once everything has been used
// before: it must not grow again. The same code as in a replay, on one thread, by the interpreter,
// which compiles nothing in the background.
#include "alkanes/block_execution.h"
#include "alkanes/block_trace.h"
#include "alkanes/host_functions.h"
#include "bench/counted_allocations.h"
#include "chain/block_source.h"
#include "execute/layered_state.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"

#include <QtTest>

using namespace blockloom;

namespace {

constexpr std::uint32_t tasks_of_block = 200;

/// Blocks of a recipe, executed again and again from an empty state.
class Blocks {
public:
    explicit Blocks(const char* recipe)
        : runtime_(alkanes::host_imports, std::make_shared<alkanes::Contracts>()) {
        recipes::RecipeChanges changes;
        changes.blocks = 3;
        changes.tasks = tasks_of_block;
        auto made =
            recipes::make_blocks(recipes::with_changes(*recipes::find_recipe(recipe), changes));
        if (!made) qFatal("%s", made.error().message.c_str());
        for (Bytes& bytes : *made)
            for (const chain::BlockRef& ref :
                 chain::list_block_bytes(std::move(bytes), "generated").blocks)
                blocks_.push_back(ref);
    }

    struct Count {
        std::uint64_t allocations = 0, tasks = 0;
        [[nodiscard]] double each() const {
            return static_cast<double>(allocations) / static_cast<double>(tasks);
        }
    };

    /// Of all blocks but the first, which deploys.
    Count turn() {
        execute::LayeredState state(nullptr);
        Count count;
        for (const chain::BlockRef& ref : blocks_) {
            const bench::CountedAllocations made;
            const std::uint64_t tasks = execute(ref, state);
            if (&ref == &blocks_.front()) continue;
            count.allocations += made.so_far();
            count.tasks += tasks;
        }
        return count;
    }

private:
    /// From its bytes to the accepted state, access sets included.
    std::uint64_t execute(const chain::BlockRef& ref, execute::LayeredState& state) {
        auto decoded = chain::load_block(ref);
        if (!decoded) qFatal("%s", decoded.error().message.c_str());
        auto context = alkanes::open_block(
            std::make_shared<const chain::Block>(*std::move(decoded)), {}, state);
        if (!context) qFatal("%s", context.error().message.c_str());
        SilentProgress silent;
        const auto done = alkanes::execute_block(runtime_, *context, state, {}, silent);
        if (!done) qFatal("%s", done.error().message.c_str());
        const auto traced = alkanes::trace_of(*done, *context);
        if (!traced) qFatal("%s", traced.error().message.c_str());
        state.apply(done->changes);
        return done->tasks;
    }

    alkanes::Runtime runtime_;
    std::vector<chain::BlockRef> blocks_;
};

} // namespace

class TestAllocations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        QSKIP("the sanitizer replaces operator new too");
#endif
    }

    void a_message_allocates_no_more_than_it_did_data() {
        QTest::addColumn<double>("most");
        QTest::newRow("demo") << 2.5;
        QTest::newRow("independent") << 2.6;
        QTest::newRow("mixed") << 2.3;
        QTest::newRow("amm") << 2.5;
        QTest::newRow("chained") << 2.0;
        QTest::newRow("mainnet-2025") << 2.5;
        QTest::newRow("mainnet-2026") << 2.5;
        QTest::newRow("adversarial") << 5.7;
    }
    void a_message_allocates_no_more_than_it_did() {
        QFETCH(double, most);
        Blocks blocks(QTest::currentDataTag());
        (void)blocks.turn();
        const Blocks::Count count = blocks.turn(), again = blocks.turn();
        QCOMPARE(again.allocations, count.allocations);
        QVERIFY(count.tasks >= tasks_of_block);
        qInfo("%.2f allocations a message", count.each());
        QVERIFY2(count.each() <= most, qPrintable(QString::number(count.each())));
        QVERIFY2(count.each() > most - 1, "the bound can be lowered");
    }

    void every_recipe_has_a_bound() {
        std::vector<std::string> with_messages;
        for (const recipes::Recipe& recipe : recipes::named_recipes())
            if (recipe.has_messages()) with_messages.push_back(recipe.name);
        QCOMPARE(with_messages,
                 (std::vector<std::string>{"demo", "independent", "mixed", "amm", "chained",
                                           "mainnet-2025", "mainnet-2026", "adversarial"}));
    }
};

QTEST_GUILESS_MAIN(TestAllocations)
#include "test_allocations.moc"
