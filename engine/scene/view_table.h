// A view as a table: the same content in rows, for keyboard and screen reader.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockloom::scene {

struct TableColumn {
    std::string name;    ///< with its unit, "Cost (gas)"
    bool number = false; ///< right-aligned, sorted by value
    bool mono = false;   ///< hashes and keys
};

/// Rows are computed on demand; const calls are thread-safe. Rows and columns are 0-based and must
/// be in range.
class ViewTable {
public:
    virtual ~ViewTable() = default;
    [[nodiscard]] virtual const std::vector<TableColumn>& columns() const = 0;
    [[nodiscard]] virtual std::size_t rows() const = 0;
    /// The text of a cell: counts with thousands separators, "—" if not applicable.
    [[nodiscard]] virtual std::string text(std::size_t row, std::size_t column) const = 0;
    /// The value to sort by; none: sort by the text.
    [[nodiscard]] virtual std::optional<double> value(std::size_t row,
                                                      std::size_t column) const = 0;
    /// What selecting a row selects.
    [[nodiscard]] virtual std::optional<std::uint32_t> task(std::size_t row) const = 0;
    [[nodiscard]] virtual std::optional<std::uint32_t> key(std::size_t row) const = 0;
    /// What is left out ("the first 100,000 of 2,000,000 pairs"), or empty.
    [[nodiscard]] virtual const std::string& note() const = 0;
};

} // namespace blockloom::scene
