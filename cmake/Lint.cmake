# `lint` runs clang-tidy over our own sources (preset `debug`: it needs each source's own compile command), `format`
# rewrites them, `format-check` only reports.
find_program(CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
file(GLOB_RECURSE lint_sources CONFIGURE_DEPENDS app/*.cpp engine/*.cpp)
file(GLOB_RECURSE format_sources CONFIGURE_DEPENDS app/*.cpp app/*.h engine/*.cpp engine/*.h ui/*.cpp ui/*.h
  tests/*.cpp tests/*.h)
if(CLANG_TIDY AND NOT CMAKE_UNITY_BUILD)
  # The compile commands are GCC's, with warnings that clang does not know.
  add_custom_target(lint COMMAND ${CLANG_TIDY} --quiet --extra-arg=-Wno-unknown-warning-option -p ${CMAKE_BINARY_DIR}
    ${lint_sources} VERBATIM)
endif()
if(CLANG_FORMAT)
  add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${format_sources} VERBATIM)
  add_custom_target(format-check COMMAND ${CLANG_FORMAT} --dry-run -Werror ${format_sources} VERBATIM)
endif()
