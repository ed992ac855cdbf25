#include "trace/block_builder.h"
#include "trace/bloomtrace.h"
#include "trace/bloomtrace_fields.h"
#include "trace/gzip.h"
#include "trace/json_text.h"
#include "trace/raw_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace blockloom::trace {
namespace {

namespace ondemand = simdjson::ondemand;
using namespace bloomtrace;

constexpr std::size_t stop_interval = 1024;       ///< lines between two checks of the stop token
constexpr std::size_t longest_line = 0xffff'0000; ///< simdjson's own limit is 4 GiB

/// A value as an error shows it.
std::string describe(ondemand::value value) {
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return "something that is not JSON";
    switch (type) {
    case ondemand::json_type::array:
        return "an array";
    case ondemand::json_type::object:
        return "an object";
    default:
        break;
    }
    std::string_view token = value.raw_json_token();
    while (!token.empty() && (token.back() == ' ' || token.back() == '\t' || token.back() == '\r'))
        token.remove_suffix(1);
    constexpr std::size_t shown = 40;
    return token.size() <= shown ? std::string(token) : fmt::format("{}…", token.substr(0, shown));
}

/// A problem of the current line: expected and found, without place.
struct Fault {
    std::string expected, found;
};
using MaybeFault = std::optional<Fault>;

Fault json_fault(simdjson::error_code code) {
    return {"JSON", simdjson::error_message(code)};
}

/// Appends an unknown field to `fields`.
MaybeFault keep(std::string_view name, ondemand::value value, std::string& fields) {
    std::string_view raw;
    if (const auto code = raw_json(value, raw); code != simdjson::SUCCESS) return json_fault(code);
    std::string text;
    if (!append_json_value(text, raw))
        return Fault{fmt::format("a JSON value for \"{}\"", name), "something else"};
    append_json_field(fields, name, text);
    return std::nullopt;
}

/// Calls `known(place of the name, value)` for known fields, each at most once, and keeps the
/// others.
template <std::size_t Size, typename Known>
MaybeFault each_field(ondemand::object& object, const std::array<std::string_view, Size>& names,
                      std::string& unknown, Known known) {
    std::array<bool, Size> seen{};
    for (auto entry : object) {
        ondemand::field field;
        if (const auto code = std::move(entry).get(field); code != simdjson::SUCCESS)
            return json_fault(code);
        std::string_view name;
        if (const auto code = field.unescaped_key().get(name); code != simdjson::SUCCESS)
            return json_fault(code);
        const std::optional<std::size_t> place = place_in(names, name);
        if (!place) {
            if (MaybeFault fault = keep(name, field.value(), unknown)) return fault;
            continue;
        }
        if (std::exchange(seen[*place], true))
            return Fault{fmt::format("one field \"{}\"", name), "two"};
        if (MaybeFault fault = known(*place, field.value())) return fault;
    }
    return std::nullopt;
}

MaybeFault take_string(std::string_view name, ondemand::value value, std::string_view& to) {
    if (value.get_string().get(to) == simdjson::SUCCESS) return std::nullopt;
    return Fault{fmt::format("a string for \"{}\"", name), describe(value)};
}

MaybeFault take_integer(std::string_view name, ondemand::value value, std::uint64_t most,
                        std::uint64_t& to) {
    if (value.get_uint64().get(to) == simdjson::SUCCESS && to <= most) return std::nullopt;
    return Fault{fmt::format("an integer from 0 to {} for \"{}\"", most, name), describe(value)};
}

MaybeFault take_keys(std::string_view name, ondemand::value value,
                     std::vector<std::string_view>& to) {
    ondemand::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS)
        return Fault{fmt::format("an array of keys for \"{}\"", name), describe(value)};
    for (auto entry : array) {
        ondemand::value element;
        if (const auto code = std::move(entry).get(element); code != simdjson::SUCCESS)
            return json_fault(code);
        std::string_view key;
        if (element.get_string().get(key) != simdjson::SUCCESS)
            return Fault{fmt::format("a string \"kind:printable\" in \"{}\"", name),
                         describe(element)};
        if (!is_key(key))
            return Fault{fmt::format("a key \"kind:printable\" in \"{}\"", name),
                         fmt::format("\"{}\"", key.substr(0, 80))};
        to.push_back(key);
    }
    return std::nullopt;
}

class Reader {
public:
    explicit Reader(const std::string& place) : place_(place) {}

    Status take_line(std::string_view line, bool padded);
    Result<TraceFile> finish() &&;

private:
    [[nodiscard]] Error error(const Fault& fault) const {
        return {ErrorCode::bad_input, fmt::format("{}: line {}: expected {}, found {}", place_,
                                                  line_, fault.expected, fault.found)};
    }
    MaybeFault take_object(ondemand::object& object);
    MaybeFault take_header(ondemand::object& object);
    MaybeFault take_block(ondemand::object& object);
    MaybeFault take_block_fields(ondemand::object& object, std::string& unknown);
    MaybeFault take_task(ondemand::object& object);
    MaybeFault end_block();
    [[nodiscard]] static std::string braced(const std::string& fields) {
        return fields.empty() ? std::string() : fmt::format("{{{}}}", fields);
    }

    const std::string& place_;
    std::size_t line_ = 0;
    bool has_header_ = false;
    ondemand::parser parser_;
    std::string copy_; ///< a line without padding after it
    TraceFile file_;
    std::optional<BlockBuilder> block_;
    std::vector<std::string> extras_; ///< of the tasks of the block; empty: none so far
    TaskRecord task_;
    std::string number_id_; ///< the text of an id that is a number
};

Status Reader::take_line(std::string_view line, bool padded) {
    ++line_;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return {};
    if (line.size() > longest_line)
        return error({fmt::format("a line of at most {} bytes", longest_line),
                      fmt::format("{}", line.size())});
    if (!padded) {
        copy_.assign(line);
        copy_.resize(line.size() + simdjson::SIMDJSON_PADDING);
        line = std::string_view(copy_).substr(0, line.size());
    }
    // Grow by doubling: simdjson would take exactly what each longer line needs.
    if (line.size() > parser_.capacity()) {
        if (const auto code = parser_.allocate(std::bit_ceil(line.size()));
            code != simdjson::SUCCESS)
            return Error{ErrorCode::system, fmt::format("{}: line {}: {}", place_, line_,
                                                        simdjson::error_message(code))};
    }
    ondemand::document document;
    if (const auto code =
            parser_
                .iterate(simdjson::padded_string_view(line.data(), line.size(),
                                                      line.size() + simdjson::SIMDJSON_PADDING))
                .get(document);
        code != simdjson::SUCCESS)
        return error(json_fault(code));
    ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS)
        return error({"a JSON object", fmt::format("\"{}\"", line.substr(0, 40))});
    if (MaybeFault fault = take_object(object)) return error(*fault);
    // At the end of its text a document has no current location.
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS)
        return error({"the end of the line after the object", "more"});
    return {};
}

MaybeFault Reader::take_object(ondemand::object& object) {
    if (!has_header_) return take_header(object);
    // A look ahead at what kind of line it is; the object is then read from its beginning.
    ondemand::value ignored;
    const auto code = object.find_field_unordered("block").get(ignored);
    const bool is_block = code == simdjson::SUCCESS;
    if (!is_block && code != simdjson::NO_SUCH_FIELD) return json_fault(code);
    if (const auto reset = object.reset().error(); reset != simdjson::SUCCESS)
        return json_fault(reset);
    return is_block ? take_block(object) : take_task(object);
}

MaybeFault Reader::take_header(ondemand::object& object) {
    std::optional<std::string> found_schema, chain;
    std::string unknown;
    MaybeFault fault =
        each_field(object, header_fields, unknown, [&](std::size_t field, ondemand::value value) {
            std::string_view text;
            MaybeFault wrong = take_string(header_fields[field], value, text);
            if (!wrong) (field == 0 ? found_schema : chain) = std::string(text);
            return wrong;
        });
    if (fault) return fault;
    if (found_schema != schema)
        return Fault{fmt::format("a header with \"schema\":\"{}\"", schema),
                     found_schema ? fmt::format("\"{}\"", *found_schema) : "none"};
    if (!chain) return Fault{"a header with \"chain\"", "none"};
    file_.chain = *chain;
    file_.header_extra = braced(unknown);
    has_header_ = true;
    return std::nullopt;
}

MaybeFault Reader::take_block(ondemand::object& object) {
    if (MaybeFault fault = end_block()) return fault;
    std::string inside, beside;
    constexpr std::array<std::string_view, 1> line_fields{"block"};
    MaybeFault fault =
        each_field(object, line_fields, beside, [&](std::size_t, ondemand::value value) {
            ondemand::object block;
            if (value.get_object().get(block) != simdjson::SUCCESS)
                return MaybeFault(Fault{"an object for \"block\"", describe(value)});
            return take_block_fields(block, inside);
        });
    if (fault) return fault;
    std::string unknown;
    if (!inside.empty()) append_json_field(unknown, "block", fmt::format("{{{}}}", inside));
    if (!unknown.empty() && !beside.empty()) unknown.push_back(',');
    file_.block_extra.push_back(braced(unknown + beside));
    return std::nullopt;
}

MaybeFault Reader::take_block_fields(ondemand::object& object, std::string& unknown) {
    BlockIdentity block;
    std::optional<std::string> label;
    CostUnit unit = CostUnit::unit;
    MaybeFault fault = each_field(
        object, block_fields, unknown, [&](std::size_t field, ondemand::value value) -> MaybeFault {
            if (field == 0) {
                bool is_null = false;
                if (value.is_null().get(is_null) == simdjson::SUCCESS && is_null)
                    return std::nullopt;
                std::uint64_t height = 0;
                MaybeFault wrong = take_integer("height", value,
                                                std::numeric_limits<std::uint64_t>::max(), height);
                block.height = height;
                return wrong;
            }
            std::string_view text;
            if (MaybeFault wrong = take_string(block_fields[field], value, text)) return wrong;
            if (field == 1) block.hash = text;
            if (field == 2) label = std::string(text);
            if (field != 3) return std::nullopt;
            const std::optional<std::size_t> named = place_in(cost_units, text);
            if (!named)
                return Fault{fmt::format("a \"cost_unit\" of {}", fmt::join(cost_units, ", ")),
                             fmt::format("\"{}\"", text)};
            unit = static_cast<CostUnit>(*named);
            return std::nullopt;
        });
    if (fault) return fault;
    block.label = label.value_or(default_label(block, file_.blocks.size()));
    block_.emplace(file_.chain, std::move(block), unit);
    return std::nullopt;
}

MaybeFault Reader::take_task(ondemand::object& object) {
    if (!block_) return Fault{"a line with \"block\" before the first task", "another"};
    task_.id = {};
    task_.reads.clear();
    task_.writes.clear();
    task_.cost.reset();
    task_.transaction.reset();
    task_.vote = false;
    std::string unknown;
    MaybeFault fault = each_field(
        object, task_fields, unknown, [&](std::size_t field, ondemand::value value) -> MaybeFault {
            std::uint64_t number = 0;
            switch (field) {
            case 0: {
                ondemand::json_type type{};
                if (value.type().get(type) == simdjson::SUCCESS &&
                    type == ondemand::json_type::number) {
                    MaybeFault wrong = take_integer(
                        "id", value, std::numeric_limits<std::uint64_t>::max(), number);
                    number_id_ = fmt::format("{}", number);
                    task_.id = number_id_;
                    return wrong;
                }
                return take_string("id", value, task_.id);
            }
            case 1:
                return take_keys("reads", value, task_.reads);
            case 2:
                return take_keys("writes", value, task_.writes);
            case 3: {
                MaybeFault wrong =
                    take_integer("cost", value, std::numeric_limits<std::int64_t>::max(), number);
                task_.cost = number;
                return wrong;
            }
            case 4: {
                MaybeFault wrong = take_integer("transaction", value,
                                                std::numeric_limits<std::uint32_t>::max(), number);
                task_.transaction = static_cast<std::uint32_t>(number);
                return wrong;
            }
            default:
                if (value.get_bool().get(task_.vote) == simdjson::SUCCESS) return std::nullopt;
                return Fault{"true or false for \"vote\"", describe(value)};
            }
        });
    if (fault) return fault;
    if (std::optional<std::string> full = block_->add(task_)) return Fault{*full, "more"};
    if (!unknown.empty() && extras_.empty()) extras_.resize(block_->tasks() - 1);
    if (!unknown.empty() || !extras_.empty()) extras_.push_back(braced(unknown));
    return std::nullopt;
}

MaybeFault Reader::end_block() {
    if (!block_) return std::nullopt;
    Result<std::shared_ptr<const BlockTrace>> block = std::move(*block_).finish();
    block_.reset();
    if (!block) return Fault{"a transaction for all tasks of a block or for none", "some"};
    file_.blocks.push_back(*block);
    file_.task_extra.push_back(std::exchange(extras_, {}));
    return std::nullopt;
}

Result<TraceFile> Reader::finish() && {
    if (!has_header_)
        return error({fmt::format("a header with \"schema\":\"{}\"", schema), "the end"});
    if (MaybeFault fault = end_block()) return error(*fault);
    return std::move(file_);
}

} // namespace

Result<TraceFile> read_bloomtrace(ByteView bytes, const std::string& place, std::stop_token stop) {
    std::string inflated;
    if (is_gzip(bytes)) {
        Result<std::string> text = gunzip(bytes, place);
        if (!text) return text.error();
        inflated = *std::move(text);
        bytes = as_bytes(inflated);
    }
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    Reader reader(place);
    for (std::size_t line = 0; !text.empty(); ++line) {
        if (line % stop_interval == 0 && stop.stop_requested()) return cancelled_error();
        const std::size_t end = std::min(text.find('\n'), text.size());
        const bool padded = text.size() - end >= simdjson::SIMDJSON_PADDING;
        if (Status taken = reader.take_line(text.substr(0, end), padded); !taken)
            return taken.error();
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return std::move(reader).finish();
}

} // namespace blockloom::trace
