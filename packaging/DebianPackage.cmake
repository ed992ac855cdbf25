# The package blockloom_VERSION_ARCHITECTURE.deb, as `cpack` makes it; packaging/deb is the command to use.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME blockloom)
set(CPACK_PACKAGE_CONTACT "Blockloom developers <developers@blockloom.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "profiler and workbench for parallel block execution")
set(CPACK_PACKAGE_DESCRIPTION [[
Opens a range of blocks and shows how much of it can run in parallel, what
stands in the way, and what would change without it. Replays it on the CPU
and on Vulkan devices, compares runs with their intervals and state digests,
finds the best batch size and writes reports.

It reads Bitcoin blocks from every common container, executes the Alkanes
messages in them, and imports traces of any other chain. blockloom is the
graphical program; blockloom-cli does the same on the command line.]])
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/debian/complete.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The faces that window and pictures are lettered with (engine/scene/glyph_faces.cpp): not libraries, so by hand.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-roboto-unhinted, fonts-jetbrains-mono, fonts-dejavu-core")
# Drivers: Vulkan's for devices, and the window's on Wayland; on X11 it needs none. Certificates: of nodes (https).
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "mesa-vulkan-drivers | vulkan-icd, qt6-wayland, ca-certificates")
include(CPack)
