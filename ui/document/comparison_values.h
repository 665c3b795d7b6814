#pragma once

#include <map>
#include <set>

#include <QObject>

#include "ui/document/background.h"
#include "ui/document/quantities.h"

namespace threefold::ui {

/// The values of the comparison mesh, which may be large: computed on the thread pool on first use
/// and kept while mesh and truth stay. Registers itself with the document, its QObject parent. For
/// the window's thread.
class ComparisonValues : public QObject {
    Q_OBJECT

  public:
    explicit ComparisonValues(Document& document);

    /// Without values but with a reason while they are being computed.
    SurfaceValues values(Quantity quantity) const;
    /// Whether there are such values, or will be.
    bool possible(Quantity quantity) const { return reasonAgainst(quantity).isEmpty(); }
    bool busy() const { return running_ > 0; }

  Q_SIGNALS:
    /// More values are ready.
    void changed();

  private:
    QString reasonAgainst(Quantity quantity) const;
    void forget();
    void compute();

    Document& document_;
    render::SceneMeshRef of_;  ///< has the known values
    std::map<Quantity, SurfaceValues> known_;
    std::set<Quantity> asked_;
    NewestRequest meshes_;  ///< stopped when mesh or truth changes
    std::stop_token current_ = meshes_.start();
    int running_ = 0;
};

}  // namespace threefold::ui
