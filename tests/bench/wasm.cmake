# The WebAssembly benchmark: kernels in C become one module, which our engines, wabt's interpreter and wasm2c with the
# C compiler run. What is not installed is left out.
file(GLOB kernel_sources CONFIGURE_DEPENDS wasm_kernels/*.c)
blockloom_wasm(kernels ${kernel_sources} OUTPUT kernels STACK 65536)
if(NOT kernels)
  message(STATUS "No WebAssembly benchmark: clang-14 or lld-14 is missing")
  return()
endif()

add_executable(wasm_meter wasm_meter.cpp wasm_metering.cpp)
target_link_libraries(wasm_meter PRIVATE blockloom_settings engine_wasm)

blockloom_bench(wasm LINK engine_wasm)
target_sources(bench_wasm PRIVATE wasm_bench.cpp wasm_metering.cpp wasm_modules.cpp)
target_compile_definitions(bench_wasm PRIVATE BLOCKLOOM_KERNELS="${kernels}")
add_dependencies(bench_wasm wasm_kernels)
if(TARGET wabt_reference)
  target_link_libraries(bench_wasm PRIVATE wabt_reference)
  target_compile_definitions(bench_wasm PRIVATE BLOCKLOOM_HAVE_WABT)
endif()
if(TARGET engine_native)
  target_sources(bench_wasm PRIVATE wasm_native.cpp)
  target_link_libraries(bench_wasm PRIVATE engine_native)
  target_compile_definitions(bench_wasm PRIVATE BLOCKLOOM_HAVE_NATIVE)
endif()

# The same module through wasm2c and the C compiler, as it is and with our fuel checks put in (wasm_metering.h).
find_program(WASM2C wasm2c)
find_library(WASM_RT wasm-rt-impl)
if(WASM2C AND WASM_RT)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/wasm2c)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/metered.wasm COMMAND wasm_meter ${kernels} ${folder}/metered.wasm
    DEPENDS ${kernels} wasm_meter VERBATIM)
  add_custom_command(OUTPUT ${folder}/plain.c ${folder}/plain.h
    COMMAND ${WASM2C} ${kernels} -n plain -o ${folder}/plain.c DEPENDS ${kernels} VERBATIM)
  add_custom_command(OUTPUT ${folder}/metered.c ${folder}/metered.h
    COMMAND ${WASM2C} ${folder}/metered.wasm -n metered -o ${folder}/metered.c DEPENDS ${folder}/metered.wasm VERBATIM)
  add_library(wasm2c_peer STATIC wasm2c_peer.cpp ${folder}/plain.c ${folder}/metered.c
    ${folder}/plain.h ${folder}/metered.h)
  target_compile_features(wasm2c_peer PRIVATE cxx_std_20)
  target_compile_options(wasm2c_peer PRIVATE $<$<COMPILE_LANGUAGE:C>:-O2>) # last, so that it holds
  target_include_directories(wasm2c_peer SYSTEM PRIVATE ${folder})
  target_link_libraries(wasm2c_peer PRIVATE ${WASM_RT})
  target_link_libraries(bench_wasm PRIVATE wasm2c_peer)
  target_compile_definitions(bench_wasm PRIVATE BLOCKLOOM_HAVE_WASM2C)
endif()
