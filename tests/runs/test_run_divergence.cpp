// Two kept runs with unequal digests lead to the place at which they first differ: on two states
// below that differ in one key, the first message that reads it, its host call, both values, the
// instruction.
#include "alkanes/state_keys.h"
#include "execute/layered_state.h"
#include "execute/replay.h"
#include "range/sources.h"
#include "recipes/recipe.h"
#include "recipes/recipe_blocks.h"
#include "report/run_divergence_json.h"
#include "runs/run_divergence.h"
#include "runs/run_json.h"
#include "runs/run_record.h"
#include "store/workspace.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::runs;

namespace {

std::string path_of(const QTemporaryDir& dir, const char* name) {
    return dir.filePath(QLatin1String(name)).toStdString();
}

/// A run of the folder's blocks on `before`, as it is kept; `blocks` gets what it executed.
KeptRun run_on(const std::string& folder, const state::StateView* before, const std::string& id,
               std::vector<std::shared_ptr<const execute::ReplayedBlock>>* blocks = nullptr) {
    range::RangeOptions listing;
    listing.sources = {folder};
    listing.chain = "bitcoin";
    SilentProgress silent;
    const auto sources = range::gather_sources(listing, silent, {});
    if (!sources) qFatal("%s", sources.error().message.c_str());
    std::vector<execute::ReplaySource> all;
    for (const range::Pending& pending : sources->pending)
        all.push_back({*pending.block, pending.height, {}});
    execute::ReplayOptions how;
    how.network = sources->manifest->network;
    how.engine = alkanes::Engine::interpreter;
    how.record = true;
    runs::RunRecord record;
    record.id = id;
    record.network = name_of(how.network);
    record.engine = name_of(how.engine);
    record.sources = {folder};
    const auto summary =
        execute::replay_on(before, all, how, false,
                           [&](const std::shared_ptr<const execute::ReplayedBlock>& block) {
                               record.blocks.push_back(summary_of(*block));
                               if (blocks != nullptr) blocks->push_back(block);
                               return Status();
                           },
                           silent, {});
    if (!summary) qFatal("%s", summary.error().message.c_str());
    record.summary = *summary;
    record.walls = {summary->wall};
    auto kept = read_run(run_json(record, Provenance()), id);
    if (!kept) qFatal("%s", kept.error().message.c_str());
    return *std::move(kept);
}

} // namespace

class TestRunDivergence : public QObject {
    Q_OBJECT

    const QTemporaryDir dir_;
    std::string blocks_, other_blocks_, other_state_;
    std::string key_, value_ = std::string(16, '\x03');
    std::uint64_t height_ = 0;
    std::uint32_t transaction_ = 0, protostone_ = 0;
    std::optional<KeptRun> a_, b_;

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", dir_.path().toUtf8());
        blocks_ = path_of(dir_, "blocks");
        other_blocks_ = path_of(dir_, "others");
        other_state_ = path_of(dir_, "state");
        SilentProgress silent;
        for (const auto& [folder, seed] : {std::pair{blocks_, 5U}, {other_blocks_, 6U}}) {
            recipes::RecipeChanges changes;
            changes.blocks = 2;
            changes.tasks = 30;
            changes.contracts = 2;
            changes.seed = seed;
            QVERIFY(recipes::write_blocks(
                folder, recipes::with_changes(*recipes::find_recipe("mixed"), changes), silent));
        }
        std::vector<std::shared_ptr<const execute::ReplayedBlock>> executed;
        a_ = run_on(blocks_, nullptr, "a", &executed);
        // A key of the second block that nothing wrote before, and its first reader.
        for (const auto& transaction : executed[1]->execution->transactions)
            for (std::size_t i = 0; i < transaction.records.size() && key_.empty(); ++i)
                for (const state::Read& read : transaction.log.tasks[i].reads) {
                    if (read.value || read.inside || !transaction.records[i].ok() ||
                        read.key.front() != static_cast<char>(alkanes::KeyKind::storage))
                        continue;
                    const auto asked = [&](const execute::ReplayedBlock& block) {
                        for (const auto& other : block.execution->transactions)
                            for (const state::Read& again : other.log.reads)
                                if (again.key == read.key) return true;
                        return false;
                    };
                    if (asked(*executed[0])) continue;
                    key_ = read.key;
                    transaction_ = transaction.transaction;
                    protostone_ = transaction.records[i].protostone;
                    break;
                }
        QVERIFY(!key_.empty());
        height_ = executed[1]->height();
        const auto workspace = store::Workspace::open(other_state_);
        QVERIFY(workspace);
        state::WriteSet writes;
        writes.emplace_back(key_, state::Value(std::string_view(value_)));
        QVERIFY((*workspace)->put(writes));
        b_ = run_on(blocks_, &(*workspace)->state(), "b");
        QCOMPARE(a_->blocks[0].digest, b_->blocks[0].digest);
        QVERIFY(a_->blocks[1].digest != b_->blocks[1].digest);
    }

    void the_place_is_found() {
        DivergencePlan plan;
        plan.workspace_b = other_state_;
        SilentProgress silent;
        const auto found = find_divergence(*a_, *b_, plan, silent, {});
        QVERIFY2(found.ok(), found.ok() ? "" : found.error().message.c_str());
        QCOMPARE(found->height, height_);
        QCOMPARE(found->again_a, a_->blocks[1].digest);
        QCOMPARE(found->again_b, b_->blocks[1].digest);
        QVERIFY(found->in_block);
        const runs::BlockDivergence& at = *found->in_block;
        QCOMPARE(at.transaction, transaction_);
        QCOMPARE(at.protostone, std::optional(protostone_));
        QVERIFY(at.key && at.key->key == key_ && at.key->read && !at.key->a);
        QCOMPARE(at.key->b.bytes(), std::string_view(value_));
        QVERIFY(at.call && at.call->a.find("storage(") != std::string::npos);
        QVERIFY2(at.first_different, at.no_place.c_str());
        QCOMPARE(at.a_as_interpreter, std::optional(true));
        QCOMPARE(at.b_as_interpreter, std::optional(true));
        std::string words;
        for (const std::string& line : found->lines) words += line + "\n";
        for (const std::string& expected :
             {std::string("Host call "), "Key " + alkanes::key_text(key_), std::string("absent"),
              std::string("Instruction: the call at function "),
              std::string("the values differ, not the engines")})
            QVERIFY2(words.find(expected) != std::string::npos, words.c_str());

        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(divergence_json(*found, *a_, *b_)))
                .object();
        const auto divergence = json[QStringLiteral("parting")].toObject();
        QCOMPARE(divergence[QStringLiteral("transaction")].toInt(), static_cast<int>(transaction_));
        QCOMPARE(divergence[QStringLiteral("key")].toObject()[QStringLiteral("key")].toString(),
                 QString::fromStdString(alkanes::key_text(key_)));
    }

    void what_does_not_come_again_is_said() {
        SilentProgress silent;
        const auto same = find_divergence(*a_, *b_, {}, silent, {});
        QVERIFY(same && !same->in_block);
        QVERIFY(same->lines.back().find("which run A recorded") != std::string::npos);
    }

    void what_is_refused() {
        SilentProgress silent;
        const auto alike = find_divergence(*a_, *a_, {}, silent, {});
        QVERIFY(!alike && alike.error().code == ErrorCode::wrong_usage);
        // The sources are of other blocks than the runs.
        DivergencePlan plan;
        plan.sources = {other_blocks_};
        const auto other = find_divergence(*a_, *b_, plan, silent, {});
        QVERIFY(!other && other.error().code == ErrorCode::bad_input);
        QVERIFY2(other.error().message.find("expected block ") != std::string::npos &&
                     other.error().message.find(a_->blocks[0].hash) != std::string::npos,
                 other.error().message.c_str());
        KeptRun longer = *b_;
        longer.blocks[0].hash = "00";
        const auto inputs = find_divergence(*a_, longer, {}, silent, {});
        QVERIFY(!inputs && inputs.error().message.starts_with("not compared: "));
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = find_divergence(*a_, *b_, {}, silent, stop.get_token());
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::cancelled);
    }

    void a_device_that_is_not_here_is_said() {
        KeptRun b = *b_;
        b.backend = "vulkan";
        b.device = "a device of another machine";
        DivergencePlan plan;
        plan.workspace_b = other_state_;
        plan.device = [](const KeptRun&) -> Result<std::shared_ptr<compute::Provider>> {
            return Error{ErrorCode::unavailable, "this machine has no such device"};
        };
        SilentProgress silent;
        const auto found = find_divergence(*a_, b, plan, silent, {});
        QVERIFY(found && found->in_block);
        bool said = false;
        for (const std::string& line : found->lines)
            said = said || line.find("a device of another machine") != std::string::npos;
        QVERIFY(said);
    }
};

QTEST_GUILESS_MAIN(TestRunDivergence)
#include "test_run_divergence.moc"
