// The .bloomtrace reader and writer: read(write(x)) = x, every fault named with its line.
#include "trace/bloomtrace.h"
#include "trace/gzip.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::trace;

namespace {

const std::string header = "{\"schema\":\"blockloom.trace/1\",\"chain\":\"sim\"}\n";

Result<TraceFile> read(const std::string& text) {
    return read_bloomtrace(as_bytes(text), "test.bloomtrace");
}

std::string written(const TraceFile& file) {
    Result<Bytes> bytes = write_bloomtrace(file);
    if (!bytes) qFatal("%s", bytes.error().message.c_str());
    return {bytes->begin(), bytes->end()};
}

std::map<std::string, Mode> set_of(const BlockTrace& block, TaskId task) {
    std::map<std::string, Mode> set;
    for (const Access access : block.sets.of(task))
        set[block.keys->printable(access.key())] = access.mode();
    return set;
}

/// Empty: equal. Else what differs.
std::string difference(const TraceFile& a, const TraceFile& b) {
    if (a.chain != b.chain || a.header_extra != b.header_extra) return "header";
    if (a.blocks.size() != b.blocks.size()) return "blocks";
    if (a.block_extra != b.block_extra) return "block extra";
    if (a.task_extra != b.task_extra) return "task extra";
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        const BlockTrace &x = *a.blocks[i], &y = *b.blocks[i];
        if (x.chain != y.chain || x.block.height != y.block.height ||
            x.block.hash != y.block.hash || x.block.label != y.block.label)
            return "block identity";
        if (x.tasks() != y.tasks()) return "tasks";
        if (x.cost != y.cost || x.cost_unit != y.cost_unit) return "cost";
        if (x.transaction != y.transaction || x.vote != y.vote) return "transaction or vote";
        if (x.sets.key_count != y.sets.key_count) return "keys";
        for (TaskId task = 0; task < x.tasks(); ++task) {
            if (set_of(x, task) != set_of(y, task)) return "access set";
            if (x.names->printable(task) != y.names->printable(task)) return "name";
        }
    }
    return {};
}

/// Names with everything that JSON must escape or leave alone.
std::string random_name(std::mt19937_64& random) {
    static const std::vector<std::string> pieces{
        "a",    "7", ":", "\"", "\\", "/", "\n", "\t", std::string(1, '\0'),
        "\x1f", "ü", "𝒳", " ",  "{"};
    std::string name;
    for (std::size_t n = random() % 5; n > 0; --n) name += pieces[random() % pieces.size()];
    return name;
}

class ListedNames final : public KeyNames, public TaskNames {
public:
    std::vector<std::string> names;
    [[nodiscard]] std::string printable(std::uint32_t id) const override { return names[id]; }
};

TraceFile random_file(std::mt19937_64& random) {
    static const std::vector<std::string> extras{
        "", "", "{\"x\":1}", "{\"x\":{\"y\":[1.50,-0e3,null]},\"x\":\"\\u0041\"}",
        "{\"big\":123456789012345678901234567890}"};
    const auto extra = [&] { return extras[random() % extras.size()]; };
    TraceFile file;
    file.chain = random_name(random);
    file.header_extra = extra();
    for (std::size_t blocks = random() % 4; blocks > 0; --blocks) {
        auto block = std::make_shared<BlockTrace>();
        block->chain = file.chain;
        if (random() % 2 == 0) block->block.height = random() >> (random() % 64);
        if (random() % 2 == 0) block->block.hash = random_name(random);
        block->block.label = "label" + random_name(random);
        block->cost_unit = static_cast<CostUnit>(random() % 5);
        const bool costs = random() % 2 == 0, transactions = random() % 2 == 0;
        auto keys = std::make_shared<ListedNames>(), names = std::make_shared<ListedNames>();
        const bool extra_tasks = random() % 2 == 0;
        std::vector<std::string> task_extra;
        std::map<std::string, KeyId> ids;
        for (std::size_t tasks = random() % 6; tasks > 0; --tasks) {
            std::map<KeyId, Mode> touches;
            for (std::size_t n = random() % 5; n > 0; --n) {
                const std::string key = "k" + random_name(random) + ":" + random_name(random);
                const auto [there, fresh] = ids.try_emplace(key, keys->names.size());
                if (fresh) keys->names.push_back(key);
                touches.emplace(there->second, static_cast<Mode>(1 + random() % 3));
            }
            for (const auto& [key, mode] : touches) block->sets.accesses.emplace_back(key, mode);
            block->sets.begin.push_back(static_cast<std::uint32_t>(block->sets.accesses.size()));
            names->names.push_back("t" + random_name(random));
            if (costs) block->cost.push_back(random() >> (8 + random() % 56));
            if (transactions) block->transaction.push_back(static_cast<std::uint32_t>(random()));
            task_extra.push_back(extra_tasks ? extra() : std::string());
        }
        block->sets.key_count = static_cast<KeyId>(keys->names.size());
        block->keys = keys;
        block->names = names;
        if (std::all_of(task_extra.begin(), task_extra.end(),
                        [](const std::string& text) { return text.empty(); }))
            task_extra.clear();
        file.task_extra.push_back(task_extra);
        file.block_extra.push_back(random() % 4 == 0 ? "{\"block\":{\"miner\":\"m\"},\"z\":[]}"
                                                     : extra());
        file.blocks.push_back(block);
    }
    return file;
}

} // namespace

class TestBloomtrace : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void what_is_written_is_read_again() {
        std::mt19937_64 random(51);
        for (int round = 0; round < 2000; ++round) {
            const TraceFile file = random_file(random);
            const std::string text = written(file);
            const auto again = read(text);
            QVERIFY2(again.ok(), again ? "" : (again.error().message + "\n" + text).c_str());
            QVERIFY2(difference(file, *again).empty(),
                     (difference(file, *again) + "\n" + text).c_str());
            // What came from a file is written byte for byte again.
            const std::string twice = written(*again);
            const auto third = read(twice);
            QVERIFY(third.ok());
            QCOMPARE(written(*third), twice);
        }
    }

    void gzip_round_trips() {
        std::mt19937_64 random(52);
        for (int round = 0; round < 100; ++round) {
            const TraceFile file = random_file(random);
            const Result<Bytes> packed = write_bloomtrace(file, true);
            QVERIFY(packed.ok());
            QVERIFY(is_gzip(*packed));
            const auto again = read_bloomtrace(*packed, "x.gz");
            QVERIFY(again.ok());
            QCOMPARE(difference(file, *again), std::string());
        }
    }

    void gzip_may_have_several_members() {
        const auto packed = [](std::string_view text) {
            auto bytes = gzip(as_bytes(text));
            return bytes.ok() ? *bytes : Bytes{};
        };
        Bytes two = packed(header);
        const Bytes second = packed("{\"block\":{}}\n{\"writes\":[\"a:1\"]}\n");
        two.insert(two.end(), second.begin(), second.end());
        const auto file = read_bloomtrace(two, "x.gz");
        QVERIFY(file.ok());
        QCOMPARE(file->blocks.at(0)->tasks(), TaskId{1});
    }

    void damaged_gzip_is_an_error_with_its_place() {
        auto packed = gzip(as_bytes(header));
        QVERIFY(packed.ok());
        for (std::size_t size = 2; size < packed->size(); ++size) {
            const auto cut = read_bloomtrace(ByteView(*packed).first(size), "cut.gz");
            QVERIFY(!cut.ok());
            QVERIFY(cut.error().message.starts_with("cut.gz: "));
        }
        packed->push_back(7);
        QVERIFY(!read_bloomtrace(*packed, "more.gz").ok());
    }

    void a_bomb_is_refused() {
        const std::string spaces(64 << 20, ' ');
        const auto packed = gzip(as_bytes(spaces));
        QVERIFY(packed.ok());
        const auto file = read_bloomtrace(*packed, "bomb.gz");
        QVERIFY(!file.ok());
        QVERIFY(file.error().message.find("256 times") != std::string::npos);
    }

    void every_field_is_understood() {
        const auto file =
            read("\xef\xbb\xbf" // a byte order mark
                 "{\"chain\":\"sim\",\"tool\":{\"v\": 2},\"schema\":\"blockloom.trace/1\"}\r\n"
                 "\n"
                 "{\"block\":{\"height\":7,\"hash\":\"ab\",\"cost_unit\":\"gas\",\"miner\":\"m\"},"
                 "\"t\": 1 }\n"
                 "{\"id\":12,\"reads\":[\"a:1\",\"a:1\",\"b:2\"],\"writes\":[\"b:2\",\"c:\"],"
                 "\"cost\":0}\n"
                 "{\"note\":\"\\u0041\",\"transaction\":3,\"vote\":true}\n"
                 "{\"block\":{\"height\":null}}");
        QVERIFY(!file.ok()); // the first task has no transaction
        const auto good =
            read(header +
                 "{\"block\":{\"height\":7,\"hash\":\"ab\",\"cost_unit\":\"gas\",\"miner\":\"m\"}"
                 ",\"t\": 1 }\n"
                 "{\"id\":12,\"reads\":[\"a:1\",\"a:1\",\"b:2\"],\"writes\":[\"b:2\",\"c:\"]}\n"
                 "{\"note\":\"\\u0041\",\"cost\":5,\"vote\":true}\n"
                 "{\"block\":{\"height\":null}}");
        QVERIFY2(good.ok(), good ? "" : good.error().message.c_str());
        QCOMPARE(good->blocks.size(), std::size_t{2});
        const BlockTrace& block = *good->blocks[0];
        QCOMPARE(block.chain, std::string("sim"));
        QCOMPARE(block.block.height, std::optional<std::uint64_t>(7));
        QCOMPARE(block.block.label, std::string("7"));
        QCOMPARE(block.cost_unit, CostUnit::gas);
        QCOMPARE(block.cost, (std::vector<std::uint64_t>{1, 5}));
        QCOMPARE(block.vote, (std::vector<bool>{false, true}));
        QCOMPARE(block.names->printable(0), std::string("12"));
        QCOMPARE(block.names->printable(1), std::string("#1"));
        QVERIFY((set_of(block, 0) == std::map<std::string, Mode>{{"a:1", Mode::read},
                                                                 {"b:2", Mode::read_write},
                                                                 {"c:", Mode::write}}));
        QCOMPARE(good->block_extra[0], std::string("{\"block\":{\"miner\":\"m\"},\"t\":1}"));
        QCOMPARE(good->task_extra[0], (std::vector<std::string>{"", "{\"note\":\"\\u0041\"}"}));
        QCOMPARE(good->blocks[1]->block.label, std::string("block 2"));
        QVERIFY(good->task_extra[1].empty());
    }

    void faults_name_the_line_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const std::string& text, const char* says) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(says);
        };
        const std::string block = header + "{\"block\":{}}\n";
        row("nothing", "", "line 0: expected a header");
        row("no JSON", "hello\n", "line 1: ");
        row("no object", "[1]\n", "line 1: expected a JSON object");
        row("other schema", "{\"schema\":\"x/2\",\"chain\":\"a\"}", "found \"x/2\"");
        row("no schema", "{\"chain\":\"a\"}", "line 1: expected a header with \"schema\"");
        row("no chain", "{\"schema\":\"blockloom.trace/1\"}", "expected a header with \"chain\"");
        row("task without block", header + "{\"reads\":[]}",
            "line 2: expected a line with \"block\"");
        row("block no object", header + "{\"block\":7}",
            "line 2: expected an object for \"block\"");
        row("height a string", header + "{\"block\":{\"height\":\"7\"}}", "found \"7\"");
        row("unknown unit", header + "{\"block\":{\"cost_unit\":\"euro\"}}", "found \"euro\"");
        row("reads no array", block + "{\"reads\":\"a:1\"}", "line 3: expected an array of keys");
        row("key no string", block + "{\"reads\":[\"a:1\", 5]}", "line 3: expected a string");
        row("key without colon", block + "{\"writes\":[\"a1\"]}", "found \"a1\"");
        row("key without kind", block + "{\"writes\":[\":1\"]}", "found \":1\"");
        row("negative cost", block + "{\"cost\":-1}", "line 3: expected an integer from 0");
        row("broken cost", block + "{\"cost\":1.5}", "found 1.5");
        row("cost beyond", block + "{\"cost\":18446744073709551615}", "expected an integer from 0");
        row("costs beyond", block + "{\"cost\":9223372036854775807}\n{\"cost\":1}",
            "line 4: expected costs with a sum below 2^63 in a block");
        row("vote a number", block + "{\"vote\":1}", "line 3: expected true or false");
        row("a field twice", block + "{\"cost\":1,\"cost\":1}", "one field \"cost\", found two");
        row("more after it", block + "{} {}", "line 3: ");
        row("cut off", block + "{\"reads\":[\"a:1\"", "line 3: ");
        row("garbage kept", block + "{\"x\":[1 2]}", "line 3: ");
        row("bad number kept", block + "{\"x\":01}", "line 3: ");
        row("no UTF-8", block + "{\"id\":\"\xff\"}", "line 3: expected JSON");
        row("half a surrogate", block + "{\"id\":\"\\ud800\"}", "line 3: ");
        row("some transactions", block + "{\"transaction\":1}\n{}\n", "for none");
    }

    void faults_name_the_line() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, says);
        const auto file = read(text.toStdString());
        QVERIFY(!file.ok());
        QCOMPARE(file.error().code, ErrorCode::bad_input);
        const std::string& message = file.error().message;
        QVERIFY2(message.starts_with("test.bloomtrace: line "), message.c_str());
        QVERIFY2(message.find(says.toStdString()) != std::string::npos, message.c_str());
    }

    void any_cut_of_a_file_is_an_error_or_a_shorter_file() {
        std::mt19937_64 random(53);
        for (int round = 0; round < 40; ++round) {
            const std::string text = written(random_file(random));
            for (std::size_t size = 0; size < text.size(); size += 1 + random() % 9) {
                const auto cut = read(text.substr(0, size));
                if (!cut.ok()) continue;
                QVERIFY(difference(*cut, *read(written(*cut))).empty());
            }
        }
    }

    void what_cannot_be_written_is_refused() {
        const auto good = read(header + "{\"block\":{}}\n{\"reads\":[\"a:1\"]}\n");
        QVERIFY(good.ok());
        const auto refused = [&](auto change) {
            TraceFile file = *good;
            auto block = std::make_shared<BlockTrace>(*file.blocks[0]);
            change(file, *block);
            file.blocks[0] = block;
            return !write_bloomtrace(file).ok();
        };
        QVERIFY(!refused([](TraceFile&, BlockTrace&) {}));
        QVERIFY(refused([](TraceFile& file, BlockTrace&) { file.header_extra = "[]"; }));
        QVERIFY(refused([](TraceFile& file, BlockTrace&) { file.header_extra = "{\"a\":}"; }));
        QVERIFY(
            refused([](TraceFile& file, BlockTrace&) { file.header_extra = "{\"chain\":\"b\"}"; }));
        QVERIFY(refused([](TraceFile& file, BlockTrace&) {
            file.block_extra = {"{\"block\":{\"height\":1}}"};
        }));
        QVERIFY(
            refused([](TraceFile& file, BlockTrace&) { file.task_extra = {{"{\"cost\":1}"}}; }));
        QVERIFY(refused([](TraceFile&, BlockTrace& block) { block.chain = "other"; }));
        QVERIFY(refused([](TraceFile&, BlockTrace& block) { block.block.hash = "\xff"; }));
        QVERIFY(refused([](TraceFile&, BlockTrace& block) {
            auto names = std::make_shared<ListedNames>();
            names->names = {"no kind"};
            block.keys = names;
        }));
    }

    void a_stop_is_heard() {
        std::stop_source stop;
        stop.request_stop();
        const auto file = read_bloomtrace(as_bytes(header), "x", stop.get_token());
        QVERIFY(!file.ok());
        QCOMPARE(file.error().code, ErrorCode::cancelled);
    }
};

QTEST_APPLESS_MAIN(TestBloomtrace)
#include "test_bloomtrace.moc"
