# Language level, warnings and sanitizers: the same for every target.

find_program(THREEFOLD_CCACHE ccache)
if(THREEFOLD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without CCACHE_SLOPPINESS, ccache never finds a source with a precompiled header again.
  set(settings CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_INODECACHE=1)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    # Relative paths let a second clone take what the first has compiled. Where there is debug
    # information, a debugger would then open the first clone's sources.
    list(APPEND settings CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  endif()
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env ${settings} ${THREEFOLD_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

# Code that computes is compiled with THREEFOLD_HOT; elsewhere -O3 makes the build longer, and no code
# faster.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
set(THREEFOLD_HOT "$<$<CONFIG:Release>:-O3>")

add_library(threefold_options INTERFACE)
target_compile_features(threefold_options INTERFACE cxx_std_20)
target_include_directories(threefold_options INTERFACE ${CMAKE_SOURCE_DIR})
set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wunused)
if(THREEFOLD_STRICT)
  list(APPEND warnings -Werror)
  set(THREEFOLD_CUDA_STRICT -Werror=all-warnings)
endif()
if(THREEFOLD_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC takes each source that a unity build includes for a header, and warns that several sources would
  # share its unnamed namespaces.
  list(APPEND warnings -Wno-subobject-linkage)
endif()
# Depending on what it inlines, GCC 12 wrongly reports copies that overlap or are too long in
# `"text" + std::to_string(n)` and in paths (its bugs 105651 and 105329). Newer compilers do not.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  list(APPEND warnings -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19)
  # Vulkan's structures are filled by their members' names; what is not named is zero.
  list(APPEND warnings -Wno-missing-designated-field-initializers)
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
  # Assertions of the standard library find wrong indices that stay within allocated memory.
  target_compile_options(threefold_options INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(threefold_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(threefold_options INTERFACE -fsanitize=address,undefined)
endif()

# threefold_modules(NAME folder...): every .cpp file of these folders is a source of the target. The folders
# are listed anew at each build, so that a new file needs no line here. Ten files of a folder are compiled
# as one where THREEFOLD_UNITY is on.
function(threefold_modules name)
  foreach(folder ${ARGN})
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
    target_sources(${name} PRIVATE ${sources})
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR}
               OUTPUT_VARIABLE place)
    string(MAKE_C_IDENTIFIER "${place}/${folder}" place)
    set(number 0)
    foreach(source IN LISTS sources)
      math(EXPR group "${number} / 10")
      math(EXPR number "${number} + 1")
      set_source_files_properties(${source} TARGET_DIRECTORY ${name}
                                  PROPERTIES UNITY_GROUP ${place}_${group})
    endforeach()
  endforeach()
endfunction()

# threefold_own_flags(TARGET FLAGS source...): compiles these sources with FLAGS in addition, and without
# precompiled headers, which would need the same options.
function(threefold_own_flags target flags)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES
    COMPILE_OPTIONS "${flags}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# threefold_vector_builds(TARGET NAME FLAGS FUSED): compiles NAME.inl once for each instruction set, which
# are portable, avx2 and avx512 on x86-64 and portable alone elsewhere (engine/compute/variants.h); the
# program asks the processor which to run. FUSED is -mfma where a product and a sum may become one
# operation, else empty.
function(threefold_vector_builds target name flags fused)
  list(APPEND flags -O3 -fno-math-errno -Wno-psabi)
  set(variants portable 16 "")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND variants avx2 32 "-mavx2|${fused}" avx512 64
      "-mavx512f|-mavx512bw|-mavx512vl|-mavx512dq|-mprefer-vector-width=512|${fused}")
  endif()
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${CMAKE_SOURCE_DIR}
             OUTPUT_VARIABLE place)
  while(variants)
    list(POP_FRONT variants variant bytes own)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_${variant}.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "#define THREEFOLD_VARIANT ${variant}
#define THREEFOLD_VARIANT_NAME \"${variant}\"
#define THREEFOLD_REGISTER_BYTES ${bytes}
#include \"${place}/${name}.inl\"
")
    target_sources(${target} PRIVATE ${source})
    string(REPLACE "|" ";" own "${own}")
    threefold_own_flags(${target} "${flags};${own}" ${source})
  endwhile()
endfunction()

# threefold_library(NAME source...): one static library of the project.
function(threefold_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PUBLIC threefold_options)
  set_target_properties(${name} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
    UNITY_BUILD ${THREEFOLD_UNITY} UNITY_BUILD_MODE GROUP)
endfunction()
