// What `cmake --install` puts where, and that manual pages and completion, which are made from
// --help, know every command and every option that the parser knows.
#include "command_line.h"
#include "headers/waiting.h"
#include "places.h"

#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

using namespace blockloom;

namespace {

struct Answer {
    int status = -1;
    QString text;
};

Answer run(const QString& program, const QStringList& arguments, const QByteArray& input = {}) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished(test::without_limit);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput())};
}

/// A command of the parser by its words ("state", "undo"), with what it takes.
struct Known {
    QStringList words, options, positionals, commands;
    QMap<QString, QStringList> choices; ///< of an option
};

void collect(CLI::App& app, Known& known) {
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) continue; // hidden
        if (option->get_positional()) {
            known.positionals.append(QString::fromStdString(option->get_name()));
            continue;
        }
        static const QRegularExpression braces(QStringLiteral("\\{(.*)\\}"));
        const auto choices = braces.match(QString::fromStdString(option->get_type_name()));
        QStringList names;
        for (const std::string& name : option->get_snames())
            names.append(u'-' + QString::fromStdString(name));
        for (const std::string& name : option->get_lnames())
            names.append(QStringLiteral("--") + QString::fromStdString(name));
        if (choices.hasMatch())
            known.choices.insert(names.constLast(), choices.captured(1).split(u','));
        known.options += names;
    }
    for (CLI::App* below : app.get_subcommands([](CLI::App*) { return true; })) {
        if (below->get_name().empty())
            collect(*below, known); // a group of options
        else
            known.commands.append(QString::fromStdString(below->get_name()));
    }
}

void walk(CLI::App& app, const QStringList& words, QList<Known>& all) {
    Known known{words, {}, {}, {}, {}};
    collect(app, known);
    all.append(known);
    for (const QString& name : known.commands)
        walk(*app.get_subcommand(name.toStdString()), words + QStringList{name}, all);
}

QList<Known> all_commands() {
    cli::Context context;
    CLI::App app{"", "blockloom-cli"};
    const auto commands = cli::add_commands(app, context);
    QList<Known> all;
    walk(app, {}, all);
    return all;
}

QSet<QString> set_of(const QStringList& list) {
    return {list.begin(), list.end()};
}

/// What bash completes each line of words to; the last word is the one under the cursor.
QList<QStringList> completed(const QString& file, const QString& function,
                             const QList<QStringList>& lines) {
    QString script = QStringLiteral("set -u\n. '%1'\ncompopt() { :; }\n"
                                    "ask() { COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); %2; "
                                    "printf '%s\\t' \"${COMPREPLY[@]}\"; echo; }\n")
                         .arg(file, function);
    for (const QStringList& line : lines)
        script += QStringLiteral("ask '%1'\n").arg(line.join(QStringLiteral("' '")));
    const Answer answer = run(QStringLiteral("bash"),
                              {QStringLiteral("--norc"), QStringLiteral("-s")}, script.toUtf8());
    QList<QStringList> answers;
    QStringList printed = answer.text.split(u'\n');
    printed.removeLast(); // after the last line's end
    for (const QString& line : printed) answers.append(line.split(u'\t', Qt::SkipEmptyParts));
    return answers;
}

} // namespace

class TestInstall : public QObject {
    Q_OBJECT

    QTemporaryDir temporary;
    QString prefix = temporary.filePath(QStringLiteral("a folder"));
    QString in_it(const QString& name) const { return prefix + u'/' + name; }

    QString content(const QString& name) const {
        QFile file(in_it(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    QList<QStringList> cli_completes(const QList<QStringList>& lines) const {
        return completed(in_it(QStringLiteral("share/bash-completion/completions/blockloom-cli")),
                         QStringLiteral("_blockloom_cli_complete"), lines);
    }

    /// A manual page as it is read, but with its requests.
    QString page(const QString& name) const {
        return content(QStringLiteral("share/man/man1/%1.1").arg(name))
            .replace(QStringLiteral("\\-"), QStringLiteral("-"));
    }

private Q_SLOTS:
    void initTestCase() {
        const Answer made = run(QStringLiteral("cmake"), {QStringLiteral("--install"),
                                                          QStringLiteral(BLOCKLOOM_BIN_DIR "/.."),
                                                          QStringLiteral("--prefix"), prefix});
        QVERIFY2(made.status == 0, qPrintable(made.text));
    }

    void every_file_is_in_its_place() {
        QStringList names{QStringLiteral("bin/blockloom"),
                          QStringLiteral("bin/blockloom-cli"),
                          QStringLiteral("libexec/blockloom/blockloom-cli-program"),
                          QStringLiteral("share/applications/blockloom.desktop"),
                          QStringLiteral("share/metainfo/blockloom.metainfo.xml"),
                          QStringLiteral("share/mime/packages/blockloom.xml"),
                          QStringLiteral("share/icons/hicolor/scalable/apps/blockloom.svg")};
        for (const char* program : {"blockloom", "blockloom-cli"})
            for (const char* place :
                 {"share/man/man1/%1.1", "share/bash-completion/completions/%1",
                  "share/zsh/vendor-completions/_%1", "share/fish/vendor_completions.d/%1.fish"})
                names.append(QString::fromLatin1(place).arg(QLatin1String(program)));
        for (const QString& name :
             QDir(QStringLiteral(BLOCKLOOM_SOURCE_DIR "/docs")).entryList({QStringLiteral("*.md")}))
            names.append(QStringLiteral("share/doc/blockloom/docs/") + name);
        for (const Known& command : all_commands())
            if (command.words.size() == 1)
                names.append(
                    QStringLiteral("share/man/man1/blockloom-cli-%1.1").arg(command.words.first()));
        QStringList found;
        QDirIterator files(prefix, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) found.append(QDir(prefix).relativeFilePath(files.next()));
        names.sort();
        found.sort();
        QCOMPARE(found, names);
    }

    void the_programs_start_from_there() {
        for (const char* name : {"bin/blockloom", "bin/blockloom-cli"}) {
            const Answer version = run(in_it(QLatin1String(name)), {QStringLiteral("--version")});
            QVERIFY2(version.status == 0, qPrintable(version.text));
            QVERIFY(version.text.startsWith(QLatin1String("blockloom")));
        }
    }

    void desktop_entry_and_appstream_data_are_valid() {
        const Answer entry = run(QStringLiteral("desktop-file-validate"),
                                 {in_it(QStringLiteral("share/applications/blockloom.desktop"))});
        QVERIFY2(entry.status == 0 && entry.text.isEmpty(), qPrintable(entry.text));
        const Answer data = run(QStringLiteral("appstreamcli"),
                                {QStringLiteral("validate"), QStringLiteral("--no-net"),
                                 in_it(QStringLiteral("share/metainfo/blockloom.metainfo.xml"))});
        QVERIFY2(data.status == 0, qPrintable(data.text));
    }

    void manual_pages_name_every_command_and_option() {
        for (const Known& command : all_commands()) {
            QString text = page(command.words.isEmpty()
                                    ? QStringLiteral("blockloom-cli")
                                    : QStringLiteral("blockloom-cli-") + command.words.first());
            const QByteArray where = command.words.join(u' ').toUtf8();
            for (const QString& name : command.commands)
                QVERIFY2(text.contains(name), where + ": " + name.toUtf8());
            // A command that only has others below it is described by them.
            if (!command.words.isEmpty() && !command.commands.isEmpty()) continue;
            if (command.words.size() > 1) {
                const auto begin =
                    text.indexOf(QStringLiteral("\n.SS\n%1\n").arg(command.words.join(u' ')));
                QVERIFY2(begin >= 0, where);
                text = text.mid(begin, text.indexOf(QLatin1String("\n.SS\n"), begin + 1) - begin);
            }
            for (const QString& option : command.options)
                QVERIFY2(text.contains(QStringLiteral("\\fB%1\\fR").arg(option)),
                         where + ": " + option.toUtf8());
            for (const QString& name : command.positionals)
                QVERIFY2(text.contains(QStringLiteral("\\fI%1\\fR").arg(name)),
                         where + ": " + name.toUtf8());
        }
    }

    void completion_knows_every_command_option_and_choice() {
        const QString name = QStringLiteral("blockloom-cli");
        QList<QStringList> lines, expected;
        for (const Known& command : all_commands()) {
            const QStringList start = QStringList{name} + command.words;
            lines.append(start + QStringList{QStringLiteral("-")});
            expected.append(command.options);
            if (!command.commands.isEmpty()) {
                lines.append(start + QStringList{QString()});
                expected.append(command.commands);
            }
            for (auto choice = command.choices.begin(); choice != command.choices.end(); ++choice) {
                lines.append(start + QStringList{choice.key(), QString()});
                expected.append(choice.value());
            }
        }
        QVERIFY2(lines.size() > 100, QByteArray::number(lines.size()));
        const QList<QStringList> answers = cli_completes(lines);
        QCOMPARE(answers.size(), lines.size());
        for (qsizetype i = 0; i < lines.size(); ++i)
            QVERIFY2(
                set_of(answers[i]) == set_of(expected[i]),
                qPrintable(lines[i].join(u' ') + QStringLiteral(": ") + answers[i].join(u' ')));
        // The other two shells' files have the same names.
        const QString fish = content(
                          QStringLiteral("share/fish/vendor_completions.d/%1.fish").arg(name)),
                      zsh = content(QStringLiteral("share/zsh/vendor-completions/_%1").arg(name));
        for (const Known& command : all_commands()) {
            for (const QString& option : command.options) {
                const QString bare = option.startsWith(QLatin1String("--"))
                                         ? QStringLiteral(" -l ") + option.mid(2)
                                         : QStringLiteral(" -s ") + option.mid(1);
                QVERIFY2(fish.contains(bare + u' '), qPrintable(option));
                QVERIFY2(zsh.contains(option + u'['), qPrintable(option));
            }
            for (const QString& below : command.commands) {
                QVERIFY2(fish.contains(QStringLiteral(" -a %1 ").arg(below)), qPrintable(below));
                QVERIFY2(zsh.contains(below + QLatin1String("\\:\"")), qPrintable(below));
            }
        }
    }

    void completion_follows_the_words_before_the_cursor() {
        const QString cli = QStringLiteral("blockloom-cli"), replay = QStringLiteral("replay"),
                      model = QStringLiteral("--model");
        QVERIFY(QDir().mkpath(in_it(QStringLiteral("data/sub"))));
        const QString data = in_it(QStringLiteral("data")) + u'/';
        const QList<QStringList> answers = cli_completes({
            {cli, QStringLiteral("re")},
            // The value of an option before the command is not the command.
            {cli, QStringLiteral("--workspace"), replay, QStringLiteral("sy")},
            // As bash splits --model=multi.
            {cli, replay, model, QStringLiteral("="), QStringLiteral("mu")},
            {cli, replay, model, QStringLiteral("=")},
            {cli, replay, model, QStringLiteral("multi-version"), QStringLiteral("de")},
            {cli, QStringLiteral("synth"), QStringLiteral("-o"), data},
            // A number cannot be completed.
            {cli, replay, QStringLiteral("--repeat"), QString()},
            {cli, replay, QStringLiteral("--"), QStringLiteral("--js")},
        });
        QCOMPARE(answers.size(), 7 + 1);
        QCOMPARE(set_of(answers[0]),
                 (QSet<QString>{QStringLiteral("render"), replay, QStringLiteral("report")}));
        QCOMPARE(answers[1], QStringList{QStringLiteral("synth")});
        QCOMPARE(answers[2], QStringList{QStringLiteral("multi-version")});
        QCOMPARE(answers[3].size(), 2);
        QCOMPARE(answers[4], QStringList{QStringLiteral("demo")});
        QCOMPARE(answers[5], QStringList{data + QStringLiteral("sub")});
        QVERIFY(answers[6].isEmpty());
        QVERIFY(answers[7].isEmpty());
    }

    void the_windows_options_are_completed_and_described() {
        const Answer help = run(in_it(QStringLiteral("bin/blockloom")), {QStringLiteral("--help")});
        static const QRegularExpression long_name(QStringLiteral("^  (?:-\\w, )?(--[\\w-]+)"),
                                                  QRegularExpression::MultilineOption);
        QSet<QString> options;
        for (auto found = long_name.globalMatch(help.text); found.hasNext();)
            options.insert(found.next().captured(1));
        QVERIFY(options.size() >= 10);
        const QString text = page(QStringLiteral("blockloom"));
        for (const QString& option : options)
            QVERIFY2(text.contains(QStringLiteral("\\fB%1\\fR").arg(option)), qPrintable(option));
        const QString name = QStringLiteral("blockloom");
        const auto answers =
            completed(in_it(QStringLiteral("share/bash-completion/completions/blockloom")),
                      QStringLiteral("_blockloom_complete"),
                      {{name, QStringLiteral("--")},
                       {name, QStringLiteral("--theme"), QString()},
                       {name, QStringLiteral("demo"), QStringLiteral("--th")}});
        QCOMPARE(answers.size(), 3);
        QCOMPARE(set_of(answers[0]), options);
        QCOMPARE(answers[1], (QStringList{QStringLiteral("dark"), QStringLiteral("light"),
                                          QStringLiteral("system")}));
        QCOMPARE(answers[2], QStringList{QStringLiteral("--theme")});
    }
};

QTEST_APPLESS_MAIN(TestInstall)
#include "test_install.moc"
