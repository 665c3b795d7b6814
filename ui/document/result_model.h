#pragma once

#include <QObject>

#include "ui/results/result.h"

namespace threefold::ui {

/// Model of the window's result. GUI thread only.
class ResultModel : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    const ResultRef& current() const { return result_; }  ///< null before the first result
    /// Replaces the result; signals only a change.
    void set(ResultRef result);

  Q_SIGNALS:
    /// `before`: the result until now; may be null. replaced() is emitted first, for the document's
    /// models; changed() is for the panels, which read these models.
    void replaced(const threefold::ui::ResultRef& before);
    void changed(const threefold::ui::ResultRef& before);

  private:
    ResultRef result_;
};

}  // namespace threefold::ui
