#include "ui/panes/stage_strip.h"

#include <algorithm>
#include <cmath>

#include <QBoxLayout>
#include <QEvent>

#include "ui/document/connections.h"
#include "ui/document/document.h"
#include "ui/panes/stage_slider.h"
#include "ui/results/morphed_mesh.h"
#include "ui/shell/feature_context.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

/// One slider stop for each stage of the morph.
std::vector<SliderStop> stopsOf(const MeshMorph& morph) {
    std::vector<SliderStop> stops;
    std::size_t before = 0;
    for (const MorphStage& stage : morph.stages) {
        const std::size_t vertices = stage.mesh ? stage.mesh->vertices.size() : 0;
        // Shows the number of vertices where it changes, but not at the template, which has as many
        // vertices as the stage after it.
        stops.push_back({stageLabel(stage), vertices, !stops.empty() && vertices != before});
        if (stops.size() > 1 && vertices > 0) before = vertices;
    }
    return stops;
}

/// The strip under the panes: the slider of the stages and its play button.
class StageStrip : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(StageStrip)

  public:
    StageStrip(const FeatureContext& context, QBoxLayout& belowPanes);

  protected:
    void changeEvent(QEvent* event) override;

  private:
    int valueOf(float position) const;
    void updateStops();
    void tint();

    Document& document_;
    std::size_t resultStop_ = 0;  // index of the stop of the network's result
    bool settingStops_ = false;   // while setStops() runs
    QToolButton* play_;
    StageSlider* slider_;
};

StageStrip::StageStrip(const FeatureContext& context, QBoxLayout& belowPanes)
    : document_(context.document), play_(flatButton({}, {}, this)), slider_(new StageSlider(this)) {
    setObjectName(QStringLiteral("stageStrip"));
    play_->setIconSize(QSize(16, 16));
    setLayout(rowOf({play_, stretched(slider_)}, 0, {8, 4, 8, 4}));
    belowPanes.addWidget(this);

    const auto toggle = [this] {
        if (slider_->isPlaying())
            slider_->stop();
        else
            slider_->play();
    };
    QAction* play = context.actions.add(
        {.menu = MenuSection::view,
         .text = tr("&Play reconstruction stages"),
         .keys = Qt::SHIFT | Qt::Key_Space,
         .tooltip = tr("Play the stages from the template to the result; a second press stops")},
        this, toggle);
    play_->setAccessibleName(play->text().remove('&'));
    play_->setToolTip(play->toolTip());
    connect(play_, &QToolButton::clicked, this, toggle);
    connect(slider_, &StageSlider::playingChanged, this, &StageStrip::tint);
    connect(slider_, &StageSlider::valueChanged, this, [this](int value) {
        if (settingStops_) return;  // setStops() may clamp the value
        const int target = valueOf(document_.look.current().morphPosition);
        // A missing stop may come back with the next fit.
        const bool missing = target > slider_->maximum() && value == slider_->maximum();
        if (target == value || missing) return;
        document_.look.change([&](Look& look) {
            look.morphPosition =
                static_cast<float>(value) / StageSlider::kStep - static_cast<float>(resultStop_);
        });
    });
    connect(&document_.look, &LookModel::changed, this, [this] {
        const int value =
            std::min(valueOf(document_.look.current().morphPosition), slider_->maximum());
        if (value == slider_->value()) return;
        slider_->stop();
        slider_->setValue(value);
    });
    connectChanged(this, &StageStrip::updateStops, document_.result, document_.run,
                   document_.opened);
    connect(&document_.fit, &FitModel::convergingMeshChanged, this, &StageStrip::updateStops);
    updateStops();
    tint();
}

int StageStrip::valueOf(float position) const {
    return static_cast<int>(
        std::lround((position + static_cast<float>(resultStop_)) * StageSlider::kStep));
}

void StageStrip::updateStops() {
    // The stages of another sample than the input's would seem to be those of the input.
    const ResultRef result =
        document_.run.showsAnotherSample() ? nullptr : document_.result.current();
    const MeshMorph& morph = result ? result->morph : publishedMorph();
    std::vector<SliderStop> stops = stopsOf(morph);
    // The fitted stop exists as soon as the fit begins, so that the slider changes only once.
    if (result && document_.fit.convergingMesh()) {
        stops.back().vertices = result->mesh(MeshId::result)->vertices.size();
        stops.back().showsVertices = false;
    }
    resultStop_ = morph.resultIndex();
    settingStops_ = true;
    slider_->setStops(std::move(stops), result && hasOwnFittedVertices(*result));
    settingStops_ = false;
    if (!slider_->isPlaying()) slider_->setValue(valueOf(document_.look.current().morphPosition));
    play_->setEnabled(slider_->isEnabled());
    // A mesh from a file has no stages.
    setVisible(result || document_.opened.ids().empty());
}

void StageStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) tint();
}

void StageStrip::tint() {
    const ThemeColours colours = themeColours(palette());
    play_->setIcon(icon(slider_->isPlaying() ? QStringLiteral("pause") : QStringLiteral("play"),
                        colours.text, colours.muted));
}

}  // namespace

void addStageStrip(const FeatureContext& context, QBoxLayout& belowPanes) {
    new StageStrip(context, belowPanes);
}

}  // namespace threefold::ui
