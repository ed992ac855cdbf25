// Kept documents: a file each, whole or not at all, an index that costs nothing to lose, and runs
// that an older version kept in the database.
#include "base/file.h"
#include "store/check.h"
#include "store/document_bytes.h"
#include "store/kept_folders.h"
#include "store/workspace.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>
#include <thread>

using namespace blockloom;
using store::DocumentFolder;
using store::DocumentPart;

namespace {

class NoProgress final : public ProgressSink {
public:
    void report(const Progress&) override {}
};

} // namespace

class TestDocumentFolder : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    [[nodiscard]] std::filesystem::path path(const char* name) const {
        return folder_.filePath(QLatin1String(name)).toStdString();
    }
    static QStringList ids(const DocumentFolder& folder) {
        QStringList found;
        const auto listed = folder.list();
        if (listed)
            for (const auto& entry : *listed) found.append(QString::fromStdString(entry.id));
        return found;
    }
    static QByteArray bytes_of(const std::filesystem::path& file) {
        QFile opened(QString::fromStdString(file.string()));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    static void write(const std::filesystem::path& file, const QByteArray& bytes) {
        QFile opened(QString::fromStdString(file.string()));
        QVERIFY(opened.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(opened.write(bytes), bytes.size());
    }

private Q_SLOTS:
    void kept_listed_and_removed() {
        const DocumentFolder folder(path("kept"));
        QCOMPARE(ids(folder), QStringList());
        QVERIFY(!std::filesystem::exists(path("kept"))); // nothing is made by looking
        const std::string spans("\0\xff", 2);
        const DocumentPart parts[] = {{"spans", spans}, {"more", "more of a"}};
        QVERIFY(folder.keep("b", "{\"n\":2}", std::string(100'000, 'r')));
        QVERIFY(folder.keep("a", "old", "old", parts));
        QVERIFY(folder.keep("a", "one", std::string("\0x", 2), std::span(parts, 1)));
        QVERIFY(*folder.keep_new("c", "", ""));
        QVERIFY(!*folder.keep_new("c", "other", "other"));
        const auto listed = folder.list();
        QVERIFY(listed);
        QCOMPARE(listed->size(), std::size_t{3});
        QCOMPARE((*listed)[0].id + (*listed)[0].summary, std::string("aone"));
        QCOMPARE((*listed)[1].id + (*listed)[1].summary, std::string("b{\"n\":2}"));
        QCOMPARE(folder.load("a")->value(), std::string("\0x", 2));
        QCOMPARE(folder.load("b")->value(), std::string(100'000, 'r'));
        QCOMPARE(folder.load("c")->value(), std::string());
        QVERIFY(!folder.load("d")->has_value());
        QCOMPARE(folder.load_part("a", "spans")->value(), spans);
        QVERIFY(!folder.load_part("a", "more")->has_value()); // replaced as a whole
        QVERIFY(!folder.load_part("d", "spans")->has_value());
        QVERIFY(*folder.remove("a"));
        QVERIFY(!*folder.remove("a"));
        QCOMPARE(ids(folder), (QStringList{QStringLiteral("b"), QStringLiteral("c")}));
    }

    /// Any bytes are an id, and never a path.
    void ids_of_every_kind() {
        const DocumentFolder folder(path("ids"));
        std::vector<std::string> names{"../../etc", "/",    ".", "..", "a b", "%41",
                                       "A",         "a\nb", "ä", "a",  "A.b", std::string("\0", 1)};
        names.push_back(std::string());
        names.push_back(std::string(300, '/'));
        names.push_back(std::string(300, '/') + "x");
        names.push_back(std::string(40'000, 'n'));
        for (const std::string& name : names) QVERIFY(folder.keep(name, "of " + name, name));
        std::sort(names.begin(), names.end());
        const auto listed = folder.list();
        QVERIFY(listed);
        QCOMPARE(listed->size(), names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            QCOMPARE((*listed)[i].id, names[i]);
            QCOMPARE((*listed)[i].summary, "of " + names[i]);
            QCOMPARE(folder.load(names[i])->value(), names[i]);
        }
        const QDir there(QString::fromStdString(path("ids").string()));
        QCOMPARE(there.entryList(QDir::Files | QDir::Hidden).size(), qsizetype(names.size()));
    }

    /// Missing, cut off, of other bytes or out of date: the list is the same.
    void the_index_can_be_lost() {
        const DocumentFolder folder(path("index"));
        for (const char* id : {"1", "2", "3"}) QVERIFY(folder.keep(id, "summary", "content"));
        const QStringList all = ids(folder);
        const auto index = path("index.index");
        const QByteArray whole = bytes_of(index);
        QVERIFY(!whole.isEmpty());
        for (qsizetype i = 0; i < whole.size(); i += 3) {
            QByteArray changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ 0x10);
            write(index, changed);
            QCOMPARE(ids(folder), all);
            write(index, whole.first(i));
            QCOMPARE(ids(folder), all);
        }
        write(index, whole);
        QVERIFY(folder.keep("2", "another", "content"));
        QCOMPARE((*folder.list())[1].summary, std::string("another"));
        QVERIFY(QFile::remove(QString::fromStdString(index.string())));
        QCOMPARE((*folder.list())[1].summary, std::string("another"));
        QVERIFY(std::filesystem::exists(index));
    }

    /// A bit that flipped, a file that was cut: an error of this document alone, or the right
    /// bytes.
    void damage_is_noticed() {
        const DocumentFolder folder(path("damage"));
        const std::string spans(400, 's');
        const DocumentPart part{"spans", spans};
        QVERIFY(folder.keep("a", "summary", "the document", {&part, 1}));
        QVERIFY(folder.keep("b", "summary", "the document"));
        const auto file = path("damage") / "a.kept";
        const QByteArray whole = bytes_of(file);
        QVERIFY(whole.size() > 400);
        const auto looked_at = [&](const QByteArray& bytes) {
            write(file, bytes);
            const auto document = folder.load("a");
            QVERIFY(!document.ok() || document->value() == "the document");
            const auto kept = folder.load_part("a", "spans");
            QVERIFY(!kept.ok() || kept->value() == spans);
            QVERIFY(!folder.check("a").ok());
            const auto listed = folder.list();
            QVERIFY(listed.ok());
            QCOMPARE(listed->size(), std::size_t{2});
            QCOMPARE(folder.load("b")->value(), std::string("the document"));
        };
        for (qsizetype i = 0; i < whole.size(); ++i) {
            QByteArray changed = whole;
            changed[i] = static_cast<char>(changed[i] ^ 1);
            looked_at(changed);
            looked_at(whole.first(i));
        }
        looked_at(whole + 'x');
        write(file, whole);
        QVERIFY(folder.check("a").ok());
        // A copy under another name is not the document of that name.
        QVERIFY(QFile::copy(QString::fromStdString(file.string()),
                            QString::fromStdString((path("damage") / "c.kept").string())));
        const auto listed = folder.list();
        QCOMPARE(listed->size(), std::size_t{3});
        QVERIFY(!listed->back().damage.empty());
    }

    /// Whoever reads meanwhile sees a document as it was or as it is; of several that keep a new
    /// one under the same id one wins.
    void writers_need_no_lock() {
        const DocumentFolder folder(path("race"));
        QVERIFY(folder.keep("a", "0", std::string(50'000, '0')));
        std::atomic<int> won = 0, torn = 0;
        {
            std::vector<std::jthread> threads;
            for (int worker = 0; worker < 4; ++worker)
                threads.emplace_back([&, worker] {
                    for (int i = 0; i < 25; ++i) {
                        const char digit = static_cast<char>('1' + worker);
                        if (!folder.keep("a", {&digit, 1}, std::string(50'000, digit))) ++torn;
                        const auto kept = folder.keep_new(std::to_string(i), "", {&digit, 1});
                        if (!kept)
                            ++torn;
                        else if (*kept)
                            ++won;
                        const auto read = folder.load("a");
                        if (!read || !*read || **read != std::string(50'000, (*read)->front()))
                            ++torn;
                        const auto listed = folder.list();
                        if (!listed || listed->empty()) ++torn;
                    }
                });
        }
        QCOMPARE(torn.load(), 0);
        QCOMPARE(won.load(), 25);
        QCOMPARE(ids(folder).size(), 26);
    }

    /// Runs lie beside the database: a writer of the state is not in the way.
    void kept_while_another_writes_the_state() {
        const auto writer = store::Workspace::open(path("held"));
        QVERIFY(writer);
        const auto runs = store::open_runs(path("held"));
        QVERIFY(runs);
        QVERIFY(runs->keep("r", "a run", "document"));
        QCOMPARE(ids(*runs), QStringList{QStringLiteral("r")});
    }

    /// Formats 1 and 2 kept runs and tunings in the database. The first writer moves them out, also
    /// where a crash had ended the move before; an older program refuses what is left.
    void an_older_workspace_is_taken_over() {
        const auto place = path("older");
        QVERIFY(store::Workspace::open(place).ok());
        put_older_records(place);
        write(place / "format", "blockloom workspace 2\n");
        {
            const auto reader = store::Workspace::open(place, {.read_only = true});
            QVERIFY(reader.ok());                   // reading the state changes nothing
            QVERIFY(!store::open_runs(place).ok()); // another has it open: not now
        }
        const DocumentFolder before(place / store::runs_folder);
        QVERIFY(before.keep("a", "moved before the crash", "moved")); // it stays
        const auto runs = store::open_runs(place);
        QVERIFY2(runs.ok(), runs.ok() ? "" : runs.error().message.c_str());
        QCOMPARE(bytes_of(place / "format"), QByteArray("blockloom workspace 3\n"));
        QCOMPARE(ids(*runs), (QStringList{QStringLiteral("a"), QStringLiteral("b:1")}));
        QCOMPARE(runs->load("a")->value(), std::string("moved"));
        QCOMPARE((*runs->list())[1].summary, std::string("summary of b"));
        QCOMPARE(runs->load("b:1")->value(), std::string("document of b"));
        QCOMPARE(runs->load_part("b:1", "spans")->value(), std::string("spans of b"));
        QCOMPARE(runs->load_part("b:1", "more")->value(), std::string("more of b"));
        const auto tunings = store::open_tunings(place);
        QVERIFY(tunings);
        QCOMPARE(ids(*tunings),
                 (QStringList{QStringLiteral("sweep/GPU/code"), QStringLiteral("tuned")}));
        QCOMPARE(tunings->load("tuned")->value(), std::string("{\"setting\"}"));
        QVERIFY(*runs->remove("b:1"));
        {
            const auto workspace = store::Workspace::open(place);
            QVERIFY(workspace);
            QCOMPARE((*workspace)->label("network")->value(), std::string("regtest"));
            QVERIFY(!(*workspace)->label("tuned")->has_value());
        }
        QCOMPARE(ids(*runs), QStringList{QStringLiteral("a")}); // what is deleted stays deleted
        NoProgress progress;
        const auto checked = store::check_workspace(place, progress, {});
        QVERIFY(checked);
        QVERIFY2(checked->problems.empty(),
                 checked->problems.empty() ? "" : checked->problems.front().c_str());
        QCOMPARE(checked->documents, std::uint64_t{3});
    }

private:
    /// What a version of format 2 would have written.
    static void put_older_records(const std::filesystem::path& place) {
        {
            const auto workspace = store::Workspace::open(place);
            QVERIFY(workspace);
            QVERIFY((*workspace)->set_label("network", "regtest"));
            QVERIFY((*workspace)->set_label("tuned", "{\"setting\"}"));
            QVERIFY((*workspace)->set_label("sweep/GPU/code", "{\"sweep\"}"));
        }
        std::vector<rocksdb::ColumnFamilyDescriptor> families;
        std::vector<std::string> names;
        const std::string database = (place / "db").string();
        QVERIFY(rocksdb::DB::ListColumnFamilies({}, database, &names).ok());
        for (const std::string& name : names)
            families.emplace_back(name, rocksdb::ColumnFamilyOptions());
        std::vector<rocksdb::ColumnFamilyHandle*> handles;
        rocksdb::DB* opened = nullptr;
        QVERIFY(rocksdb::DB::Open({}, database, families, &handles, &opened).ok());
        const std::unique_ptr<rocksdb::DB> db(opened);
        const std::size_t runs =
            static_cast<std::size_t>(std::find(names.begin(), names.end(), "runs") - names.begin());
        const std::pair<const char*, const char*> records[] = {
            {"s:a", "summary of a"},        {"c:a", "document of a"},
            {"s:b:1", "summary of b"},      {"c:b:1", "document of b"},
            {"p:3:b:1spans", "spans of b"}, {"p:3:b:1more", "more of b"}};
        for (const auto& [key, value] : records)
            QVERIFY(db->Put({}, handles[runs], key, value).ok());
        for (auto* handle : handles) QVERIFY(db->DestroyColumnFamilyHandle(handle).ok());
    }
};

QTEST_APPLESS_MAIN(TestDocumentFolder)
#include "test_document_folder.moc"
