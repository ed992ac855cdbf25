# cmake -DFOLDERS=a,b -DOUTPUT=file.h -DNAME=name -DNAMESPACE=a::b -P HashSources.cmake
# writes a header with the SHA-256 of all C++ sources of the folders, by name and content. No path of this machine is in it.
string(REPLACE "," ";" folders "${FOLDERS}")
set(all "")
foreach(folder ${folders})
  file(GLOB sources ${folder}/*.cpp ${folder}/*.h)
  list(SORT sources)
  foreach(source ${sources})
    cmake_path(GET source FILENAME file_name)
    file(SHA256 ${source} hash)
    string(APPEND all "${file_name} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 hash "${all}")
file(WRITE ${OUTPUT} "// Made by the build.\n#pragma once\n\nnamespace ${NAMESPACE} {\n"
  "inline constexpr char ${NAME}[] = \"${hash}\";\n}\n")
