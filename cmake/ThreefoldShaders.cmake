# threefold_shaders(TARGET name.stage...): compiles resources/shaders/name.stage.glsl to SPIR-V. The
# target's <shaders/code.h> holds each as an array of 32-bit words, kNameVertex or kNameFragment.
function(threefold_shaders target)
  set(source_folder ${CMAKE_SOURCE_DIR}/resources/shaders)
  set(include_folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${include_folder}/shaders)
  file(GLOB included CONFIGURE_DEPENDS ${source_folder}/*.h ${source_folder}/*.glsl)
  list(FILTER included EXCLUDE REGEX "\\.(vert|frag)\\.glsl$")
  set(generated)
  set(code "#pragma once\n\n#include <cstdint>\n\nnamespace threefold::render {\n")
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
    string(REGEX REPLACE "\\.vert$" "_vertex" name ${shader})
    string(REGEX REPLACE "\\.frag$" "_fragment" name ${name})
    string(REPLACE "_" ";" words ${name})
    set(name k)
    foreach(word IN LISTS words)
      string(SUBSTRING ${word} 0 1 first)
      string(TOUPPER ${first} first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(APPEND name ${first}${rest})
    endforeach()
    string(APPEND code "inline constexpr std::uint32_t ${name}[] = {\n"
           "#include <shaders/${shader}.inc>\n};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${include_folder}/shaders/code.h
       CONTENT "${code}}  // namespace threefold::render\n" @ONLY)
  target_sources(${target} PRIVATE ${generated})
  target_include_directories(${target} PRIVATE ${include_folder})
endfunction()
