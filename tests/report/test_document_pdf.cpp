// Documents on paper: everything that the document holds is on a page, nothing is cut, tables
// repeat their heads. Pages are read back with poppler's tools, as a reader's program would show
// them.
#include "fixtures.h"
#include "headers/waiting.h"

#include "report/document_html.h"
#include "report/document_pdf.h"
#include "report/pdf_pages.h"
#include "report/range_document.h"

#include <QImage>
#include <QProcess>
#include <QRandomGenerator>
#include <QRegularExpression>

using namespace blockloom;
using namespace blockloom::report;
using namespace blockloom::test;

namespace {

runs::Provenance made_once() {
    return {"9.9.9", "2030-01-02 03:04 UTC", {"Test processor", "Kernel", "Compiler", 3, 4096}};
}

QByteArray pdf(const Document& document, Paper paper = Paper::a4) {
    SilentProgress silent;
    const auto bytes = pdf_of(document, paper, silent);
    if (!bytes) return {};
    return QByteArray(reinterpret_cast<const char*>(bytes->data()),
                      static_cast<qsizetype>(bytes->size()));
}

/// What one of poppler's tools answers about a file.
QByteArray asked(const char* tool, const QStringList& words) {
    QProcess process;
    process.start(QLatin1String(tool), words);
    if (!process.waitForFinished(without_limit) || process.exitCode() != 0)
        QTest::qFail(qPrintable(QStringLiteral("%1 (package poppler-utils): %2")
                                    .arg(QLatin1String(tool), process.errorString())),
                     __FILE__, __LINE__);
    return process.readAllStandardOutput();
}

QString without_spaces(QString text) {
    static const QRegularExpression spaces(QStringLiteral("\\s"));
    return text.remove(spaces);
}

/// Every text of a document's parts. Cells of tables: of the first rows.
struct Texts {
    QStringList found;

    void add(const std::string& text) { found.append(QString::fromStdString(text)); }
    void operator()(const Heading& heading) { add(heading.text); }
    void operator()(const Paragraph& words) { add(words.text + words.code); }
    void operator()(const Figures& figures) { add(figures.facts); }
    void operator()(const Terms& terms) { add(terms.facts); }
    void operator()(const Table& table) {
        add(table.caption);
        for (const Column& column : table.columns) add(column.name);
        for (std::size_t row = 0; row < std::min(table.rows, most_rows_on_paper); ++row)
            for (const TableCell& cell : table.row(row))
                if (cell.spark.empty()) add(cell.text);
        for (const TableCell& cell : table.foot) add(cell.text);
    }
    void operator()(const ChartFigure& figure) { add(figure.caption); }
    void operator()(const ViewFigure& figure) { add(figure.caption); }
    void operator()(const Pair& pair) {
        parts(pair.left);
        parts(pair.right);
    }
    void add(const std::vector<Fact>& facts) {
        for (const Fact& fact : facts) {
            add(fact.name);
            add(fact.value);
        }
    }
    void parts(const std::vector<Part>& several) {
        for (const Part& part : several) std::visit(*this, static_cast<const Part::variant&>(part));
    }
};

Document rows(std::size_t count) {
    Document document;
    document.title = "A table";
    document.date = "2030-01-02 03:04 UTC";
    Table table;
    table.columns = {text_column("Name", true), number_column("Squared")};
    table.rows = count;
    table.row = [](std::size_t row) -> std::vector<TableCell> {
        return {TableCell{"row " + std::to_string(row)}, TableCell{std::to_string(row * row)}};
    };
    Section section;
    section.id = "rows";
    section.title = "Rows";
    section.parts.emplace_back(std::move(table));
    document.sections.push_back(std::move(section));
    return document;
}

} // namespace

class TestDocumentPdf : public QObject {
    Q_OBJECT

    const QTemporaryDir folder_;
    std::shared_ptr<const range::Range> demo_;

    QString kept(const QByteArray& bytes) const {
        const QString path = folder_.filePath(QStringLiteral("a.pdf"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            QTest::qFail("not written", __FILE__, __LINE__);
        return path;
    }
    /// Text in the order in which it was drawn, page by page.
    QStringList pages(const QByteArray& bytes) const {
        QStringList found =
            QString::fromUtf8(
                asked("pdftotext", {QStringLiteral("-raw"), kept(bytes), QStringLiteral("-")}))
                .split(u'\f');
        found.removeLast(); // behind the last page's end
        return found;
    }

private Q_SLOTS:
    void initTestCase() {
        demo_ = open_demo();
        QVERIFY(demo_);
    }

    /// Pieces of any size: each once and in order, none beyond the page, none over another.
    void pieces_find_their_pages() {
        QRandomGenerator random(17);
        for (int round = 0; round < 200; ++round) {
            constexpr double page = 100;
            auto head = std::make_shared<Piece>();
            head->height = 9;
            std::vector<Piece> pieces(40);
            for (Piece& piece : pieces) {
                piece.height = 1 + random.bounded(60.0);
                piece.before = random.bounded(12.0);
                piece.with_next = random.bounded(3) == 0;
                piece.prefers_next = random.bounded(3) == 0;
                if (random.bounded(4) == 0) piece.least_scale = 0.7;
                piece.room = random.bounded(5) == 0 ? 50 : 0;
                if (random.bounded(3) == 0) piece.head = head;
            }
            const auto placed = on_pages(pieces, page);
            std::size_t next = 0;
            for (std::size_t i = 0; i < placed.size(); ++i) {
                const PlacedPiece& at = placed[i];
                QVERIFY(at.y >= 0);
                QVERIFY(at.scale <= 1 && at.scale + 1e-9 >= at.piece->least_scale);
                QVERIFY(at.y == 0 || at.y + at.piece->height * at.scale <= page + 1e-5);
                if (i > 0 && placed[i - 1].page == at.page)
                    QVERIFY(at.y + 1e-5 >=
                            placed[i - 1].y + placed[i - 1].piece->height * placed[i - 1].scale);
                else
                    QCOMPARE(at.y, 0.0);
                if (at.piece == head.get()) continue;
                QCOMPARE(at.piece, &pieces[next]);
                // A table that continues has its head above it.
                const bool first = i == 0 || placed[i - 1].page != at.page;
                QVERIFY(!first || !at.piece->head);
                // What stays with the next one does, unless a page cannot hold the chain.
                if (at.piece->with_next && i + 1 < placed.size() && placed[i + 1].page != at.page) {
                    double chain = 0;
                    std::size_t begin = next;
                    while (begin > 0 && pieces[begin - 1].with_next) --begin;
                    std::size_t end = begin;
                    for (; end < pieces.size(); ++end) {
                        chain +=
                            pieces[end].before + pieces[end].height * pieces[end].least_scale + 9;
                        if (!pieces[end].with_next) break;
                    }
                    QVERIFY(chain > page);
                }
                ++next;
            }
            QCOMPARE(next, pieces.size());
        }
    }

    /// Short tables and pictures of any height under headings: no page but the last is nearly
    /// empty, and no heading is the last of its page.
    void pages_are_filled() {
        QRandomGenerator random(19);
        for (int round = 0; round < 300; ++round) {
            constexpr double page = 100;
            std::vector<Piece> pieces;
            const auto add = [&](double height) -> Piece& {
                pieces.emplace_back();
                pieces.back().height = height;
                pieces.back().before = random.bounded(3.0);
                return pieces.back();
            };
            for (int part = 0; part < 30; ++part) {
                add(3).with_next = true; // a heading
                if (random.bounded(2) == 0) {
                    add(10 + random.bounded(70.0)).least_scale = 0.7;
                    pieces.back().with_next = true;
                    add(3); // its caption
                    continue;
                }
                const int rows = 2 + random.bounded(40);
                for (int row = 0; row < rows; ++row) add(2).prefers_next = row + 1 < rows;
            }
            const auto placed = on_pages(pieces, page);
            for (std::size_t i = 0; i + 1 < placed.size(); ++i) {
                if (placed[i + 1].page == placed[i].page) continue;
                const double end = placed[i].y + placed[i].piece->height * placed[i].scale;
                QVERIFY2(end >= least_filled * page, qPrintable(QString::number(end)));
                QVERIFY(!placed[i].piece->with_next);
            }
        }
    }

    /// A last page of a few lines is absorbed by closer spacing; one of many lines stays.
    void a_few_lines_have_no_page_of_their_own() {
        const auto pages_of = [](int lines) {
            std::vector<Piece> pieces(static_cast<std::size_t>(lines));
            for (Piece& piece : pieces) {
                piece.height = 3;
                piece.before = 1;
            }
            return on_pages(pieces, 100).back().page + 1;
        };
        QCOMPARE(pages_of(25), std::size_t{1}); // 25 lines are 99 points
        QCOMPARE(pages_of(27), std::size_t{1}); // 107, and 99.2 with gaps of 0.7
        QCOMPARE(pages_of(35), std::size_t{2});
    }

    void all_that_the_document_holds_is_on_paper() {
        for (const auto& range : {demo_, open_text(folder_, hostile_trace)}) {
            RangeReportOptions options;
            options.provenance = made_once();
            const Document document = range_document(*range, options);
            const QStringList all = pages(pdf(document));
            const QString text = without_spaces(all.join(QString()));
            Texts texts;
            texts.add(document.title);
            texts.add(document.cards);
            for (const Section& section : document.sections) {
                texts.add(section.title);
                texts.parts(section.parts);
            }
            QVERIFY(texts.found.size() > 200);
            for (const QString& words : texts.found)
                QVERIFY2(text.contains(without_spaces(words)), qPrintable(words));
        }
    }

    void contents_name_the_pages() {
        RangeReportOptions options;
        options.provenance = made_once();
        const Document document = range_document(*demo_, options);
        const QStringList all = pages(pdf(document));
        for (qsizetype i = 0; i < all.size(); ++i)
            QVERIFY(all[i].contains(QStringLiteral("Page %1 of %2").arg(i + 1).arg(all.size())));
        for (const Section& section : document.sections) {
            const QRegularExpression entry(
                QStringLiteral("^%1\\s+(\\d+)$")
                    .arg(QRegularExpression::escape(QString::fromStdString(section.title))),
                QRegularExpression::MultilineOption);
            const auto match = entry.match(all[0]);
            QVERIFY2(match.hasMatch(), section.title.c_str());
            const int page = match.captured(1).toInt();
            QVERIFY(page >= 1 && page <= all.size());
            QVERIFY(all[page - 1].contains(QString::fromStdString(section.title)));
        }
    }

    void heads_of_tables_are_repeated() {
        const QStringList all = pages(pdf(rows(300)));
        QVERIFY(all.size() > 4);
        int reported = 0;
        for (const QString& page : all) {
            const auto on_page = page.count(QStringLiteral("row "));
            if (on_page == 0) continue;
            QVERIFY(on_page >= 2); // no row alone
            QCOMPARE(page.count(QStringLiteral("Squared")), 1);
            reported += static_cast<int>(on_page);
        }
        QCOMPARE(reported, 300);
    }

    void a_long_table_says_what_it_leaves_out() {
        const QString text = pages(pdf(rows(5'000))).join(QString());
        QCOMPARE(text.count(QRegularExpression(QStringLiteral("row \\d"))),
                 static_cast<qsizetype>(most_rows_on_paper));
        QVERIFY(text.contains(QStringLiteral("The first 1,000 of 5,000 rows.")));
        QVERIFY(!pages(pdf(rows(1'000))).join(QString()).contains(QStringLiteral("The first")));
    }

    /// On either paper: light, and nothing in the margins.
    void pages_are_light_and_their_margins_free() {
        RangeReportOptions options;
        options.provenance = made_once();
        options.detailed_blocks = 2;
        const Document document = range_document(*demo_, options);
        for (const Paper paper : {Paper::a4, Paper::letter}) {
            const QString path = kept(pdf(document, paper));
            const QByteArray facts = asked("pdfinfo", {path});
            QVERIFY(facts.contains(paper == Paper::a4 ? "595.276 x 841.89" : "612 x 792"));
            constexpr int dpi = 36; // 2 points a pixel
            asked("pdftoppm", {QStringLiteral("-r"), QString::number(dpi), QStringLiteral("-png"),
                               path, folder_.filePath(QStringLiteral("page"))});
            QDir here(folder_.path());
            const QStringList pictures = here.entryList({QStringLiteral("page-*.png")});
            QVERIFY(pictures.size() >= 4);
            for (const QString& name : pictures) {
                const QImage image(here.filePath(name));
                QVERIFY(!image.isNull());
                qint64 sum = 0, ink = 0;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x) {
                        const int grey = qGray(image.pixel(x, y));
                        sum += grey;
                        const bool margin =
                            x < 20 || x >= image.width() - 20 || y < 21 || y >= image.height() - 11;
                        if (margin) QVERIFY2(grey > 250, qPrintable(name));
                        ink += grey < 250;
                    }
                QVERIFY2(ink > 200, qPrintable(name)); // no empty page
                QVERIFY2(sum / (qint64{image.width()} * image.height()) > 190, qPrintable(name));
                here.remove(name);
            }
        }
    }

    void the_same_document_gives_the_same_bytes() {
        RangeReportOptions options;
        options.provenance = made_once();
        const QByteArray once = pdf(range_document(*demo_, options));
        QVERIFY(once.startsWith("%PDF-1.5"));
        QCOMPARE(pdf(range_document(*demo_, options)), once);
        options.provenance.date = "2031-01-02 03:04 UTC";
        QVERIFY(pdf(range_document(*demo_, options)) != once);
    }

    /// Names of any length and of any bytes end on the page.
    void long_names_are_broken() {
        Document document = rows(3);
        const std::string name = std::string(20'000, 'W') + "\xFF\x1B[31m\xE2\x80\xAE";
        document.title = name;
        document.sections[0].title = name;
        document.sections[0].aside = name;
        document.sections[0].parts.emplace_back(Paragraph{name});
        document.sections[0].parts.emplace_back(Heading{name});
        document.sections[0].parts.emplace_back(Figures{{{name, name}, {"a", name}}});
        document.sections[0].parts.emplace_back(Terms{{{name, name}}});
        Table table;
        table.columns = {text_column(name), number_column(name)};
        table.rows = 2;
        table.row = [&name](std::size_t) { return std::vector<TableCell>(2, TableCell{name}); };
        document.sections[0].parts.emplace_back(table);
        const QByteArray bytes = pdf(document);
        QVERIFY(!bytes.isEmpty());
        QVERIFY(pages(bytes).size() > 2);
    }

    void a_stop_gives_no_file() {
        std::stop_source stop;
        stop.request_stop();
        SilentProgress silent;
        const auto made = pdf_of(rows(3), Paper::a4, silent, stop.get_token());
        QVERIFY(!made.ok());
        QCOMPARE(made.error().code, ErrorCode::cancelled);
    }

    void paper_is_that_of_the_locale() {
        QCOMPARE(paper_named("letter"), std::optional(Paper::letter));
        QVERIFY(!paper_named("A5"));
        qputenv("LC_ALL", "C");
        QCOMPARE(paper_of_locale(), Paper::a4);
        qputenv("LC_ALL", "no such locale");
        QCOMPARE(paper_of_locale(), Paper::a4);
    }
};

QTEST_GUILESS_MAIN(TestDocumentPdf)
#include "test_document_pdf.moc"
