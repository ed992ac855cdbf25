# The WebAssembly benchmark: kernels in C become one module, which our engines, wabt's interpreter and wasm2c with the
# C compiler run. What is not installed is left out.
file(GLOB kernel_sources CONFIGURE_DEPENDS wasm_kernels/*.c)
blockloom_wasm(kernels ${kernel_sources} OUTPUT kernels STACK 65536)
if(NOT kernels)
  message(STATUS "No WebAssembly benchmark: clang-14 or lld-14 is missing")
  return()
endif()
