#include "store/older_documents.h"

#include "store/document_folder.h"
#include "store/meta_keys.h"

#include <fmt/format.h>

#include <map>

namespace blockloom::store {
namespace {

// Keys of the family `runs`: "s:ID" the summary, "c:ID" the document, "p:LENGTH:IDNAME" a part; the
// length is that of the id, which may hold any byte.
constexpr std::string_view summary_prefix = "s:", content_prefix = "c:", part_prefix = "p:";

/// Reads all keys that begin with `prefix`, so that nothing is changed while an iterator is open.
Result<std::vector<std::string>> keys_with(const Database& database, Family family,
                                           std::string_view prefix) {
    std::vector<std::string> keys;
    const Status read = database.visit(family, prefix, [&](std::string_view key, std::string_view) {
        keys.emplace_back(key);
        return true;
    });
    if (!read) return read.error();
    return keys;
}

Status move_run(const Database& database, const DocumentFolder& runs, const std::string& id) {
    const auto summary = database.get(Family::runs, std::string(summary_prefix) + id);
    if (!summary) return summary.error();
    const auto content = database.get(Family::runs, std::string(content_prefix) + id);
    if (!content) return content.error();
    const std::string prefix = fmt::format("{}{}:{}", part_prefix, id.size(), id);
    std::map<std::string, std::string> contents;
    const Status read =
        database.visit(Family::runs, prefix, [&](std::string_view key, std::string_view part) {
            contents.emplace(key.substr(prefix.size()), part);
            return true;
        });
    if (!read) return read;
    std::vector<DocumentPart> parts;
    parts.reserve(contents.size());
    for (const auto& [name, part] : contents) parts.push_back({name, part});
    const auto kept = runs.keep_new(id, summary->value_or(""), content->value_or(""), parts);
    return kept ? Status() : Status(kept.error());
}

/// A label that keeps a tuning or a sweep: "tuned", "tuned/…", "sweep/…".
bool is_tuning(std::string_view label) {
    return label == "tuned" || label.starts_with("tuned/") || label.starts_with("sweep/");
}

} // namespace

Status move_documents_to_files(Database& database, const std::filesystem::path& workspace,
                               const std::optional<Tip>& tip) {
    const auto runs = keys_with(database, Family::runs, {});
    if (!runs) return runs.error();
    const auto labels = keys_with(database, Family::meta, label_prefix);
    if (!labels) return labels.error();
    rocksdb::WriteBatch moved;
    const DocumentFolder run_files(workspace / runs_folder), tunings(workspace / tunings_folder);
    for (const std::string& key : *runs) {
        moved.Delete(database.handle(Family::runs), slice(key));
        if (!key.starts_with(summary_prefix)) continue;
        if (Status kept = move_run(database, run_files, key.substr(summary_prefix.size())); !kept)
            return kept;
    }
    for (const std::string& key : *labels) {
        const std::string label = key.substr(label_prefix.size());
        if (!is_tuning(label)) continue;
        const auto text = database.get(Family::meta, key);
        if (!text) return text.error();
        if (const auto kept = tunings.keep_new(label, {}, text->value_or("")); !kept)
            return kept.error();
        moved.Delete(database.handle(Family::meta), slice(key));
    }
    return moved.Count() == 0 ? Status() : database.write(moved, true, tip);
}

} // namespace blockloom::store
