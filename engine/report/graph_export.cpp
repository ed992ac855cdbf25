#include "report/graph_export.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "report/json.h"
#include "report/markup.h"

#include <fmt/format.h>

#include <iterator>

namespace blockloom::report {
namespace {

using conflict::TaskId;

/// Graphviz reads no string of more than 16,384 bytes, and an escape doubles a character.
constexpr std::size_t most_name_bytes = 4096;

/// A long name as its beginning and a hash of the whole, by which two of them still differ.
std::string bounded(const std::string& name) {
    const std::string text = valid_utf8(name);
    if (text.size() <= most_name_bytes) return text;
    const Hash256 hash = Sha256().once({as_bytes(name)});
    return fmt::format("{}… (SHA-256 {}, {} bytes)", utf8_beginning(text, most_name_bytes - 64),
                       to_hex(ByteView(hash).first(8)), name.size());
}

std::string name_of_task(const range::BlockRecord& record, TaskId task) {
    const TaskId in_block = record.analysis.index->trace->task_in_block(task);
    return bounded(record.trace->names ? record.trace->names->printable(in_block)
                                       : fmt::format("#{}", in_block));
}

/// DOT knows two escapes in a quoted string, \" and \\; line ends would end up in the label.
std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
    }
    return out + "\"";
}

std::string graph_name(const range::BlockRecord& record) {
    return bounded(fmt::format("{} {}, {}", record.trace->chain, record.trace->block.label,
                               name_of(record.analysis.index->model)));
}

} // namespace

std::string dependency_dot(const range::BlockRecord& record) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    std::string dot = fmt::format("digraph {} {{\n  rankdir=LR;\n  node [shape=box];\n",
                                  quoted(graph_name(record)));
    auto out = std::back_inserter(dot);
    for (TaskId task = 0; task < index.tasks(); ++task)
        fmt::format_to(out, "  {} [label={}, name={}, level={}, group={}, cost={}];\n", task,
                       quoted(fmt::format("#{}", index.trace->task_in_block(task))),
                       quoted(name_of_task(record, task)), index.level[task], index.group[task],
                       index.trace->cost_of(task));
    for (TaskId task = 0; task < index.tasks(); ++task)
        for (const TaskId before : index.predecessors_of(task))
            fmt::format_to(out, "  {} -> {};\n", before, task);
    return dot + "}\n";
}

std::string dependency_graphml(const range::BlockRecord& record) {
    const conflict::ConflictIndex& index = *record.analysis.index;
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
    auto out = std::back_inserter(xml);
    for (const auto& [id, type] : {std::pair{"name", "string"},
                                   {"position", "int"},
                                   {"level", "int"},
                                   {"group", "int"},
                                   {"cost", "long"}})
        fmt::format_to(out,
                       "  <key id=\"{0}\" for=\"node\" attr.name=\"{0}\" attr.type=\"{1}\"/>\n", id,
                       type);
    fmt::format_to(
        out, "  <key id=\"title\" for=\"graph\" attr.name=\"title\" attr.type=\"string\"/>\n");
    fmt::format_to(
        out, "  <graph id=\"block\" edgedefault=\"directed\">\n    <data key=\"title\">{}</data>\n",
        escaped(graph_name(record)));
    for (TaskId task = 0; task < index.tasks(); ++task)
        fmt::format_to(
            out,
            "    <node id=\"t{}\"><data key=\"name\">{}</data><data key=\"position\">{}</data>"
            "<data key=\"level\">{}</data><data key=\"group\">{}</data><data "
            "key=\"cost\">{}</data></node>\n",
            task, escaped(name_of_task(record, task)), index.trace->task_in_block(task),
            index.level[task], index.group[task], index.trace->cost_of(task));
    for (TaskId task = 0; task < index.tasks(); ++task)
        for (const TaskId before : index.predecessors_of(task))
            fmt::format_to(out, "    <edge source=\"t{}\" target=\"t{}\"/>\n", before, task);
    return xml + "  </graph>\n</graphml>\n";
}

} // namespace blockloom::report
