#include "scene/view_options.h"

#include <array>
#include <utility>

namespace blockloom::scene {
namespace {

constexpr std::array<std::pair<View, std::string_view>, 5> names{{{View::layered, "layered"},
                                                                  {View::arc, "arc"},
                                                                  {View::matrix, "matrix"},
                                                                  {View::bipartite, "bipartite"},
                                                                  {View::schedule, "schedule"}}};

} // namespace

std::string_view name_of(View view) {
    for (const auto& [value, name] : names)
        if (value == view) return name;
    return {};
}

std::optional<View> view_named(std::string_view name) {
    if (name == "graph") return View::layered;
    for (const auto& [value, known] : names)
        if (known == name) return value;
    return std::nullopt;
}

} // namespace blockloom::scene
