// Reader of the window's session, which another program may have written over: any bytes give a
// session whose numbers are in range, or an error that names the place.
#include "session/saved_session.h"

#include "session/runs.h"
#include "session/session.h"

#include <cstdint>
#include <cstdlib>

using namespace blockloom;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto session = ui::saved_session(
        QByteArray(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size)),
        QStringLiteral("fuzz"));
    if (!session) {
        if (!session.error().message.starts_with("fuzz")) std::abort();
        return 0;
    }
    const bool in_range = session->workers >= 1 && session->workers <= ui::Session::most_workers &&
                          session->repetitions >= 1 &&
                          session->repetitions <= ui::Runs::most_repetitions;
    if (!in_range) std::abort();
    // What was read is written and read back unchanged.
    const auto again = ui::saved_session(ui::to_json(*session), QStringLiteral("again"));
    if (!again || ui::to_json(*again) != ui::to_json(*session)) std::abort();
    return 0;
}
