#pragma once

#include <QWidget>

#include "ui/result.h"
#include "ui/stage_history.h"
#include "ui/worker.h"

class QLabel;

namespace threefold::ui {

class MeasuresTable;
class StageBars;

/// The right side: how good the meshes are, where the time went, and what computed them.
class Inspector : public QWidget {
    Q_OBJECT

  public:
    explicit Inspector(QWidget* parent = nullptr);

    void show(const Result& result, const StageHistory& history);
    void show(const BackendInfo& backend);
    void showRenderer(const QString& device, bool software);

    const MeasuresTable& measures() const { return *measures_; }

  private:
    MeasuresTable* measures_;
    QLabel* protocol_;
    QLabel* noTruth_;
    StageBars* stages_;
    QLabel* backend_;
    QLabel* model_;
    QLabel* renderer_;
};

}  // namespace threefold::ui
