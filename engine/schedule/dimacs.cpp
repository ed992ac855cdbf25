#include "schedule/dimacs.h"

#include "schedule/edge_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

namespace blockloom::schedule {

namespace {

/// Words of a line, one after the other.
class Words {
public:
    explicit Words(std::string_view line) : rest_(line) {}

    /// Empty at the end of the line.
    std::string_view next() {
        constexpr std::string_view blank = " \t\r\v\f";
        const std::size_t from = rest_.find_first_not_of(blank);
        if (from == std::string_view::npos) return rest_ = {};
        rest_.remove_prefix(from);
        const std::string_view word = rest_.substr(0, rest_.find_first_of(blank));
        rest_.remove_prefix(word.size());
        return word;
    }

private:
    std::string_view rest_;
};

/// A piece of the file, short and printable enough for a message.
std::string quoted(std::string_view text) {
    if (text.empty()) return "the end of the line";
    constexpr std::size_t most = 24;
    std::string shown;
    for (const char c : text.substr(0, most)) shown += c >= ' ' && c <= '~' ? c : '?';
    return fmt::format("\"{}{}\"", shown, text.size() > most ? "…" : "");
}

class Reader {
public:
    Reader(ByteView text, const std::string& place)
        : text_(reinterpret_cast<const char*>(text.data()), text.size()), place_(place) {}

    Result<DimacsGraph> read() {
        std::string_view rest = text_;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            ++line_;
            if (Status read = read_line(rest.substr(0, end)); !read) return read.error();
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        if (!vertices_) {
            ++line_;
            return error("\"p edge N M\"", "the end of the file");
        }
        DimacsGraph result{graph_from_edges(*vertices_, edges_), {}};
        result.warnings = warnings(result.graph.edges());
        return result;
    }

private:
    [[nodiscard]] Error error(const std::string& expected, const std::string& found) const {
        return {ErrorCode::bad_input,
                fmt::format("{}: line {}: expected {}, found {}", place_, line_, expected, found)};
    }

    Status read_line(std::string_view line) {
        Words words(line);
        const std::string_view kind = words.next();
        if (kind == "e") return read_edge(words);
        if (kind.empty() || kind[0] == 'c') return {};
        if (kind == "p") return read_problem(words);
        if (kind == "n" || kind == "d" || kind == "v" || kind == "x") return {};
        return error("a line that starts with c, p or e", quoted(kind));
    }

    Result<std::uint64_t> number(Words& words, std::string_view what) {
        const std::string_view word = words.next();
        std::uint64_t value = 0;
        const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (word.empty() || failure != std::errc{} || end != word.data() + word.size())
            return error(std::string(what), quoted(word));
        return value;
    }

    Status read_problem(Words& words) {
        if (vertices_) return error("one p line", "a second one");
        const std::string_view format = words.next();
        if (format != "edge" && format != "edges" && format != "col")
            return error("\"edge\" or \"col\"", quoted(format));
        const auto vertices = number(words, "the number of vertices");
        if (!vertices) return vertices.error();
        const auto edges = number(words, "the number of edges");
        if (!edges) return edges.error();
        const std::uint64_t most = std::min<std::uint64_t>(
            std::numeric_limits<std::uint32_t>::max() - 1,
            std::max(dimacs_vertices_always, dimacs_vertices_per_byte * text_.size()));
        if (*vertices > most)
            return error(
                fmt::format("at most {} vertices in a file of {} bytes", most, text_.size()),
                fmt::format("{}", *vertices));
        vertices_ = static_cast<std::uint32_t>(*vertices);
        announced_ = *edges;
        return {};
    }

    Status read_edge(Words& words) {
        if (!vertices_) return error("\"p edge N M\" before the first edge", "\"e\"");
        const auto u = vertex(words);
        if (!u) return u.error();
        const auto v = vertex(words);
        if (!v) return v.error();
        if (*u == *v) return error("two different vertices", fmt::format("a loop at {}", *u));
        if (!words.next().empty() && longer_line_ == 0) longer_line_ = line_;
        edges_.push_back({*u - 1, *v - 1});
        return {};
    }

    Result<std::uint32_t> vertex(Words& words) {
        const auto value = number(words, "a vertex");
        if (!value) return value.error();
        if (*value < 1 || *value > *vertices_)
            return error(fmt::format("a vertex of 1 … {}", *vertices_), fmt::format("{}", *value));
        return static_cast<std::uint32_t>(*value);
    }

    [[nodiscard]] std::vector<std::string> warnings(std::uint64_t distinct) const {
        std::vector<std::string> found;
        if (distinct < edges_.size())
            found.push_back(fmt::format("{}: {} edge lines list {} distinct edges{}", place_,
                                        edges_.size(), distinct,
                                        edges_.size() == 2 * distinct ? " (both directions)" : ""));
        if (announced_ != distinct && announced_ != edges_.size())
            found.push_back(fmt::format("{}: the p line declares {} edges, found {}", place_,
                                        announced_, distinct));
        if (longer_line_ != 0)
            found.push_back(fmt::format("{}: line {}: text after the two vertices is ignored",
                                        place_, longer_line_));
        return found;
    }

    std::string_view text_;
    const std::string& place_;
    std::uint64_t line_ = 0;
    std::optional<std::uint32_t> vertices_;
    std::uint64_t announced_ = 0;
    std::uint64_t longer_line_ = 0; ///< the first edge line with more than two vertices
    std::vector<Edge> edges_;
};

} // namespace

Result<DimacsGraph> read_dimacs(ByteView text, const std::string& place) {
    return Reader(text, place).read();
}

std::string write_dimacs(const conflict::ConflictGraph& graph) {
    std::string text = fmt::format("p edge {} {}\n", graph.vertices(), graph.edges());
    for (conflict::TaskId u = 0; u < graph.vertices(); ++u)
        for (const conflict::TaskId v : graph.of(u))
            if (u < v) fmt::format_to(std::back_inserter(text), "e {} {}\n", u + 1, v + 1);
    return text;
}

} // namespace blockloom::schedule
