# Run by cpack when the files are in their places: what Debian asks of a package beyond them.
set(root ${CPACK_TEMPORARY_DIRECTORY}${CPACK_PACKAGING_INSTALL_PREFIX})
set(share ${root}/share)
set(documents ${share}/doc/${CPACK_PACKAGE_NAME})
set(release ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(output ${output} PARENT_SCOPE)
endfunction()

# The sections are dh_strip's choice.
run(strip --remove-section=.comment --remove-section=.note ${root}/bin/blockloom ${root}/bin/blockloom-cli
  ${root}/libexec/blockloom/blockloom-cli-program)

file(GLOB pages ${share}/man/man1/*.1)
run(date -R -u -d "@$ENV{SOURCE_DATE_EPOCH}")
file(WRITE ${documents}/changelog.Debian "${CPACK_PACKAGE_NAME} (${release}) bookworm; urgency=medium

  * Package of the sources of this version, made by packaging/deb.

 -- ${CPACK_PACKAGE_CONTACT}  ${output}
")
run(gzip -9n ${pages} ${documents}/changelog.Debian)

# What is compiled into the programs from static libraries and headers keeps its licence; where the package depends on
# the library of the headers (libfmt9, libboost-context …), its licence is installed with that.
file(MAKE_DIRECTORY ${documents}/licenses ${share}/lintian/overrides)
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/copyright ${documents}/copyright)
foreach(package libcli11-dev libimgui-dev libxxhash-dev nlohmann-json3-dev spirv-headers spirv-tools)
  run(readlink -f /usr/share/doc/${package}/copyright)
  file(COPY_FILE ${output} ${documents}/licenses/${package})
endforeach()

file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${share}/lintian/overrides/${CPACK_PACKAGE_NAME})
