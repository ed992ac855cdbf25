// Files of a machine that others use too: they shrink, are links, FIFOs and devices, and writing
// fails half-way.
#include "base/file.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <future>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace blockloom;
namespace fs = std::filesystem;

namespace {

class Folder {
public:
    [[nodiscard]] fs::path operator/(const std::string& name) const {
        return fs::path(folder_.path().toStdString()) / name;
    }
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_.path().toStdString()))
            found.insert(entry.path().filename().string());
        return found;
    }

private:
    QTemporaryDir folder_;
};

void put(const fs::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

std::string text_of(const fs::path& path) {
    const auto content = FileContent::read(path);
    if (!content) return "error: " + content.error().message;
    return {content->bytes().begin(), content->bytes().end()};
}

bool contains(const Error& error, const std::string& words) {
    return error.message.find(words) != std::string::npos;
}

} // namespace

class TestFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void a_file_that_shrinks_is_an_error() {
        const Folder folder;
        put(folder / "x", std::string(100'000, 'x'));
        const auto file = OpenFile::open(folder / "x");
        QVERIFY(file.ok());
        QVERIFY(file->read(60'000, 1'000).ok());
        fs::resize_file(folder / "x", 60'500);
        const auto cut = file->read(60'000, 1'000);
        QVERIFY(!cut.ok());
        QVERIFY2(contains(cut.error(), "was truncated"), cut.error().message.c_str());
        QVERIFY(file->read(0, 60'500).ok());
    }

    void what_was_read_outlives_the_file() {
        const Folder folder;
        put(folder / "x", std::string(100'000, 'x'));
        const auto content = FileContent::read(folder / "x");
        QVERIFY(content.ok());
        fs::resize_file(folder / "x", 0);
        QCOMPARE(std::count(content->bytes().begin(), content->bytes().end(), Byte{'x'}),
                 std::ptrdiff_t{100'000});
    }

    void what_is_no_regular_file_is_refused_at_once() {
        const Folder folder;
        const fs::path fifo = folder / "fifo", link = folder / "link";
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        fs::create_symlink(fifo, link);
        for (const fs::path& path : {fifo, link}) {
            const auto refused = FileContent::read(path);
            QVERIFY(!refused.ok());
            QVERIFY2(contains(refused.error(), path.string() + ": expected a regular file, found "
                                                               "a FIFO or pipe"),
                     refused.error().message.c_str());
        }
        QVERIFY(contains(FileContent::read("/dev/zero").error(), "found a device"));
        QVERIFY(contains(FileContent::read("/").error(), "found a folder"));
    }

    void a_file_that_claims_too_much_is_refused() {
        const Folder folder;
        put(folder / "x", "x");
        fs::resize_file(folder / "x", std::uintmax_t{1} << 40);
        QVERIFY(contains(FileContent::read(folder / "x").error(), "expected a file of at most"));
        put(folder / "y", "four");
        QVERIFY(FileContent::read(folder / "y", 4).ok());
        QVERIFY(!FileContent::read(folder / "y", 3).ok());
        // A size that no memory holds is an error, not an exception.
        const auto file = OpenFile::open(folder / "x");
        QVERIFY(file.ok());
        QVERIFY(contains(file->read(0, std::uint64_t{1} << 62).error(), "not enough memory"));
    }

    void a_file_that_claims_nothing_is_read() {
        QVERIFY(text_of("/proc/self/status").starts_with("Name:"));
    }

    void holes_are_skipped() {
        const Folder folder;
        put(folder / "x", "x");
        fs::resize_file(folder / "x", 1 << 30);
        const auto file = OpenFile::open(folder / "x");
        QVERIFY(file.ok());
        const std::uint64_t next = file->next_stored(1 << 20);
        QVERIFY(next == file->size() || next == 1 << 20); // the latter where holes are not known
        QCOMPARE(file->next_stored(0), std::uint64_t{0});
    }

    void a_file_is_replaced_whole_and_keeps_its_mode() {
        const Folder folder;
        const fs::path path = folder / "x";
        QVERIFY(write_file(path, as_bytes("one")).ok());
        fs::permissions(path, fs::perms(0640));
        const auto old = OpenFile::open(path);
        QVERIFY(old.ok());
        QVERIFY(write_file(path, as_bytes("second")).ok());
        QCOMPARE(text_of(path), std::string("second"));
        QVERIFY(fs::status(path).permissions() == fs::perms(0640));
        const auto before = old->read(0, 3); // who had it open still has the old one
        QVERIFY(before.ok() && before->bytes()[0] == 'o');
        QCOMPARE(folder.names(), std::set<std::string>{"x"});
    }

    void a_link_stays_and_what_it_names_is_replaced() {
        const Folder folder;
        put(folder / "target", "old");
        fs::create_directory(folder / "sub");
        fs::create_symlink("target", folder / "one");
        fs::create_symlink("../one", folder / "sub/two");
        fs::create_symlink("not there", folder / "dangling");
        QVERIFY(write_file(folder / "sub/two", as_bytes("new")).ok());
        QVERIFY(fs::is_symlink(folder / "sub/two") && fs::is_symlink(folder / "one"));
        QVERIFY(!fs::is_symlink(folder / "target"));
        QCOMPARE(text_of(folder / "target"), std::string("new"));
        QVERIFY(write_file(folder / "dangling", as_bytes("made")).ok());
        QVERIFY(fs::is_symlink(folder / "dangling"));
        QCOMPARE(text_of(folder / "not there"), std::string("made"));
        fs::create_symlink("loop", folder / "loop");
        QVERIFY(!write_file(folder / "loop", as_bytes("x")).ok());
    }

    void nobody_can_lie_in_wait_for_the_temporary_name() {
        const Folder folder;
        put(folder / "victim", "mine");
        // The name of old, and every name that is there when writing begins.
        fs::create_symlink("victim", folder / ("x." + std::to_string(::getpid()) + ".tmp"));
        QVERIFY(write_file(folder / "x", as_bytes("content")).ok());
        QCOMPARE(text_of(folder / "victim"), std::string("mine"));
        QCOMPARE(folder.names().size(), std::size_t{3});
    }

    void names_of_any_length_that_the_system_takes() {
        const Folder folder;
        for (const std::size_t length : {1u, 250u, 251u, 255u}) {
            const fs::path path = folder / std::string(length, 'n');
            QVERIFY(write_file(path, as_bytes("x")).ok());
            QCOMPARE(text_of(path), std::string("x"));
        }
        QVERIFY(!write_file(folder / std::string(256, 'n'), as_bytes("x")).ok());
    }

    void a_fifo_is_written_to() {
        const Folder folder;
        const fs::path fifo = folder / "fifo";
        QCOMPARE(::mkfifo(fifo.c_str(), 0600), 0);
        const std::string content(1'000'000, 'c'); // more than a pipe holds
        auto reader = std::async(std::launch::async, [&] {
            std::ifstream stream(fifo);
            return std::string(std::istreambuf_iterator<char>(stream), {});
        });
        const Status written = write_file(fifo, as_bytes(content));
        QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
        QCOMPARE(reader.get(), content);
        QVERIFY(fs::is_fifo(fifo));
        QCOMPARE(folder.names(), std::set<std::string>{"fifo"});
    }

    void what_cannot_be_written_leaves_the_old_file() {
        const Folder folder;
        put(folder / "x", "old");
        std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_FSIZE, &before), 0);
        const rlimit small{1'000, before.rlim_max};
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &small), 0);
        const Status written = write_file(folder / "x", as_bytes(std::string(5'000, 'x')));
        QCOMPARE(::setrlimit(RLIMIT_FSIZE, &before), 0);
        QVERIFY(!written.ok());
        QCOMPARE(text_of(folder / "x"), std::string("old"));
        QCOMPARE(folder.names(), std::set<std::string>{"x"});
        fs::create_directory(folder / "sub");
        QVERIFY(!write_file(folder / "sub", as_bytes("x")).ok());
        QVERIFY(!write_file(folder / "absent" / "x", as_bytes("x")).ok());
    }
};

QTEST_APPLESS_MAIN(TestFiles)
#include "test_files.moc"
