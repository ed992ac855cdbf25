// Untrusted JSON, read by type. A document is bounded in size, depth and count, and each value is
// read with the type and range that it must have. The first bad value becomes the document's error,
// which names the file, the JSON path, and what was expected and found.
//
//     auto document = JsonDocument::parse(text, place);
//     if (!document) return document.error();
//     const JsonValue root = document->root();
//     root["workers"].read(workers, 1U, 4096U);               // unchanged if absent
//     for (const JsonValue block : root["blocks"].items())    // no iteration if absent
//         heights.push_back(block["height"].required().whole().value_or(0));
//     if (Status status = document->status(); !status) return status.error();
#pragma once

#include "base/result.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace blockloom {

/// Limits of a document. A document that exceeds them is refused before it is fully read.
struct JsonLimits {
    std::size_t bytes = std::size_t{64} << 20; ///< of its text
    std::size_t values = std::size_t{16}
                         << 20; ///< values and names of members in all, 16 bytes each
    unsigned depth = 16;        ///< nesting of arrays and objects
};

class JsonItems;
class JsonMembers;

/// A value of a document, or the place of one that is absent. Cheap to copy; valid as long as its
/// document. A value that does not have the requested type and range is refused: the call returns
/// nothing, and the document's status becomes an error. A null counts as absent: documents write it
/// for what is unknown. An absent value is no error unless it is `required()`.
class JsonValue {
public:
    [[nodiscard]] bool is_absent() const noexcept;
    [[nodiscard]] bool is_object() const noexcept;
    [[nodiscard]] bool is_array() const noexcept;
    [[nodiscard]] bool is_text() const noexcept;
    [[nodiscard]] bool is_number() const noexcept; ///< of any range

    /// Refused if absent.
    JsonValue required() const;

    /// A number without fraction and exponent.
    [[nodiscard]] std::optional<std::uint64_t> whole(std::uint64_t least = 0,
                                                     std::uint64_t most = UINT64_MAX) const;
    [[nodiscard]] std::optional<std::int64_t> integer(std::int64_t least = INT64_MIN,
                                                      std::int64_t most = INT64_MAX) const;
    /// Any number; always finite.
    [[nodiscard]] std::optional<double>
    real(double least = std::numeric_limits<double>::lowest(),
         double most = std::numeric_limits<double>::max()) const;
    [[nodiscard]] std::optional<bool> boolean() const;
    /// UTF-8 of at most `most_bytes` bytes; may contain any character. Valid as long as the
    /// document.
    [[nodiscard]] std::optional<std::string_view> text(std::size_t most_bytes) const;
    /// The elements of an array, the members of an object.
    [[nodiscard]] JsonItems items(std::size_t most = SIZE_MAX) const;
    [[nodiscard]] JsonMembers members(std::size_t most = SIZE_MAX) const;
    /// Elements or members; 0 for anything else.
    [[nodiscard]] std::size_t size() const noexcept;

    /// A member of an object. Linear in the object's members.
    [[nodiscard]] JsonValue operator[](std::string_view name) const;

    /// Set `into` if the value is present and valid, otherwise leave it unchanged.
    template <std::unsigned_integral T>
    void read(T& into, T least = 0, T most = std::numeric_limits<T>::max()) const {
        if (const auto value = whole(least, most)) into = static_cast<T>(*value);
    }
    template <std::signed_integral T>
    void read(T& into, T least = std::numeric_limits<T>::min(),
              T most = std::numeric_limits<T>::max()) const {
        if (const auto value = integer(least, most)) into = static_cast<T>(*value);
    }
    void read(double& into, double least, double most) const {
        if (const auto value = real(least, most)) into = *value;
    }
    void read(bool& into) const {
        if (const auto value = boolean()) into = *value;
    }
    void read(std::string& into, std::size_t most_bytes) const {
        if (const auto value = text(most_bytes)) into = *value;
    }

    /// Refuses the value: `expected` is the text after "expected" in the error; `found` replaces
    /// the value's own text.
    void refuse(std::string_view expected, std::string_view found = {}) const;
    /// Refuses an object that has a member with any other name.
    void only(std::initializer_list<std::string_view> names) const;

    /// The value as JSON on one line, cut to `most_bytes` and followed by an ellipsis if it is
    /// longer.
    [[nodiscard]] std::string shown(std::size_t most_bytes = 60) const;
    /// "blocks[3].height"; empty: the document itself.
    [[nodiscard]] std::string path() const;
    /// What the document is called in errors.
    [[nodiscard]] const std::string& place() const noexcept;

private:
    friend class JsonBuilder;
    friend class JsonDocument;
    friend class JsonItems;
    friend class JsonMembers;
    struct Inside;
    enum class Type : std::uint8_t;
    JsonValue(Inside& inside, std::size_t at, std::string_view absent = {}) noexcept
        : inside_(&inside), at_(at), absent_(absent) {}
    [[nodiscard]] bool is(Type type) const noexcept;
    [[nodiscard]] std::size_t after() const noexcept; ///< where the next sibling is
    [[nodiscard]] bool can_hold(Type type, std::string_view expected, std::size_t most) const;

    Inside* inside_;
    std::size_t at_;          ///< of the value; of its nearest parent if it is absent
    std::string_view absent_; ///< the name that is missing there; null data: the value is present
};

/// A member to write: its value as JSON.
struct JsonAddition {
    std::string name, value;
};

/// A document and its first error.
class JsonDocument {
public:
    /// Reads the whole text (RFC 8259, valid UTF-8, each name once in its object). `place` names it
    /// in errors. Time and memory are linear in the text's size.
    [[nodiscard]] static Result<JsonDocument> parse(std::string_view text, std::string place,
                                                    const JsonLimits& limits = {});
    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    [[nodiscard]] JsonValue root() const noexcept;
    /// The first value that was refused.
    [[nodiscard]] Status status() const;

    /// The document as text, indented by two spaces a level and ending with a newline; the root
    /// must be an object. Members of the root named in `without` are left out; those of `with`
    /// (already indented for their place) are written last. Numbers keep their spelling.
    [[nodiscard]] std::string text(std::initializer_list<std::string_view> without = {},
                                   std::span<const JsonAddition> with = {}) const;

private:
    explicit JsonDocument(std::unique_ptr<JsonValue::Inside> inside) noexcept;
    std::unique_ptr<JsonValue::Inside> inside_;
};

/// The text as a JSON string with its quotes; invalid UTF-8 bytes become U+FFFD.
[[nodiscard]] std::string json_string(std::string_view text);

/// Elements of an array in their order.
class JsonItems {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = JsonValue;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = JsonValue;

        explicit Iterator(JsonValue at) noexcept : at_(at) {}
        JsonValue operator*() const noexcept { return at_; }
        Iterator& operator++() noexcept {
            at_.at_ = at_.after();
            return *this;
        }
        void operator++(int) noexcept { ++*this; }
        bool operator==(const Iterator& other) const noexcept { return at_.at_ == other.at_.at_; }

    private:
        JsonValue at_;
    };

    [[nodiscard]] Iterator begin() const noexcept { return Iterator(first_); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(end_); }

private:
    friend class JsonValue;
    JsonItems(JsonValue first, JsonValue end) noexcept : first_(first), end_(end) {}
    JsonValue first_, end_;
};

/// Members of an object in their order: names and values.
class JsonMembers {
public:
    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = std::pair<std::string_view, JsonValue>;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = value_type;

        explicit Iterator(JsonValue name) noexcept : name_(name) {}
        value_type operator*() const noexcept;
        Iterator& operator++() noexcept;
        void operator++(int) noexcept { ++*this; }
        bool operator==(const Iterator& other) const noexcept {
            return name_.at_ == other.name_.at_;
        }

    private:
        JsonValue name_;
    };

    [[nodiscard]] Iterator begin() const noexcept { return Iterator(first_); }
    [[nodiscard]] Iterator end() const noexcept { return Iterator(end_); }

private:
    friend class JsonValue;
    JsonMembers(JsonValue first, JsonValue end) noexcept : first_(first), end_(end) {}
    JsonValue first_, end_;
};

} // namespace blockloom
