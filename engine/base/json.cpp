#include "base/json.h"

#include "base/utf8.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace blockloom {

enum class JsonValue::Type : std::uint8_t {
    null,
    boolean,
    whole,   ///< 0 to 2^64 − 1
    integer, ///< −2^63 to −1
    real,    ///< every other number
    text,
    name, ///< of the value behind it
    array,
    object
};

/// Values in the order of the text, consecutively: a container before its contents.
struct JsonValue::Inside {
    struct Node {
        std::uint64_t payload; ///< number; place in `characters`; container: index behind its last
        std::uint32_t length; ///< bytes of a text or of a real number's spelling; elements, members
        Type type;
    };

    std::string place;
    std::vector<Node> nodes;
    std::string characters;
    std::optional<Error> error;

    [[nodiscard]] std::string_view text_of(const Node& node) const noexcept {
        return std::string_view(characters).substr(node.payload, node.length);
    }
    [[nodiscard]] bool is_container(std::size_t at) const noexcept {
        return nodes[at].type == Type::array || nodes[at].type == Type::object;
    }
    [[nodiscard]] std::size_t after(std::size_t at) const noexcept {
        return is_container(at) ? nodes[at].payload : at + 1;
    }
    void fail(const std::string& path, std::string_view expected, std::string_view found) {
        if (error) return;
        error = Error{ErrorCode::bad_input,
                      fmt::format("{}{}{}: expected {}, found {}", place, path.empty() ? "" : ": ",
                                  path, expected, found)};
    }
    [[nodiscard]] std::string path_to(std::size_t at) const;
    void show(std::string& to, std::size_t at, std::size_t most) const;
    void write(std::string& to, std::size_t at, std::size_t indent) const;
};

namespace {

using Library = nlohmann::json;

/// A name as a step of a path.
std::string step(std::string_view name) {
    constexpr std::size_t longest = 60;
    const bool plain = !name.empty() && name.size() <= longest &&
                       std::all_of(name.begin(), name.end(), [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                                  (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '-';
                       });
    if (plain) return std::string(name);
    return name.size() <= longest ? json_string(name) : json_string(name.substr(0, longest)) + "…";
}

void append_step(std::string& path, std::string_view name) {
    if (!path.empty()) path += '.';
    path += step(name);
}

} // namespace

std::string JsonValue::Inside::path_to(std::size_t at) const {
    std::string path;
    for (std::size_t here = 0; here != at && is_container(here);) {
        std::size_t child = here + 1;
        if (nodes[here].type == Type::array) {
            std::size_t i = 0;
            for (; after(child) <= at; child = after(child)) ++i;
            path += fmt::format("[{}]", i);
            here = child;
        } else {
            while (after(child + 1) <= at) child = after(child + 1);
            append_step(path, text_of(nodes[child]));
            here = child == at ? at : child + 1;
        }
    }
    return path;
}

void JsonValue::Inside::show(std::string& to, std::size_t at, std::size_t most) const {
    if (to.size() > most) return;
    const Node& node = nodes[at];
    switch (node.type) {
    case Type::null:
        to += "null";
        return;
    case Type::boolean:
        to += node.payload != 0 ? "true" : "false";
        return;
    case Type::whole:
        to += std::to_string(node.payload);
        return;
    case Type::integer:
        to += std::to_string(static_cast<std::int64_t>(node.payload));
        return;
    case Type::real:
        to += text_of(node).substr(0, most + 1);
        return;
    case Type::text:
    case Type::name:
        to += json_string(text_of(node).substr(0, most + 1));
        return;
    case Type::array:
    case Type::object:
        to += node.type == Type::array ? '[' : '{';
        for (std::size_t child = at + 1; child < node.payload && to.size() <= most;
             child = after(child)) {
            if (child > at + 1) to += ',';
            show(to, child, most);
            if (node.type == Type::array) continue;
            to += ':';
            show(to, ++child, most);
        }
        to += node.type == Type::array ? ']' : '}';
        return;
    }
}

void JsonValue::Inside::write(std::string& to, std::size_t at, std::size_t indent) const {
    const Node& node = nodes[at];
    if (!is_container(at) || node.length == 0) return show(to, at, SIZE_MAX - 1);
    const bool named = node.type == Type::object;
    to += named ? '{' : '[';
    for (std::size_t child = at + 1; child < node.payload; child = after(child)) {
        to += child == at + 1 ? "\n" : ",\n";
        to.append(indent + 2, ' ');
        if (named) {
            show(to, child++, SIZE_MAX - 1);
            to += ": ";
        }
        write(to, child, indent + 2);
    }
    to += '\n';
    to.append(indent, ' ');
    to += named ? '}' : ']';
}

/// Receives the library parser's events, within the limits. Calls return false to end it.
class JsonBuilder {
public:
    using Inside = JsonValue::Inside;
    using Type = JsonValue::Type;

    /// `size`: of the text.
    JsonBuilder(Inside& inside, const JsonLimits& limits, std::size_t size)
        : inside_(inside), limits_(limits), size_(size) {}

    bool null() { return value(Type::null, 0); }
    bool boolean(bool yes) { return value(Type::boolean, yes ? 1 : 0); }
    bool number_unsigned(std::uint64_t number) { return value(Type::whole, number); }
    bool number_integer(std::int64_t number) {
        return value(number < 0 ? Type::integer : Type::whole, static_cast<std::uint64_t>(number));
    }
    bool number_float(double /*number*/, const std::string& spelled) {
        return characters(Type::real, spelled);
    }
    bool string(const std::string& text) { return characters(Type::text, text); }
    bool key(const std::string& name) {
        ++inside_.nodes[open_.back()].length;
        return characters(Type::name, name);
    }
    bool binary(const std::vector<std::uint8_t>& /*bytes*/) { return false; } // JSON has none
    bool start_object(std::size_t /*members*/) { return start(Type::object); }
    bool start_array(std::size_t /*elements*/) { return start(Type::array); }
    bool end_array() { return end(); }
    bool end_object() { return distinct(open_.back()) && end(); }
    bool parse_error(std::size_t position, const std::string& token,
                     const nlohmann::detail::exception& error) {
        constexpr int number_out_of_range = 406;
        const std::string found = printable(token.substr(0, 60));
        if (error.id == number_out_of_range)
            inside_.fail(place_now(), "a number within the range of a double", found);
        else
            inside_.error =
                input_error(inside_.place, position, "JSON",
                            position > size_ ? "its end" : fmt::format("\"{}\"", found));
        return false;
    }

private:
    bool value(Type type, std::uint64_t payload, std::uint32_t length = 0) {
        if (inside_.nodes.size() >= limits_.values) {
            inside_.fail(place_now(), fmt::format("at most {} values", limits_.values), "more");
            return false;
        }
        if (type != Type::name && !open_.empty() && inside_.nodes[open_.back()].type == Type::array)
            ++inside_.nodes[open_.back()].length;
        inside_.nodes.push_back({payload, length, type});
        return true;
    }
    bool characters(Type type, std::string_view text) {
        const std::size_t at = inside_.characters.size();
        inside_.characters += text;
        return value(type, at, static_cast<std::uint32_t>(text.size()));
    }
    bool start(Type type) {
        if (open_.size() >= limits_.depth) {
            inside_.fail(place_now(),
                         fmt::format("at most {} nested arrays and objects", limits_.depth),
                         "more");
            return false;
        }
        if (!value(type, 0)) return false;
        open_.push_back(inside_.nodes.size() - 1);
        return true;
    }
    bool end() {
        inside_.nodes[open_.back()].payload = inside_.nodes.size();
        open_.pop_back();
        return true;
    }
    /// Parsers disagree on which of two members with the same name counts.
    bool distinct(std::size_t object) {
        names_.clear();
        for (std::size_t at = object + 1; at < inside_.nodes.size(); at = inside_.after(at + 1))
            names_.push_back(inside_.text_of(inside_.nodes[at]));
        std::sort(names_.begin(), names_.end());
        const auto twice = std::adjacent_find(names_.begin(), names_.end());
        if (twice == names_.end()) return true;
        inside_.fail(path_of_open(), "unique names", step(*twice) + " twice");
        return false;
    }
    /// Of the innermost open container. (path_to() needs all closed ones.)
    [[nodiscard]] std::string path_of_open() const {
        std::string path;
        for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
            const auto& node = inside_.nodes[open_[i]];
            if (node.type == Type::array)
                path += fmt::format("[{}]", node.length - 1); // counted when it began
            else
                append_step(path, inside_.text_of(inside_.nodes[open_[i + 1] - 1]));
        }
        return path;
    }
    /// Of the value that comes next.
    [[nodiscard]] std::string place_now() const {
        std::string path = path_of_open();
        if (open_.empty()) return path;
        const auto &inner = inside_.nodes[open_.back()], &last = inside_.nodes.back();
        if (inner.type == Type::array)
            path += fmt::format("[{}]", inner.length);
        else if (last.type == Type::name)
            append_step(path, inside_.text_of(last));
        return path;
    }

    Inside& inside_;
    const JsonLimits& limits_;
    std::size_t size_;
    std::vector<std::size_t> open_; ///< containers that have not ended
    std::vector<std::string_view> names_;
};

Result<JsonDocument> JsonDocument::parse(std::string_view text, std::string place,
                                         const JsonLimits& limits) {
    auto inside = std::make_unique<JsonValue::Inside>();
    inside->place = std::move(place);
    const std::size_t most = std::min<std::size_t>(limits.bytes, UINT32_MAX);
    if (text.size() > most) {
        inside->fail({}, fmt::format("at most {} bytes of JSON", most),
                     fmt::format("{}", text.size()));
        return *inside->error;
    }
    JsonBuilder builder(*inside, limits, text.size());
    const bool read = Library::sax_parse(text.begin(), text.end(), &builder);
    if (inside->error) return *inside->error;
    if (!read || inside->nodes.empty())
        return input_error(inside->place, 0, "JSON", "something else");
    return JsonDocument(std::move(inside));
}

JsonDocument::JsonDocument(std::unique_ptr<JsonValue::Inside> inside) noexcept
    : inside_(std::move(inside)) {}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

JsonValue JsonDocument::root() const noexcept {
    return {*inside_, 0};
}

Status JsonDocument::status() const {
    if (inside_->error) return *inside_->error;
    return {};
}

std::string JsonDocument::text(std::initializer_list<std::string_view> without,
                               std::span<const JsonAddition> with) const {
    std::string out = "{";
    const auto next = [&](const std::string& name) {
        out += out.size() == 1 ? "\n  " : ",\n  ";
        out += name;
        out += ": ";
    };
    for (const auto& [name, value] : root().members()) {
        if (std::find(without.begin(), without.end(), name) != without.end()) continue;
        next(json_string(name));
        inside_->write(out, value.at_, 2);
    }
    for (const auto& [name, value] : with) {
        next(json_string(name));
        out += value;
    }
    return out + (out.size() == 1 ? "}\n" : "\n}\n");
}

std::string json_string(std::string_view text) {
    return Library(text).dump(-1, ' ', false, Library::error_handler_t::replace);
}

bool JsonValue::is(Type type) const noexcept {
    return absent_.data() == nullptr && inside_->nodes[at_].type == type;
}

bool JsonValue::is_absent() const noexcept {
    return absent_.data() != nullptr || is(Type::null);
}
bool JsonValue::is_object() const noexcept {
    return is(Type::object);
}
bool JsonValue::is_array() const noexcept {
    return is(Type::array);
}
bool JsonValue::is_text() const noexcept {
    return is(Type::text);
}
bool JsonValue::is_number() const noexcept {
    return is(Type::whole) || is(Type::integer) || is(Type::real);
}
JsonValue JsonValue::required() const {
    if (is_absent()) refuse("a value");
    return *this;
}

std::optional<std::uint64_t> JsonValue::whole(std::uint64_t least, std::uint64_t most) const {
    if (is_absent()) return std::nullopt;
    const std::uint64_t number = inside_->nodes[at_].payload;
    if (is(Type::whole) && number >= least && number <= most) return number;
    refuse(fmt::format("a whole number from {} to {}", least, most));
    return std::nullopt;
}

std::optional<std::int64_t> JsonValue::integer(std::int64_t least, std::int64_t most) const {
    if (is_absent()) return std::nullopt;
    const std::uint64_t payload = inside_->nodes[at_].payload;
    const auto number = static_cast<std::int64_t>(payload);
    const bool fits = is(Type::integer) || (is(Type::whole) && payload <= INT64_MAX);
    if (fits && number >= least && number <= most) return number;
    refuse(fmt::format("a whole number from {} to {}", least, most));
    return std::nullopt;
}

std::optional<double> JsonValue::real(double least, double most) const {
    if (is_absent()) return std::nullopt;
    const Inside::Node& node = inside_->nodes[at_];
    std::optional<double> number;
    if (is(Type::whole)) number = static_cast<double>(node.payload);
    if (is(Type::integer)) number = static_cast<double>(static_cast<std::int64_t>(node.payload));
    if (is(Type::real)) {
        const std::string_view spelled = inside_->text_of(node);
        double value = 0;
        // Too small for a double: 0. Too large was refused while it was read.
        (void)std::from_chars(spelled.data(), spelled.data() + spelled.size(), value);
        number = value;
    }
    if (number && *number >= least && *number <= most) return number;
    refuse(least == std::numeric_limits<double>::lowest() &&
                   most == std::numeric_limits<double>::max()
               ? "a number"
               : fmt::format("a number from {} to {}", least, most));
    return std::nullopt;
}

std::optional<bool> JsonValue::boolean() const {
    if (is_absent()) return std::nullopt;
    if (is(Type::boolean)) return inside_->nodes[at_].payload != 0;
    refuse("true or false");
    return std::nullopt;
}

std::optional<std::string_view> JsonValue::text(std::size_t most_bytes) const {
    if (is_absent()) return std::nullopt;
    const Inside::Node& node = inside_->nodes[at_];
    if (is(Type::text) && node.length <= most_bytes) return inside_->text_of(node);
    if (is(Type::text))
        refuse(fmt::format("a text of at most {} bytes", most_bytes),
               fmt::format("one of {}", node.length));
    else
        refuse("a text");
    return std::nullopt;
}

bool JsonValue::can_hold(Type type, std::string_view expected, std::size_t most) const {
    if (is_absent()) return false;
    if (!is(type)) {
        refuse(expected);
        return false;
    }
    const std::size_t found = inside_->nodes[at_].length;
    if (found <= most) return true;
    refuse(fmt::format("at most {} {}", most, type == Type::array ? "elements" : "members"),
           fmt::format("{}", found));
    return false;
}

JsonItems JsonValue::items(std::size_t most) const {
    if (!can_hold(Type::array, "an array", most)) return {*this, *this};
    return {{*inside_, at_ + 1}, {*inside_, after()}};
}

JsonMembers JsonValue::members(std::size_t most) const {
    if (!can_hold(Type::object, "an object", most)) return {*this, *this};
    return {{*inside_, at_ + 1}, {*inside_, after()}};
}

std::size_t JsonValue::size() const noexcept {
    return is(Type::array) || is(Type::object) ? inside_->nodes[at_].length : 0;
}

JsonValue JsonValue::operator[](std::string_view name) const {
    if (absent_.data() != nullptr) return *this;
    for (const auto& [member, value] : members())
        if (member == name) return value;
    return {*inside_, at_, name};
}

void JsonValue::refuse(std::string_view expected, std::string_view found) const {
    if (inside_->error) return;
    inside_->fail(path(), expected,
                  !found.empty() ? std::string(found)
                  : is_absent()  ? "none"
                                 : shown());
}

void JsonValue::only(std::initializer_list<std::string_view> names) const {
    for (const auto& [name, value] : members())
        if (std::find(names.begin(), names.end(), name) == names.end())
            return value.refuse(fmt::format("one of {}", fmt::join(names, ", ")), step(name));
}

std::string JsonValue::shown(std::size_t most_bytes) const {
    if (absent_.data() != nullptr) return "none";
    std::string text;
    inside_->show(text, at_, most_bytes);
    if (text.size() <= most_bytes) return text;
    while (most_bytes > 0 && (static_cast<std::uint8_t>(text[most_bytes]) & 0xC0U) == 0x80U)
        --most_bytes; // whole characters
    return text.substr(0, most_bytes) + "…";
}

std::string JsonValue::path() const {
    std::string path = inside_->path_to(at_);
    if (absent_.data() != nullptr) append_step(path, absent_);
    return path;
}

const std::string& JsonValue::place() const noexcept {
    return inside_->place;
}

std::size_t JsonValue::after() const noexcept {
    return inside_->after(at_);
}

JsonMembers::Iterator::value_type JsonMembers::Iterator::operator*() const noexcept {
    return {name_.inside_->text_of(name_.inside_->nodes[name_.at_]),
            JsonValue(*name_.inside_, name_.at_ + 1)};
}

JsonMembers::Iterator& JsonMembers::Iterator::operator++() noexcept {
    name_.at_ = name_.inside_->after(name_.at_ + 1);
    return *this;
}

} // namespace blockloom
