# Lays out the program's data in the build tree as it is installed: share/threefold with models/ and
# samples/. The model is compressed in the repository, which makes clones 13 MB smaller.
set(THREEFOLD_DATA ${CMAKE_BINARY_DIR}/share/threefold)
set(THREEFOLD_MODEL ${THREEFOLD_DATA}/models/default.safetensors)
set(packed_model ${CMAKE_SOURCE_DIR}/resources/models/default.tar.xz)

if(IS_SYMLINK ${THREEFOLD_DATA})  # left by a build from before the model was packed
  file(REMOVE ${THREEFOLD_DATA})
endif()
file(MAKE_DIRECTORY ${THREEFOLD_DATA}/models)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/resources/samples ${THREEFOLD_DATA}/samples SYMBOLIC)

add_custom_command(OUTPUT ${THREEFOLD_MODEL}
  COMMAND ${CMAKE_COMMAND} -E tar xJf ${packed_model}
  COMMAND ${CMAKE_COMMAND} -E touch ${THREEFOLD_MODEL}  # tar restores the time at which it was packed
  DEPENDS ${packed_model}
  WORKING_DIRECTORY ${THREEFOLD_DATA}/models
  COMMENT "Unpacking the default model" VERBATIM)
add_custom_target(threefold_data ALL DEPENDS ${THREEFOLD_MODEL})
