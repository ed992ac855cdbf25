// The folder that keeps machine code: what is damaged, foreign or not private is never used, the
// bound holds, and processes do not disturb each other.
#include "native/code_file.h"
#include "native/code_store.h"

#include <QtTest>

#include <algorithm>
#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace blockloom;
using namespace blockloom::native;
namespace fs = std::filesystem;

namespace {

Hash256 key_of(Byte value) {
    Hash256 key{};
    key.fill(value);
    return key;
}

Bytes object_of(std::size_t size, Byte seed) {
    Bytes object(size);
    for (std::size_t i = 0; i < size; ++i) object[i] = static_cast<Byte>(seed + i * 7);
    return object;
}

Bytes content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write_to(const fs::path& file, const Bytes& content) {
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(content.data()),
               static_cast<std::streamsize>(content.size()));
    ::chmod(file.c_str(), 0600);
}

bool same(ByteView a, ByteView b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/// A folder in one of its own, so that the store makes it.
struct Place {
    QTemporaryDir outer;
    fs::path folder = fs::path(outer.path().toStdString()) / "cache" / "code";

    [[nodiscard]] fs::path entry(const Hash256& key) const {
        return folder / (to_hex(key) + ".code");
    }
    [[nodiscard]] bool has(CodeStore& store, Byte key) const {
        return store.find(key_of(key)).has_value();
    }
};

Status keep_one(CodeStore& store, Byte key, const Bytes& object) {
    const ByteView views[] = {object};
    return store.keep(key_of(key), views);
}

/// The file was last used at this second.
void used_at(const fs::path& file, time_t time) {
    const timespec times[] = {{time, 0}, {time, 0}};
    QCOMPARE(::utimensat(AT_FDCWD, file.c_str(), times, AT_SYMLINK_NOFOLLOW), 0);
}

} // namespace

class TestCodeStore : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void what_is_kept_is_found() {
        const Place place;
        const Bytes a = object_of(1000, 1), b = object_of(1, 2), none;
        CodeStore store(place.folder);
        QVERIFY(!store.find(key_of(1)));
        QVERIFY(!fs::exists(place.folder)); // looking makes no folder
        QCOMPARE(store.contents()->entries, 0U);
        const ByteView views[] = {a, none, b};
        QVERIFY(store.keep(key_of(1), views).ok());
        struct stat about {};
        QCOMPARE(::stat(place.folder.c_str(), &about), 0);
        QCOMPARE(about.st_mode & 07777, 0700U);
        QCOMPARE(::stat(place.entry(key_of(1)).c_str(), &about), 0);
        QCOMPARE(about.st_mode & 07777, 0600U);
        for (CodeStore* reader : {&store, std::make_unique<CodeStore>(place.folder).release()}) {
            const auto kept = reader->find(key_of(1));
            QVERIFY(kept.has_value());
            QCOMPARE(kept->objects.size(), 3U);
            QVERIFY(same(kept->objects[0], a) && kept->objects[1].empty() &&
                    same(kept->objects[2], b));
            QVERIFY(!reader->find(key_of(2)));
            if (reader != &store) delete reader;
        }
        const auto contents = store.contents();
        QCOMPARE(contents->entries, 1U);
        QCOMPARE(contents->bytes, fs::file_size(place.entry(key_of(1))));
    }

    /// Every byte counts: one bit in it, or the end before it.
    void damage_is_ignored_and_removed() {
        const Place place;
        CodeStore store(place.folder);
        const Bytes object = object_of(40, 3);
        QVERIFY(keep_one(store, 7, object).ok());
        const fs::path file = place.entry(key_of(7));
        const Bytes good = content_of(file);
        for (std::size_t at = 0; at < good.size(); ++at) {
            Bytes bad = good;
            bad[at] ^= static_cast<Byte>(1u << (at % 8));
            write_to(file, bad);
            QVERIFY(!store.find(key_of(7)));
            QVERIFY(!fs::exists(file));
            write_to(file, Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(at)));
            QVERIFY(!store.find(key_of(7)));
            QVERIFY(!fs::exists(file));
        }
        Bytes longer = good;
        longer.push_back(0);
        write_to(file, longer);
        QVERIFY(!store.find(key_of(7)));
        // An entry under another key.
        write_to(place.entry(key_of(8)), good);
        QVERIFY(!store.find(key_of(8)));
        QVERIFY(!fs::exists(place.entry(key_of(8))));
        write_to(file, good);
        QVERIFY(store.find(key_of(7)).has_value());
    }

    void foreign_entries_are_not_used() {
        const Place place;
        CodeStore store(place.folder);
        const Bytes object = object_of(40, 3);
        QVERIFY(keep_one(store, 1, object).ok());
        const fs::path file = place.entry(key_of(1)), elsewhere = place.folder / "elsewhere";
        const Bytes good = content_of(file);
        const auto refused = [&] { return !store.find(key_of(1)) && !fs::exists(file); };

        fs::rename(file, elsewhere); // the same bytes behind a link
        fs::create_symlink(elsewhere, file);
        QVERIFY(!store.find(key_of(1)) && !fs::is_symlink(file));
        QVERIFY(fs::exists(elsewhere));
        fs::create_hard_link(elsewhere, file);
        QVERIFY(refused());
        for (const mode_t mode : {0660, 0606, 0640, 0604}) {
            write_to(file, good);
            QCOMPARE(::chmod(file.c_str(), mode), 0);
            QVERIFY(refused());
        }
        QCOMPARE(::mkfifo(file.c_str(), 0600), 0); // nobody writes: it is not waited for
        QVERIFY(refused());
        if (::geteuid() == 0) { // only root may give files away
            write_to(file, good);
            QCOMPARE(::chown(file.c_str(), 65534, 65534), 0);
            QVERIFY(refused());
        }
        // A new entry takes the place of whatever has its name.
        fs::create_symlink(elsewhere, file);
        QVERIFY(keep_one(store, 1, object).ok());
        QVERIFY(!fs::is_symlink(file) && store.find(key_of(1)).has_value());
        QVERIFY(content_of(elsewhere) == good);
    }

    void a_folder_that_others_may_enter_is_refused() {
        const Place place;
        fs::create_directories(place.folder);
        const Bytes object = object_of(40, 3);
        for (const mode_t mode : {0755, 0750, 0705, 0770, 0701}) {
            QCOMPARE(::chmod(place.folder.c_str(), mode), 0);
            CodeStore store(place.folder);
            const Status kept = keep_one(store, 1, object);
            QVERIFY(!kept.ok());
            QVERIFY2(kept.error().message.find("mode 0700") != std::string::npos,
                     kept.error().message.c_str());
            QVERIFY(!store.find(key_of(1)) && !store.contents().ok() && !store.clear().ok());
        }
        QVERIFY(fs::is_empty(place.folder));
        QCOMPARE(::chmod(place.folder.c_str(), 0700), 0);
        CodeStore store(place.folder);
        QVERIFY(keep_one(store, 1, object).ok());

        const fs::path link = place.folder.parent_path() / "link";
        fs::create_directory_symlink(place.folder, link);
        CodeStore through_link(link);
        QVERIFY(!through_link.find(key_of(1)) && !keep_one(through_link, 1, object).ok());
        if (::geteuid() == 0) {
            QCOMPARE(::chown(place.folder.c_str(), 65534, 65534), 0);
            CodeStore of_another(place.folder);
            QVERIFY(!of_another.find(key_of(1)) && !keep_one(of_another, 1, object).ok());
            QCOMPARE(::chown(place.folder.c_str(), 0, 0), 0);
        }
        const fs::path file = place.folder.parent_path() / "file";
        write_to(file, object);
        QVERIFY(!keep_one(*std::make_unique<CodeStore>(file), 1, object).ok());
        QVERIFY(content_of(file) == object);
    }

    void the_least_recently_used_go_first() {
        const Place place;
        const Bytes object = object_of(1000, 1);
        CodeStore store(place.folder, 3500); // three entries
        for (Byte i = 1; i <= 3; ++i) {
            QVERIFY(keep_one(store, i, object).ok());
            used_at(place.entry(key_of(i)), 1000 + i);
        }
        QVERIFY(place.has(store, 1)); // used: now the second is the oldest
        QVERIFY(keep_one(store, 4, object).ok());
        QVERIFY(fs::exists(place.entry(key_of(1))) && !fs::exists(place.entry(key_of(2))));
        QVERIFY(fs::exists(place.entry(key_of(3))) && fs::exists(place.entry(key_of(4))));
        QVERIFY(keep_one(store, 5, object_of(4000, 1)).ok()); // alone beyond the bound
        QVERIFY(!place.has(store, 5) && place.has(store, 4));
        QVERIFY(store.contents()->bytes <= 3500);
        // A smaller bound takes effect at once.
        CodeStore smaller(place.folder, 1500);
        QCOMPARE(smaller.contents()->entries, 1U);
    }

    /// The folder may be one that has other files.
    void only_entries_are_removed() {
        const Place place;
        CodeStore store(place.folder);
        const Bytes object = object_of(10, 1);
        for (Byte i = 1; i <= 3; ++i) QVERIFY(keep_one(store, i, object).ok());
        const char* const others[] = {"notes.txt", "abc.code", ".hidden",
                                      "0123456789abcdef01234567.unfinished.txt"};
        for (const char* name : others) write_to(place.folder / name, object);
        fs::create_directory(place.entry(key_of(9)));
        const fs::path fresh = place.folder / "0123456789abcdef01234567.unfinished",
                       old = place.folder / "0123456789abcdef01234568.unfinished";
        write_to(fresh, object);
        write_to(old, object);
        used_at(old, 1000);
        QCOMPARE(store.contents()->entries, 3U);
        QVERIFY(fs::exists(fresh) && !fs::exists(old)); // another process may be writing the first
        const auto removed = store.clear();
        QCOMPARE(removed->entries, 3U);
        QVERIFY(removed->bytes > 30 && !fs::exists(fresh));
        QCOMPARE(store.contents()->entries, 0U);
        for (const char* name : others) QVERIFY(fs::exists(place.folder / name));
        QVERIFY(fs::exists(place.entry(key_of(9))));
    }

    /// Both write, read and evict the same entries; what is found is always whole.
    void two_processes_at_once() {
        const Place place;
        constexpr int rounds = 400;
        const auto play = [&](unsigned seed) { // the rounds in which something was wrong
            CodeStore store(place.folder, 20'000);
            int wrong = 0;
            for (int i = 0; i < rounds; ++i) {
                const auto key = static_cast<Byte>((static_cast<unsigned>(i) * seed) % 16);
                const Bytes object = object_of(1000 + 100 * std::size_t{key}, key);
                if (i % 3 == 0 && !keep_one(store, key, object).ok()) ++wrong;
                const auto kept = store.find(key_of(key));
                if (kept && (kept->objects.size() != 1 || !same(kept->objects[0], object))) ++wrong;
            }
            return wrong;
        };
        const pid_t other = ::fork();
        if (other == 0) ::_exit(play(7) == 0 ? 0 : 1);
        QVERIFY(other > 0);
        const int wrong = play(5);
        int status = -1;
        QCOMPARE(::waitpid(other, &status, 0), other);
        QCOMPARE(status, 0);
        QCOMPARE(wrong, 0);
        CodeStore store(place.folder, 20'000);
        QVERIFY(keep_one(store, 1, object_of(5000, 1)).ok() && place.has(store, 1));
        std::uintmax_t bytes = 0;
        for (const auto& file : fs::directory_iterator(place.folder)) bytes += file.file_size();
        QVERIFY(bytes > 5000 && bytes <= 20'000);
    }

    void errors_name_place_expected_and_found() {
        const Bytes object = object_of(5, 1);
        const ByteView views[] = {object};
        const Bytes good = code_file_bytes(key_of(1), views);
        const auto message = [&](const Bytes& file, const Hash256& key) {
            const auto read = read_code_file(file, key, "FILE");
            return read.ok() ? std::string() : read.error().message;
        };
        QCOMPARE(message(good, key_of(1)), std::string());
        QVERIFY(message(good, key_of(2)).starts_with("FILE: offset 12: expected the key 0202"));
        Bytes older = good;
        older[8] = 9;
        QCOMPARE(message(older, key_of(1)),
                 std::string("FILE: offset 8: expected version 1, found 9"));
        QVERIFY(message({}, key_of(1)).starts_with("FILE: offset 0: expected at least"));
    }
};

QTEST_GUILESS_MAIN(TestCodeStore)
#include "test_code_store.moc"
