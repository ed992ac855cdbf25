#include "session/saved_session.h"

#include "alkanes/rule_table.h"
#include "base/file.h"
#include "base/json.h"
#include "text/to_qt.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <limits>

namespace blockloom::ui {
namespace {

const QStringList chains{QStringLiteral("auto"), QStringLiteral("bitcoin"),
                         QStringLiteral("alkanes"), QStringLiteral("trace")};
const QString schema = QStringLiteral("blockloom.session/%1").arg(SavedSession::version);

QJsonArray array(const std::vector<std::string>& texts) {
    QJsonArray made;
    for (const std::string& text : texts) made.append(to_qt(text));
    return made;
}

/// A session of ours never has more.
constexpr std::size_t most_sources = 10'000, most_patterns = 100'000, most_path_bytes = 1 << 16,
                      most_name_bytes = 1 << 16;
/// A double holds no more.
constexpr std::uint64_t most_height = std::uint64_t{1} << 53;
constexpr JsonLimits limits{std::size_t{16} << 20, std::size_t{1} << 20, 4};

void read(const JsonValue& value, std::vector<std::string>& into) {
    for (const JsonValue text : value.items(most_patterns))
        if (const auto pattern = text.required().text(most_name_bytes)) into.emplace_back(*pattern);
}

void read(const JsonValue& value, QString& into) {
    if (const auto text = value.text(most_name_bytes)) into = to_qt(*text);
}

QJsonObject state_json(const StateChoice& state) {
    QJsonObject made{{QStringLiteral("folder"), state.folder},
                     {QStringLiteral("url"), state.url},
                     {QStringLiteral("credentials"), state.credentials},
                     {QStringLiteral("certificates"), state.certificates},
                     {QStringLiteral("bundle"), state.bundle},
                     {QStringLiteral("fork"), state.fork},
                     {QStringLiteral("label"), state.label},
                     {QStringLiteral("access"), state.access}};
    if (state.height) made.insert(QStringLiteral("height"), static_cast<qint64>(*state.height));
    return made;
}

QJsonObject policy_json(const trace::KeyPolicy& policy) {
    return {{QStringLiteral("ignore"), array(policy.ignore)},
            {QStringLiteral("commutative"), array(policy.commutative)},
            {QStringLiteral("coarsen_account"), policy.coarsen_account},
            {QStringLiteral("touches_ignored"), policy.touches_ignored},
            {QStringLiteral("without_votes"), policy.without_votes}};
}

void read(const JsonValue& json, trace::KeyPolicy& policy) {
    read(json["ignore"], policy.ignore);
    read(json["commutative"], policy.commutative);
    json["coarsen_account"].read(policy.coarsen_account);
    json["touches_ignored"].read(policy.touches_ignored);
    json["without_votes"].read(policy.without_votes);
}

void read(const JsonValue& json, SavedSession& saved) {
    for (const JsonValue source : json["sources"].items(most_sources))
        if (const auto file = source.required().text(most_path_bytes))
            saved.sources.append(to_qt(*file));
    read(json["chain"], saved.choices.chain);
    if (saved.choices.chain.isEmpty()) saved.choices.chain = OpenChoices().chain;
    if (!chains.contains(saved.choices.chain))
        json["chain"].refuse("auto, bitcoin, alkanes or trace");
    read(json["workspace"], saved.choices.workspace);
    read(json["rules"], saved.choices.rules);
    if (saved.choices.rules.isEmpty()) saved.choices.rules = OpenChoices().rules;
    if (!alkanes::rule_line_from_name(saved.choices.rules.toStdString()))
        json["rules"].refuse("released or develop");
    read(json["fuel"], saved.choices.fuel);
    if (!saved.choices.fuel.isEmpty() &&
        !wasm::fuel_rule_from_name(saved.choices.fuel.toStdString()))
        json["fuel"].refuse("counted or exact");
    const JsonValue state = json["state"];
    read(state["folder"], saved.choices.state.folder);
    read(state["url"], saved.choices.state.url);
    read(state["bundle"], saved.choices.state.bundle);
    const QStringList places{saved.choices.state.folder, saved.choices.state.url,
                             saved.choices.state.bundle};
    if (places.count(QString()) < 2) state.refuse("a folder, a URL or a bundle");
    read(state["credentials"], saved.choices.state.credentials);
    read(state["certificates"], saved.choices.state.certificates);
    read(state["fork"], saved.choices.state.fork);
    read(state["label"], saved.choices.state.label);
    read(state["access"], saved.choices.state.access);
    if (!state_accesses().contains(saved.choices.state.access))
        state["access"].refuse("auto, stopped or running");
    if (const auto height = state["height"].whole(0, most_height))
        saved.choices.state.height = *height;
    read(json["credentials"], saved.choices.credentials);
    read(json["certificates"], saved.choices.certificates);
    json["follow"].read(saved.choices.follow);
    if (const auto from = json["from"].whole(0, most_height)) saved.choices.from = *from;
    if (const auto to = json["to"].whole(0, most_height)) saved.choices.to = *to;
    bool multi_version = false;
    json["multi_version"].read(multi_version);
    if (multi_version) saved.rules.model = conflict::ConflictModel::multi_version;
    json["own_cost"].read(saved.rules.use_cost);
    read(json["policy"], saved.rules.policy);
    auto schedule = static_cast<unsigned>(saved.schedule);
    json["schedule"].read(schedule, 0U, static_cast<unsigned>(schedule::Strategy::optimistic));
    saved.schedule = static_cast<schedule::Strategy>(schedule);
    json["workers"].read(saved.workers, quint32{1}, Session::most_workers);
    if (const auto workers = json["run_workers"].whole(1, Runs::most_workers))
        saved.run_workers = static_cast<quint32>(*workers);
    json["repetitions"].read(saved.repetitions, 1U, Runs::most_repetitions);
    json["verify"].read(saved.verifies);
    json["batch_min"].read(saved.limits.batch_min, std::size_t{0}, RunLimits::most);
    json["batch_max"].read(saved.limits.batch_max, std::size_t{0}, RunLimits::most);
    json["slice"].read(saved.limits.slice);
    json["window"].read(saved.limits.window, 1U, RunLimits::most_window);
    json["hybrid"].read(saved.limits.hybrid);
    if (const auto task = json["task"].whole(0, std::numeric_limits<quint32>::max()))
        saved.task = static_cast<quint32>(*task);
    read(json["block"], saved.block);
    read(json["key"], saved.key);
    read(json["view"], saved.view);
    read(json["backend"], saved.backend);
    read(json["strategy"], saved.strategy);
    read(json["run_a"], saved.run_a);
    read(json["run_b"], saved.run_b);
    json["opening"].read(saved.opening);
}

} // namespace

QByteArray to_json(const SavedSession& saved) {
    QJsonObject json{{QStringLiteral("schema"), schema},
                     {QStringLiteral("sources"), QJsonArray::fromStringList(saved.sources)},
                     {QStringLiteral("chain"), saved.choices.chain},
                     {QStringLiteral("workspace"), saved.choices.workspace},
                     {QStringLiteral("rules"), saved.choices.rules},
                     {QStringLiteral("fuel"), saved.choices.fuel},
                     {QStringLiteral("state"), state_json(saved.choices.state)},
                     {QStringLiteral("credentials"), saved.choices.credentials},
                     {QStringLiteral("certificates"), saved.choices.certificates},
                     {QStringLiteral("follow"), saved.choices.follow},
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
                     {QStringLiteral("verify"), saved.verifies},
                     {QStringLiteral("batch_min"), static_cast<qint64>(saved.limits.batch_min)},
                     {QStringLiteral("batch_max"), static_cast<qint64>(saved.limits.batch_max)},
                     {QStringLiteral("slice"), static_cast<qint64>(saved.limits.slice)},
                     {QStringLiteral("window"), static_cast<qint64>(saved.limits.window)},
                     {QStringLiteral("hybrid"), saved.limits.hybrid},
                     {QStringLiteral("run_a"), saved.run_a},
                     {QStringLiteral("run_b"), saved.run_b},
                     {QStringLiteral("opening"), saved.opening}};
    if (saved.run_workers)
        json.insert(QStringLiteral("run_workers"), static_cast<qint64>(*saved.run_workers));
    if (saved.choices.from)
        json.insert(QStringLiteral("from"), static_cast<qint64>(*saved.choices.from));
    if (saved.choices.to) json.insert(QStringLiteral("to"), static_cast<qint64>(*saved.choices.to));
    if (saved.task) json.insert(QStringLiteral("task"), static_cast<qint64>(*saved.task));
    return QJsonDocument(json).toJson();
}

Result<SavedSession> saved_session(const QByteArray& bytes, const QString& place) {
    const auto document = JsonDocument::parse(
        {bytes.constData(), static_cast<std::size_t>(bytes.size())}, place.toStdString(), limits);
    if (!document) return document.error();
    const JsonValue root = document->root();
    const auto found = root["schema"].required().text(most_name_bytes);
    if (found && to_qt(*found) != schema) root["schema"].refuse(schema.toStdString());
    SavedSession saved;
    if (document->status()) read(root, saved);
    if (const Status read = document->status(); !read) return read.error();
    return saved;
}

Result<std::optional<SavedSession>> read_session(const QString& name) {
    QFile file(name);
    if (!file.exists()) return std::optional<SavedSession>();
    if (!QFileInfo(name).isFile() || file.size() > static_cast<qint64>(limits.bytes))
        return Error{ErrorCode::bad_input,
                     QStringLiteral("%1: expected a session in a file of 16 MiB at most, found %2")
                         .arg(name, QFileInfo(name).isFile() ? QStringLiteral("more")
                                                             : QStringLiteral("no file"))
                         .toStdString()};
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
