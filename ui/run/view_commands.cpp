#include "ui/run/view_commands.h"

#include <algorithm>

#include "engine/sample/view_candidates.h"
#include "ui/document/background.h"
#include "ui/input/input_panel.h"
#include "ui/run/network_client.h"
#include "ui/style/number_format.h"

namespace threefold::ui {
namespace {

double minAngle(const Sample& sample, const std::vector<int>& views) {
    double minimum = 180;
    for (const int view : views)
        for (const int other : views)
            if (view < other)
                minimum = std::min(
                    minimum, angleBetween(sample.cameraRows[static_cast<std::size_t>(view)],
                                          sample.cameraRows[static_cast<std::size_t>(other)]));
    return minimum;
}

}  // namespace

ViewCommands::ViewCommands(const FeatureContext& context, InputPanel& input, NetworkClient& client)
    : QObject(&context.window),
      context_(context),
      input_(input),
      client_(client),
      trials_(new ViewTrials(context, client)),
      suggest_(context.actions.add(
          {.menu = MenuSection::photographs,
           .text = tr("Su&ggest three views"),
           .keys = Qt::SHIFT | Qt::Key_V,
           .tooltip = tr(
               "Choose three views whose directions lie far apart and whose silhouettes differ")},
          this, &ViewCommands::suggest)),
      published_(context.actions.add(
          {.menu = MenuSection::photographs,
           .text = tr("Published &views %1").arg(numberList(kPublishedViews)),
           .tooltip = tr("Views of the published results")},
          this, [this] { input_.model().setViews(kPublishedViews, tr("published views")); })),
      tryAction_(context.actions.add(
          {.menu = MenuSection::photographs,
           .text = tr("&Try choices of views…"),
           .keys = Qt::CTRL | Qt::SHIFT | Qt::Key_V,
           .tooltip =
               tr("Reconstruct up to %1 choices of three views in the background and measure how "
                  "well their silhouettes agree with all photographs")
                   .arg(ViewTrials::kMaxTrials)},
          this, &ViewCommands::tryChoices)) {
    auto* menu = new QMenu(&input);
    menu->addActions({suggest_, published_, tryAction_});
    QToolButton* button =
        flatButton(tr("Choose views ▾"), tr("Suggested, published or tried views"), &input,
                   tr("Choose views"));
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    input.addChoiceButton(*button);
    const auto refresh = [this, button] {
        const SampleRef& sample = input_.model().sample();
        const bool hasChoice = sample && sample->viewCount() > kMinInputViews;
        suggest_->setEnabled(hasChoice);
        tryAction_->setEnabled(hasChoice);
        button->setEnabled(hasChoice);
        published_->setEnabled(sample && hasPublishedViews(*sample) &&
                               input_.model().selection().views() != kPublishedViews);
    };
    connect(&input.model(), &InputModel::stateChanged, this, refresh);
    refresh();
    connect(&input.model(), &InputModel::sampleChanged, this, [this] {
        suggestTask_.cancel();
        trials_->stop();
        if (dialog_) dialog_->close();
    });
    connect(trials_, &ViewTrials::failed, &context.banner, &Banner::show);
}

void ViewCommands::suggest() {
    const SampleRef sample = input_.model().sample();
    if (!sample) return;
    const std::stop_token token = suggestTask_.restart();
    inBackground(
        this, token,
        [sample, token, cache = client_.viewCache()] {
            const auto read = [&](const Sample& from, int view) {
                return *cache->prefetch(from, view);
            };
            return ViewChooser(viewCandidates(*sample, read, token)).best();
        },
        [this, sample](std::vector<int> views) {
            if (input_.model().sample() != sample) return;
            // Keeps the reference view first, so that the meshes keep their space.
            const std::vector<int>& current = input_.model().selection().views();
            if (const auto reference = std::ranges::find(views, current.front());
                reference != views.end())
                std::rotate(views.begin(), reference, reference + 1);
            const bool same = std::ranges::is_permutation(views, current);
            if (!same) input_.model().setViews(views, tr("suggested views"));
            const QString text = same ? tr("Views %1 are the suggested ones: at least %2° apart")
                                      : tr("Suggested views %1: at least %2° apart");
            context_.status.showMessage(
                text.arg(numberList(views)).arg(minAngle(*sample, views), 0, 'f', 0));
        },
        [this](const ErrorReport& report) { context_.banner.show(report); });
}

void ViewCommands::tryChoices() {
    if (!input_.model().sample()) return;
    if (!dialog_) {
        dialog_ = new ViewTrialsDialog(*trials_, &context_.window);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &ViewTrialsDialog::chosen, this, &ViewCommands::choose);
        connect(dialog_, &QDialog::finished, trials_, &ViewTrials::stop);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void ViewCommands::choose(std::size_t index) {
    const ViewTrial trial = trials_->trials().at(index);
    // The edit requests a run; showing the tried result cancels it.
    input_.model().setViews(trial.views, tr("tried views"));
    context_.opener.showResult(trial.result);
}

ViewCommands& addViewCommands(const FeatureContext& context, InputPanel& input,
                              NetworkClient& client) {
    return *new ViewCommands(context, input, client);
}

}  // namespace threefold::ui
