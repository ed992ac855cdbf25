#include "session/unkept_run.h"

#include "base/file.h"
#include "profile/trace_bytes.h"
#include "runs/kept_run.h"
#include "runs/run_json.h"
#include "store/location.h"

#include <QCoreApplication>
#include <QDir>

namespace blockloom::ui {
namespace {

QString words(const char* text) {
    return QCoreApplication::translate("UnkeptRun", text);
}

} // namespace

Result<std::filesystem::path> save_unkept(const execute::RunRecord& run,
                                          const runs::Provenance& made,
                                          const profile::Trace& spans) {
    std::vector<std::filesystem::path> folders;
    if (const auto own = store::default_folder()) folders.push_back(own->parent_path() / "unkept");
    folders.emplace_back(QDir::tempPath().toStdString());
    const Bytes bytes = profile::trace_bytes(spans);
    const std::string content = runs::with_spans(
        runs::run_json(run, made), {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    Error last;
    for (const std::filesystem::path& folder : folders) {
        std::error_code unknown; // writing says what is wrong with it
        std::filesystem::create_directories(folder, unknown);
        std::filesystem::path file = folder / (run.id + ".blockloom-run.json");
        const Status written = write_file(file, as_bytes(content));
        if (written) return file;
        last = written.error();
    }
    return last;
}

Error not_kept(const Error& why, const execute::RunRecord& run, const runs::Provenance& made,
               const profile::Trace& spans) {
    const QString reason = QString::fromStdString(why.message);
    const auto file = save_unkept(run, made, spans);
    const QString told =
        file ? words("The run was not kept: %1. It was written to %2; blockloom-cli runs import "
                     "brings it into a workspace")
                   .arg(reason, QString::fromStdString(file->string()))
             : words("The run was not kept: %1. It could not be written to a file either: %2")
                   .arg(reason, QString::fromStdString(file.error().message));
    return {why.code, told.toStdString()};
}

} // namespace blockloom::ui
