# blockloom_spirv(TARGET): GLSL of the current folder -> SPIR-V headers: NAME.comp becomes <shaders/NAME.comp.h> with
# `NAME_comp_spv`, for whoever links TARGET. A .glsl file is included by others.
function(blockloom_spirv target)
  add_library(${target} INTERFACE)
  file(GLOB sources CONFIGURE_DEPENDS *.vert *.frag *.comp)
  file(GLOB headers CONFIGURE_DEPENDS *.glsl)
  set(outputs)
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/include/shaders)
  foreach(source ${sources})
    get_filename_component(file_name ${source} NAME)
    string(REPLACE "." "_" symbol ${file_name})
    set(output ${CMAKE_CURRENT_BINARY_DIR}/include/shaders/${file_name}.h)
    add_custom_command(OUTPUT ${output}
      COMMAND Vulkan::glslangValidator -V --target-env vulkan1.2 -Os --quiet --vn ${symbol}_spv -o ${output} ${source}
      DEPENDS ${source} ${headers} VERBATIM)
    list(APPEND outputs ${output})
  endforeach()
  add_custom_target(${target}_headers DEPENDS ${outputs})
  add_dependencies(${target} ${target}_headers)
  target_include_directories(${target} INTERFACE ${CMAKE_CURRENT_BINARY_DIR}/include)
endfunction()
