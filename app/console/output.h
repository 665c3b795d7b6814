#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "engine/error.h"

namespace threefold {

/// Standard output's reader went away.
class OutputClosed : public Error {
    using Error::Error;
};

/// Writes what is printable() and flushes. Throws OutputClosed, or IoError (a full disk).
void printText(std::string_view text);

/// Writes what is printableJson() and flushes: documents, lines of objects. Throws as printText.
void printJsonText(std::string_view json);

/// One document, indented by two spaces, and a newline. Bytes that are not UTF-8 (paths may hold
/// such) become U+FFFD. Throws as printText.
void printJson(const nlohmann::ordered_json& document);

}  // namespace threefold
