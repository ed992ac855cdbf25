#include "session/saved_session.h"

#include "base/file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace blockloom::ui {
namespace {

const QString schema = QStringLiteral("blockloom.session/%1").arg(SavedSession::version);

QJsonArray array(const std::vector<std::string>& texts) {
    QJsonArray made;
    for (const std::string& text : texts) made.append(QString::fromStdString(text));
    return made;
}

std::vector<std::string> texts(const QJsonValue& value) {
    std::vector<std::string> made;
    for (const auto& text : value.toArray()) made.push_back(text.toString().toStdString());
    return made;
}

QJsonObject policy_json(const trace::KeyPolicy& policy) {
    return {{QStringLiteral("ignore"), array(policy.ignore)},
            {QStringLiteral("commutative"), array(policy.commutative)},
            {QStringLiteral("coarsen_account"), policy.coarsen_account},
            {QStringLiteral("touches_ignored"), policy.touches_ignored},
            {QStringLiteral("without_votes"), policy.without_votes}};
}

trace::KeyPolicy policy_from(const QJsonObject& json) {
    trace::KeyPolicy policy;
    policy.ignore = texts(json.value(QStringLiteral("ignore")));
    policy.commutative = texts(json.value(QStringLiteral("commutative")));
    policy.coarsen_account = json.value(QStringLiteral("coarsen_account")).toBool();
    policy.touches_ignored = json.value(QStringLiteral("touches_ignored")).toBool();
    policy.without_votes = json.value(QStringLiteral("without_votes")).toBool();
    return policy;
}

} // namespace

QByteArray to_json(const SavedSession& saved) {
    QJsonObject json{{QStringLiteral("schema"), schema},
                     {QStringLiteral("sources"), QJsonArray::fromStringList(saved.sources)},
                     {QStringLiteral("chain"), saved.choices.chain},
                     {QStringLiteral("workspace"), saved.choices.workspace},
                     {QStringLiteral("multi_version"),
                      saved.rules.model == conflict::ConflictModel::multi_version},
                     {QStringLiteral("own_cost"), saved.rules.use_cost},
                     {QStringLiteral("policy"), policy_json(saved.rules.policy)},
                     {QStringLiteral("schedule"), static_cast<int>(saved.schedule)},
                     {QStringLiteral("workers"), static_cast<int>(saved.workers)},
                     {QStringLiteral("block"), saved.block},
                     {QStringLiteral("key"), saved.key},
                     {QStringLiteral("view"), saved.view},
                     {QStringLiteral("backend"), saved.backend},
                     {QStringLiteral("strategy"), saved.strategy},
                     {QStringLiteral("repetitions"), static_cast<int>(saved.repetitions)},
                     {QStringLiteral("batch_min"), static_cast<qint64>(saved.limits.batch_min)},
                     {QStringLiteral("batch_max"), static_cast<qint64>(saved.limits.batch_max)},
                     {QStringLiteral("slice"), static_cast<qint64>(saved.limits.slice)},
                     {QStringLiteral("run_a"), saved.run_a},
                     {QStringLiteral("run_b"), saved.run_b},
                     {QStringLiteral("opening"), saved.opening}};
    if (saved.task) json.insert(QStringLiteral("task"), static_cast<qint64>(*saved.task));
    return QJsonDocument(json).toJson();
}

Result<SavedSession> saved_session(const QByteArray& bytes, const QString& place) {
    QJsonParseError error{};
    const QJsonObject json = QJsonDocument::fromJson(bytes, &error).object();
    const QString found = json.value(QStringLiteral("schema")).toString();
    if (found != schema)
        return Error{ErrorCode::bad_input,
                     QStringLiteral("%1: expected %2, found %3")
                         .arg(place, schema,
                              error.error != QJsonParseError::NoError ? error.errorString()
                              : found.isEmpty()                       ? QStringLiteral("no schema")
                                                                      : found)
                         .toStdString()};
    const auto text = [&json](const char* name) {
        return json.value(QLatin1StringView(name)).toString();
    };
    const auto count = [&json](const char* name, int standard) {
        return static_cast<quint32>(
            std::max(json.value(QLatin1StringView(name)).toInt(standard), 1));
    };
    SavedSession saved;
    for (const auto& source : json.value(QStringLiteral("sources")).toArray())
        saved.sources.append(source.toString());
    saved.choices = {text("chain").isEmpty() ? OpenChoices().chain : text("chain"),
                     text("workspace")};
    saved.rules.model = json.value(QStringLiteral("multi_version")).toBool()
                            ? conflict::ConflictModel::multi_version
                            : conflict::ConflictModel::single_version;
    saved.rules.use_cost = json.value(QStringLiteral("own_cost")).toBool();
    saved.rules.policy = policy_from(json.value(QStringLiteral("policy")).toObject());
    const int schedule = json.value(QStringLiteral("schedule")).toInt(-1);
    if (schedule >= 0 && schedule <= static_cast<int>(schedule::Strategy::optimistic))
        saved.schedule = static_cast<schedule::Strategy>(schedule);
    saved.workers = count("workers", static_cast<int>(saved.workers));
    saved.repetitions = count("repetitions", 1);
    const auto limit = [&json](const char* name, std::size_t standard) {
        const qint64 value = json.value(QLatin1StringView(name)).toInteger(-1);
        return value < 0 ? standard : static_cast<std::size_t>(value);
    };
    saved.limits.batch_min = limit("batch_min", saved.limits.batch_min);
    saved.limits.batch_max = limit("batch_max", 0);
    saved.limits.slice = static_cast<std::uint32_t>(limit("slice", 0));
    saved.block = text("block");
    saved.key = text("key");
    saved.view = text("view");
    saved.backend = text("backend");
    saved.strategy = text("strategy");
    saved.run_a = text("run_a");
    saved.run_b = text("run_b");
    saved.opening = json.value(QStringLiteral("opening")).toBool();
    if (const QJsonValue task = json.value(QStringLiteral("task")); task.isDouble())
        saved.task = static_cast<quint32>(std::max<qint64>(task.toInteger(), 0));
    return saved;
}

Result<std::optional<SavedSession>> read_session(const QString& name) {
    QFile file(name);
    if (!file.exists()) return std::optional<SavedSession>();
    if (!file.open(QIODevice::ReadOnly))
        return Error{
            ErrorCode::system,
            QStringLiteral("%1: cannot read: %2").arg(name, file.errorString()).toStdString()};
    auto saved = saved_session(file.readAll(), name);
    if (!saved) return saved.error();
    return std::optional(*std::move(saved));
}

Status write_session(const QString& file, const SavedSession& saved) {
    QDir().mkpath(QFileInfo(file).path()); // where it fails, writing says so
    const QByteArray json = to_json(saved);
    return write_file(file.toStdString(), ByteView(reinterpret_cast<const Byte*>(json.constData()),
                                                   static_cast<std::size_t>(json.size())));
}

} // namespace blockloom::ui
