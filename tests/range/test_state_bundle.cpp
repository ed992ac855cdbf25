// State bundles: a replay on one has the digests of the normal replay; what it does not have, or
// what was changed in the file, is an error.
#include "alkanes/state_keys.h"
#include "base/file.h"
#include "execute/replay.h"
#include "fixtures.h"
#include "range/make_bundle.h"
#include "range/sources.h"
#include "range/state_before.h"
#include "range/state_source.h"
#include "recipes/recipe_blocks.h"
#include "state/memory_state.h"
#include "trace/gzip.h"

#include <random>

using namespace blockloom;
using namespace blockloom::test;

namespace {

#define BUNDLE_OK(result)                                                                          \
    QVERIFY2((result).ok(), (result).ok() ? "" : (result).error().message.c_str())

range::StateBundle small_bundle() {
    range::StateBundle bundle;
    bundle.made_by = "1.2.3";
    bundle.from = "metashrew:/x, after block 9";
    bundle.rules = "network mainnet";
    bundle.parent[3] = 7;
    bundle.blocks = {{10, {}}, {11, {}}};
    bundle.entries.emplace_back("\x01one", "1");
    bundle.entries.emplace_back("\x01three", std::string(1000, 'x'));
    bundle.entries.emplace_back("\x01two", state::Value());
    return bundle;
}

std::string inflated(const Bytes& bytes) {
    return *trace::gunzip(bytes, "test");
}

/// The content with a right digest behind it, compressed.
Bytes sealed(std::string content) {
    const Hash256 digest = Sha256().once({as_bytes(content)});
    content.append(digest.begin(), digest.end());
    return *trace::gzip(as_bytes(content));
}

} // namespace

class TestStateBundle : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void what_was_written_is_read() {
        const range::StateBundle bundle = small_bundle();
        const auto bytes = range::bundle_bytes(bundle);
        BUNDLE_OK(bytes);
        QVERIFY(*bytes == *range::bundle_bytes(small_bundle())); // the same bytes again
        const auto read = range::bundle_from(*bytes, "here");
        BUNDLE_OK(read);
        QCOMPARE(read->made_by, bundle.made_by);
        QCOMPARE(read->from, bundle.from);
        QCOMPARE(read->rules, bundle.rules);
        QVERIFY(read->parent == bundle.parent);
        QCOMPARE(read->blocks.size(), std::size_t{2});
        QCOMPARE(read->blocks[1].height, std::uint64_t{11});
        QVERIFY(read->entries == bundle.entries);
        const range::BundleView view(*read, "here");
        QVERIFY(*view.get("\x01three") == state::Value(std::string(1000, 'x')));
        QVERIFY(*view.get("\x01two") == state::Value());
        const auto unknown = view.get(alkanes::sequence_key());
        QVERIFY(!unknown);
        QVERIFY2(unknown.error().message.find("value of sequence") != std::string::npos &&
                     unknown.error().message.find("blocks 10 to 11") != std::string::npos,
                 unknown.error().message.c_str());
    }

    void changed_bytes_are_errors() {
        const Bytes bytes = *range::bundle_bytes(small_bundle());
        const std::string whole = inflated(bytes);
        const std::string content = whole.substr(0, whole.size() - sizeof(Hash256));
        QVERIFY(range::bundle_from(sealed(content), "here")); // as the tests below do it
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            Bytes changed = bytes;
            changed[i] ^= 0x20;
            const auto read = range::bundle_from(changed, "here");
            // gzip has bits that mean nothing: when and where it was made, and at the end.
            if (read) QVERIFY(read->entries == small_bundle().entries);
            if (!read) QVERIFY(read.error().message.starts_with("here"));
        }
        for (std::size_t size = 0; size < bytes.size(); ++size)
            QVERIFY(!range::bundle_from(ByteView(bytes).first(size), "here"));
        // Inside, with the wrong digest and with the right one.
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            QVERIFY2(!range::bundle_from(*trace::gzip(as_bytes(changed)), "here"),
                     fmt::format("byte {}", i).c_str());
        }
        for (std::size_t size = 0; size < content.size(); ++size)
            QVERIFY(!range::bundle_from(sealed(content.substr(0, size)), "here"));
        QVERIFY(!range::bundle_from(sealed(content + "more"), "here"));
        // Keys twice or out of order; numbers that claim more than there is.
        range::StateBundle twice = small_bundle();
        twice.entries[1].first = twice.entries[0].first;
        QVERIFY(!range::bundle_from(*range::bundle_bytes(twice), "here"));
        twice.entries[1].first = state::Key("\x01");
        QVERIFY(!range::bundle_from(*range::bundle_bytes(twice), "here"));
        range::StateBundle empty = small_bundle();
        empty.entries[0].second = state::Value("");
        QVERIFY(!range::bundle_from(*range::bundle_bytes(empty), "here"));
        for (std::size_t i = 0; i + 4 <= content.size(); ++i) {
            std::string claims = content;
            for (std::size_t k = 0; k < 4; ++k) claims[i + k] = '\x7f';
            (void)range::bundle_from(sealed(claims), "here"); // ends, whatever it says
        }
        // A bomb: a gigabyte of zeros is a thousandth of it.
        const std::string zeros(std::size_t{64} << 20, '\0');
        const auto bomb = range::bundle_from(*trace::gzip(as_bytes(zeros)), "here");
        QVERIFY(!bomb);
    }

    void digests_are_those_of_the_normal_replay_data() {
        QTest::addColumn<bool>("parallel");
        QTest::newRow("serial") << false;
        QTest::newRow("speculative") << true;
    }
    void digests_are_those_of_the_normal_replay() {
        QFETCH(bool, parallel);
        const Folder folder;
        SilentProgress silent;
        recipes::RecipeChanges changes;
        changes.blocks = 4;
        changes.tasks = 50;
        changes.contracts = 2;
        const std::string blocks = folder.path("blocks");
        BUNDLE_OK(recipes::write_blocks(
            blocks, recipes::with_changes(*recipes::find_recipe("mixed"), changes), silent));
        range::RangeOptions options;
        options.sources = {blocks};
        options.chain = "bitcoin";
        const auto sources = range::gather_sources(options, silent, {});
        BUNDLE_OK(sources);
        std::vector<execute::ReplaySource> all;
        for (const range::Pending& pending : sources->pending)
            all.push_back(range::replay_source(pending));
        execute::ReplayOptions how;
        how.engine = alkanes::Engine::interpreter;
        std::vector<Hash256> digests;
        auto workspace = store::Workspace::open(folder.path("w"));
        BUNDLE_OK(workspace);
        const auto note = [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
            digests.push_back(block->execution->digest);
            return Status();
        };
        const auto normal =
            execute::replay_into(**workspace, std::span(all).first(2), how, false, note, silent, {},
                                 execute::JoinOptions{.beginning = {.of_chain = true}});
        BUNDLE_OK(normal);
        workspace->reset();

        range::RangeOptions rest = options;
        rest.from = *all[2].height;
        rest.workspace = folder.path("w");
        rest.engine = alkanes::Engine::interpreter;
        rest.network = how.network;
        rest.line = how.line;
        rest.fuel = how.fuel;
        const auto bundle = range::make_bundle(rest, "test", silent, {});
        BUNDLE_OK(bundle);
        QVERIFY(bundle->parent == all[1].block.hash);
        QCOMPARE(bundle->blocks.size(), std::size_t{2});
        folder.add("b.state", *range::bundle_bytes(*bundle));

        workspace = store::Workspace::open(folder.path("w"));
        BUNDLE_OK(workspace);
        std::vector<Hash256> expected;
        const auto second =
            execute::replay_into(**workspace, std::span(all).subspan(2), how, false,
                                 [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                                     expected.push_back(block->execution->digest);
                                     return Status();
                                 },
                                 silent, {});
        BUNDLE_OK(second);
        workspace->reset();

        range::StateSource source;
        source.place = folder.path("b.state");
        const auto open = range::open_state(source, all[2]);
        BUNDLE_OK(open);
        if (parallel) {
            how.strategy.strategy = execute::Strategy::speculative;
            how.strategy.workers = 3;
        }
        digests.clear();
        const auto again = execute::replay_on(open->view.get(), std::span(all).subspan(2), how,
                                              false, note, silent, {});
        BUNDLE_OK(again);
        QVERIFY(digests == expected);

        // Of another block; and one key less is named.
        const auto other = range::open_state(source, all[3]);
        QVERIFY(!other);
        QVERIFY2(other.error().message.find("state after its parent") != std::string::npos,
                 other.error().message.c_str());
        how.strategy.strategy = execute::Strategy::serial;
        range::StateBundle less = *bundle;
        const std::string missing = alkanes::key_text(less.entries.back().first.bytes());
        less.entries.pop_back();
        const range::BundleView view(less, "less");
        const auto stopped =
            execute::replay_on(&view, std::span(all).subspan(2), how, false, note, silent, {});
        QVERIFY(!stopped);
        QVERIFY2(stopped.error().message.find("expected the value of " + missing) !=
                     std::string::npos,
                 stopped.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestStateBundle)
#include "test_state_bundle.moc"
