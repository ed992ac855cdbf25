// A node that goes on writing while its database is read: what is read stays exact, and the node's
// files are only read.
#include "blocks.h"
#include "headers/waiting.h"
#include "store/metashrew/node_database.h"
#include "store/node_writer.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <iostream>
#include <thread>

using namespace blockloom;
using namespace blockloom::store;
using namespace blockloom::test;

namespace {

constexpr std::uint64_t first = 900'000, begun = 60; ///< blocks before it is read
constexpr int keys = 40;

Hash256 hash_of(std::uint64_t height, bool other = false) {
    return test_hash(fmt::format("{} {}", other ? "other" : "block", height));
}

std::string key_of(int number) {
    return fmt::format("/key/{}", number);
}

bool writes(int number, std::uint64_t height) {
    return (height * 7 + std::uint64_t(number)) % 5 == 0 || number == 0;
}

std::string value_of(int number, std::uint64_t height) {
    return fmt::format("{} of {}", number, height) + std::string(height % 100, 'x');
}

/// The value after a block.
std::optional<std::string> expected(int number, std::uint64_t height) {
    for (std::uint64_t at = height; at >= first; --at)
        if (writes(number, at)) return value_of(number, at);
    return std::nullopt;
}

void write_block(NodeWriter& writer, std::uint64_t height) {
    writer.put(sequence_name, sixteen(height));
    for (int i = 0; i < keys; ++i)
        if (writes(i, height))
            for (int again = 0; again < (i == 0 ? 30 : 1); ++again)
                writer.put(key_of(i), value_of(i, height));
    writer.end_block(height, hash_of(height));
}

/// A node: a word on standard input tells it what to do, a line on standard output that it has.
int be_node(const char* folder, NodeLayout layout) {
    NodeWriter writer(folder, layout);
    std::uint64_t height = first;
    for (; height < first + begun; ++height) {
        write_block(writer, height);
        if (height % 20 == 0) writer.flush();
    }
    std::puts("ready");
    std::fflush(stdout);
    for (std::string word; std::getline(std::cin, word) && word != "quit";) {
        if (word == "blocks") { // every one of them in tables of its own, which are then merged
            for (int i = 0; i < 10; ++i, ++height) {
                write_block(writer, height);
                if (height % 3 == 0) writer.flush();
                if (height % 10 == 0) writer.compact();
            }
        } else if (word ==
                   "cut") { // a rollback that has not got far: the entry is gone, not the count
            const std::string count = *writer.raw(writer.count_name(key_of(0)));
            const std::uint64_t entries = layout == NodeLayout::v9
                                              ? std::stoull(count)
                                              : read_le<std::uint32_t>(as_bytes(count).data());
            writer.erase_raw(writer.entry_name(key_of(0), entries - 1));
        } else if (word == "mend") {
            const std::string count = *writer.raw(writer.count_name(key_of(0)));
            const std::uint64_t entries = layout == NodeLayout::v9
                                              ? std::stoull(count)
                                              : read_le<std::uint32_t>(as_bytes(count).data());
            writer.put_raw(
                writer.entry_name(key_of(0), entries - 1),
                writer.entry_bytes(height - 1, hash_of(height - 1), value_of(0, height - 1)));
        } else if (word == "other") { // the first block is another one
            std::string printed;
            for (const Byte byte : hash_of(first + 10, true))
                printed.insert(printed.begin(), static_cast<char>(byte));
            writer.put_raw(fmt::format("/__INTERNAL/height-to-hash/{}", first + 10), printed);
        }
        std::printf("%llu\n", static_cast<unsigned long long>(height));
        std::fflush(stdout);
    }
    return 0;
}

class Node {
public:
    Node(const std::filesystem::path& folder, NodeLayout layout) {
        process_.start(QCoreApplication::applicationFilePath(),
                       {QStringLiteral("test_running_node"), QStringLiteral("--node"),
                        QString::fromStdString(folder.string()), QString::number(int(layout))});
        read_line();
    }
    ~Node() {
        process_.write("quit\n");
        process_.closeWriteChannel();
        process_.waitForFinished(without_limit);
    }
    void tell(const char* word) { process_.write(QByteArray(word) + '\n'); }
    QByteArray read_line() {
        WAIT_UNTIL(has_line());
        return process_.readLine().trimmed();
    }
    [[nodiscard]] bool has_line() {
        QCoreApplication::processEvents();
        return process_.canReadLine() || process_.state() == QProcess::NotRunning;
    }
    QByteArray ask(const char* word) {
        tell(word);
        return read_line();
    }

private:
    QProcess process_;
};

/// The first difference; empty: none.
std::string differs(const NodeDatabase& database, std::uint64_t height) {
    for (int i = 0; i < keys + 1; ++i) {
        const auto value = database.get(key_of(i), height);
        if (!value) return value.error().message;
        if (*value != (i < keys ? expected(i, height) : std::nullopt))
            return fmt::format("{} at {}: {}", key_of(i), height, value->value_or("absent"));
    }
    return {};
}

/// Absent: files came or went meanwhile.
std::optional<std::string> quiet_fingerprint(const std::filesystem::path& folder) {
    try {
        return fingerprint(folder);
    } catch (const std::filesystem::filesystem_error&) {
        return std::nullopt;
    }
}

} // namespace

class TestRunningNode : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void exact_while_it_writes_data() {
        QTest::addColumn<int>("layout");
        for (const NodeLayout layout : {NodeLayout::v9, NodeLayout::v10})
            QTest::addRow("%s", std::string(text_of(layout)).c_str()) << int(layout);
    }

    void exact_while_it_writes() {
        QFETCH(int, layout);
        QTemporaryDir folder, scratch;
        NodeOptions options;
        options.folder = folder.path().toStdString();
        options.scratch = scratch.path().toStdString();
        Node node(options.folder, NodeLayout(layout));

        // A running node that waits: nothing of it changes.
        // Its database's own threads may still be merging tables, for a while: what the reader
        // changed would differ every time.
        bool same = false;
        for (int attempt = 0; attempt < 50 && !same; ++attempt) {
            const auto before = quiet_fingerprint(options.folder);
            auto database = NodeDatabase::open(options);
            VERIFY_OK(database);
            QVERIFY((*database)->running());
            int folders = 0;
            for (const auto& file : std::filesystem::directory_iterator(options.scratch)) {
                QCOMPARE(file.status().permissions(), std::filesystem::perms::owner_all);
                ++folders;
            }
            QCOMPARE(folders, 1);
            for (std::uint64_t height = first - 1; height < first + begun; ++height)
                QCOMPARE(differs(**database, height), std::string());
            database->reset();
            same = before && quiet_fingerprint(options.folder) == before;
        }
        QVERIFY(same);
        QVERIFY(std::filesystem::is_empty(options.scratch));

        // One that writes, merges tables and deletes the old ones.
        auto database = NodeDatabase::open(options);
        VERIFY_OK(database);
        constexpr std::uint64_t height = first + 33;
        QVERIFY((*database)->stay_at(height, hash_of(height)));
        for (int round = 0; round < 5; ++round) {
            std::atomic<bool> stop = false;
            std::string elsewhere;
            std::jthread other([&] {
                while (!stop && elsewhere.empty()) elsewhere = differs(**database, height - 20);
            });
            node.tell("blocks");
            std::string here;
            do here = differs(**database, height);
            while (here.empty() && !node.has_line());
            stop = true;
            other.join();
            QCOMPARE(here, std::string());
            QCOMPARE(elsewhere, std::string());
            QVERIFY(node.read_line().toULongLong() > first + begun);
        }
        // Opened anew, there is more.
        auto later = NodeDatabase::open(options);
        VERIFY_OK(later);
        const auto tip = (*later)->tip(), old = (*database)->tip();
        VERIFY_OK(tip);
        VERIFY_OK(old);
        QCOMPARE(*old, first + begun - 1);
        QCOMPARE(*tip, first + begun + 49);
        for (std::uint64_t at = first; at <= *tip; ++at)
            QCOMPARE(differs(**later, at), std::string());
    }

    /// Where a rollback is under way when the database is opened: caught up, and read again.
    void a_rollback_ends() {
        QTemporaryDir folder, scratch;
        NodeOptions options;
        options.folder = folder.path().toStdString();
        options.scratch = scratch.path().toStdString();
        Node node(options.folder, NodeLayout::v9);
        constexpr std::uint64_t last = first + begun - 1, height = first + 10;
        node.ask("cut");
        auto database = NodeDatabase::open(options);
        VERIFY_OK(database);
        QVERIFY((*database)->stay_at(height, hash_of(height)));
        const auto cut = (*database)->get(key_of(0), last);
        QVERIFY(!cut);
        QVERIFY2(cut.error().message.find("rollback") != std::string::npos,
                 cut.error().message.c_str());
        node.ask("mend");
        const auto mended = (*database)->get(key_of(0), last);
        VERIFY_OK(mended);
        QVERIFY(*mended == value_of(0, last));

        // The node leaves our block while we catch up: never a mixture of two branches.
        node.ask("cut");
        auto again = NodeDatabase::open(options);
        VERIFY_OK(again);
        QVERIFY((*again)->stay_at(height, hash_of(height)));
        node.ask("other");
        node.ask("mend");
        const auto left = (*again)->get(key_of(0), last);
        QVERIFY(!left);
        QVERIFY2(left.error().message.find("followed another branch") != std::string::npos,
                 left.error().message.c_str());
        auto fresh = NodeDatabase::open(options);
        VERIFY_OK(fresh);
        QVERIFY(!(*fresh)->stay_at(height, hash_of(height)));
        QVERIFY((*fresh)->stay_at(height, hash_of(height, true)));
    }
};

int main(int argc, char** argv) {
    if (argc == 4 && argv[1] == std::string("--node"))
        return be_node(argv[2], NodeLayout(std::stoi(argv[3])));
    const QCoreApplication app(argc, argv);
    TestRunningNode test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_running_node.moc"
