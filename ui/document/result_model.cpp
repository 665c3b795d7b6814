#include "ui/document/result_model.h"

#include <utility>

namespace threefold::ui {

void ResultModel::set(ResultRef result) {
    if (result == result_) return;
    const ResultRef before = std::exchange(result_, std::move(result));
    Q_EMIT replaced(before);
    Q_EMIT changed(before);
}

}  // namespace threefold::ui
