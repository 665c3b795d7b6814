#pragma once

class QApplication;

namespace threefold::ui {

/// Loads `threefold_<locale>.qm` from the program's translations/ folder and Qt's own translations,
/// if they exist. Call once, before anything is shown.
void installTranslations(QApplication& application);

}  // namespace threefold::ui
