#include "base/utf8.h"
#include "trace/bloomtrace.h"
#include "trace/bloomtrace_fields.h"
#include "trace/gzip.h"
#include "trace/json_text.h"
#include "trace/raw_json.h"

#include <fmt/format.h>

namespace blockloom::trace {
namespace {

using namespace bloomtrace;

Error unfit(const std::string& what, const std::string& expected, const std::string& found) {
    return {ErrorCode::bad_input,
            fmt::format("bloomtrace: {}: expected {}, found {}", what, expected, found)};
}

/// The fields of a JSON object as text, "\"a\":1,\"b\":2", after checking their names. `nested` is
/// removed and returned separately.
struct Fields {
    std::string text, nested;
};

template <std::size_t Size>
Result<Fields> fields_of(const std::string& extra, const std::string& what,
                         const std::array<std::string_view, Size>& known,
                         std::string_view nested = {}) {
    Fields fields;
    if (extra.empty()) return fields;
    std::string compact;
    if (!append_json_value(compact, extra) || compact.front() != '{')
        return unfit(what, "a JSON object of unknown fields", extra.substr(0, 40));
    simdjson::ondemand::parser parser;
    const simdjson::padded_string padded(compact);
    simdjson::ondemand::document document;
    simdjson::ondemand::object object;
    simdjson::error_code code = parser.iterate(padded).get(document);
    if (code == simdjson::SUCCESS) code = document.get_object().get(object);
    if (code != simdjson::SUCCESS)
        return unfit(what, "a JSON object of unknown fields", simdjson::error_message(code));
    for (auto entry : object) {
        simdjson::ondemand::field field;
        std::string_view name;
        code = std::move(entry).get(field);
        if (code == simdjson::SUCCESS) code = field.unescaped_key().get(name);
        if (code != simdjson::SUCCESS)
            return unfit(what, "fields with names", simdjson::error_message(code));
        if (place_in(known, name))
            return unfit(what, "unknown fields only", fmt::format("\"{}\"", name));
        std::string_view value;
        code = raw_json(field.value(), value);
        if (code != simdjson::SUCCESS)
            return unfit(what, "JSON values", simdjson::error_message(code));
        if (!nested.empty() && name == nested) {
            if (!value.starts_with('{') || !fields.nested.empty())
                return unfit(what, fmt::format("one object for \"{}\"", nested), "other");
            fields.nested = value;
        } else {
            append_json_field(fields.text, name, value);
        }
    }
    return fields;
}

class Writer {
public:
    Status write(const TraceFile& file);
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    Status write_header(const TraceFile& file);
    Status write_block_line(const BlockTrace& block, std::size_t place, const std::string& extra);
    Status write_task(const BlockTrace& block, TaskId task, const std::string& extra);
    Status add_keys(std::string& fields, std::string_view name, const BlockTrace& block,
                    TaskId task, Mode mode);
    Status add_string(std::string& fields, std::string_view name, std::string_view value);
    void add_known(std::string& fields, std::string_view name, std::string_view value) {
        append_json_field(fields, name, value);
    }
    void end_line(const std::string& fields, const std::string& unknown) {
        text_.push_back('{');
        text_.append(fields);
        if (!fields.empty() && !unknown.empty()) text_.push_back(',');
        text_.append(unknown);
        text_.append("}\n");
    }

    std::string text_;
};

Status Writer::add_string(std::string& fields, std::string_view name, std::string_view value) {
    if (!is_utf8(value))
        return unfit(std::string(name), "UTF-8", to_hex(as_bytes(value.substr(0, 20))));
    std::string quoted;
    append_json_string(quoted, value);
    append_json_field(fields, name, quoted);
    return {};
}

Status Writer::write_header(const TraceFile& file) {
    std::string chain = file.chain;
    for (const auto& block : file.blocks) {
        if (!block) return unfit("block", "a trace", "none");
        if (chain.empty()) chain = block->chain;
        if (block->chain != chain)
            return unfit("block", fmt::format("chain \"{}\"", chain), block->chain);
    }
    std::string fields;
    if (Status added = add_string(fields, "schema", schema); !added) return added;
    if (Status added = add_string(fields, "chain", chain); !added) return added;
    const Result<Fields> extra = fields_of(file.header_extra, "header", header_fields);
    if (!extra) return extra.error();
    end_line(fields, extra->text);
    return {};
}

Status Writer::write_block_line(const BlockTrace& block, std::size_t place,
                                const std::string& extra) {
    constexpr std::array<std::string_view, 0> none{};
    const Result<Fields> beside = fields_of(extra, "block line", none, "block");
    if (!beside) return beside.error();
    const Result<Fields> inside = fields_of(beside->nested, "block", block_fields);
    if (!inside) return inside.error();
    std::string fields;
    if (block.block.height)
        append_json_field(fields, "height", fmt::format("{}", *block.block.height));
    if (!block.block.hash.empty())
        if (Status added = add_string(fields, "hash", block.block.hash); !added) return added;
    if (block.block.label != default_label(block.block, place))
        if (Status added = add_string(fields, "label", block.block.label); !added) return added;
    if (block.cost_unit != CostUnit::unit)
        if (Status added = add_string(fields, "cost_unit",
                                      cost_units[static_cast<std::size_t>(block.cost_unit)]);
            !added)
            return added;
    if (!fields.empty() && !inside->text.empty()) fields.push_back(',');
    fields.append(inside->text);
    std::string line;
    append_json_field(line, "block", fmt::format("{{{}}}", fields));
    end_line(line, beside->text);
    return {};
}

Status Writer::add_keys(std::string& fields, std::string_view name, const BlockTrace& block,
                        TaskId task, Mode mode) {
    std::string list = "[";
    for (const Access access : block.sets.of(task)) {
        if (mode == Mode::read ? !access.reads() : !access.writes()) continue;
        const std::string key =
            block.keys ? block.keys->printable(access.key()) : fmt::format("key:{}", access.key());
        if (!is_key(key)) return unfit("key", "\"kind:printable\"", key);
        if (!is_utf8(key)) return unfit("key", "UTF-8", to_hex(as_bytes(key)));
        if (list.size() > 1) list.push_back(',');
        append_json_string(list, key);
    }
    list.push_back(']');
    append_json_field(fields, name, list);
    return {};
}

Status Writer::write_task(const BlockTrace& block, TaskId task, const std::string& extra) {
    const Result<Fields> unknown = fields_of(extra, "task", task_fields, "block");
    if (!unknown) return unknown.error();
    if (!unknown->nested.empty()) return unfit("task", "no field \"block\"", "one");
    std::string fields;
    const std::string id = block.names ? block.names->printable(task) : fmt::format("#{}", task);
    if (Status added = add_string(fields, "id", id); !added) return added;
    if (Status added = add_keys(fields, "reads", block, task, Mode::read); !added) return added;
    if (Status added = add_keys(fields, "writes", block, task, Mode::write); !added) return added;
    if (!block.cost.empty()) append_json_field(fields, "cost", fmt::format("{}", block.cost[task]));
    if (!block.transaction.empty())
        append_json_field(fields, "transaction", fmt::format("{}", block.transaction[task]));
    if (!block.vote.empty() && block.vote[task]) append_json_field(fields, "vote", "true");
    end_line(fields, unknown->text);
    return {};
}

Status Writer::write(const TraceFile& file) {
    if (Status written = write_header(file); !written) return written;
    static const std::string none;
    for (std::size_t i = 0; i < file.blocks.size(); ++i) {
        const BlockTrace& block = *file.blocks[i];
        const std::string& extra = i < file.block_extra.size() ? file.block_extra[i] : none;
        if (Status written = write_block_line(block, i, extra); !written) return written;
        for (TaskId task = 0; task < block.tasks(); ++task) {
            const bool has_extra = i < file.task_extra.size() && task < file.task_extra[i].size();
            if (Status written =
                    write_task(block, task, has_extra ? file.task_extra[i][task] : none);
                !written)
                return written;
        }
    }
    return {};
}

} // namespace

Result<Bytes> write_bloomtrace(const TraceFile& file, bool compressed) {
    Writer writer;
    if (Status written = writer.write(file); !written) return written.error();
    const std::string text = writer.take();
    if (compressed) return gzip(as_bytes(text));
    return Bytes(text.begin(), text.end());
}

} // namespace blockloom::trace
