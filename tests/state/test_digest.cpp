// Digests against an independent computation, and values as such.
#include "reference.h"
#include "state/digest.h"

#include <QCryptographicHash>
#include <QTest>
#include <QtEndian>

#include <random>

using namespace blockloom;
using namespace blockloom::state;

namespace {

QByteArray bytes_of(std::string_view text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

void add_length(QByteArray& to, quint32 length) {
    char bytes[4];
    qToLittleEndian(length, bytes);
    to.append(bytes, 4);
}

QByteArray hash_of(const QByteArray& message) {
    return QCryptographicHash::hash(message, QCryptographicHash::Sha256);
}

QByteArray bytes_of(const Hash256& hash) {
    return {reinterpret_cast<const char*>(hash.data()), 32};
}

} // namespace

class TestDigest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void digests_are_sha256_of_the_documented_bytes() {
        std::mt19937_64 random(1);
        for (int round = 0; round < 100; ++round) {
            std::map<Key, Value> values;
            for (std::uint64_t n = random() % 30; n > 0; --n) {
                std::string key(random() % 40, '\0');
                for (char& c : key) c = static_cast<char>(random());
                values[key] =
                    random() % 3 == 0
                        ? Value()
                        : Value(std::string(1 + random() % 200, static_cast<char>(random())));
            }
            QByteArray message;
            std::vector<Change> changes;
            DigestStream stream;
            for (const auto& [key, value] : values) {
                add_length(message, static_cast<quint32>(key.size()));
                message.append(bytes_of(key));
                add_length(message, value ? static_cast<quint32>(value.size()) : 0xffffffffU);
                message.append(bytes_of(value.bytes()));
                changes.push_back({key, "before", value});
                stream.add(key, value);
            }
            QCOMPARE(bytes_of(block_digest(changes)), hash_of(message));
            QCOMPARE(bytes_of(stream.finish()), hash_of(message));
        }
    }

    void nothing_has_the_digest_of_no_bytes() {
        QCOMPARE(to_hex(block_digest({})),
                 std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
    }

    void values_compare_by_bytes() {
        const Value absent, empty(""), zero(std::string(1, '\0')), one("1");
        const std::vector<Value> all{absent,
                                     empty,
                                     zero,
                                     one,
                                     Value(std::string(100, 'x')),
                                     Value(std::string(100, 'y')),
                                     Value(std::string(101, 'x'))};
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = 0; j < all.size(); ++j) QCOMPARE(all[i] == all[j], i == j);
        QVERIFY(Value(std::string(100, 'x')) == all[4]);
        QVERIFY(!absent.has_value() && empty.has_value());
        QVERIFY(!empty.canonical().has_value() && zero.canonical().has_value());
        const Value copy = all[4];
        QCOMPARE(static_cast<const void*>(copy.bytes().data()),
                 static_cast<const void*>(all[4].bytes().data())); // long values are shared
    }

    void a_memory_state_holds_no_empty_value() {
        MemoryState state;
        state.put("a", "1");
        state.put("b", "");
        state.put("c", Value());
        QCOMPARE(state.size(), std::size_t{1});
        state.put("a", "");
        QCOMPARE(state.size(), std::size_t{0});
    }
};

QTEST_APPLESS_MAIN(TestDigest)
#include "test_digest.moc"
