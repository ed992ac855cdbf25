# cmake -DINPUT=file -DOUTPUT=file.cpp -DNAME=name -DNAMESPACE=a::b -P EmbedBytes.cmake
# writes a C++ source that defines `ByteView name() noexcept` of a file's bytes. Nothing of where the file lies is in it.
file(READ ${INPUT} digits HEX)
string(LENGTH "${digits}" length)
math(EXPR size "${length} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," digits "${digits}")
string(REGEX REPLACE "(....................................................................................................)"
  "\\1\n" digits "${digits}")
file(WRITE ${OUTPUT}.new "// Made by the build.\n#include \"base/bytes.h\"\n\nnamespace ${NAMESPACE} {\n"
  "static const Byte ${NAME}_bytes[${size}] = {\n${digits}};\n"
  "ByteView ${NAME}() noexcept;\nByteView ${NAME}() noexcept { return ${NAME}_bytes; }\n}\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
