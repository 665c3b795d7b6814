#pragma once

class QApplication;

namespace threefold::ui {

/// Takes texts from `threefold_<locale>.qm` in the program's translations/ folder and Qt's own
/// beside them, where they are there. Call once, before anything is shown.
void installTranslations(QApplication& application);

}  // namespace threefold::ui
