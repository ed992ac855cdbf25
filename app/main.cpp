// blockloom: the window. Options are read before anything of Qt's needs a display.
#include "scene/renderer.h"
#include "session/session.h"
#include "session/shortage.h"
#include "session/starvation.h"
#include "window/main_window.h"
#include "window/screenshot.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <system_error>

namespace {

using namespace blockloom;

constexpr int wrong_usage = 2, bad_input = 3, no_display = 4;

int complain(int code, const QString& message) {
    std::fputs(qPrintable(QStringLiteral("blockloom: %1\n").arg(message)), stderr);
    return code;
}

/// What the system refuses while an event is handled ends neither the program nor the session.
class Application final : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        bool handled = false;
        // Qt is not written for it: where small pieces are refused too, it would crash later.
        if (!ui::without_shortage([&] { handled = QApplication::notify(receiver, event); }) &&
            !ui::memory_left())
            ui::end_starved();
        return handled;
    }
};

/// Where no handler is left for an exception: in words, not by a signal, if the machine is to
/// blame.
[[noreturn]] void end_in_words() {
    try {
        if (const auto fault = std::current_exception()) std::rethrow_exception(fault);
    } catch (const std::bad_alloc&) {
        ui::end_starved();
    } catch (const std::system_error&) {
        ui::end_starved();
    } catch (...) {
        std::abort();
    }
    std::abort();
}

/// QGuiApplication aborts without a display: say so instead.
bool display_is_there() {
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") ||
           !qEnvironmentVariableIsEmpty("DISPLAY") ||
           !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

struct Choices {
    QStringList paths;
    ui::OpenChoices open;
    QSize size;
    std::optional<ui::ThemeChoice> theme;
    ui::Pose pose;
    bool own_settings = false; ///< leave the user's settings alone
};

/// An exit status, or nothing and `choices` filled.
std::optional<int> read_options(const QStringList& arguments, Choices& choices) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Opens the window on files, folders or \"demo\"; without any, on the start page.\n"
        "Example: blockloom ~/.bitcoin/blocks"));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  QStringLiteral("Show this help."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")},
                                     QStringLiteral("Show the version."));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        QStringLiteral(
            "Write a picture of the window to FILE (PNG) once everything is drawn, and quit."),
        QStringLiteral("FILE"));
    const QCommandLineOption size(QStringLiteral("size"),
                                  QStringLiteral("Size of the window, for example 1280x800."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("Colours."),
                                   QStringLiteral("dark|light|system"));
    const QCommandLineOption select(QStringLiteral("select"), QStringLiteral("Select this task."),
                                    QStringLiteral("TASK"));
    const QCommandLineOption block(QStringLiteral("block"), QStringLiteral("Show this block."),
                                   QStringLiteral("HEIGHT"));
    const QCommandLineOption view(
        QStringLiteral("view"),
        QStringLiteral(
            "layered, arc, matrix or bipartite; a panel: contention, breakdown, runs, log, "
            "inspector; layout-NAME, or dialog:NAME."),
        QStringLiteral("NAME"));
    const QCommandLineOption chain(QStringLiteral("chain"), QStringLiteral("What the bytes are."),
                                   QStringLiteral("auto|bitcoin|alkanes|trace"),
                                   QStringLiteral("auto"));
    const QCommandLineOption workspace(
        QStringLiteral("workspace"),
        QStringLiteral("Alkanes: the workspace with the state before the first block."),
        QStringLiteral("DIR"));
    parser.addOptions(
        {help, version, chain, workspace, screenshot, size, theme, select, block, view});
    parser.addPositionalArgument(QStringLiteral("PATH"), QStringLiteral("What to open."),
                                 QStringLiteral("[PATH…]"));
    if (!parser.parse(arguments)) return complain(wrong_usage, parser.errorText());
    if (parser.isSet(help)) {
        // There is no QApplication yet that would know the name.
        std::fputs(qPrintable(parser.helpText().replace(QStringLiteral("<executable_name>"),
                                                        QStringLiteral("blockloom"))),
                   stdout);
        return 0;
    }
    if (parser.isSet(version)) {
        std::puts("blockloom " BLOCKLOOM_VERSION);
        return 0;
    }
    choices.paths = parser.positionalArguments();
    choices.open = {parser.value(chain), parser.value(workspace)};
    const QStringList chains{QStringLiteral("auto"), QStringLiteral("bitcoin"),
                             QStringLiteral("alkanes"), QStringLiteral("trace")};
    if (!chains.contains(choices.open.chain))
        return complain(
            wrong_usage,
            QStringLiteral("--chain: expected auto, bitcoin, alkanes or trace, found \"%1\"")
                .arg(choices.open.chain));
    if (choices.paths.isEmpty() && (parser.isSet(chain) || parser.isSet(workspace)))
        return complain(wrong_usage,
                        QStringLiteral("--chain and --workspace: expected a PATH to open"));
    choices.pose.picture = parser.value(screenshot);
    choices.pose.view = parser.value(view);
    choices.own_settings = parser.isSet(screenshot);

    const auto number = [&](const QCommandLineOption& option, auto& into) {
        if (!parser.isSet(option)) return true;
        bool good = false;
        into = static_cast<typename std::decay_t<decltype(into)>::value_type>(
            parser.value(option).toUInt(&good));
        return good;
    };
    if (!number(select, choices.pose.task) || !number(block, choices.pose.block))
        return complain(wrong_usage, QStringLiteral("--select and --block: expected a number"));
    if (parser.isSet(size)) {
        static const QRegularExpression form(
            QStringLiteral("^([1-9][0-9]{2,3})x([1-9][0-9]{2,3})$"));
        const auto match = form.match(parser.value(size));
        if (!match.hasMatch())
            return complain(wrong_usage,
                            QStringLiteral("--size: expected WxH such as 1280x800, found \"%1\"")
                                .arg(parser.value(size)));
        choices.size = {match.captured(1).toInt(), match.captured(2).toInt()};
    }
    if (parser.isSet(theme)) {
        choices.theme = ui::theme_choice_named(parser.value(theme));
        if (ui::name_of(*choices.theme) != parser.value(theme))
            return complain(wrong_usage,
                            QStringLiteral("--theme: expected dark, light or system, found \"%1\"")
                                .arg(parser.value(theme)));
    }
    return std::nullopt;
}

int run(int& argc, char** argv, const Choices& choices) {
    const Application app(argc, argv);
    (void)ui::Shortage::instance(); // on this thread
    QApplication::setOrganizationName(QStringLiteral("Blockloom"));
    QApplication::setApplicationName(QStringLiteral("blockloom"));
    QApplication::setApplicationVersion(QStringLiteral(BLOCKLOOM_VERSION));

    QTemporaryDir scratch; // a picture shows a fresh window, whatever the user made of his own
    ui::MainWindow window(choices.own_settings ? scratch.filePath(QStringLiteral("settings.ini"))
                                               : QString());
    if (choices.size.isValid()) window.resize(choices.size);
    if (choices.theme) window.setTheme(*choices.theme);
    window.show();
    const bool picture = !choices.pose.picture.isEmpty();
    if (!choices.paths.isEmpty())
        window.open(choices.paths, choices.open);
    else if (!picture)
        window.restoreSession();

    if (!choices.paths.isEmpty() || picture)
        ui::take_pose(window, choices.pose, [picture](const QString& error) {
            if (!error.isEmpty()) complain(bad_input, error);
            if (picture) QApplication::exit(error.isEmpty() ? 0 : bad_input);
        });
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
    Choices choices;
    if (const auto status = read_options(arguments, choices)) return *status;
    if (!display_is_there())
        return complain(
            no_display,
            QStringLiteral("there is no display (DISPLAY and WAYLAND_DISPLAY are not set); "
                           "blockloom-cli does the same without one"));
    if (const Status known = scene::check_renderer_choice(); !known)
        return complain(wrong_usage, QString::fromStdString(known.error().message));
    std::set_terminate(end_in_words);
    ui::end_where_starved();
    try {
        return run(argc, argv, choices);
    } catch (const std::bad_alloc&) {
        return complain(ui::refused_status,
                        QStringLiteral("the system refused memory that the window "
                                       "needs; raise the limit (ulimit -v)"));
    } catch (const std::system_error& refused) {
        return complain(ui::refused_status,
                        QStringLiteral("the system refused a thread that the window "
                                       "needs (%1); raise the limits (ulimit -u, -v)")
                            .arg(QString::fromLocal8Bit(refused.what())));
    }
}
