# Writes the text of `source` as a C++ string literal to `output`.
file(READ ${source} text)
file(WRITE ${output} "R\"threefold(${text})threefold\"\n")
