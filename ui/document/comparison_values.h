#pragma once

#include <map>
#include <memory>

#include <QObject>

#include "ui/document/quantities.h"

namespace threefold::ui {

/// The values of the comparison mesh, which may be large: computed on the thread pool once they are
/// looked at, and kept while mesh and truth stay. A child of its document, of the window's thread.
class ComparisonValues : public QObject {
    Q_OBJECT

  public:
    explicit ComparisonValues(Document& document);
    /// Null where the document has none.
    static const ComparisonValues* find(const Document& document);

    /// With a reason while they are being computed.
    SurfaceValues values(Quantity quantity) const;
    /// Whether there are such values, or will be.
    bool possible(Quantity quantity) const;
    bool busy() const { return running_ > 0; }

  Q_SIGNALS:
    /// Values are there that were not before.
    void changed();

  private:
    QString reasonAgainst(Quantity quantity) const;
    void forget();
    void compute();

    Document& document_;
    std::map<Quantity, SurfaceValues> known_;
    std::map<Quantity, bool> asked_;
    quint64 generation_ = 0;  ///< of mesh and truth: what was computed for others is dropped
    int running_ = 0;
};

}  // namespace threefold::ui
