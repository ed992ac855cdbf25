#include "session/rules.h"

#include <algorithm>

namespace blockloom::ui {
namespace {

/// The key that a pattern made by glob_of names; nothing where the pattern is a real glob.
std::optional<std::string> key_of(const std::string& pattern) {
    if (pattern.starts_with("kind:")) return std::nullopt;
    std::string key;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '*' || c == '?') return std::nullopt;
        if (c != '[') {
            key += c;
            continue;
        }
        if (i + 2 >= pattern.size() || pattern[i + 2] != ']') return std::nullopt;
        key += pattern[i + 1];
        i += 2;
    }
    return key;
}

} // namespace

QString name_of(conflict::ConflictModel model) {
    return model == conflict::ConflictModel::multi_version ? QStringLiteral("multi-version")
                                                           : QStringLiteral("single-version");
}

std::string glob_of(const std::string& printable_key) {
    std::string pattern;
    for (const char c : printable_key) {
        if (c == '*' || c == '?' || c == '[')
            pattern.append({'[', c, ']'});
        else
            pattern += c;
    }
    return pattern;
}

trace::KeyPolicy with_key(trace::KeyPolicy policy, const std::string& printable_key, bool relaxed) {
    const std::string pattern = glob_of(printable_key);
    const auto at = std::find(policy.ignore.begin(), policy.ignore.end(), pattern);
    if (relaxed && at == policy.ignore.end()) policy.ignore.push_back(pattern);
    if (!relaxed && at != policy.ignore.end()) policy.ignore.erase(at);
    return policy;
}

bool is_relaxed(const trace::KeyPolicy& policy, const std::string& printable_key) {
    return std::find(policy.ignore.begin(), policy.ignore.end(), glob_of(printable_key)) !=
           policy.ignore.end();
}

std::vector<std::string> relaxed_keys(const trace::KeyPolicy& policy) {
    std::vector<std::string> keys;
    for (const std::string& pattern : policy.ignore)
        if (auto key = key_of(pattern)) keys.push_back(std::move(*key));
    return keys;
}

RuleCommand::RuleCommand(Rules before, Rules after, const QString& text,
                         std::function<void(const Rules&)> apply)
    : QUndoCommand(text), before_(std::move(before)), after_(std::move(after)),
      apply_(std::move(apply)) {}

void RuleCommand::undo() {
    apply_(before_);
}

void RuleCommand::redo() {
    apply_(after_);
}

} // namespace blockloom::ui
