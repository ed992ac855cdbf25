// What comes out is UTF-8 whatever goes in.
#include "base/utf8.h"

#include <QString>
#include <QStringDecoder>
#include <QTest>

#include <random>

using namespace blockloom;

namespace {

/// Qt's opinion.
bool is_valid(const std::string& text) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded =
        decoder(QByteArrayView(text.data(), static_cast<qsizetype>(text.size())));
    return !decoder.hasError() && !decoded.isNull();
}

} // namespace

class TestUtf8 : public QObject {
    Q_OBJECT

private Q_SLOTS:
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
