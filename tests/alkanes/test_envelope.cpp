// Envelopes in tapscripts, and gzip with a bound.
#include "alkanes/envelope.h"
#include "alkanes/script.h"

#include <QTest>

#include <random>

using namespace blockloom;
using alkanes::Envelope;

namespace {

Bytes hex(const std::string& text) {
    return *from_hex(text);
}

std::vector<Envelope> found(const std::string& script) {
    return alkanes::envelopes_of_script(hex(script), 4);
}

/// "BIN" as a push.
const std::string id = "0342494e";

} // namespace

class TestEnvelope : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pushes_after_the_body_tag_are_joined() {
        const auto envelopes = found("20" + std::string(64, 'a') + "ac" + "0063" + id + "00" +
                                     "02aabb" + "4c01cc" + "68");
        QCOMPARE(envelopes.size(), std::size_t{1});
        QCOMPARE(envelopes[0].input, 4U);
        QVERIFY(envelopes[0].payload == hex("aabbcc"));
    }

    void numbers_are_bytes() {
        const auto envelopes = found("0063" + id + "00" + "4f51605d" + "68");
        QCOMPARE(envelopes.size(), std::size_t{1});
        QVERIFY(envelopes[0].payload == hex("8101100d"));
    }

    void several_in_a_script() {
        const auto envelopes = found("0063" + id + "00" + "0101" + "68" + "51" + "0063" + id +
                                     "00" + "68" + "0063" + id + "68");
        QCOMPARE(envelopes.size(), std::size_t{3});
        QVERIFY(envelopes[0].payload == hex("01"));
        QVERIFY(envelopes[1].payload.empty() && envelopes[2].payload.empty());
    }

    void what_is_none() {
        for (const std::string& script : {
                 std::string(), "0063" + id,                              // no end
                 "0063" + id + "00" + "02aabb",                           // no end
                 "0063" + id + "00" + "ac" + "68",                        // another opcode
                 std::string("0063") + "036f7264" + "00" + "01aa" + "68", // another protocol
                 "5163" + id + "00" + "68",                               // not OP_FALSE
                 "0051" + id + "00" + "68",                               // not OP_IF
             })
            QVERIFY2(found(script).empty(), script.c_str());
    }

    void starts_after_a_false_start() {
        // Empty pushes before, an aborted envelope before: the next one still counts.
        QCOMPARE(found("00" + std::string("00") + "63" + id + "00" + "01aa" + "68").size(),
                 std::size_t{1});
        QCOMPARE(found("0063" + id + "ac" + "0063" + id + "00" + "01aa" + "68").size(),
                 std::size_t{1});
        QCOMPARE(found("0063" + std::string("0063") + id + "00" + "01aa" + "68").size(),
                 std::size_t{1});
    }

    /// One push over the end anywhere, and the script has no envelopes.
    void broken_script() {
        const std::string whole = "0063" + id + "00" + "01aa" + "68";
        QCOMPARE(found(whole).size(), std::size_t{1});
        QVERIFY(found(whole + "05").empty());
        QVERIFY(found(whole + "4e00").empty());
    }

    void own_scripts_come_back() {
        std::mt19937_64 random(3);
        for (const std::size_t size : {0U, 1U, 75U, 76U, 255U, 256U, 520U, 521U, 1040U, 70'000U}) {
            Bytes payload(size);
            for (Byte& byte : payload) byte = static_cast<Byte>(random());
            const std::vector<Bytes> stack = alkanes::envelope_witness(payload);
            QCOMPARE(stack.size(), std::size_t{2});
            QCOMPARE(stack[1].size(), std::size_t{33});
            const auto envelopes = alkanes::envelopes_of_script(stack[0], 0);
            QCOMPARE(envelopes.size(), std::size_t{1});
            QVERIFY(envelopes[0].payload == payload);
            alkanes::ScriptWalker walker(stack[0]);
            for (alkanes::Instruction next; walker.next(next);)
                QVERIFY(next.data.size() <= alkanes::most_push);
        }
    }

    void code_is_inflated() {
        Bytes code(200'000);
        for (std::size_t i = 0; i < code.size(); ++i) code[i] = static_cast<Byte>(i * i >> 7U);
        const Bytes stored = *alkanes::deflate_code(code);
        QVERIFY(stored == *alkanes::deflate_code(code));
        QVERIFY(*alkanes::inflate_code(stored, "code") == code);
        QVERIFY(*alkanes::inflate_code(stored, "code", code.size()) == code);
        QVERIFY(!alkanes::inflate_code(stored, "code", code.size() - 1));
        Bytes more = stored; // one member counts, what follows does not
        more.insert(more.end(), {1, 2, 3});
        QVERIFY(*alkanes::inflate_code(more, "code") == code);
        QVERIFY(alkanes::inflate_code(*alkanes::deflate_code({}), "code")->empty());
    }

    void what_is_no_gzip() {
        Bytes stored = *alkanes::deflate_code(Bytes(1'000, 7));
        QVERIFY(!alkanes::inflate_code({}, "code"));
        QVERIFY(!alkanes::inflate_code(hex("0061736d01000000"), "code"));
        for (std::size_t size = 1; size < stored.size(); ++size)
            QVERIFY(!alkanes::inflate_code(ByteView(stored).first(size), "code"));
        stored[stored.size() - 6] ^= 1; // the checksum
        const auto refused = alkanes::inflate_code(stored, "code of 2:0");
        QVERIFY(!refused && refused.error().message.find("code of 2:0: offset") == 0);
    }

    /// A bomb costs what is allowed, not what it promises: 64 MiB of zeros stop at 16.
    void bombs_stop_at_the_limit() {
        const Bytes bomb = *alkanes::deflate_code(Bytes(4 * alkanes::most_inflated, 0));
        QVERIFY(bomb.size() < 100'000);
        const auto refused = alkanes::inflate_code(bomb, "bomb");
        QVERIFY(!refused);
        QVERIFY2(refused.error().message.find("16777216") != std::string::npos,
                 refused.error().message.c_str());
        const Bytes fits = *alkanes::deflate_code(Bytes(alkanes::most_inflated, 0));
        QCOMPARE(alkanes::inflate_code(fits, "fits")->size(), alkanes::most_inflated);
    }
};

QTEST_APPLESS_MAIN(TestEnvelope)
#include "test_envelope.moc"
