# The precompiled header that the engine's rooms share (blockloom_room).
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/engine_headers.cpp
  CONTENT "// The header is compiled for a target, and a target has a source.\n")
add_library(engine_headers OBJECT ${CMAKE_CURRENT_BINARY_DIR}/engine_headers.cpp)
target_link_libraries(engine_headers PRIVATE blockloom_settings fmt::fmt)
target_precompile_headers(engine_headers PRIVATE <algorithm> <array> <atomic> <cmath> <condition_variable> <cstdint>
  <cstring> <filesystem> <functional> <map> <memory> <mutex> <numeric> <optional> <set> <span> <stop_token> <string>
  <string_view> <thread> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
