// Runs the built command line and keeps what it said.
#pragma once

#include "headers/shared_data.h"
#include "headers/waiting.h"
#include "places.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

namespace blockloom::test {

struct Answer {
    int status = -1;
    QByteArray out, err;
};

inline QString program() {
    return QStringLiteral(BLOCKLOOM_BIN_DIR "/blockloom-cli");
}

/// What it becomes (app/launcher.cpp).
inline QString launched_program() {
    return QStringLiteral(BLOCKLOOM_BIN_DIR "/../libexec/blockloom/blockloom-cli-program");
}

inline Answer run(const QStringList& arguments, const QString& folder = {},
                  const QString& file = program()) {
    QProcess process;
    if (!folder.isEmpty()) process.setWorkingDirectory(folder);
    process.start(file, arguments);
    Answer answer;
    if (!process.waitForFinished(without_limit) || process.exitStatus() != QProcess::NormalExit) {
        answer.err = process.errorString().toUtf8() + process.readAllStandardError();
        return answer;
    }
    answer.status = process.exitCode();
    answer.out = process.readAllStandardOutput();
    answer.err = process.readAllStandardError();
    return answer;
}

/// The document on standard output, if there is exactly one and nothing else.
inline QJsonObject json(const Answer& answer) {
    QJsonParseError error;
    const auto document = QJsonDocument::fromJson(answer.out, &error);
    return error.error == QJsonParseError::NoError ? document.object() : QJsonObject();
}

inline QByteArray content(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace blockloom::test
