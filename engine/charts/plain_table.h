// A small table with all cells in memory, for a chart.
#pragma once

#include "scene/view_table.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace blockloom::charts {

class PlainTable final : public scene::ViewTable {
public:
    struct Cell {
        std::string text = "—";
        std::optional<double> value; ///< to sort by
    };

    explicit PlainTable(std::vector<scene::TableColumn> columns) : columns_(std::move(columns)) {}
    /// Missing cells at the end are "—".
    void add(std::vector<Cell> row) {
        row.resize(columns_.size());
        rows_.push_back(std::move(row));
    }

    [[nodiscard]] const std::vector<scene::TableColumn>& columns() const override {
        return columns_;
    }
    [[nodiscard]] std::size_t rows() const override { return rows_.size(); }
    [[nodiscard]] std::string text(std::size_t row, std::size_t column) const override {
        return rows_[row][column].text;
    }
    [[nodiscard]] std::optional<double> value(std::size_t row, std::size_t column) const override {
        return rows_[row][column].value;
    }
    [[nodiscard]] std::optional<std::uint32_t> task(std::size_t) const override { return {}; }
    [[nodiscard]] std::optional<std::uint32_t> key(std::size_t) const override { return {}; }
    [[nodiscard]] const std::string& note() const override { return note_; }

private:
    std::vector<scene::TableColumn> columns_;
    std::vector<std::vector<Cell>> rows_;
    std::string note_;
};

} // namespace blockloom::charts
