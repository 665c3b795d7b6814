#include "ui/input/cut_out.h"

#include <algorithm>

#include <QAction>
#include <QBoxLayout>
#include <QHash>
#include <QLabel>
#include <QPushButton>

#include "engine/cutout/cutout_files.h"
#include "engine/views/foreground.h"
#include "ui/document/background.h"
#include "ui/document/connections.h"
#include "ui/document/newest_task.h"
#include "ui/input/input_panel.h"
#include "ui/input/photograph_sample.h"
#include "ui/input/reopen_masked.h"
#include "ui/shell/feature_context.h"
#include "ui/style/image_conversion.h"
#include "ui/style/theme.h"
#include "ui/style/widgets.h"

namespace threefold::ui {
namespace {

/// Row that counts the sample's photographs with a background. Its button writes masks for all.
class CutOut : public QWidget {
    Q_DECLARE_TR_FUNCTIONS(CutOut)

  public:
    CutOut(const FeatureContext& context, InputPanel& input, QBoxLayout& masks)
        : QWidget(&input),
          context_(context),
          input_(input),
          action_(context.actions.add(
              {.menu = MenuSection::photographs,
               .text = tr("Cut &out photographs"),
               .tooltip = tr("Find the object in each photograph that still has its background, "
                             "and keep it as "
                             "a mask beside the photograph, which stays as it is")})),
          label_(roleLabel("muted", this)),
          button_(new QPushButton(tr("Cut out all"), this)) {
        setObjectName(QStringLiteral("cutOut"));
        label_->setToolTip(action_->toolTip());
        button_->setToolTip(action_->toolTip());
        setLayout(rowOf({label_, stretch(), button_}));
        masks.addWidget(this);
        hide();
        connect(button_, &QPushButton::clicked, action_, &QAction::trigger);
        connect(action_, &QAction::triggered, this, &CutOut::start);
        connect(&input.model(), &InputModel::sampleChanged, this, [this] { backgrounds_.clear(); });
        connect(&input.model(), &InputModel::stateChanged, this, &CutOut::refresh);
        connect(&input, &InputPanel::imagesChanged, this, &CutOut::refresh);
        refresh();
    }

  private:
    void refresh() {
        const InputState& state = input_.model().state();
        action_->setEnabled(state.sample && !running_);
        button_->setEnabled(!running_);
        const auto uncut = std::ranges::count_if(input_.images(), [this](const QImage& image) {
            return !image.isNull() && hasBackground(image);
        });
        label_->setText(running_     ? tr("Cutting out…")
                        : uncut == 1 ? tr("1 photograph still has its background")
                                     : tr("%1 photographs still have their background").arg(uncut));
        setVisible(uncut > 0 || running_);
    }

    // Whether a picture has a background. Cached, since refresh() runs for every picture that
    // arrives.
    bool hasBackground(const QImage& image) {
        const auto known = backgrounds_.constFind(image.cacheKey());
        if (known != backgrounds_.cend()) return *known;
        return *backgrounds_.insert(image.cacheKey(), !foregroundOf(fromQImage(image)));
    }

    void setRunning(bool running) {
        running_ = running;
        refresh();
    }

    void start() {
        const SampleRef sample = input_.model().sample();
        std::vector<std::filesystem::path> images = sample->images;
        std::erase_if(images, [](const auto& image) { return image.empty(); });
        setRunning(true);
        const std::stop_token cancel = task_.restart();
        inBackground(
            this, cancel,
            [images = std::move(images), cancel] {
                return cutOutFiles(images, {.cameraFileMasks = masksNamedByCameras(images, cancel)},
                                   cancel);
            },
            [this, sample](const std::vector<CutoutFile>& files) { finish(sample, files); },
            [this](const ErrorReport& report) {
                setRunning(false);
                context_.banner.show(report);
            });
    }

    void finish(const SampleRef& sample, const std::vector<CutoutFile>& files) {
        setRunning(false);
        const auto cutCount =
            std::ranges::count_if(files, [](const CutoutFile& f) { return f.fraction > 0; });
        QStringList remarks;
        for (const CutoutFile& file : files)
            for (const std::string& line : {file.error, file.warning})
                if (!line.empty()) remarks << QString::fromStdString(line);
        context_.status.showMessage(
            tr("%1 of %2 photographs cut out").arg(cutCount).arg(files.size()), remarks.join('\n'));
        if (!remarks.isEmpty())
            context_.banner.show(
                {tr("Cut out").toStdString(), "", remarks.join('\n').toStdString(), ""});
        if (cutCount > 0 && input_.model().sample() == sample)
            reopenMasked(context_.opener, input_);
    }

    FeatureContext context_;
    InputPanel& input_;
    QAction* action_;
    QLabel* label_;
    QPushButton* button_;
    bool running_ = false;
    QHash<qint64, bool> backgrounds_;  // by QImage::cacheKey(), of the shown sample
    NewestTask task_;
};

}  // namespace

void addCutOut(const FeatureContext& context, InputPanel& input, QBoxLayout& masks) {
    new CutOut(context, input, masks);
}

}  // namespace threefold::ui
