// Databases of indexers in all four layouts: every value at every height, or a refusal; nothing of
// them changes.
#include "blocks.h"
#include "store/metashrew/node_database.h"
#include "store/metashrew/read_only_files.h"
#include "store/node_writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <random>

using namespace blockloom;
using namespace blockloom::store;
using namespace blockloom::test;

namespace {

constexpr NodeLayout layouts[] = {NodeLayout::v8, NodeLayout::v9, NodeLayout::v9_hashes,
                                  NodeLayout::v10};
constexpr std::uint64_t first = 892'600;

std::string bytes(const char* hex) {
    const auto found = from_hex(hex);
    return std::string(found->begin(), found->end());
}

Hash256 hash_of(std::uint64_t height) {
    return test_hash(fmt::format("block {}", height));
}

/// The error, or empty where there is none.
template <typename T> std::string failure(const Result<T>& result) {
    return result ? std::string() : result.error().message;
}

class Folder {
public:
    [[nodiscard]] std::filesystem::path path(const char* name = "node") const {
        return std::filesystem::path(folder_.path().toStdString()) / name;
    }
    [[nodiscard]] NodeOptions options() const {
        return {.folder = path(), .fork = {}, .label = {}, .scratch = {}};
    }

private:
    QTemporaryDir folder_;
};

/// What a key should be at heights: its writes, in order.
using History = std::map<std::string, std::vector<std::pair<std::uint64_t, std::string>>>;

std::optional<std::string> expected(const History& history, const std::string& key,
                                    std::uint64_t height) {
    std::optional<std::string> value;
    const auto found = history.find(key);
    if (found != history.end())
        for (const auto& [at, bytes] : found->second)
            if (at <= height) value = bytes;
    return value && !value->empty() ? value : std::nullopt;
}

/// Random writes of `blocks` blocks: keys that are written once, often, several times in a block;
/// empty values; keys that begin like others.
History write_history(NodeWriter& writer, std::uint64_t blocks, unsigned seed) {
    std::mt19937 random(seed);
    History history;
    const auto put = [&](const std::string& key, std::uint64_t height, const std::string& value) {
        writer.put(key, value);
        history[key].emplace_back(height, value);
    };
    for (std::uint64_t height = first; height < first + blocks; ++height) {
        put(std::string(sequence_name), height, sixteen(height));
        for (int i = 0; i < 12; ++i) {
            const std::string key = fmt::format("/key/{}", random() % (i < 6 ? 3 : 60));
            const std::size_t size = random() % 5 == 0 ? 0 : random() % 50;
            std::string value;
            for (std::size_t k = 0; k < size; ++k) value += static_cast<char>(random());
            put(key, height, value);
            if (random() % 3 == 0) put(key + "/length", height, four(random()));
            if (random() % 3 == 0) put(key, height, value);
        }
        writer.end_block(height, hash_of(height));
    }
    return history;
}

void compare_everywhere(const NodeDatabase& database, const History& history,
                        std::uint64_t blocks) {
    for (std::uint64_t height = first - 1; height < first + blocks; ++height)
        for (int number = 0; number < 62; ++number)
            for (const char* end : {"", "/length", "/no"}) {
                const std::string key = fmt::format("/key/{}{}", number, end);
                const auto value = database.get(key, height);
                VERIFY_OK(value);
                QVERIFY2(*value == expected(history, key, height),
                         fmt::format("{} at {}", key, height).c_str());
            }
}

} // namespace

class TestNodeDatabase : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// The bytes that docs/metashrew.md gives, key for key.
    void documented_bytes_are_read_data() {
        QTest::addColumn<QByteArray>("count_end");
        QTest::addColumn<QByteArray>("count");
        QTest::addColumn<QByteArray>("entry_end");
        QTest::addColumn<QByteArray>("entry");
        QTest::addColumn<QByteArray>("zero");
        QTest::addColumn<QByteArray>("older");
        QTest::addColumn<QByteArray>("sequence_entry");
        QTest::addColumn<int>("layout");
        QTest::newRow("v9") << QByteArray("2f6c656e677468") << QByteArray("32")
                            << QByteArray("2f31")
                            << QByteArray::fromStdString(
                                   to_hex(as_bytes("892614:15cd5b07000000000000000000000000")))
                            << QByteArray("2f30")
                            << QByteArray::fromStdString(
                                   to_hex(as_bytes("892600:01000000000000000000000000000000")))
                            << QByteArray::fromStdString(
                                   to_hex(as_bytes("880000:01000000000000000000000000000000")))
                            << int(NodeLayout::v9);
        QTest::newRow("v10") << QByteArray("2f6c656e677468") << QByteArray("02000000")
                             << QByteArray("2f31")
                             << QByteArray("c69e0d0015cd5b07000000000000000000000000")
                             << QByteArray("2f30")
                             << QByteArray("b89e0d0001000000000000000000000000000000")
                             << QByteArray("806d0d0001000000000000000000000000000000")
                             << int(NodeLayout::v10);
        QTest::newRow("v8") << QByteArray("ffffffff") << QByteArray("02000000")
                            << QByteArray("01000000")
                            << QByteArray("15cd5b07000000000000000000000000c69e0d00")
                            << QByteArray("00000000")
                            << QByteArray("01000000000000000000000000000000b89e0d00")
                            << QByteArray("01000000000000000000000000000000806d0d00")
                            << int(NodeLayout::v8);
    }
    void documented_bytes_are_read() {
        QFETCH(QByteArray, count_end);
        QFETCH(QByteArray, count);
        QFETCH(QByteArray, entry_end);
        QFETCH(QByteArray, entry);
        QFETCH(QByteArray, zero);
        QFETCH(QByteArray, older);
        QFETCH(QByteArray, sequence_entry);
        QFETCH(int, layout);
        const std::string key =
            bytes("2f616c6b616e65732f02000000000000000000000000000000"
                  "000000000000000000000000000000002f73746f726167652f2f746f74616c737570706c79");
        const Folder folder;
        {
            NodeWriter writer(folder.path(), NodeLayout::v9);
            const std::string sequence(sequence_name);
            writer.put_raw(sequence + bytes(count_end),
                           layout == int(NodeLayout::v9) ? "1" : four(1));
            writer.put_raw(sequence + bytes(zero), bytes(sequence_entry));
            writer.put_raw(key + bytes(count_end), bytes(count));
            writer.put_raw(key + bytes(zero), bytes(older));
            writer.put_raw(key + bytes(entry_end), bytes(entry));
        }
        const auto database = NodeDatabase::open(folder.options());
        VERIFY_OK(database);
        QCOMPARE(int((*database)->layout()), layout);
        const auto now = (*database)->get(key, 892'614), before = (*database)->get(key, 892'613),
                   earlier = (*database)->get(key, 892'599);
        VERIFY_OK(now);
        VERIFY_OK(before);
        VERIFY_OK(earlier);
        QVERIFY(*now == sixteen(123'456'789));
        QVERIFY(*before == sixteen(1));
        QVERIFY(!*earlier);
    }

    void values_at_every_height_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("compression");
        QTest::addColumn<QString>("options");
        for (const NodeLayout layout : layouts)
            for (const char* label : {"", "mainnet"})
                QTest::addRow("%s %s", std::string(text_of(layout)).c_str(), label)
                    << int(layout) << label << "snappy" << QString();
        for (const char* options : {"defaults", "dynamic levels", "point lookup", "partitions",
                                    "ribbon", "crc32c", "xxhash64", "dictionary"})
            QTest::addRow("options %s", options) << int(NodeLayout::v9) << ""
                                                 << "snappy" << QString::fromLatin1(options);
        for (const char* compression : {"none", "lz4", "zstd", "zlib", "bzip2"})
            QTest::addRow("tables %s", compression)
                << int(NodeLayout::v9) << "" << compression << QString();
    }
    void values_at_every_height() {
        QFETCH(int, layout);
        QFETCH(QString, label);
        QFETCH(QString, compression);
        QFETCH(QString, options);
        const Folder folder;
        constexpr std::uint64_t blocks = 40;
        History history;
        {
            const QByteArray name = compression.toUtf8(), of_writer = options.toUtf8();
            NodeTables tables;
            tables.options = of_writer.constData();
            tables.compression = name.constData();
            tables.bloom = compression != QStringLiteral("snappy");
            tables.block_bytes = tables.bloom ? 256 * 1024 : 512;
            NodeWriter writer(folder.path(), NodeLayout(layout), label.toStdString(), tables);
            history = write_history(writer, blocks, 7);
            writer.flush();
            if (options == QStringLiteral("dynamic levels")) writer.compact();
        }
        NodeOptions where = folder.options();
        where.label = label.toStdString();
        const auto database = NodeDatabase::open(where);
        VERIFY_OK(database);
        QCOMPARE(int((*database)->layout()), layout);
        QVERIFY(!(*database)->running());
        const auto tip = (*database)->tip();
        VERIFY_OK(tip);
        QCOMPARE(*tip, first + blocks - 1);
        const auto hash = (*database)->block_hash(first + 3);
        VERIFY_OK(hash);
        QVERIFY(*hash == hash_of(first + 3));
        compare_everywhere(**database, history, blocks);
        if (QTest::currentTestFailed()) return;
        QVERIFY((*database)->disordered().empty());
        // The list of what a block wrote.
        for (const std::uint64_t height : {first, first + 17, first + blocks - 1}) {
            const auto written = (*database)->written_at(height);
            VERIFY_OK(written);
            QVERIFY(written->has_value());
            std::vector<std::string> keys;
            for (const auto& [key, writes] : history)
                for (const auto& [at, value] : writes)
                    if (at == height && (keys.empty() || keys.back() != key)) keys.push_back(key);
            QVERIFY(**written == keys);
        }
        const auto key = (*database)->first_from("/key/1");
        VERIFY_OK(key);
        QVERIFY(key->has_value() && (*key)->starts_with("/key/1"));
    }

    /// An entry below the length is never absence.
    void a_missing_entry_is_an_error_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<int>("missing");
        for (const NodeLayout layout : layouts)
            for (const int missing : {0, 4, 9})
                QTest::addRow("%s entry %d", std::string(text_of(layout)).c_str(), missing)
                    << int(layout) << missing;
    }
    void a_missing_entry_is_an_error() {
        QFETCH(int, layout);
        QFETCH(int, missing);
        const Folder folder;
        {
            NodeWriter writer(folder.path(), NodeLayout(layout));
            for (std::uint64_t i = 0; i < 10; ++i) {
                writer.put(sequence_name, sixteen(i));
                writer.put("/key", four(i));
                writer.end_block(first + i, hash_of(first + i));
            }
            writer.erase_raw(writer.entry_name("/key", std::uint64_t(missing)));
        }
        const auto database = NodeDatabase::open(folder.options());
        VERIFY_OK(database);
        int errors = 0;
        for (std::uint64_t height = first; height < first + 10; ++height) {
            const auto value = (*database)->get("/key", height);
            if (value) {
                QVERIFY(*value == four(height - first));
                continue;
            }
            ++errors;
            const std::string& text = value.error().message;
            QVERIFY2(text.find("rollback is in progress") != std::string::npos, text.c_str());
            QVERIFY2(text.find(folder.path().string()) == 0, text.c_str());
        }
        QVERIFY(errors > 0);
        QVERIFY(!(*database)->get("/key", first + std::uint64_t(missing)));
    }

    void malformed_chains_are_errors_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<QByteArray>("count");
        QTest::addColumn<QByteArray>("entry");
        const auto row = [](const char* name, NodeLayout layout, const char* count,
                            const char* entry) {
            QTest::addRow("%s: %s", std::string(text_of(layout)).c_str(), name)
                << int(layout) << QByteArray(count) << QByteArray(entry);
        };
        row("no number", NodeLayout::v9, "x", "");
        row("empty number", NodeLayout::v9, "", "");
        row("negative number", NodeLayout::v9, "-1", "");
        row("too large a number", NodeLayout::v9, "99999999999999999999", "");
        row("more entries than there can be", NodeLayout::v9, "4294967297", "");
        row("no colon", NodeLayout::v9, "1", "892600");
        row("no height", NodeLayout::v9, "1", ":00");
        row("odd digits", NodeLayout::v9, "1", "892600:000");
        row("no digits", NodeLayout::v9, "1", "892600:0g");
        row("two parts", NodeLayout::v9_hashes, "1", "892600:00");
        row("short hash", NodeLayout::v9_hashes, "1", "892600:00112233:00");
        row("count of 3 bytes", NodeLayout::v8, "abc", "");
        row("count of 5 bytes", NodeLayout::v10, "abcde", "");
    }
    void malformed_chains_are_errors() {
        QFETCH(int, layout);
        QFETCH(QByteArray, count);
        QFETCH(QByteArray, entry);
        const Folder folder;
        {
            NodeWriter writer(folder.path(), NodeLayout(layout));
            writer.put(sequence_name, sixteen(1));
            writer.end_block(first, hash_of(first));
            writer.put_raw(writer.count_name("/key"), count.toStdString());
            writer.put_raw(writer.entry_name("/key", 0), entry.toStdString());
        }
        const auto database = NodeDatabase::open(folder.options());
        VERIFY_OK(database);
        const auto value = (*database)->get("/key", first);
        QVERIFY(!value);
        QVERIFY2(value.error().message.find("expected") != std::string::npos,
                 value.error().message.c_str());
    }

    /// Version 9.0.2 writes the values of a block before it writes that the block is there.
    void a_half_written_block_is_not_seen_data() { layouts_only(); }
    void a_half_written_block_is_not_seen() {
        QFETCH(int, layout);
        const Folder folder;
        {
            NodeWriter writer(folder.path(), NodeLayout(layout));
            for (const std::uint64_t i : {0, 1, 2}) {
                writer.put(sequence_name, sixteen(i));
                writer.put("/key", four(i));
                writer.end_block(first + i, hash_of(first + i), i == 2);
            }
            std::string printed;
            for (const Byte byte : hash_of(first + 2))
                printed.insert(printed.begin(), static_cast<char>(byte));
            writer.put_raw(fmt::format("/__INTERNAL/height-to-hash/{}", first + 2), printed);
        }
        const auto database = NodeDatabase::open(folder.options());
        VERIFY_OK(database);
        const auto tip = (*database)->tip();
        VERIFY_OK(tip);
        QCOMPARE(*tip, first + 1);
        const auto value = (*database)->get("/key", first + 1);
        VERIFY_OK(value);
        QVERIFY(*value == four(1));
        // Nobody gets the state after it.
        QVERIFY(!(*database)->stay_at(first + 2, {}));
        QVERIFY((*database)->stay_at(first + 1, hash_of(first + 1)));
    }

    /// Entries of blocks that were replaced stay in the chains: what was written last counts.
    void a_reorganisation_that_left_entries_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<int>("often");
        QTest::addColumn<int>("depth");
        for (const NodeLayout layout : layouts)
            for (const int often : {1, 3, 100})
                for (const int depth : {1, 2, 5})
                    QTest::addRow("%s, %d blocks, %d times each",
                                  std::string(text_of(layout)).c_str(), depth, often)
                        << int(layout) << often << depth;
    }
    void a_reorganisation_that_left_entries() {
        QFETCH(int, layout);
        QFETCH(int, often);
        QFETCH(int, depth);
        const Folder folder;
        constexpr std::uint64_t fork = first + 10, last = first + 30;
        const auto other = [](std::uint64_t height) {
            return test_hash(fmt::format("other {}", height));
        };
        const auto value_of = [](std::uint64_t height, int i, bool orphan) {
            return fmt::format("{} {} {}", height, i, orphan);
        };
        {
            NodeWriter writer(folder.path(), NodeLayout(layout));
            const auto block = [&](std::uint64_t height, bool orphan) {
                writer.put(sequence_name, sixteen(height));
                for (int i = 0; i < often; ++i) writer.put("/hot", value_of(height, i, orphan));
                if (orphan) writer.put("/orphan", "left");
                writer.end_block(height, orphan ? other(height) : hash_of(height));
            };
            for (std::uint64_t height = first; height <= fork; ++height) block(height, false);
            for (std::uint64_t height = fork + 1; height <= fork + std::uint64_t(depth); ++height)
                block(height, true);
            if (NodeLayout(layout) == NodeLayout::v9_hashes)
                writer.put_raw("/__INTERNAL/reorg-height", four(fork + 1));
            for (std::uint64_t height = fork + 1; height <= last; ++height) block(height, false);
        }
        const auto database = NodeDatabase::open(folder.options());
        VERIFY_OK(database);
        for (std::uint64_t height = first; height <= last; ++height) {
            const auto value = (*database)->get("/hot", height);
            VERIFY_OK(value);
            QVERIFY2(*value == value_of(height, often - 1, false),
                     fmt::format("at {}: {}", height, value->value_or("absent")).c_str());
        }
        // One block deep, every chain is still in order: two sets of one height.
        if (depth > 1) {
            QVERIFY((*database)->disordered() ==
                    std::vector<std::string>{to_hex(as_bytes("/hot"))});
        }
        // What only a replaced block has written stays, but where hashes tell.
        const auto orphan = (*database)->get("/orphan", last);
        VERIFY_OK(orphan);
        QCOMPARE(orphan->has_value(), NodeLayout(layout) != NodeLayout::v9_hashes);
    }

    void a_fork_folder_has_the_rest_data() { layouts_only(); }
    void a_fork_folder_has_the_rest() {
        QFETCH(int, layout);
        const Folder folder;
        constexpr std::uint64_t split = 5, end = 9;
        {
            NodeWriter old(folder.path("old"), NodeLayout(layout));
            for (std::uint64_t i = 0; i < split; ++i) {
                old.put(sequence_name, sixteen(i));
                old.put("/key", four(i));
                old.put("/old", four(i));
                old.end_block(first + i, hash_of(first + i));
            }
            NodeWriter fresh(folder.path(), NodeLayout(layout));
            fresh.continue_at(sequence_name, split);
            fresh.continue_at("/key", split);
            for (std::uint64_t i = split; i < end; ++i) {
                fresh.put(sequence_name, sixteen(i));
                fresh.put("/key", four(i));
                fresh.put("/new", four(i));
                fresh.end_block(first + i, hash_of(first + i));
            }
        }
        NodeOptions options = folder.options();
        QVERIFY(!NodeDatabase::open(options)); // the first entry of the sequence is in the other
        options.fork = folder.path("old");
        const auto database = NodeDatabase::open(options);
        VERIFY_OK(database);
        for (std::uint64_t i = 0; i < end; ++i) {
            const auto key = (*database)->get("/key", first + i),
                       old = (*database)->get("/old", first + i),
                       fresh = (*database)->get("/new", first + i);
            VERIFY_OK(key);
            VERIFY_OK(old);
            VERIFY_OK(fresh);
            QVERIFY(*key == four(i));
            QVERIFY(*old == four(std::min(i, split - 1)));
            QCOMPARE(fresh->has_value(), i >= split);
            const auto hash = (*database)->block_hash(first + i);
            VERIFY_OK(hash);
            QVERIFY(*hash == hash_of(first + i));
        }
        const auto tip = (*database)->tip();
        VERIFY_OK(tip);
        QCOMPARE(*tip, first + end - 1);
    }

    void what_is_refused() {
        const Folder folder;
        const auto refused = [&](const NodeOptions& options, const char* words) {
            const std::string text = failure(NodeDatabase::open(options));
            QVERIFY2(text.find(words) != std::string::npos, text.c_str());
        };
        refused(folder.options(), "found no file CURRENT");
        std::filesystem::create_directories(folder.path());
        refused(folder.options(), "found no file CURRENT");
        {
            NodeWriter writer(folder.path(), NodeLayout::v9);
            writer.put_raw("current:/alkanes/sequence", "1");
        }
        refused(folder.options(), "9.0.0-rc1");
        {
            NodeWriter writer(folder.path(), NodeLayout::v9, "right");
            writer.put(sequence_name, sixteen(1));
            writer.end_block(first, hash_of(first));
        }
        NodeOptions options = folder.options();
        refused(options, "the label may be wrong");
        options.label = "wrong";
        refused(options, "label wrong");
        options.label = "right";
        const auto database = NodeDatabase::open(options);
        VERIFY_OK(database);
        const auto stay = [&](std::uint64_t height, const Hash256& hash) {
            return failure((*database)->stay_at(height, hash));
        };
        QVERIFY(stay(first, hash_of(first)).empty());
        QVERIFY(stay(first + 1, hash_of(first + 1)).find("found no hash") != std::string::npos);
        QVERIFY(stay(first, hash_of(1)).find("indexed another branch") != std::string::npos);
        options.fork = folder.path("absent");
        refused(options, "found no file CURRENT");
        // A table that this version of RocksDB cannot read, or that is damaged.
        {
            NodeWriter writer(folder.path("broken"), NodeLayout::v9);
            writer.put(sequence_name, sixteen(1));
            writer.end_block(first, hash_of(first));
            writer.flush();
        }
        for (const auto& file : std::filesystem::directory_iterator(folder.path("broken")))
            if (file.path().extension() == ".sst")
                std::filesystem::resize_file(file.path(), file.file_size() - 8);
        options = folder.options();
        options.folder = folder.path("broken");
        refused(options, "written by a version of RocksDB that this one");
    }

    /// Tables of a RocksDB that is newer than the one here: the refusal names the table and its
    /// version, and nothing is changed or taken for absent.
    void tables_of_a_newer_format_data() {
        QTest::addColumn<unsigned>("version");
        for (const unsigned version : {6U, 7U, 1000U}) QTest::addRow("%u", version) << version;
    }
    void tables_of_a_newer_format() {
        QFETCH(unsigned, version);
        const Folder folder;
        {
            NodeWriter writer(folder.path(), NodeLayout::v9);
            writer.put(sequence_name, sixteen(1));
            writer.end_block(first, hash_of(first));
            writer.flush();
        }
        std::string name;
        for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
            if (file.path().extension() != ".sst") continue;
            QVERIFY(name.empty());
            name = file.path().filename().string();
            std::fstream table(file.path(), std::ios::in | std::ios::out | std::ios::binary);
            char found[4] = {};
            table.seekg(-12, std::ios::end).read(found, 4); // before the number of the format
            QVERIFY(std::string(found, 4) == four(5));
            table.seekp(-12, std::ios::end).write(four(version).data(), 4);
        }
        QVERIFY(!name.empty());
        const std::string before = fingerprint(folder.path());
        for (const auto access : {NodeOptions::Access::stopped, NodeOptions::Access::running}) {
            NodeOptions options = folder.options();
            options.access = access;
            options.scratch = folder.path().parent_path();
            const std::string text = failure(NodeDatabase::open(options));
            const std::string says = fmt::format("table {} has format version {}", name, version);
            QVERIFY2(text.find(says) != std::string::npos, text.c_str());
            QVERIFY2(text.find(folder.path().string()) != std::string::npos, text.c_str());
        }
        QVERIFY(fingerprint(folder.path()) == before);
    }

    /// Files of a stopped node: the same before and after, down to their times.
    void nothing_changes_data() {
        QTest::addColumn<int>("layout");
        QTest::addColumn<bool>("flushed");
        for (const NodeLayout layout : layouts)
            for (const bool flushed : {false, true})
                QTest::addRow("%s %s", std::string(text_of(layout)).c_str(),
                              flushed ? "in tables" : "in the log")
                    << int(layout) << flushed;
    }
    void nothing_changes() {
        QFETCH(int, layout);
        QFETCH(bool, flushed);
        const Folder folder;
        History history;
        {
            NodeWriter writer(folder.path(), NodeLayout(layout));
            history = write_history(writer, 15, 3);
            if (flushed) writer.flush();
        }
        const std::string before = fingerprint(folder.path());
        for (const auto access : {NodeOptions::Access::automatic, NodeOptions::Access::running}) {
            NodeOptions options = folder.options();
            options.access = access;
            options.scratch = folder.path().parent_path();
            const auto database = NodeDatabase::open(options);
            VERIFY_OK(database);
            QCOMPARE((*database)->running(), access == NodeOptions::Access::running);
            compare_everywhere(**database, history, 15);
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(fingerprint(folder.path()) == before);
        // No scratch folder is left either.
        for (const auto& file : std::filesystem::directory_iterator(folder.path().parent_path()))
            QCOMPARE(file.path().filename().string(), std::string("node"));
    }

    void no_scratch_folder_inside_the_node() {
        const Folder folder;
        {
            NodeWriter writer(folder.path(), NodeLayout::v9);
            writer.put(sequence_name, sixteen(1));
            writer.end_block(first, hash_of(first));
        }
        std::filesystem::create_directory(folder.path() / "inside");
        const std::string before = fingerprint(folder.path());
        NodeOptions options = folder.options();
        options.access = NodeOptions::Access::running;
        for (const char* inside : {"", "inside", "inside/../inside"}) {
            options.scratch = folder.path() / inside;
            const std::string text = failure(NodeDatabase::open(options));
            QVERIFY2(text.find("expected a scratch folder outside") != std::string::npos,
                     text.c_str());
        }
        QVERIFY(fingerprint(folder.path()) == before);
    }

    /// Whatever RocksDB asks of it.
    void the_file_system_changes_nothing_of_others() {
        const Folder folder;
        const std::filesystem::path own = folder.path("own"), others = folder.path("others");
        for (const auto& path : {own, others}) {
            std::filesystem::create_directory(path);
            std::ofstream(path / "file") << "content";
        }
        std::filesystem::create_directory(folder.path("own-too"));
        const auto files = read_only_files(own);
        const rocksdb::FileOptions how;
        const rocksdb::IOOptions io;
        std::unique_ptr<rocksdb::FSWritableFile> written;
        std::unique_ptr<rocksdb::FSRandomRWFile> both;
        std::unique_ptr<rocksdb::MemoryMappedFileBuffer> mapped;
        std::shared_ptr<rocksdb::Logger> log;
        rocksdb::FileLock* lock = nullptr;
        const std::string before = fingerprint(folder.path().parent_path());
        for (const std::string& place :
             {others.string(), (own / ".." / "others").string(), folder.path("own-too").string()}) {
            const std::string file = place + "/file", fresh = place + "/new";
            QVERIFY(!files->NewWritableFile(file, how, &written, nullptr).ok());
            QVERIFY(!files->ReopenWritableFile(file, how, &written, nullptr).ok());
            QVERIFY(!files->ReuseWritableFile(fresh, file, how, &written, nullptr).ok());
            QVERIFY(!files->ReuseWritableFile((own / "new").string(), file, how, &written, nullptr)
                         .ok());
            QVERIFY(!files->NewRandomRWFile(file, how, &both, nullptr).ok());
            QVERIFY(!files->NewMemoryMappedFileBuffer(file, &mapped).ok());
            QVERIFY(!files->DeleteFile(file, io, nullptr).ok());
            QVERIFY(!files->Truncate(file, 1, io, nullptr).ok());
            QVERIFY(!files->CreateDir(fresh, io, nullptr).ok());
            QVERIFY(!files->CreateDirIfMissing(fresh, io, nullptr).ok());
            QVERIFY(files->CreateDirIfMissing(place, io, nullptr).ok()); // it is there
            QVERIFY(!files->DeleteDir(place, io, nullptr).ok());
            QVERIFY(!files->RenameFile(file, (own / "new").string(), io, nullptr).ok());
            QVERIFY(!files->RenameFile((own / "file").string(), fresh, io, nullptr).ok());
            QVERIFY(!files->LinkFile(file, (own / "new").string(), io, nullptr).ok());
            QVERIFY(!files->LinkFile((own / "file").string(), fresh, io, nullptr).ok());
            QVERIFY(!files->LockFile(file, io, &lock, nullptr).ok());
            QVERIFY(!files->NewLogger(fresh, io, &log, nullptr).ok());
        }
        QVERIFY(fingerprint(folder.path().parent_path()) == before);
        QVERIFY(files->NewWritableFile((own / "new").string(), how, &written, nullptr).ok());
        QVERIFY(files->CreateDir((own / "folder").string(), io, nullptr).ok());
        const auto nothing = read_only_files({});
        QVERIFY(!nothing->NewWritableFile((own / "other").string(), how, &written, nullptr).ok());
    }

private:
    static void layouts_only() {
        QTest::addColumn<int>("layout");
        for (const NodeLayout layout : layouts)
            QTest::addRow("%s", std::string(text_of(layout)).c_str()) << int(layout);
    }
};

QTEST_GUILESS_MAIN(TestNodeDatabase)
#include "test_node_database.moc"
