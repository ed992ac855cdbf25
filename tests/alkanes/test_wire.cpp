// Byte layouts between contract and host against the worked examples of
// docs/alkanes-protocol.md#byte-layouts.
#include "alkanes/state_keys.h"
#include "alkanes/wire.h"
#include "base/utf8.h"

#include <QtTest>

using namespace blockloom;
using namespace blockloom::alkanes;

namespace {

std::string bytes(const std::string& hex) {
    const auto made = from_hex(hex);
    return made ? std::string(made->begin(), made->end()) : std::string("not hex");
}

std::string zeros(std::size_t count) {
    return std::string(count, '\0');
}

} // namespace

class TestWire : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void context_of_the_example() {
        std::vector<u128> inputs(13);
        inputs[0] = 99;
        const std::string made = context_bytes({{2, 0}, {0, 0}, 4}, {}, inputs);
        QCOMPARE(made.size(), std::size_t{304});
        const std::string expected = bytes("02") + zeros(15) + zeros(48) + bytes("04") + zeros(15) +
                                     zeros(16) + bytes("63") + zeros(15) + zeros(192);
        QCOMPARE(made, expected);
    }

    void context_with_tokens() {
        const std::string made = context_bytes(
            {{2, 7}, {4, 9}, 5}, Parcel{{{2, 1}, 300}, {{2, 3}, 1}}, std::vector<u128>{77});
        QCOMPARE(made.size(), std::size_t{16 * (6 + 3 * 2 + 1)});
        QCOMPARE(made.substr(80, 16), bytes("02") + zeros(15));
        QCOMPARE(made.substr(128, 16), bytes("2c01") + zeros(14));
    }

    void response_of_the_example() {
        const std::string txid(32, '\xaa'), height = bytes("0102030405060708");
        const std::string supply(16, '\x05');
        std::string whole = bytes("01") + zeros(15) + bytes("02") + zeros(15) + zeros(16) +
                            bytes("dffe9c04") + zeros(12) + bytes("04000000");
        whole += bytes("05000000") + "/fees" + bytes("10000000") + bytes("8b672c00") + zeros(12);
        whole += bytes("0c000000") + "/totalsupply" + bytes("10000000") + supply;
        whole += bytes("2b000000") + "/tx-hashes/" + txid + bytes("0100000001");
        whole += bytes("17000000") + "/upgraded_seen/" + height + bytes("0400000001000000");
        const auto response = parse_response(whole);
        QVERIFY(response.ok());
        QCOMPARE(response->transfers, (Parcel{{{2, 0}, 77'397'727}}));
        QCOMPARE(response->storage.size(), std::size_t{4});
        QCOMPARE(storage_map_size(response->storage), std::uint64_t{156});
        QCOMPARE(storage_map_bytes(response->storage).size(), std::size_t{156});
        QVERIFY(response->data.empty());
        // A later mint returns two entries: 92 bytes.
        StorageMap later{response->storage[1], response->storage[2]};
        QCOMPARE(storage_map_size(later), std::uint64_t{92});
        // Cut anywhere it is no response.
        for (std::size_t size = 0; size < whole.size(); ++size)
            QVERIFY(!parse_response(std::string_view(whole).substr(0, size)).ok());
        QCOMPARE(parse_response(whole + "rest")->data, std::string("rest"));
    }

    void maps_of_guests_are_put_in_order() {
        const auto entry = [](const std::string& key, const std::string& value) {
            const auto size = [](const std::string& text) {
                return std::string(1, static_cast<char>(text.size())) + zeros(3);
            };
            return size(key) + key + size(value) + value;
        };
        const std::string map = bytes("04000000") + entry("b", "1") + entry("a", "2") +
                                entry("b", "33") + entry("", "x");
        const auto parsed = parse_storage_map(map + "ignored");
        QVERIFY(parsed.ok());
        QCOMPARE(*parsed, (StorageMap{{"", "x"}, {"a", "2"}, {"b", "33"}}));
        QCOMPARE(parse_storage_map(storage_map_bytes(*parsed)).value(), *parsed);
        QVERIFY(!parse_storage_map(bytes("ffffffff")).ok());
        QVERIFY(!parse_storage_map(bytes("01000000ffffffff")).ok());
        QVERIFY(!parse_storage_map("").ok());
    }

    void parcels_end_with_their_buffer() {
        // The count is any number; the buffer's end stops it.
        Arena memory;
        QVERIFY(!parse_parcel(std::string(16, '\xff') + zeros(48), memory).ok());
        QCOMPARE(parse_parcel(zeros(16) + "more", memory)->size(), std::size_t{0});
        const Parcel twice{{{2, 1}, 5}, {{2, 1}, 6}};
        QCOMPARE(parse_parcel(parcel_bytes(twice), memory).value(), twice);
        QCOMPARE(call_response_bytes(twice, "xy").size(), std::size_t{16 + 96 + 2});
        QCOMPARE(parse_call_response(call_response_bytes(twice, "xy"))->data, std::string("xy"));
    }

    void plain_cellpacks_ignore_a_rest() {
        const Cellpack cellpack{{4, 65'522}, {1, ~u128{0}}};
        const std::string made = plain_cellpack_bytes(cellpack);
        QCOMPARE(made.size(), std::size_t{64});
        QCOMPARE(parse_plain_cellpack(made + std::string(15, 'x')).value(), cellpack);
        QVERIFY(!parse_plain_cellpack(std::string_view(made).substr(0, 31)).ok());
        QVERIFY(parse_plain_cellpack(std::string_view(made).substr(0, 32))->inputs.empty());
    }

    void reverts_carry_a_text() {
        QCOMPARE(revert_data("Error: no"), bytes("08c379a0") + "Error: no");
        const std::string data = revert_data("x");
        QCOMPARE(*revert_text(data), std::string_view("x"));
        QVERIFY(!revert_text("\x08\xc3\x79"));
    }

    void keys_print_and_come_back_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const std::string& key, const QString& text) {
            QTest::newRow(name) << QByteArray::fromStdString(key) << text;
        };
        row("storage", storage_key({2, 0}, "/totalsupply"),
            QStringLiteral("storage:2:0:/totalsupply"));
        row("binary", storage_key({2, 0}, "/seen/" + bytes("c69e0d0000000000")),
            QStringLiteral("storage:2:0:/seen/0xc69e0d0000000000"));
        row("digits", storage_key({2, 0}, "/a/0xyz"), QStringLiteral("storage:2:0:/a/0x3078797a"));
        row("colons", storage_key({4, 1}, "a:b:c"), QStringLiteral("storage:4:1:a:b:c"));
        row("empty", storage_key({4, 1}, ""), QStringLiteral("storage:4:1:"));
        row("blank", storage_key({4, 1}, "a b"), QStringLiteral("storage:4:1:0x612062"));
        row("balance", balance_key({4, 7}, {2, 0}), QStringLiteral("balance:4:7:2:0"));
        row("sequence", sequence_key(), QStringLiteral("sequence"));
        row("code", code_key({2, 5}), QStringLiteral("code:2:5"));
        Hash256 hash{};
        hash[0] = 0xab;
        row("bytecode", bytecode_key(hash),
            QStringLiteral("bytecode:ab") + QString(62, QLatin1Char('0')));
        row("sheet", sheet_key({hash, 7}),
            QStringLiteral("sheet:") + QString(62, QLatin1Char('0')) + QStringLiteral("ab:7"));
        row("unknown", bytes("ff01"), QStringLiteral("unknown:ff01"));
    }

    void keys_print_and_come_back() {
        QFETCH(QByteArray, key);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(key_text(key.toStdString())), text);
        const auto back = key_from_text(text.toStdString());
        QVERIFY(back.has_value());
        QCOMPARE(QByteArray::fromStdString(*back), key);
    }

    void wrong_keys_are_refused() {
        for (const char* text :
             {"", "storage", "storage:2", "storage:2:x:/a", "balance:2:0:4", "sheet:ab:1", "code:2",
              "unknown:0", "bytecode:ab", "storage:2:0:/a/0xg"})
            QVERIFY2(!key_from_text(text), text);
    }

    void sheets_are_canonical() {
        const std::vector<Transfer> tokens{{{2, 0}, 5}, {{2, 1}, 7}, {{3, 0}, 1}};
        QCOMPARE(tokens_of_sheet(sheet_value(tokens)).value(), tokens);
        QVERIFY(!tokens_of_sheet(sheet_value({{{2, 1}, 7}, {{2, 0}, 5}})));
        QVERIFY(!tokens_of_sheet(sheet_value({{{2, 1}, 0}})));
        QVERIFY(!tokens_of_sheet("x"));
    }

    void code_lies_under_its_hash() {
        const Bytes module{0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0};
        QVERIFY(is_module(module));
        const auto entries = code_entries({2, 5}, module, CodeForm::plain);
        QCOMPARE(entries.size(), std::size_t{2});
        const auto code = code_value(entries[0].second.bytes());
        QVERIFY(code && !code->sample && code->form == CodeForm::plain);
        QCOMPARE(entries[1].first, bytecode_key(code->hash));
        // Exactly 32 bytes name a template, whatever they are; none are absence.
        const Bytes name(32, 1);
        QVERIFY(code_value(code_entries({2, 5}, name, CodeForm::gzip)[0].second.bytes())->sample);
        QVERIFY(!code_entries({2, 5}, {}, CodeForm::gzip)[0].second);
        QCOMPARE(*code_value(clone_entries({2, 6}, {4, 33})[0].second.bytes())->sample,
                 (AlkaneId{4, 33}));
        QVERIFY(!code_value("\x03" + std::string(32, 'x')));
    }

    void utf8_as_rust_sees_it() {
        for (const char* good : {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
            QVERIFY(is_utf8(good));
        for (const char* wrong : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                  "\xe2\x82", "\xf8\x88\x80\x80\x80", "a\xffz"})
            QVERIFY(!is_utf8(wrong));
    }
};

QTEST_APPLESS_MAIN(TestWire)
#include "test_wire.moc"
