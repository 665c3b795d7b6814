#include "ui/document/look_model.h"

namespace threefold::ui {

void LookModel::set(const Look& look) {
    if (look == look_) return;
    const Look before = std::exchange(look_, look);
    Q_EMIT replaced(before);
    Q_EMIT changed(before);
}

}  // namespace threefold::ui
