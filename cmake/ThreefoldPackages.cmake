# What is installed, and CPack's .deb packages: threefold, and threefold-cuda where the plug-in is
# built. packaging/package makes them.

# bin/threefold beside share/threefold, wherever the prefix is: no path is absolute, except the folders in
# which the GPU plug-in looks for NVIDIA's libraries.
install(TARGETS threefold RUNTIME DESTINATION bin COMPONENT program)
if(TARGET threefold_cuda)
  install(TARGETS threefold_cuda LIBRARY DESTINATION lib/threefold COMPONENT cuda)
endif()
install(FILES ${THREEFOLD_MODEL} DESTINATION share/threefold/models COMPONENT program)
install(DIRECTORY resources/samples DESTINATION share/threefold COMPONENT program
  PATTERN "make_*" EXCLUDE)

string(TIMESTAMP THREEFOLD_DATE %Y-%m-%d UTC)  # the date of SOURCE_DATE_EPOCH, where it is set
configure_file(resources/desktop/threefold.metainfo.xml ${CMAKE_BINARY_DIR}/threefold.metainfo.xml)
if(TARGET threefold_ui)
  install(FILES resources/desktop/threefold.desktop DESTINATION share/applications COMPONENT program)
  install(FILES resources/desktop/threefold.xml DESTINATION share/mime/packages COMPONENT program)
  install(FILES resources/icons/threefold.svg DESTINATION share/icons/hicolor/scalable/apps
          COMPONENT program)
  install(FILES ${CMAKE_BINARY_DIR}/threefold.metainfo.xml DESTINATION share/metainfo
          RENAME org.threefold.threefold.metainfo.xml COMPONENT program)
endif()
# Icons in pixels, man pages, completions, licences: packaging/package puts them there.
install(DIRECTORY ${CMAKE_BINARY_DIR}/made/ DESTINATION share COMPONENT program OPTIONAL)
install(FILES LICENSE DESTINATION share/doc/threefold RENAME copyright COMPONENT program)
if(TARGET threefold_cuda)
  install(FILES LICENSE DESTINATION share/doc/threefold-cuda RENAME copyright COMPONENT cuda)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Threefold authors")
set(CPACK_PACKAGE_CONTACT "The Threefold authors <threefold@localhost>")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE ${THREEFOLD_DEB_RELEASE})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME threefold)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION graphics)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd, fonts-dejavu-core, libheif1")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "colmap, ffmpeg")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "Three calibrated photographs to a triangle mesh
The coarse mesh beside the refined one, each vertex coloured by its distance to
the ground truth; in a window and on the command line. The model is included.")
if(TARGET threefold_cuda AND THREEFOLD_DEB_RELEASE)
  list(APPEND CPACK_COMPONENTS_ALL cuda)
  # No SHLIBDEPS: dpkg-shlibdeps fails for NVIDIA's libraries, which are not Debian's. The program needs
  # all other libraries as well.
  set_target_properties(threefold_cuda PROPERTIES INSTALL_RPATH_USE_LINK_PATH OFF
                        INSTALL_RPATH "/usr/local/cuda/lib64;/usr/local/cuda/lib")
  set(CPACK_DEBIAN_CUDA_PACKAGE_NAME threefold-cuda)
  set(CPACK_DEBIAN_CUDA_PACKAGE_SECTION contrib/graphics)
  set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "threefold (= ${PROJECT_VERSION}-${THREEFOLD_DEB_RELEASE})")
  set(CPACK_DEBIAN_CUDA_PACKAGE_RECOMMENDS "libcuda1 (>= 580) | nvidia-driver-cuda (>= 580)")
  set(CPACK_DEBIAN_CUDA_PACKAGE_SUGGESTS "libcublas-13-0, libcusparse-13-0, libcudnn9-cuda-13")
  set(CPACK_DEBIAN_CUDA_DESCRIPTION "GPU plug-in of Threefold
Computes on an NVIDIA GPU. Needs NVIDIA's driver, 580 or newer, CUDA 13's
cuBLASLt and cuSPARSE, and cuDNN 9: `threefold doctor` says what is missing.")
endif()
include(CPack)
