# threefold_shaders(TARGET name.stage...): compiles resources/shaders/name.stage.glsl to SPIR-V and
# makes each a header <shaders/name.stage.inc> with its words, for a C++ array of the target.
function(threefold_shaders target)
  set(source_folder ${CMAKE_SOURCE_DIR}/resources/shaders)
  set(include_folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${include_folder}/shaders)
  file(GLOB included CONFIGURE_DEPENDS ${source_folder}/*.h ${source_folder}/*.glsl)
  list(FILTER included EXCLUDE REGEX "\\.(vert|frag)\\.glsl$")
  set(generated)
  foreach(shader ${ARGN})
    string(REGEX REPLACE ".*\\." "" stage ${shader})
    set(source ${source_folder}/${shader}.glsl)
    set(output ${include_folder}/shaders/${shader}.inc)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${Vulkan_GLSLC_EXECUTABLE} -fshader-stage=${stage} -x glsl --target-env=vulkan1.1
              -O -Werror -mfmt=num -o ${output} ${source}
      DEPENDS ${source} ${included}
      COMMENT "Compiling shader ${shader}"
      VERBATIM)
    list(APPEND generated ${output})
  endforeach()
  target_sources(${target} PRIVATE ${generated})
  target_include_directories(${target} PRIVATE ${include_folder})
endfunction()
