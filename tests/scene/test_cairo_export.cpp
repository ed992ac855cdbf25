// Views as files: what is written can be read back and shows what was asked.
#include "base/file.h"
#include "scene/sample_list.h"

#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>

using namespace blockloom;
using namespace blockloom::scene;
using namespace blockloom::scene::tests;

namespace {

QMap<QString, int> elements(const QByteArray& xml, QString& error) {
    QMap<QString, int> counts;
    QXmlStreamReader reader(xml);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement) ++counts[reader.name().toString()];
    error = reader.hasError() ? reader.errorString() : QString();
    return counts;
}

} // namespace

class TestCairoExport : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string path(const char* name) const {
        return folder_.filePath(QLatin1String(name)).toStdString();
    }

private Q_SLOTS:
    void png_holds_the_pixels() {
        const FrameRequest request = request_for(sample_list(), 321, 123);
        const auto frame = make_cairo_renderer()->render(request);
        QVERIFY(frame.ok());
        QVERIFY(export_view(request, FileKind::png, path("a.png")).ok());
        QVERIFY(write_png(frame->image, path("b.png")).ok());
        for (const char* name : {"a.png", "b.png"}) {
            const QImage read =
                QImage(QString::fromStdString(path(name))).convertToFormat(QImage::Format_RGB32);
            QCOMPARE(read.width(), 321);
            QCOMPARE(read.height(), 123);
            const QImage ours(frame->image.bgra.data(), 321, 123, 321 * 4, QImage::Format_RGB32);
            QCOMPARE(read, ours);
        }
    }

    void svg_is_vectors_of_the_asked_size() {
        auto list = sample_list();
        const FrameRequest request = request_for(list, 640, 480, 2);
        const auto text = svg_text(request);
        QVERIFY(text.ok());
        QVERIFY(text->starts_with("<svg"));
        QString error;
        const auto counts = elements(QByteArray::fromStdString(*text), error);
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QVERIFY(text->find("viewBox=\"0 0 320 240\"") != std::string::npos);
        QCOMPARE(counts.value(QStringLiteral("image")), 0); // no pixels inside
        QVERIFY(counts.value(QStringLiteral("path")) > 60);
        QVERIFY(export_view(request, FileKind::svg, path("a.svg")).ok());
        const auto file = FileContent::read(path("a.svg"));
        QVERIFY(file.ok());
        const auto whole =
            QByteArray::fromRawData(reinterpret_cast<const char*>(file->bytes().data()),
                                    static_cast<qsizetype>(file->bytes().size()));
        QCOMPARE(elements(whole, error), counts);
        // A line more in the list is a path more in the file.
        auto more = std::make_shared<DisplayList>(*list);
        more->layers[0].lines.push_back({{1, 1}, {9, 9}, dark_theme().error, 1, false});
        FrameRequest second = request;
        second.base = more;
        const auto longer = svg_text(second);
        QVERIFY(longer.ok());
        QCOMPARE(elements(QByteArray::fromStdString(*longer), error).value(QStringLiteral("path")),
                 counts.value(QStringLiteral("path")) + 1);
    }

    void thousands_of_lines_stay_vectors() {
        const auto text = svg_text(request_for(many_lines(1500, 38)));
        QVERIFY(text.ok());
        QString error;
        const auto counts = elements(QByteArray::fromStdString(*text), error);
        QCOMPARE(counts.value(QStringLiteral("image")), 0);
        QVERIFY(counts.value(QStringLiteral("path")) >= 1500);
    }

    void pdf_is_written() {
        QVERIFY(export_view(request_for(sample_list()), FileKind::pdf, path("a.pdf")).ok());
        const auto file = FileContent::read(path("a.pdf"));
        QVERIFY(file.ok());
        const std::string text(reinterpret_cast<const char*>(file->bytes().data()),
                               file->bytes().size());
        QVERIFY(text.starts_with("%PDF-"));
        QVERIFY(text.find("%%EOF") != std::string::npos);
        QVERIFY(text.find("/MediaBox [ 0 0 640 480 ]") != std::string::npos);
        QVERIFY(text.find("Roboto") != std::string::npos); // text, not outlines
    }

    void errors_name_the_place() {
        const auto missing =
            export_view(request_for(sample_list()), FileKind::svg, "/nonexistent/folder/a.svg");
        QVERIFY(!missing.ok());
        QVERIFY(missing.error().message.find("/nonexistent/folder") != std::string::npos);
        FrameRequest bad = request_for(sample_list());
        bad.height = -3;
        QVERIFY(!svg_text(bad).ok());
        QVERIFY(!export_view(bad, FileKind::png, path("no.png")).ok());
        Image broken;
        broken.width = broken.height = 10;
        broken.bgra.resize(7);
        QVERIFY(!write_png(broken, path("no.png")).ok());
        QVERIFY(!QFile::exists(QString::fromStdString(path("no.png"))));
    }
};

QTEST_GUILESS_MAIN(TestCairoExport)
#include "test_cairo_export.moc"
