// What comes out is UTF-8 whatever goes in.
#include "base/utf8.h"

#include <QString>
#include <QStringDecoder>
#include <QTest>

#include <algorithm>
#include <random>
#include <utility>

using namespace blockloom;

namespace {

/// Qt's opinion.
bool is_valid(const std::string& text) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded =
        decoder(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
    return !decoder.hasError() && !decoded.isNull();
}

/// The code point of the sequence at the front by decoding first and checking afterwards, and its
/// length; 0: it is not well-formed. Written apart from the product's rule, which looks at bytes.
std::pair<std::size_t, std::uint32_t> decoded_first(const std::string& text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {1, lead};
    const std::size_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || text.size() - 1 < more) return {0, 0};
    std::uint32_t code = lead & (0x3fU >> more);
    for (std::size_t i = 1; i <= more; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return {0, 0};
        code = code << 6U | (byte(i) & 0x3fU);
    }
    const std::uint32_t least = more == 3 ? 0x1'0000 : more == 2 ? 0x800 : 0x80;
    if (code < least || code > 0x10'ffff || (code >= 0xd800 && code < 0xe000)) return {0, 0};
    return {more + 1, code};
}

/// Whether both rules give the same of the sequence at the front, and writing it again its bytes.
bool agree(const std::string& text) {
    const auto [size, code] = decoded_first(text);
    std::string_view rest = text;
    const char32_t character = next_character(rest);
    if (utf8_sequence(text) != size || text.size() - rest.size() != std::max<std::size_t>(size, 1))
        return false;
    if (size == 0) return character == U'\uFFFD' && !is_utf8(text);
    return character == code && utf8_of(character) == text.substr(0, size) &&
           is_utf8(text.substr(0, size)) && utf8_length(text.substr(0, size)) == 1;
}

} // namespace

class TestUtf8 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What `__log` and a module's names accept is consensus: all sequences of up to three bytes,
    /// and of four all leads with random or extreme other bytes.
    void every_sequence_is_judged_as_by_decoding_it() {
        std::string text;
        for (unsigned a = 0; a < 256; ++a) {
            text.assign(1, static_cast<char>(a));
            QVERIFY2(agree(text), QByteArray::fromStdString(text).toHex().constData());
            for (unsigned b = 0; b < 256; ++b) {
                text.assign({static_cast<char>(a), static_cast<char>(b)});
                QVERIFY2(agree(text), QByteArray::fromStdString(text).toHex().constData());
                // Those of ASCII end there.
                for (unsigned c = 0; a >= 0x80 && c < 256; ++c) {
                    text.assign({static_cast<char>(a), static_cast<char>(b), static_cast<char>(c)});
                    const std::size_t size = decoded_first(text).first;
                    if (utf8_sequence(text) != size || (size == 3 && !agree(text)))
                        QFAIL(QByteArray::fromStdString(text).toHex().constData());
                }
            }
        }
        std::mt19937 random(2);
        const std::string extreme("\x00\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xff", 10);
        for (int i = 0; i < 1'000'000; ++i) {
            text.resize(4);
            text[0] = static_cast<char>(i % 2 == 0 ? 0xf0 + random() % 6 : random() % 256);
            for (std::size_t k = 1; k < 4; ++k)
                text[k] = i % 4 < 2 ? extreme[random() % extreme.size()]
                                    : static_cast<char>(0x80 + random() % 64);
            if (!agree(text)) QFAIL(QByteArray::fromStdString(text).toHex().constData());
        }
    }

    void whatever_goes_in_valid_text_comes_out() {
        std::mt19937 random(1);
        // Bytes that begin, continue and break sequences are frequent.
        const std::string some("a\x7f\x80\xbf\xc1\xc2\xdf\xe0\xa0\xed\x9f\xef\xf0\x90\xf4\x8f\xff");
        for (int i = 0; i < 20'000; ++i) {
            std::string text(1 + random() % 8, ' ');
            for (char& c : text) c = some[random() % some.size()];
            const std::string valid = valid_utf8(text);
            QVERIFY2(is_valid(valid), QByteArray::fromStdString(text).toHex().constData());
            if (is_valid(text)) QCOMPARE(valid, text);
            for (std::size_t most = 0; most <= valid.size(); ++most) {
                const std::string cut(utf8_beginning(valid, most));
                QVERIFY(cut.size() <= most && valid.starts_with(cut));
                QVERIFY(cut.empty() || is_valid(cut));
                QVERIFY(cut.size() + 4 > most);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestUtf8)
#include "test_utf8.moc"
