#include "ui/inspect/measures_feature.h"

// Measures of all meshes: choice of the protocol, display in the inspector, export as CSV.

#include <QApplication>
#include <QClipboard>

#include "engine/formats/files/write_file.h"
#include "ui/inspect/inspector.h"
#include "ui/shell/feature_context.h"
#include "ui/shell/file_dialogs.h"
#include "ui/style/path_text.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

class MeasuresFeature : public QObject {
    Q_DECLARE_TR_FUNCTIONS(MeasuresFeature)

  public:
    MeasuresFeature(const FeatureContext& context, Inspector& inspector);

  private:
    void refresh();
    void copy();
    void exportCsv();
    std::string csv() const { return measuresCsv(measured_.meshes()); }

    FeatureContext context_;
    Inspector& inspector_;
    MeasuredMeshes& measured_;
    QList<QAction*> protocols_;
    QAction* copy_;
    QAction* save_;
};

MeasuresFeature::MeasuresFeature(const FeatureContext& context, Inspector& inspector)
    : QObject(&context.window),
      context_(context),
      inspector_(inspector),
      measured_(context.measured),
      copy_(context.actions.add({.menu = MenuSection::edit,
                                 .text = tr("Copy &measures"),
                                 .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_C,
                                 .tooltip = tr("Copy the measures of all meshes as CSV")},
                                this, &MeasuresFeature::copy)),
      save_(context.actions.add({.menu = MenuSection::fileSave,
                                 .text = tr("Export m&easures…"),
                                 .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_E,
                                 .tooltip = tr("Save the measures of all meshes as CSV")},
                                this, &MeasuresFeature::exportCsv)) {
    protocols_ = exclusiveActions(
        {tr("&Published: vertices against the truth's points"),
         tr("&Surface: points sampled on both surfaces")},
        this, [this](std::size_t i) {
            measured_.setProtocol(i == 0 ? Protocol::published : Protocol::surface);
        });
    context.actions.add(
        {.menu = MenuSection::evaluate,
         .text = tr("Switch &protocol"),
         .keys = Qt::SHIFT | Qt::Key_P,
         .tooltip = tr("Measure vertices against the truth's points, or both surfaces")},
        this, [this] {
            measured_.setProtocol(measured_.protocol() == Protocol::published
                                      ? Protocol::surface
                                      : Protocol::published);
        });
    QToolButton& button = inspector.protocolButton();
    auto* menu = new QMenu(&button);
    menu->addActions(protocols_);
    button.setMenu(menu);
    button.setPopupMode(QToolButton::InstantPopup);
    inspector.measures().addActions({copy_, save_});
    connect(&measured_, &MeasuredMeshes::changed, this, &MeasuresFeature::refresh);
    refresh();
}

void MeasuresFeature::refresh() {
    inspector_.setMeasures(measured_);
    protocols_[measured_.protocol() == Protocol::published ? 0 : 1]->setChecked(true);
    // Only a complete table can be copied or exported.
    const bool complete = !measured_.meshes().empty() && !measured_.isBusy();
    copy_->setEnabled(complete);
    save_->setEnabled(complete);
}

void MeasuresFeature::copy() {
    QApplication::clipboard()->setText(QString::fromStdString(csv()));
    context_.status.showMessage(tr("Copied the measures as CSV"));
}

void MeasuresFeature::exportCsv() {
    const ResultRef& result = context_.document.result.current();
    const QString name =
        result ? QString::fromStdString(result->sample->name()) : measured_.meshes().front().name;
    askForSavePath(
        {.parent = context_.window,
         .title = tr("Export the measures"),
         .filters = {tr("Tables (*.csv)")},
         .remembered = {{context_.settings, QStringLiteral("files/exportFolder")}},
         .name = name + QStringLiteral("_measures.csv")},
        *this, [this](const std::filesystem::path& file, const QString&) {
            inBackground(
                this, [file, text = csv()] { writeFileAtomically(file, text); },
                [this, file] { context_.status.showMessage(tr("Saved %1").arg(pathText(file))); },
                [this](const ErrorReport& report) { context_.banner.show(report); }, file.string());
        });
}

}  // namespace

void addMeasures(const FeatureContext& context, Inspector& inspector) {
    new MeasuresFeature(context, inspector);
}

}  // namespace threefold::ui
