# C sources to WebAssembly modules as contracts are: no C library, no start function, an exported memory.
# clang for wasm32 and wasm-ld come with the packages clang-14 and lld-14.
find_program(WASM_CLANG NAMES clang-14 clang)
find_program(WASM_LD NAMES wasm-ld-14 wasm-ld)

# blockloom_wasm(NAME sources… OUTPUT var [STACK bytes] [FLAGS …] [LINK_FLAGS …] [DEPENDS …])
# builds NAME.wasm in the current build folder and sets `var` to its path: let a target depend on that file. The
# target wasm_NAME builds it alone. The sources say what is exported with __attribute__((export_name("…"))) and what
# is imported with import_module and import_name. The stack lies below the data, so that an overflow traps; STACK is
# its size (1 MiB, as Rust's contracts have it). Without the compiler `var` is empty.
function(blockloom_wasm name)
  cmake_parse_arguments(wasm "" "OUTPUT;STACK" "FLAGS;LINK_FLAGS;DEPENDS" ${ARGN})
  if(NOT WASM_CLANG OR NOT WASM_LD)
    set(${wasm_OUTPUT} "" PARENT_SCOPE)
    return()
  endif()
  if(NOT wasm_STACK)
    set(wasm_STACK 1048576)
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/wasm_${name}.dir)
  file(MAKE_DIRECTORY ${folder})
  set(objects)
  foreach(source ${wasm_UNPARSED_ARGUMENTS})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    get_filename_component(stem ${source} NAME)
    set(object ${folder}/${stem}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${WASM_CLANG} --target=wasm32 -std=c11 -O2 -nostdlib -ffreestanding -Wall -Wextra -Werror ${wasm_FLAGS}
              -MD -MF ${object}.d -c ${source} -o ${object}
      DEPENDS ${source} ${wasm_DEPENDS} DEPFILE ${object}.d COMMENT "Compiling ${stem} to WebAssembly" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(module ${CMAKE_CURRENT_BINARY_DIR}/${name}.wasm)
  add_custom_command(OUTPUT ${module}
    COMMAND ${WASM_LD} --no-entry --stack-first -z stack-size=${wasm_STACK} ${wasm_LINK_FLAGS} ${objects} -o ${module}
    DEPENDS ${objects} COMMENT "Linking ${name}.wasm" VERBATIM)
  add_custom_target(wasm_${name} DEPENDS ${module})
  set(${wasm_OUTPUT} ${module} PARENT_SCOPE)
endfunction()
