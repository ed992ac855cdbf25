// Bytes, hashes, files: what every room stands on.
#include "base/bytes.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/sha256.h"

#include <QCryptographicHash>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace blockloom;

namespace {

Bytes random_bytes(std::mt19937_64& random, std::size_t size) {
    Bytes bytes(size);
    for (Byte& byte : bytes) byte = static_cast<Byte>(random());
    return bytes;
}

} // namespace

class TestBase : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hex_round_trips() {
        std::mt19937_64 random(1);
        for (std::size_t size = 0; size < 70; ++size) {
            const Bytes bytes = random_bytes(random, size);
            QCOMPARE(from_hex(to_hex(bytes)), std::optional(bytes));
        }
        QVERIFY(!from_hex("abc"));
        QVERIFY(!from_hex("zz"));
        QVERIFY(!hash_from_reversed_hex("00"));
    }

    void reversed_hex_round_trips() {
        std::mt19937_64 random(2);
        const Bytes bytes = random_bytes(random, 32);
        const auto hash = hash_from_reversed_hex(to_reversed_hex(bytes));
        QVERIFY(hash.has_value());
        QVERIFY(std::equal(bytes.begin(), bytes.end(), hash->begin()));
    }

    void sha256_equals_another_implementation() {
        std::mt19937_64 random(3);
        Sha256 hasher;
        for (std::size_t size : {0u, 1u, 55u, 56u, 63u, 64u, 65u, 119u, 1000u, 100'000u}) {
            const Bytes bytes = random_bytes(random, size);
            const std::size_t cut = size / 3;
            const Hash256 once =
                hasher.once({ByteView(bytes).first(cut), ByteView(bytes).subspan(cut)});
            const QByteArray expected =
                QCryptographicHash::hash(QByteArrayView(bytes.data(), static_cast<qsizetype>(size)),
                                         QCryptographicHash::Sha256);
            QCOMPARE(QByteArray(reinterpret_cast<const char*>(once.data()), 32), expected);
            const Hash256 twice = hasher.twice({bytes});
            QCOMPARE(QByteArray(reinterpret_cast<const char*>(twice.data()), 32),
                     QCryptographicHash::hash(expected, QCryptographicHash::Sha256));
        }
    }

    void files_are_written_whole_and_mapped() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("x")).toStdString();
        std::mt19937_64 random(4);
        for (std::size_t size : {0u, 1u, 10'000u}) {
            const Bytes bytes = random_bytes(random, size);
            QVERIFY(write_file(path, bytes).ok());
            const auto file = FileContent::read(path);
            QVERIFY(file.ok());
            QVERIFY(
                std::equal(bytes.begin(), bytes.end(), file->bytes().begin(), file->bytes().end()));
        }
        std::size_t entries = 0;
        for ([[maybe_unused]] const auto& entry :
             std::filesystem::directory_iterator(path.parent_path()))
            ++entries;
        QCOMPARE(entries, std::size_t{1}); // nothing temporary stays behind
    }

    void errors_name_the_file() {
        const auto missing = FileContent::read("/nowhere/at all");
        QVERIFY(!missing.ok());
        QVERIFY(missing.error().message.find("/nowhere/at all") != std::string::npos);
        QVERIFY(!FileContent::read("/").ok());
        QVERIFY(!write_file("/nowhere/at all", {}).ok());
        const Error error = input_error("f.dat", 12, "a block", "nothing");
        QCOMPARE(error.message, std::string("f.dat: offset 12: expected a block, found nothing"));
    }

    void a_stopwatch_laps() {
        const Nanoseconds begin = now_ns();
        Stopwatch watch;
        const Nanoseconds first = watch.lap(), second = watch.lap();
        QVERIFY(first >= 0 && second >= 0);
        QVERIFY(first + second <= now_ns() - begin);
    }
};

QTEST_APPLESS_MAIN(TestBase)
#include "test_base.moc"
