// The sample data that lies beside the project, in ../shared/data.
#pragma once

#include "places.h"

#include <QFileInfo>
#include <QString>
#include <QTest>

namespace blockloom::test {

inline QString shared_data(const char* name) {
    return QStringLiteral(BLOCKLOOM_SOURCE_DIR "/../shared/data/") + QLatin1String(name);
}

} // namespace blockloom::test

/// Skips the test where a clone has no sample data; where CI is set it fails, because nobody would
/// notice.
#define NEEDS_SHARED_DATA(name)                                                                    \
    do {                                                                                           \
        if (QFileInfo::exists(::blockloom::test::shared_data(name))) break;                        \
        if (qEnvironmentVariableIsSet("CI") &&                                                     \
            QFileInfo::exists(::blockloom::test::shared_data("")))                                 \
            QFAIL("../shared/data/" name " is not there, and CI is set");                          \
        QSKIP("../shared/data/" name " is not there");                                             \
    } while (false)
