// Clients of the tests' server.
#pragma once

#include "node/http_client.h"
#include "node/jumping_clock.h"
#include "node/node_server.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <string>

/// Evaluates its argument once.
#define NODE_OK(result)                                                                            \
    do {                                                                                           \
        const auto& checked_result = (result);                                                     \
        QVERIFY2(checked_result.ok(),                                                              \
                 checked_result.ok() ? "" : checked_result.error().message.c_str());               \
    } while (false)

namespace blockloom::test {

/// "" if it did not fail.
template <typename T> std::string message_of(const Result<T>& result) {
    return result ? std::string() : result.error().message;
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

inline std::string written(const QTemporaryDir& folder, const char* name,
                           const std::string& content) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    if (!file.open(QIODevice::WriteOnly)) std::abort();
    file.write(content.data(), static_cast<qint64>(content.size()));
    return file.fileName().toStdString();
}

inline Result<std::unique_ptr<node::HttpClient>> client_of(const std::string& url,
                                                           node::WaitClock& clock,
                                                           const node::NodeAccess& access = {},
                                                           const node::HttpLimits& limits = {}) {
    auto address = node::node_address(url);
    if (!address) return address.error();
    return node::HttpClient::open(*std::move(address), access, limits, clock);
}

} // namespace blockloom::test
