// A small range for tests of reports: a trace whose names try to break out of every format.
#pragma once

#include "base/file.h"
#include "range/open_range.h"
#include "range/range.h"
#include "recipes/recipe.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>

namespace blockloom::test {

/// Three tasks with hostile names, one chain of two, and a task alone; then an empty block.
inline const std::string hostile_trace =
    "{\"schema\":\"blockloom.trace/1\",\"chain\":\"toy<&>\"}\n"
    "{\"block\":{\"height\":7,\"hash\":\"=cmd()\"}}\n"
    "{\"id\":\"</script><script>alert(1)</script>\",\"reads\":[],\"writes\":[\"x:\\\"a\\\" & "
    "<b>\"],\"cost\":5}\n"
    "{\"id\":\"line\\nend\\\\ \\\"quoted\\\", and more\",\"reads\":[\"x:\\\"a\\\" & "
    "<b>\"],\"writes\":[],\"cost\":7}\n"
    "{\"id\":\"ünï ]]>\",\"reads\":[\"y:1\"],\"writes\":[],\"cost\":1}\n"
    "{\"block\":{\"height\":8,\"hash\":\"b8\"}}\n";

inline std::shared_ptr<const range::Range>
open_text(const QTemporaryDir& folder, const std::string& text,
          const schedule::AnalysisOptions& analysis = {}) {
    const std::string path = folder.filePath(QStringLiteral("a & <b>, c.bloomtrace")).toStdString();
    if (!write_file(path, as_bytes(text)).ok()) return nullptr;
    range::RangeOptions options;
    options.sources = {path};
    options.analysis = analysis;
    SilentProgress silent;
    auto range = range::open_range(options, silent, {}, 1);
    return range.ok() ? *range : nullptr;
}

inline std::shared_ptr<const range::Range> open_demo() {
    range::RangeOptions options;
    options.sources = {"demo"};
    options.to = 960'104;
    SilentProgress silent;
    auto range = range::open_range(options, silent, {}, 1);
    return range.ok() ? *range : nullptr;
}

} // namespace blockloom::test
