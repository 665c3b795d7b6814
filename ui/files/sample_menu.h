#pragma once

namespace threefold::ui {

class OpenedFiles;
struct WindowParts;

/// File > Samples: those that come with the program, named by their categories.
void addSampleMenu(const WindowParts& parts, OpenedFiles& files);

}  // namespace threefold::ui
