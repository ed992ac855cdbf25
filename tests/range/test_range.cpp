// Ranges: the same whatever the number of threads, the order of files and the way to the rules;
// nothing dropped in silence.
#include "fixtures.h"
#include "range/file_hashes.h"
#include "range/open_range.h"
#include "recipes/recipe_blocks.h"

#include "base/sha256.h"

#include <QCryptographicHash>

using namespace blockloom;
using namespace blockloom::test;

namespace {

/// Asks for a stop once the analysis has counted `after` blocks.
class StopAfter final : public ProgressSink {
public:
    explicit StopAfter(std::uint64_t after) : after_(after) {}
    void report(const Progress& progress) override {
        seen = progress;
        if (progress.phase == "Analysing" && progress.done >= after_) source.request_stop();
    }
    std::stop_source source;
    Progress seen;

private:
    std::uint64_t after_;
};

/// Remembers what was reported to it, and whether it ever went back.
class Watching final : public ProgressSink {
public:
    void report(const Progress& progress) override {
        if (progress.phase != phase) last = 0;
        phase = progress.phase;
        steady = steady && progress.done >= last &&
                 (progress.total == 0 || progress.done <= progress.total);
        last = progress.done;
        total = progress.total;
    }
    std::string phase;
    std::uint64_t last = 0, total = 0;
    bool steady = true;
};

std::string message(const Result<std::shared_ptr<const range::Range>>& range) {
    return range.ok() ? "" : range.error().message;
}

std::vector<std::uint64_t> heights(const range::Range& range) {
    std::vector<std::uint64_t> all;
    for (const auto& record : range.blocks) all.push_back(record->trace->block.height.value_or(0));
    return all;
}

const std::string trace_text = "{\"schema\":\"blockloom.trace/1\",\"chain\":\"toy\"}\n"
                               "{\"block\":{\"height\":8,\"hash\":\"b8\"}}\n"
                               "{\"id\":\"a\",\"reads\":[],\"writes\":[\"x:1\"],\"cost\":5}\n"
                               "{\"id\":\"b\",\"reads\":[\"x:1\"],\"writes\":[],\"cost\":7}\n"
                               "{\"block\":{\"height\":7,\"hash\":\"b7\"}}\n"
                               "{\"id\":\"c\",\"reads\":[\"x:1\"],\"writes\":[],\"cost\":1}\n";

} // namespace

class TestRange : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threads_change_nothing() {
        const Folder folder;
        folder.add(small_recipe(7));
        const auto one = open(open_options({folder.path()}), 1);
        QVERIFY2(one.ok(), message(one).c_str());
        QCOMPARE((*one)->blocks.size(), std::size_t{7});
        for (const unsigned threads : {2U, 3U, 16U}) {
            const auto many = open(open_options({folder.path()}), threads);
            QVERIFY(many.ok());
            QCOMPARE(figures(**many), figures(**one));
        }
    }

    void order_of_sources_changes_nothing() {
        const Folder folder;
        folder.add(small_recipe(3));
        const auto forth = open(
            open_options({folder.path("500.bin"), folder.path("501.bin"), folder.path("502.bin")}));
        const auto back = open(
            open_options({folder.path("502.bin"), folder.path("500.bin"), folder.path("501.bin")}));
        QVERIFY(forth.ok() && back.ok());
        QCOMPARE(figures(**back), figures(**forth));
        QCOMPARE(heights(**back), (std::vector<std::uint64_t>{500, 501, 502}));
    }

    void reanalysis_equals_opening_anew() {
        const Folder folder;
        folder.add(small_recipe(4));
        const auto plain = open(open_options({folder.path()}));
        QVERIFY(plain.ok());
        auto options = open_options({folder.path()});
        options.analysis.model = conflict::ConflictModel::multi_version;
        options.analysis.workers = {3, 5};
        options.analysis.colouring = schedule::Algorithm::welsh_powell;
        options.analysis.policy.ignore = {(*plain)->blocks[0]->trace->keys->printable(
            (*plain)->blocks[0]->analysis.hot_keys.front().key)};
        const auto fresh = open(options);
        QVERIFY2(fresh.ok(), message(fresh).c_str());
        SilentProgress silent;
        const auto again = range::reanalyse(**plain, options.analysis, silent, {}, 2);
        QVERIFY(again.ok());
        QCOMPARE(figures(**again), figures(**fresh));
        QVERIFY(figures(**again) != figures(**plain));
        QVERIFY((*again)->options.analysis.policy == options.analysis.policy);
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE((*again)->blocks[i]->trace,
                     (*plain)->blocks[i]->trace); // shared, not read again
            const auto one = range::reanalyse(*(*plain)->blocks[i], options.analysis);
            QVERIFY(one.ok());
            QCOMPARE(figures(**one), figures(*(*fresh)->blocks[i]));
        }
    }

    void a_stale_branch_is_listed() {
        Sha256 hasher;
        const auto block = [&](const Hash256& previous, std::uint64_t height, std::uint32_t time) {
            return recipes::write_block({previous, height, time, 5'000}, {}, hasher);
        };
        const auto first = block({}, 10, 1), winner = block(first.hash, 11, 2),
                   loser = block(first.hash, 11, 3), tip = block(winner.hash, 12, 4);
        const Folder folder;
        folder.add("a.bin", loser.bytes);
        folder.add("b.bin", tip.bytes);
        folder.add("c.bin", first.bytes);
        folder.add("d.bin", winner.bytes);
        const auto range = open(open_options({folder.path()}));
        QVERIFY2(range.ok(), message(range).c_str());
        QCOMPARE(heights(**range), (std::vector<std::uint64_t>{10, 11, 12}));
        QCOMPARE((*range)->blocks[1]->trace->block.hash, to_reversed_hex(winner.hash));
        QCOMPARE((*range)->left_out.size(), std::size_t{1});
        QVERIFY((*range)->left_out[0].stale);
        QCOMPARE((*range)->left_out[0].source, folder.path("a.bin"));
        // A cut that the branch lies outside of does not speak of it.
        auto cut = open_options({folder.path()});
        cut.from = 12;
        QVERIFY((*open(cut))->left_out.empty());
    }

    void heights_cut() {
        const Folder folder;
        folder.add(small_recipe(6));
        auto options = open_options({folder.path()});
        options.from = 502;
        options.to = 504;
        QCOMPARE(heights(**open(options)), (std::vector<std::uint64_t>{502, 503, 504}));
        options.to.reset();
        QCOMPARE(heights(**open(options)), (std::vector<std::uint64_t>{502, 503, 504, 505}));
        options.from = 900;
        const auto none = open(options);
        QVERIFY(!none.ok());
        QVERIFY2(message(none).find("500 to 505") != std::string::npos, message(none).c_str());
    }

    void the_demo_is_always_the_same() {
        const auto one = open(open_options({"demo"}), 2), two = open(open_options({"demo"}), 1);
        QVERIFY2(one.ok() && two.ok(), message(one).c_str());
        QVERIFY((*one)->blocks.size() > 1);
        QCOMPARE(figures(**one), figures(**two));
        QVERIFY((*one)->files.empty());
        for (const auto& record : (*one)->blocks) QVERIFY(record->checks.merkle == true);
    }

    void a_malformed_block_stops_or_is_told() {
        const Folder folder;
        folder.add(small_recipe(3));
        auto blocks = recipes::make_blocks(small_recipe(3));
        Bytes cut = (*blocks)[1];
        cut.resize(cut.size() - 7);
        folder.add("501.bin", cut);
        auto options = open_options({folder.path()});
        const auto stopped = open(options, 2);
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().code, ErrorCode::bad_input);
        QVERIFY2(message(stopped).find("501.bin") != std::string::npos, message(stopped).c_str());
        QVERIFY2(message(stopped).find("offset") != std::string::npos, message(stopped).c_str());

        options.keep_going = true;
        const auto going = open(options, 2);
        QVERIFY2(going.ok(), message(going).c_str());
        QCOMPARE(heights(**going), (std::vector<std::uint64_t>{500, 502}));
        QCOMPARE((*going)->left_out.size(), std::size_t{1});
        QVERIFY((*going)->left_out[0].source.find("501.bin") != std::string::npos);
        QVERIFY(!(*going)->left_out[0].stale);
    }

    void a_broken_copy_does_not_hide_a_whole_one() {
        const Folder folder;
        const Bytes whole = recipes::make_blocks(small_recipe(1))->front();
        folder.add("a.bin", ByteView(whole).first(whole.size() - 9));
        folder.add("b.bin", whole);
        folder.add("c.bin", whole);
        auto options = open_options({folder.path()});
        QVERIFY(!open(options).ok());
        options.keep_going = true;
        const auto range = open(options);
        QVERIFY2(range.ok(), message(range).c_str());
        QCOMPARE((*range)->blocks.size(), std::size_t{1});
        QCOMPARE((*range)->blocks[0]->source, folder.path("b.bin"));
        std::vector<std::string> out;
        for (const auto& left : (*range)->left_out) out.push_back(left.source);
        std::sort(out.begin(), out.end());
        QCOMPARE(out, (std::vector<std::string>{folder.path("a.bin"), folder.path("c.bin")}));
    }

    void a_failing_commitment_is_shown() {
        Bytes bytes = recipes::make_blocks(small_recipe(1))->front();
        bytes[40] ^= 1; // in the header's merkle root
        const Folder folder;
        folder.add("500.bin", bytes);
        const auto range = open(open_options({folder.path()}));
        QVERIFY2(range.ok(), message(range).c_str());
        QVERIFY((*range)->blocks[0]->checks.merkle == false);
        QVERIFY((*range)->blocks[0]->checks.witness_commitment == true);
    }

    void traces_are_sources_too() {
        const Folder folder;
        folder.add("toy.bloomtrace", as_bytes(trace_text));
        auto options = open_options({folder.path()});
        options.analysis.use_cost = true;
        const auto range = open(options);
        QVERIFY2(range.ok(), message(range).c_str());
        QCOMPARE(heights(**range), (std::vector<std::uint64_t>{7, 8}));
        QCOMPARE((*range)->chain, std::string("toy"));
        QCOMPARE((*range)->blocks[1]->analysis.index->span, std::uint64_t{12});
        QCOMPARE((*range)->files.size(), std::size_t{1});
        QVERIFY(!(*range)->blocks[0]->checks.merkle.has_value());
    }

    void chain_chooses() {
        const Folder folder;
        folder.add("toy.bloomtrace", as_bytes(trace_text));
        folder.add(small_recipe(1));
        auto options = open_options({folder.path()});
        QCOMPARE((*open(options))->chain, std::string("bitcoin, toy"));
        options.chain = "bitcoin";
        QCOMPARE((*open(options))->blocks.size(), std::size_t{1});
        QCOMPARE((*open(options))->left_out.size(), std::size_t{1});
        options.chain = "trace";
        QCOMPARE((*open(options))->blocks.size(), std::size_t{2});
        for (const auto& [chain, said] : {std::pair{"alkanes", "the state before the block"},
                                          {"ethereum", "ethereum"},
                                          {"solana", "solana"}}) {
            options.chain = chain;
            const auto refused = open(options);
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().code, ErrorCode::bad_input);
            QVERIFY2(message(refused).find(said) != std::string::npos, message(refused).c_str());
        }
        options.chain = "dogs";
        QCOMPARE(open(options).error().code, ErrorCode::wrong_usage);
    }

    void what_is_not_there_is_an_error() {
        const Folder folder;
        const auto empty = open(open_options({folder.path()}));
        QVERIFY(!empty.ok());
        QVERIFY(message(empty).find("expected blocks, found none") != std::string::npos);
        QVERIFY(!open(open_options({folder.path("absent")})).ok());
        folder.add("words.txt", as_bytes(std::string_view("no block at all")));
        const std::string path = folder.path("words.txt");
        const std::string said = message(open(open_options({path})));
        QVERIFY2(said.find(path) == said.rfind(path), said.c_str()); // once
        QVERIFY(!open(open_options({"http://localhost:8332"})).ok());
        QVERIFY(!open(open_options({})).ok());
    }

    void a_bad_pattern_is_the_same_error_on_any_number_of_threads() {
        const Folder folder;
        folder.add(small_recipe(5));
        auto options = open_options({folder.path()});
        options.analysis.policy.ignore = {"utxo:["};
        const auto one = open(options, 1), four = open(options, 4);
        QVERIFY(!one.ok() && !four.ok());
        QCOMPARE(message(one), message(four));
        options.keep_going = true; // a wrong rule is no malformed block
        QVERIFY(!open(options).ok());
    }

    void a_stop_ends_the_work() {
        const Folder folder;
        folder.add(small_recipe(6));
        for (const std::uint64_t after : {0, 1, 3}) {
            StopAfter progress(after);
            const auto range = range::open_range(open_options({folder.path()}), progress,
                                                 progress.source.get_token(), 2);
            QVERIFY(!range.ok());
            QCOMPARE(range.error().code, ErrorCode::cancelled);
        }
        const auto whole = open(open_options({folder.path()}));
        std::stop_source stop;
        stop.request_stop();
        SilentProgress silent;
        QCOMPARE(range::reanalyse(**whole, {}, silent, stop.get_token()).error().code,
                 ErrorCode::cancelled);
    }

    void progress_is_steady_and_complete() {
        const Folder folder;
        folder.add(small_recipe(6));
        Watching watching;
        QVERIFY(range::open_range(open_options({folder.path()}), watching, {}, 3).ok());
        QVERIFY(watching.steady);
        QCOMPARE(watching.phase, std::string("Analysing"));
        QCOMPARE(watching.last, std::uint64_t{6});
        QCOMPARE(watching.total, std::uint64_t{6});
    }

    /// Wherever memory runs out, in whatever thread: an error, no exception of the standard
    /// library.
    void what_throws_is_an_error() {
        struct Starved final : ProgressSink {
            std::string when; ///< in this phase
            void report(const Progress& progress) override {
                if (progress.phase == when) throw std::bad_alloc();
            }
        } starved;
        const Folder folder;
        folder.add(small_recipe(3));
        const auto options = open_options({folder.path()});
        for (const char* phase : {"listing", "Analysing"})
            for (const unsigned threads : {1U, 3U}) {
                Watching watching;
                starved.when = phase;
                const auto range = range::open_range(options, starved, {}, threads);
                QVERIFY2(!range.ok() && range.error().code == ErrorCode::system, phase);
                QCOMPARE(range.error().message, std::string("opening the blocks: out of memory"));
            }
        const auto range = open(options);
        starved.when = "Analysing";
        QVERIFY(!range::reanalyse(**range, options.analysis, starved, {}, 2).ok());
        starved.when = "Hashing inputs";
        QVERIFY(!range::hashed_files(**range, starved, {}).ok());
    }

    void hashes_are_those_of_the_files() {
        const Folder folder;
        folder.add(small_recipe(2));
        const auto range = open(open_options({folder.path()}));
        SilentProgress silent;
        const auto files = range::hashed_files(**range, silent);
        QVERIFY(files.ok());
        QCOMPARE(files->size(), std::size_t{2});
        for (const auto& file : *files) {
            QFile read(QString::fromStdString(file.path));
            QVERIFY(read.open(QIODevice::ReadOnly));
            const QByteArray bytes = read.readAll();
            QCOMPARE(file.bytes, static_cast<std::uint64_t>(bytes.size()));
            QCOMPARE(QByteArray::fromStdString(file.sha256),
                     QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
        }
    }
};

QTEST_APPLESS_MAIN(TestRange)
#include "test_range.moc"
