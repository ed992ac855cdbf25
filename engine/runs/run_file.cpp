#include "runs/run_file.h"

#include "profile/trace_bytes.h"
#include "runs/base64.h"
#include "runs/check_json.h"
#include "runs/run_notes.h"

#include <algorithm>
#include <fmt/format.h>

namespace blockloom::runs {
namespace {

Result<JsonDocument> parse_run(std::string_view text, std::string_view place) {
    auto document = JsonDocument::parse(text, std::string(place), run_limits);
    if (!document) return document.error();
    if (const Status is_run = check_is_run(document->root()); !is_run) return is_run.error();
    return document;
}

} // namespace

bool is_run_id(std::string_view id) noexcept {
    constexpr std::size_t longest = 128;
    constexpr std::string_view others = "._-+:,";
    return !id.empty() && id.size() <= longest && others.find(id.front()) == others.npos &&
           std::all_of(id.begin(), id.end(), [&](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      others.find(c) != others.npos;
           });
}

Status check_is_run(JsonValue root) {
    constexpr std::string_view schema = "blockloom.run/1";
    if (root.is_object() && root["schema"].is_text() && *root["schema"].text(SIZE_MAX) == schema)
        return {};
    return Error{ErrorCode::bad_input,
                 fmt::format("{}: expected a run (schema {}), found another document", root.place(),
                             schema)};
}

Result<std::string> with_notes(std::string_view document, const RunNotes& notes,
                               std::string_view place) {
    const auto run = parse_run(document, place);
    if (!run) return run.error();
    std::vector<JsonAddition> members;
    if (!notes.note.empty()) members.push_back({"note", json_string(notes.note)});
    if (!notes.baseline.empty())
        members.push_back(
            {"baseline", fmt::format("{{\n    \"name\": {},\n    \"colour\": {}\n  }}",
                                     json_string(notes.baseline), notes.colour)});
    return run->text({"note", "baseline"}, members);
}

Result<std::string> with_verification(std::string_view document, const Verification& by,
                                      std::string_view place) {
    const auto run = parse_run(document, place);
    if (!run) return run.error();
    const std::vector<JsonAddition> members{
        {"verified", by.equal() ? "true" : "false"},
        {"verification",
         fmt::format("{{\n    \"date\": {},\n    \"version\": {},\n    \"engine\": {},\n    "
                     "\"blocks\": {},\n    \"difference\": {}\n  }}",
                     json_string(by.date), json_string(by.version), json_string(by.engine),
                     by.blocks, by.equal() ? "null" : json_string(by.difference))}};
    return run->text({"verified", "verification"}, members);
}

Result<std::string> with_check(std::string_view document, const range::NodeCheck& check,
                               std::string_view place) {
    const auto run = parse_run(document, place);
    if (!run) return run.error();
    const std::vector<JsonAddition> members{{"check", check_text(check)}};
    return run->text({"check"}, members);
}

std::string with_spans(std::string_view document, std::string_view spans) {
    const auto run = parse_run(document, "run");
    if (!run) return std::string(document);
    const std::vector<JsonAddition> added{{"spans", json_string(base64(as_bytes(spans)))}};
    return run->text({"spans"}, added);
}

Result<SeparatedRun> without_spans(std::string_view file, const std::string& place) {
    const auto run = parse_run(file, place);
    if (!run) return run.error();
    auto figures = read_run(*run);
    if (!figures) return figures.error();
    const JsonValue spans = run->root()["spans"];
    if (spans.is_absent())
        return SeparatedRun{*std::move(figures), std::string(file), std::nullopt};
    const auto text = spans.text(SIZE_MAX);
    if (!text) return run->status().error();
    const auto bytes = from_base64(*text);
    if (!bytes)
        return Error{
            ErrorCode::bad_input,
            fmt::format("{}: expected base64 under \"spans\", found something else", place)};
    const auto trace = profile::read_trace(*bytes, place + ": spans");
    if (!trace) return trace.error();
    return SeparatedRun{*std::move(figures), run->text({"spans"}),
                        std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())};
}

} // namespace blockloom::runs
