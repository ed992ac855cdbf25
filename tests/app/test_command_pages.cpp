// docs/cli.md names every command and option, docs/json.md every field of what the program prints.
#include "architecture/markdown.h"
#include "command_line.h"
#include "modules.h"
#include "program.h"

#include <QJsonArray>
#include <QSet>

using namespace blockloom;
using namespace blockloom::test;

namespace {

QString text(const char* words) {
    return QString::fromUtf8(words);
}

/// A page by its sections, and what a section says together with those it links to.
class Page {
public:
    explicit Page(const char* name) {
        const QString path = text(BLOCKLOOM_SOURCE_DIR "/docs/") + QLatin1String(name);
        for (const Section& section : sections_of(QString::fromUtf8(content(path))))
            sections_[section.anchor] += section.text;
    }

    [[nodiscard]] bool has(const QString& anchor) const { return sections_.contains(anchor); }
    [[nodiscard]] QString all() const { return QStringList(sections_.values()).join(u'\n'); }
    [[nodiscard]] QString about(const QString& anchor) const {
        static const QRegularExpression link(text("\\]\\(#([\\w-]+)\\)"));
        QString said = sections_.value(anchor);
        for (auto at = link.globalMatch(sections_.value(anchor)); at.hasNext();)
            said += sections_.value(at.next().captured(1));
        return said;
    }

private:
    QHash<QString, QString> sections_;
};

/// What stands in `code`, word by word and as it stands.
QSet<QString> names_in(const QString& said) {
    static const QRegularExpression code(text("`([^`]+)`")), word(text("[A-Za-z0-9_-]+"));
    QSet<QString> names;
    for (auto at = code.globalMatch(said); at.hasNext();) {
        const QString inside = at.next().captured(1);
        names.insert(inside);
        for (auto part = word.globalMatch(inside); part.hasNext();)
            names.insert(part.next().captured());
    }
    return names;
}

/// Options of a command, "--json", "-o"; and of those below it.
void options_of(const CLI::App& app, QStringList& options) {
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames())
            options.append(text("--") + QString::fromStdString(name));
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        options_of(*sub, options);
}

/// Names whose own members are data: ids of runs, reasons, slots, keys.
bool holds_data(const QString& name) {
    static const QSet<QString> names{text("aborted"),          text("busy"),      text("gap"),
                                     text("profiling_report"), text("on_host"),   text("ejected"),
                                     text("built_in_code"),    text("storage"),   text("ejections"),
                                     text("limits"),           text("otherData"), text("recipe"),
                                     text("profile")};
    return names.contains(name);
}

/// Every name in a document, at any depth.
void fields_of(const QJsonValue& value, QSet<QString>& fields) {
    for (const auto& item : value.toArray()) fields_of(item, fields);
    const QJsonObject object = value.toObject();
    for (auto at = object.begin(); at != object.end(); ++at) {
        fields.insert(at.key());
        if (!holds_data(at.key())) fields_of(at.value(), fields);
    }
}

QStringList missing(const QSet<QString>& fields, const QString& said) {
    QStringList left((fields - names_in(said)).values());
    left.sort();
    return left;
}

} // namespace

class TestCommandPages : public QObject {
    Q_OBJECT

    const Page line_{"cli.md"}, json_{"json.md"};
    const QTemporaryDir folder_;

    QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
    /// The document that these words print; PATH: generated blocks, RUN, RUN2: kept runs of them.
    QByteArray printed(const QString& words) const {
        QStringList arguments{text("--workspace"), path("w")};
        for (QString word : words.split(u' ', Qt::SkipEmptyParts)) {
            if (word == text("PATH")) word = path("blocks");
            if (word == text("BLOCK")) word = path("blocks") + text("/960100.bin");
            if (word == text("WASM")) word = path("toy.wasm");
            if (word == text("RUN")) word = runs_.value(0);
            if (word == text("RUN2")) word = runs_.value(1);
            if (word.startsWith(text("OUT"))) word = folder_.filePath(word);
            arguments.append(word);
        }
        const Answer answer = run(arguments);
        return answer.status == 0
                   ? answer.out
                   : "status " + QByteArray::number(answer.status) + ": " + answer.err;
    }
    QStringList runs_;

private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", path("own").toUtf8());
        QVERIFY(line_.has(text("analyze")) && json_.has(text("runs")));
        const QByteArray blocks = printed(text("synth mixed -o OUTblocks --blocks 2 --tasks 20"));
        QVERIFY2(!blocks.startsWith("status"), blocks.constData());
        QVERIFY(QDir().rename(path("OUTblocks"), path("blocks")));
        write(path("toy.wasm"), toy_module());
        for (const char* how : {"serial", "speculative"}) {
            const auto made = QJsonDocument::fromJson(
                printed(text("replay PATH --repeat 6 --workers 2 --json --strategy ") + text(how)));
            runs_.append(made.object()[text("run")].toString());
            QVERIFY(!runs_.last().isEmpty());
        }
    }

    void every_command_and_option_is_described() {
        cli::Context context;
        CLI::App app("", "blockloom-cli");
        const auto commands = cli::add_commands(app, context);
        // What comes before the commands' own sections holds for several.
        const QString shared = line_.about(QString()) + line_.about(text("the-command-line")) +
                               line_.about(text("sources")) +
                               line_.about(text("rules-of-alkanes")) +
                               line_.about(text("rules-of-the-analysis"));
        QStringList left;
        int options = 0;
        for (const cli::Command& command : commands) {
            const QString name = QString::fromStdString(command.parser->get_name());
            if (!line_.has(name)) {
                left.append(name);
                continue;
            }
            const QString said = line_.about(name);
            for (const CLI::App* sub :
                 command.parser->get_subcommands([](const CLI::App*) { return true; }))
                if (!said.contains(name + u' ' + QString::fromStdString(sub->get_name())))
                    left.append(name + u' ' + QString::fromStdString(sub->get_name()));
            QStringList own;
            options_of(*command.parser, own);
            const QSet<QString> named = names_in(said + shared);
            for (const QString& option : own)
                if (!named.contains(option)) left.append(name + u' ' + option);
            options += static_cast<int>(own.size());
        }
        QVERIFY2(left.isEmpty(), qPrintable(left.join(u'\n')));
        QVERIFY2(options >= 150, qPrintable(QString::number(options)));
    }

    void every_option_described_is_there() {
        cli::Context context;
        CLI::App app("", "blockloom-cli");
        const auto commands = cli::add_commands(app, context);
        QStringList options;
        options_of(app, options);
        static const QRegularExpression option(text("^--[a-z][a-z-]*$"));
        for (const QString& name : names_in(line_.all()))
            if (option.match(name).hasMatch()) QVERIFY2(options.contains(name), qPrintable(name));
    }

    void every_field_is_described_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("section");
        const auto row = [](const char* words, const char* section) {
            QTest::newRow(words) << text(words) << text(section);
        };
        row("analyze PATH --json", "analyses");
        row("replay PATH --repeat 6 --estimate --baseline --verify --json", "runs");
        row("runs show RUN", "runs");
        row("runs list --json", "runs");
        row("runs what-if RUN2 --relax kind:storage=predicted --workers 4 --verify --json",
            "what-if");
        row("compare RUN RUN2 --json", "comparisons");
        row("compare --baseline RUN --fail-if-slower 99900% --json RUN2", "comparisons");
        row("tune PATH --workers 2 --batch-max 0,8 --batch-min 4 --first 1 --most 6 --coarse "
            "--json",
            "tuning");
        row("scaling RUN --json", "scaling");
        row("alkanes decode BLOCK --json", "decoded-blocks");
        row("alkanes call --code WASM --json", "calls");
        row("state digest --json", "state");
        row("state list --most 3 --json", "state");
        row("state get sequence --json", "state");
        row("state check --json", "state");
        row("state put-sequence 1000 --json", "state");
        row("state undo 960101 --json", "state");
        row("wasm inspect WASM --json", "modules");
        row("wasm inspect --features --json", "modules");
        row("wasm run WASM --invoke twice --json 3", "modules");
        row("wasm run WASM --invoke falls --json", "modules");
        row("wasm cache --clear --json", "modules");
        row("devices --json", "devices");
    }

    void every_field_is_described() {
        QFETCH(QString, words);
        QFETCH(QString, section);
        const QByteArray answer = printed(words);
        QJsonParseError error;
        const QJsonDocument document = QJsonDocument::fromJson(answer, &error);
        QVERIFY2(error.error == QJsonParseError::NoError, answer.left(400).constData());
        QSet<QString> fields;
        fields_of(document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object()),
                  fields);
        QVERIFY(!fields.isEmpty());
        QVERIFY(json_.has(section));
        const QStringList left = missing(fields, json_.about(section));
        QVERIFY2(left.isEmpty(), qPrintable(left.join(text(", "))));
    }

    void every_field_of_files_is_described() {
        for (const char* words : {"report RUN RUN2 -o OUT.json", "report RUN -o OUT.trace.json",
                                  "runs export RUN -o OUTrun.json"})
            QVERIFY2(!printed(text(words)).startsWith("status"), words);
        const QList<std::pair<const char*, const char*>> files{
            {"OUT.json", "reports"}, {"OUTrun.json", "runs"}, {"blocks/synth.json", "manifests"}};
        for (const auto& [file, section] : files) {
            QSet<QString> fields;
            fields_of(QJsonDocument::fromJson(content(path(file))).object(), fields);
            QVERIFY2(fields.contains(text("schema")), file);
            const QStringList left = missing(fields, json_.about(text(section)));
            QVERIFY2(left.isEmpty(), qPrintable(left.join(text(", "))));
        }
    }

    void a_field_that_is_not_described_is_found() {
        QSet<QString> fields;
        fields_of(QJsonDocument::fromJson(R"({"a":1,"b":[{"c d":null}],"gap":{"e":1}})").object(),
                  fields);
        QCOMPARE(fields.size(), 4);
        QCOMPARE(missing(fields, text("`a`, `{gap}` and b, `c d`")), QStringList{text("b")});
    }
};

QTEST_APPLESS_MAIN(TestCommandPages)
#include "test_command_pages.moc"
