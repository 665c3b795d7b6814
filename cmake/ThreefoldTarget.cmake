# Language level, warnings and sanitizers: the same for every target of the house.

find_program(THREEFOLD_CCACHE ccache)
if(THREEFOLD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${THREEFOLD_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${THREEFOLD_CCACHE})
endif()

add_library(threefold_options INTERFACE)
target_compile_features(threefold_options INTERFACE cxx_std_20)
target_include_directories(threefold_options INTERFACE ${CMAKE_SOURCE_DIR})
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wunused)
if(THREEFOLD_STRICT)
  list(APPEND warnings -Werror)
endif()
# GCC 12 finds overlapping copies in `"text" + std::to_string(n)` that cannot be
# (its bug 105651), depending on what it inlines.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict)
endif()
target_compile_options(threefold_options INTERFACE
  "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
  "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow,-Wunused>")
if(THREEFOLD_SANITIZE STREQUAL "address")
  target_compile_options(threefold_options INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(threefold_options INTERFACE -fsanitize=address,undefined)
elseif(THREEFOLD_SANITIZE STREQUAL "thread")
  target_compile_options(threefold_options INTERFACE -fsanitize=thread)
  target_link_options(threefold_options INTERFACE -fsanitize=thread)
elseif(THREEFOLD_SANITIZE)
  message(FATAL_ERROR "THREEFOLD_SANITIZE is address or thread, not ${THREEFOLD_SANITIZE}")
endif()
if(THREEFOLD_FUZZ)
  # Assertions of the standard library find indices that are wrong within what is allocated.
  target_compile_options(threefold_options INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(threefold_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(threefold_options INTERFACE -fsanitize=address,undefined)
endif()

# threefold_rooms(NAME folder...): every .cpp file of these folders is a source of the target. Asked
# anew at each build, so that a new file needs no line here.
function(threefold_rooms name)
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    target_sources(${name} PRIVATE ${sources})
  endforeach()
endfunction()

# threefold_library(NAME source...): one static library for one folder of the house.
function(threefold_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC threefold_options)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
endfunction()
