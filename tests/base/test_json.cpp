// The reader of JSON that comes from outside: what is wrong is refused by its path, memory is
// bounded by the text's size, and nothing is thrown.
#include "base/json.h"
#include "base/utf8.h"

#include <QTest>

#include <functional>
#include <random>

using namespace blockloom;

namespace {

/// The document's error, of reading it or of what `look` asks for; empty: none.
std::string error_of(std::string_view text, const std::function<void(JsonValue)>& look,
                     const JsonLimits& limits = {}) {
    const auto document = JsonDocument::parse(text, "there", limits);
    if (!document) return document.error().message;
    look(document->root());
    const Status status = document->status();
    return status ? std::string() : status.error().message;
}

void ask_nothing(JsonValue /*root*/) {}

QByteArray bytes(const std::string& text) {
    return QByteArray::fromStdString(text);
}

/// Asks every value for every type.
void ask_all(JsonValue value) {
    (void)value.whole();
    (void)value.integer();
    if (const auto real = value.real()) QVERIFY(*real - *real == 0);
    (void)value.boolean();
    (void)value.text(10);
    if (value.is_array())
        for (const JsonValue item : value.items()) ask_all(item);
    if (value.is_object())
        for (const auto& [name, member] : value.members()) {
            QVERIFY(is_utf8(name));
            ask_all(member);
        }
}

} // namespace

class TestJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void values_are_read_by_type() {
        const auto document = JsonDocument::parse(
            R"({"whole":18446744073709551615,"negative":-9223372036854775808,"real":2.5,
                "text":"a\u0000b","yes":true,"none":null,"list":[1,2],"inner":{"x":-0}})",
            "there");
        QVERIFY(document);
        const JsonValue root = document->root();
        QCOMPARE(root["whole"].whole(), std::optional(UINT64_MAX));
        QCOMPARE(root["negative"].integer(), std::optional(INT64_MIN));
        QCOMPARE(root["real"].real(), std::optional(2.5));
        QCOMPARE(root["text"].text(3)->size(), std::size_t{3});
        QCOMPARE(root["yes"].boolean(), std::optional(true));
        QVERIFY(root["none"].is_absent() && root["nothing"].is_absent());
        QVERIFY(!root["none"].whole() && !root["nothing"]["deeper"].text(1));
        std::uint64_t sum = 0;
        for (const JsonValue item : root["list"].items()) sum += item.whole().value_or(0);
        QCOMPARE(sum, std::uint64_t{3});
        unsigned small = 7;
        root["nothing"].read(small);
        QCOMPARE(small, 7U);
        root["inner"]["x"].read(small);
        QCOMPARE(small, 0U);
        QVERIFY(document->status());
    }

    void what_is_wrong_is_named_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<std::function<void(JsonValue)>>("look");
        QTest::addColumn<QByteArray>("expected");
        using Look = std::function<void(JsonValue)>;
        const auto row = [](const char* name, const char* text, const Look& look,
                            const char* expected) {
            QTest::newRow(name) << QByteArray(text) << look
                                << (QByteArrayLiteral("there: ") + expected);
        };
        const Look counts = [](JsonValue root) {
            for (const JsonValue block : root["blocks"].items())
                (void)block["tasks"].required().whole(1, 9);
        };
        row("type", R"({"blocks":[{"tasks":1},{"tasks":"1"}]})", counts,
            R"(blocks[1].tasks: expected a whole number from 1 to 9, found "1")");
        row("range", R"({"blocks":[{"tasks":10}]})", counts,
            "blocks[0].tasks: expected a whole number from 1 to 9, found 10");
        row("negative", R"({"blocks":[{"tasks":-1}]})", counts,
            "blocks[0].tasks: expected a whole number from 1 to 9, found -1");
        row("2^64", R"({"blocks":[{"tasks":18446744073709551616}]})", counts,
            "blocks[0].tasks: expected a whole number from 1 to 9, found 18446744073709551616");
        row("real", R"({"blocks":[{"tasks":1e300}]})", counts,
            "blocks[0].tasks: expected a whole number from 1 to 9, found 1e300");
        row("absent", R"({"blocks":[{}]})", counts,
            "blocks[0].tasks: expected a value, found none");
        row("null", R"({"blocks":[{"tasks":null}]})", counts,
            "blocks[0].tasks: expected a value, found none");
        row("no object", R"({"blocks":[[3]]})", counts, "blocks[0]: expected an object, found [3]");
        row("no array", R"({"blocks":{"a b":1}})", counts,
            R"(blocks: expected an array, found {"a b":1})");
        row("root", "[1]", counts, "expected an object, found [1]");
        row("the first counts", R"({"blocks":[1,2]})", counts,
            "blocks[0]: expected an object, found 1");
        row(
            "long text", R"({"t":"12345"})", [](JsonValue root) { (void)root["t"].text(4); },
            "t: expected a text of at most 4 bytes, found one of 5");
        row(
            "long list", "[1,2,3]", [](JsonValue root) { (void)root.items(2); },
            "expected at most 2 elements, found 3");
        row(
            "unknown name", "{\"a\":1,\"\\u001b[0m\":2}", [](JsonValue root) { root.only({"a"}); },
            "\"\\u001b[0m\": expected one of a, found \"\\u001b[0m\"");
        row(
            "a large value is cut",
            "[\"123456789012345678901234567890123456789012345678901234567890\"]",
            [](JsonValue root) { (void)root.whole(); },
            "expected a whole number from 0 to 18446744073709551615, found "
            "[\"1234567890123456789012345678901234567890123456789012345678…");
        row("twice", R"({"x":{"n":1,"m":2,"n":3}})", ask_nothing,
            "x: expected unique names, found n twice");
        row("twice within what has not ended", R"({"blocks":[{"n":1},{"n":1,"n":2}]})", ask_nothing,
            "blocks[1]: expected unique names, found n twice");
        row("beyond a double", R"({"x":[0,1e400]})", ask_nothing,
            "x[1]: expected a number within the range of a double, found 1e400");
        row("no JSON", "{\"x\":\x1b}", ask_nothing,
            "offset 6: expected JSON, found \"\"x\":<U+001B>\"");
        row("cut", "[1", ask_nothing, "offset 3: expected JSON, found its end");
        row("nothing", "", ask_nothing, "offset 1: expected JSON, found its end");
        row("two documents", "1 2", ask_nothing, "offset 3: expected JSON, found \"2\"");
    }
    void what_is_wrong_is_named() {
        QFETCH(QByteArray, text);
        QFETCH(std::function<void(JsonValue)>, look);
        QFETCH(QByteArray, expected);
        QCOMPARE(bytes(error_of(text.toStdString(), look)), expected);
    }

    void limits_end_the_reading() {
        for (const char open : {'[', '{'}) {
            std::string deep;
            for (int i = 0; i < 200000; ++i) deep += open == '[' ? "[" : R"({"x":)";
            QVERIFY(error_of(deep, ask_nothing)
                        .ends_with("expected at most 16 nested arrays and objects, "
                                   "found more"));
        }
        const std::string allowed = std::string(16, '[') + std::string(16, ']');
        QVERIFY(error_of(allowed, ask_nothing).empty());
        QCOMPARE(bytes(error_of("[1,2,3]", ask_nothing, {.values = 3})),
                 QByteArray("there: [2]: expected at most 3 values, found more"));
        QCOMPARE(bytes(error_of("[1,2,3]", ask_nothing, {.bytes = 6})),
                 QByteArray("there: expected at most 6 bytes of JSON, found 7"));
    }

    // 100,000 members: what looks each one up in a list takes minutes.
    void many_members_take_linear_time() {
        std::string text = "{";
        for (int i = 0; i < 100000; ++i) text += "\"m" + std::to_string(i) + "\":0,";
        text.back() = '}';
        const auto document = JsonDocument::parse(text, "there");
        QVERIFY(document);
        QCOMPARE(document->root().size(), std::size_t{100000});
        QVERIFY(document->text().size() < 2 * text.size());
    }

    void text_comes_back() {
        const std::string text = "{\n  \"a\": [\n    1,\n    2.50,\n    -7,\n    []\n  ],\n"
                                 "  \"b\": {\n    \"c\": \"\\u0001é\\n\"\n  }\n}\n";
        const auto document = JsonDocument::parse(text, "there");
        QVERIFY(document);
        QCOMPARE(document->text(), text);
        QCOMPARE(document->text({"a", "b"}), std::string("{}\n"));
        const std::vector<JsonAddition> added{{"n\n", "3"}};
        QCOMPARE(bytes(document->text({"a"}, added)),
                 QByteArray("{\n  \"b\": {\n    \"c\": \"\\u0001é\\n\"\n  },\n  \"n\\n\": 3\n}\n"));
    }

    void any_bytes_give_a_value_or_an_error() {
        const std::string seed =
            R"({"a":[1,-2,3.5e7,"x\u00e9\ud83d\ude00",true,null],"b":{"c":{}}})";
        std::mt19937_64 random(7);
        int whole = 0;
        for (int i = 0; i < 20000; ++i) {
            std::string text = seed;
            for (std::uint64_t change = 0; change <= random() % 3; ++change) {
                const std::size_t at = random() % text.size();
                if (random() % 4 == 0)
                    text.erase(at, 1 + random() % 8);
                else
                    text[at] = static_cast<char>(random());
                if (text.empty()) text = " ";
            }
            const auto document = JsonDocument::parse(text, "there");
            if (!document) {
                QVERIFY(document.error().message.starts_with("there"));
                continue;
            }
            ++whole;
            ask_all(document->root());
            if (!document->root().is_object()) continue;
            const std::string again = document->text();
            const auto twice = JsonDocument::parse(again, "again");
            QVERIFY(twice);
            QCOMPARE(twice->text(), again);
        }
        QVERIFY(whole > 100);
    }

    void terminals_are_not_steered_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("document");
        const QByteArray r = "\xEF\xBF\xBD";
        const auto row = [&](const char* name, const QByteArray& text, const QByteArray& line,
                             const QByteArray& document) {
            QTest::newRow(name) << text << line << document;
        };
        row("plain", "grün 日本 😀", "grün 日本 😀", "grün 日本 😀");
        row("escape", "a\x1b[31mb", "a" + r + "[31mb", "a\\u001b[31mb");
        row("C1",
            "a\xC2\x9B"
            "b",
            "a" + r + "b", "a\\u009bb");
        row("DEL", "a\x7F", "a" + r, "a\\u007f");
        row("override",
            "\xE2\x80\xAE"
            "x",
            r + "x", "\\u202ex");
        row("isolate",
            "\xE2\x81\xA6"
            "x",
            r + "x", "\\u2066x");
        row("tag", "\xF3\xA0\x81\x81", r, "\\udb40\\udc41");
        row("no UTF-8", "a\xFF\xE2\x80", "a" + r + r + r, "a" + r + r + r);
        row("surrogate", "\xED\xA0\x80", r + r + r, r + r + r);
        row("lines", "a\nb\tc", "a" + r + "b" + r + "c", "a\nb\tc");
    }
    void terminals_are_not_steered() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, document);
        const std::string given = text.toStdString();
        QCOMPARE(bytes(printable(given)), line);
        QCOMPARE(bytes(printable_document(given)), document);
        QCOMPARE(is_utf8(given), QString::fromUtf8(text).toUtf8() == text);
    }
};

QTEST_GUILESS_MAIN(TestJson)
#include "test_json.moc"
