// blockloom-cli: what the window does, headless. Wiring only: parse, choose the command, map its
// result to an exit status.
#include "base/contain.h"
#include "command_line.h"
#include "compute/cuda/cuda_provider.h"
#include "compute/settings.h"
#include "interrupt.h"
#include "native/kept_code.h"
#include "scene/renderer.h"
#include "terminal.h"

#include <fmt/format.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <sstream>
#include <sys/prctl.h>
#include <unistd.h>

namespace blockloom::cli {

namespace {

/// A message on one line without control characters, whatever names it contains.
class PrintableText final : public spdlog::custom_flag_formatter {
public:
    void format(const spdlog::details::log_msg& message, const std::tm& /*time*/,
                spdlog::memory_buf_t& to) override {
        const std::string text =
            printable(std::string_view(message.payload.data(), message.payload.size()));
        to.append(text.data(), text.data() + text.size());
    }
    [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
        return spdlog::details::make_unique<PrintableText>();
    }
};

void set_up_log(const Context& context) {
    auto logger = spdlog::stderr_logger_mt("blockloom");
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<PrintableText>('*').set_pattern("blockloom-cli: %l: %*");
    logger->set_formatter(std::move(formatter));
    logger->set_level(context.quiet ? spdlog::level::err : spdlog::level::from_str(context.log));
    spdlog::set_default_logger(std::move(logger));
}

int report_error(const Error& error) {
    const char* word = error.code == ErrorCode::cancelled ? "" : "error: ";
    print_error(fmt::format("blockloom-cli: {}{}\n", word, printable(error.message)));
    return status_of(error.code);
}

/// The exit status after all output of a command.
int finished(int status) {
    const Status written = finish_output();
    return written ? status : report_error(written.error());
}

[[noreturn]] void leave(int status) {
    std::fflush(stdout);
    spdlog::default_logger()->flush();
    std::_Exit(status);
}

/// CLI11 has its own exit statuses; ours are 0 for help and version, 2 for wrong usage.
int parse_failed(const CLI::App& app, const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int status = app.exit(error, out, err);
    print(out.str());
    print_error(printable_document(err.str()));
    return finished(status == 0 ? 0 : status_of(ErrorCode::wrong_usage));
}

int run(int argc, char** argv) {
    const Interrupt interrupt;
    secure_standard_streams();
    Context context;
    context.stop = interrupt.token();
    CLI::App app("", "blockloom-cli");
    const std::vector<Command> commands = add_commands(app, context);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return parse_failed(app, error);
    }
    set_up_log(context);
    // For every command, also without a device: a mistyped setting is never ignored silently.
    const auto settings = compute::read_settings();
    if (!settings) return report_error(settings.error());
    if (const Status known = scene::check_renderer_choice(); !known)
        return report_error(known.error());
    if (const auto folder = compute::code_folder(*settings); !folder.empty())
        native::keep_code_in(std::make_shared<native::CodeStore>(folder));
    for (const Command& command : commands) {
        if (!command.parser->parsed()) continue;
        const auto answer =
            contain(command.parser->get_name(), [&] { return command.run(context); });
        const int status = answer ? finished(*answer) : report_error(answer.error());
        // Nobody waits for the compiler, a cancellation least of all. The command has closed
        // everything it had open; only memory is left.
        if (native::is_compiling() || status == status_of(ErrorCode::cancelled)) leave(status);
        return status;
    }
    return status_of(ErrorCode::wrong_usage);
}

/// Writes without allocating: there may be no memory left.
void say(const char* text) noexcept {
    (void)!::write(STDERR_FILENO, text, std::strlen(text));
}

/// For an error outside the commands: no memory while one was prepared or its result printed.
int end_out_of(const Error& error) noexcept {
    say("blockloom-cli: error: ");
    say(error.message.c_str());
    say("\n");
    return status_of(error.code);
}

/// The last resort: an exception on a thread of a library, or where none may be thrown. A block is
/// one atomic write, so the state remains that after a committed block.
[[noreturn]] void end_uncaught() noexcept {
    if (const std::exception_ptr thrown = std::current_exception()) {
        try {
            std::rethrow_exception(thrown);
        } catch (const std::exception& uncaught) {
            std::_Exit(end_out_of(error_of(uncaught, "the command cannot continue")));
        } catch (...) {
        }
    }
    // A library aborted while an exception passed through it.
    if (std::uncaught_exceptions() > 0)
        std::_Exit(end_out_of({ErrorCode::system, "out of memory or threads"}));
    std::abort(); // a defect: not an exception of the standard library
}

} // namespace
} // namespace blockloom::cli

int main(int argc, char** argv) {
    using namespace blockloom;
    compute::allow_many_streams();
    std::set_terminate(cli::end_uncaught);
    ::prctl(PR_SET_NAME,
            "blockloom-cli"); // the name it was started by, not that of the program file
    const auto status =
        contain("the command", [&]() -> Result<int> { return cli::run(argc, argv); });
    return status ? *status : cli::end_out_of(status.error());
}
