// blockloom: the window. Options are read before Qt needs a display.
#include "compute/cuda/cuda_provider.h"
#include "compute/settings.h"
#include "native/kept_code.h"
#include "scene/renderer.h"
#include "session/session.h"
#include "session/shortage.h"
#include "session/starvation.h"
#include "window/main_window.h"
#include "window/screenshot.h"
#include "window/window_place.h"

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

/// A lack of memory or threads while an event is handled ends neither the program nor the session.
class Application final : public QApplication {
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override {
        bool handled = false;
        // Qt does not handle this: if even small allocations fail, it would crash later.
        if (!ui::without_shortage([&] { handled = QApplication::notify(receiver, event); }) &&
            !ui::memory_left())
            ui::end_starved();
        return handled;
    }
};

/// For an exception without a handler: a message instead of a signal, if the machine is the cause.
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

/// QGuiApplication aborts without a display: report it instead.
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
    bool own_settings = false; ///< do not touch the user's settings
};

/// An exit status, or nothing with `choices` filled.
std::optional<int> read_options(const QStringList& arguments, Choices& choices) {
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Opens files, folders or \"demo\" in the window; without a PATH, shows the start page.\n"
        "Example: blockloom ~/.bitcoin/blocks"));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")},
                                  QStringLiteral("Show this help."));
    const QCommandLineOption version({QStringLiteral("v"), QStringLiteral("version")},
                                     QStringLiteral("Show the version."));
    const QCommandLineOption screenshot(
        QStringLiteral("screenshot"),
        QStringLiteral(
            "Write a picture of the window to FILE (PNG) when everything is drawn, then quit."),
        QStringLiteral("FILE"));
    const QCommandLineOption size(QStringLiteral("size"),
                                  QStringLiteral("Size of the window, such as 1280x800."),
                                  QStringLiteral("WxH"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("Colour theme."),
                                   QStringLiteral("dark|light|system"));
    const QCommandLineOption select(QStringLiteral("select"), QStringLiteral("Select this task."),
                                    QStringLiteral("TASK"));
    const QCommandLineOption block(QStringLiteral("block"), QStringLiteral("Show this block."),
                                   QStringLiteral("HEIGHT"));
    const QCommandLineOption view(
        QStringLiteral("view"),
        QStringLiteral(
            "What to show: a view (layered, arc, matrix, bipartite), a panel (contention, "
            "breakdown, runs, log, inspector), layout-NAME or dialog:NAME."),
        QStringLiteral("NAME"));
    const QCommandLineOption chain(QStringLiteral("chain"), QStringLiteral("Format of the blocks."),
                                   QStringLiteral("auto|bitcoin|alkanes|trace"),
                                   QStringLiteral("auto"));
    const QCommandLineOption workspace(
        QStringLiteral("workspace"),
        QStringLiteral("Alkanes: workspace with the state before the first block."),
        QStringLiteral("DIR"));
    parser.addOptions(
        {help, version, chain, workspace, screenshot, size, theme, select, block, view});
    parser.addPositionalArgument(QStringLiteral("PATH"), QStringLiteral("What to open."),
                                 QStringLiteral("[PATH…]"));
    if (!parser.parse(arguments)) return complain(wrong_usage, parser.errorText());
    if (parser.isSet(help)) {
        // There is no QApplication yet to provide the name.
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

    QTemporaryDir scratch; // a picture shows a fresh window, not the user's layout
    ui::MainWindow window(choices.own_settings ? scratch.filePath(QStringLiteral("settings.ini"))
                                               : QString());
    if (choices.size.isValid()) ui::place_window(window, choices.size);
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
    blockloom::compute::allow_many_streams();
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments.append(QString::fromLocal8Bit(argv[i]));
    Choices choices;
    if (const auto status = read_options(arguments, choices)) return *status;
    if (!display_is_there())
        return complain(no_display,
                        QStringLiteral("no display (DISPLAY and WAYLAND_DISPLAY are not set); "
                                       "blockloom-cli works without one"));
    if (const Status known = scene::check_renderer_choice(); !known)
        return complain(wrong_usage, QString::fromStdString(known.error().message));
    std::set_terminate(end_in_words);
    ui::end_where_starved();
    // An invalid setting is reported by the window, which then uses none of them.
    if (const auto settings = compute::read_settings())
        if (const auto folder = compute::code_folder(*settings); !folder.empty())
            native::keep_code_in(std::make_shared<native::CodeStore>(folder));
    try {
        return run(argc, argv, choices);
    } catch (const std::bad_alloc&) {
        return complain(ui::refused_status,
                        QStringLiteral("not enough memory for the window; raise the "
                                       "limit (ulimit -v)"));
    } catch (const std::system_error& refused) {
        return complain(ui::refused_status,
                        QStringLiteral("no thread for the window (%1); raise the "
                                       "limits (ulimit -u, -v)")
                            .arg(QString::fromLocal8Bit(refused.what())));
    }
}
