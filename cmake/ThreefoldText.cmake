# threefold_text(TARGET FOLDER file...): makes each text file of FOLDER a header <FOLDER/file.inc>
# that is one C++ string literal, for a constant of the target.
function(threefold_text target folder)
  set(include_folder ${CMAKE_CURRENT_BINARY_DIR}/generated)
  foreach(file ${ARGN})
    set(source ${CMAKE_SOURCE_DIR}/resources/${folder}/${file})
    set(output ${include_folder}/${folder}/${file}.inc)
    add_custom_command(
      OUTPUT ${output}
      COMMAND ${CMAKE_COMMAND} -Dsource=${source} -Doutput=${output}
              -P ${CMAKE_SOURCE_DIR}/cmake/text_literal.cmake
      DEPENDS ${source} ${CMAKE_SOURCE_DIR}/cmake/text_literal.cmake
      COMMENT "Embedding ${folder}/${file}"
      VERBATIM)
    target_sources(${target} PRIVATE ${output})
  endforeach()
  target_include_directories(${target} PRIVATE ${include_folder})
endfunction()
