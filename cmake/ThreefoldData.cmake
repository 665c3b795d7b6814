# Lays out the program's data in the build tree as it is installed: share/threefold with models/ and
# samples/. The model is kept compressed in the repository: 13 MB less to clone.
set(THREEFOLD_DATA ${CMAKE_BINARY_DIR}/share/threefold)
set(THREEFOLD_MODEL ${THREEFOLD_DATA}/models/default.safetensors)
set(packed_model ${CMAKE_SOURCE_DIR}/resources/models/default.tar.xz)

if(IS_SYMLINK ${THREEFOLD_DATA})  # of a build tree from before the model was packed
  file(REMOVE ${THREEFOLD_DATA})
endif()
file(MAKE_DIRECTORY ${THREEFOLD_DATA}/models)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/resources/samples ${THREEFOLD_DATA}/samples SYMBOLIC)

add_custom_command(OUTPUT ${THREEFOLD_MODEL}
  COMMAND ${CMAKE_COMMAND} -E tar xJf ${packed_model}
  COMMAND ${CMAKE_COMMAND} -E touch ${THREEFOLD_MODEL}  # or it would be as old as when it was packed
  DEPENDS ${packed_model}
  WORKING_DIRECTORY ${THREEFOLD_DATA}/models
  COMMENT "Unpacking the default model" VERBATIM)
add_custom_target(threefold_data ALL DEPENDS ${THREEFOLD_MODEL})
