#pragma once

#include <filesystem>
#include <functional>
#include <vector>

class QObject;
class QWidget;

namespace threefold::ui {

/// Calls `go` if none of the files exists, or the user agrees to replace those that do; else
/// `stay`. Looks in the background, asks window-modally over `parent`, and returns at once. Calls
/// neither once `parent` or `receiver` is gone.
void askToReplace(QWidget& parent, const std::vector<std::filesystem::path>& files,
                  QObject& receiver, std::function<void()> go, std::function<void()> stay = {});

}  // namespace threefold::ui
