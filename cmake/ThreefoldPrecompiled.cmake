# Headers that most sources of a target include are compiled once per target: Qt, JSON, the command line
# and the standard library took two thirds of the build's time. A source still includes all that it uses, as
# builds with CMAKE_DISABLE_PRECOMPILE_HEADERS show (the sanitizers' preset).

set(THREEFOLD_COMMON_HEADERS
  <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span>
  <string> <string_view> <utility> <vector> <fmt/format.h> <glm/geometric.hpp> <glm/mat3x3.hpp>
  <glm/vec3.hpp>)

# threefold_precompile(TARGET header...): precompiles THREEFOLD_COMMON_HEADERS and these headers for the
# target's sources.
function(threefold_precompile target)
  target_precompile_headers(${target} PRIVATE ${THREEFOLD_COMMON_HEADERS} ${ARGN})
endfunction()


set(THREEFOLD_WINDOW_HEADERS <vulkan/vulkan.h> <QAction> <QApplication> <QBoxLayout> <QEvent> <QImage>
  <QKeyEvent> <QLabel> <QMenu> <QPainter> <QPointer> <QSettings> <QTimer> <QToolButton> <QWidget>)

# threefold_precompile_tests(NAME LIBRARY): test programs of one library share precompiled headers, with
# those of GoogleTest. Tests of libraries other than app, ui and cuda_emulated share the engine's.
function(threefold_precompile_tests name library)
  if(NOT library MATCHES "_(app|ui|cuda_emulated)$")
    set(library threefold_engine)
  endif()
  set(shared ${library}_test_headers)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT library MATCHES "_cuda_emulated$")
    # -Og takes half of -O2's time, but analyses too little control flow for -Wmaybe-uninitialized.
    set(options $<$<COMPILE_LANGUAGE:CXX>:-Og> $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
  endif()
  if(NOT TARGET ${shared})
    file(WRITE ${CMAKE_BINARY_DIR}/${shared}.cpp "")
    add_library(${shared} OBJECT ${CMAKE_BINARY_DIR}/${shared}.cpp)
    target_link_libraries(${shared} PRIVATE ${library} GTest::gtest GTest::gmock)
    target_compile_options(${shared} PRIVATE ${options})  # GCC 14 reuses headers only with equal options
    set(headers <fstream> <gmock/gmock.h> <gtest/gtest.h>)
    if(library STREQUAL "threefold_ui")
      list(PREPEND headers ${THREEFOLD_WINDOW_HEADERS})
      list(APPEND headers <QTest>)
      target_link_libraries(${shared} PRIVATE Qt6::Test)
    elseif(library STREQUAL "threefold_app")
      list(APPEND headers <nlohmann/json.hpp>)
      if(TARGET threefold_ui)  # as the tests of threefold_app do
        target_link_libraries(${shared} PRIVATE threefold_ui)
      endif()
    endif()
    threefold_precompile(${shared} ${headers})
  endif()
  if(library STREQUAL "threefold_ui")
    target_link_libraries(${name} PRIVATE Qt6::Test)  # its definitions were set for the headers, too
  endif()
  target_precompile_headers(${name} REUSE_FROM ${shared})
  set_target_properties(${name} PROPERTIES
    UNITY_BUILD ${THREEFOLD_UNITY} UNITY_BUILD_MODE BATCH UNITY_BUILD_BATCH_SIZE 10)
  target_compile_options(${name} PRIVATE ${options})
endfunction()
