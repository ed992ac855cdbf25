#include "standard_streams.h"

#include "base/utf8.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>

namespace blockloom::cli {
namespace {

int lost = 0; ///< errno of the first write that failed; 0: none
std::atomic<bool> waits = false;

void note_loss(bool good) {
    if (!good && lost == 0) lost = errno == 0 ? EIO : errno;
}

} // namespace

void secure_standard_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    for (const int stream : {0, 1, 2}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // open() takes the lowest free number, the stream's own. Read-only, so that output fails.
        (void)::open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY);
    }
}

void print(const std::string& text) {
    const std::string safe = printable_document(text);
    waits = true;
    note_loss(std::fwrite(safe.data(), 1, safe.size(), stdout) == safe.size());
    waits = false;
}

void print_error(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

Status finish_output() {
    waits = true;
    note_loss(std::fflush(stdout) == 0);
    waits = false;
    if (lost == 0) return {};
    return Error{ErrorCode::system,
                 fmt::format("standard output: cannot write: {}", std::strerror(lost))};
}

bool output_waits() noexcept {
    return waits;
}

} // namespace blockloom::cli
