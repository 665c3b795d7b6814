#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace threefold {

/// Wraps `text` at blanks and newlines into lines of at most `width` UTF-8 code points, indenting
/// all lines but the first by `indent`. Longer words are not broken.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// Formats the help in lines of a hundred characters, and marks required options.
class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter();

    std::string make_option(const CLI::Option* option, bool isPositional) const override;
};

}  // namespace threefold
