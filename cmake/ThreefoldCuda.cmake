# Looks for nvcc, CUDA's libraries and cuDNN. Sets THREEFOLD_CUDA_FOUND, and says in one line why the
# GPU plug-in is left out where it is.
set(THREEFOLD_CUDA_FOUND OFF)
if(NOT THREEFOLD_CUDA)
  message(STATUS "CUDA is left out: THREEFOLD_CUDA is off")
  return()
endif()

include(CheckLanguage)
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
  set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)  # installed, but not in the path
endif()
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "CUDA is left out: there is no nvcc")
  return()
endif()
find_path(CUDNN_INCLUDE cudnn.h HINTS /usr/local/cuda/include)
find_library(CUDNN_LIBRARY NAMES cudnn libcudnn.so.9 HINTS /usr/local/cuda/lib64)
if(NOT CUDNN_INCLUDE OR NOT CUDNN_LIBRARY)
  message(STATUS "CUDA is left out: cuDNN 9 is not installed")
  return()
endif()

# Native code for all, and PTX of the newest for what comes later.
set(THREEFOLD_CUDA_ARCHITECTURES "75;80;86;89;90;100;120" CACHE STRING
    "Compute capabilities that the GPU plug-in holds native code for")
list(TRANSFORM THREEFOLD_CUDA_ARCHITECTURES APPEND "-real" OUTPUT_VARIABLE real_architectures)
list(GET THREEFOLD_CUDA_ARCHITECTURES -1 newest)
set(CMAKE_CUDA_ARCHITECTURES ${real_architectures} ${newest}-virtual)
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)

# CMake 3.25 knows this nvcc, but not that it speaks C++20.
set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
set(CMAKE_CUDA_STANDARD 20)
if(THREEFOLD_CCACHE)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${THREEFOLD_CCACHE})
endif()
set(THREEFOLD_CUDA_FOUND ON)
