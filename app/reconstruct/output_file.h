#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace threefold {

/// Before long work, for a file that `option` names: an earlier one of its kind, which begins with
/// `beginning`, may be replaced, and an empty one; nothing else. Does nothing where `file` is
/// empty. Throws IoError as requireWritable(), UsageError: the file holds something else. `kind`:
/// "a trace".
void requireReplaceable(const std::string& option, const std::filesystem::path& file,
                        std::string_view beginning, const std::string& kind);

}  // namespace threefold
