#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace threefold {

/// `text` in lines of at most `width` characters (code points of UTF-8), each but the first after
/// `indent` blanks; broken at blanks, a longer word stays whole. A newline breaks as well.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// Help in lines of a hundred characters that marks required options.
class HelpFormatter : public CLI::Formatter {
  public:
    HelpFormatter();

    std::string make_option(const CLI::Option* option, bool isPositional) const override;
};

}  // namespace threefold
