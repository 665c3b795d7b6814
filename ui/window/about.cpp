// Help > About: version, licence, citation, network and renderer.
#include "ui/window/about.h"

#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QPushButton>

#include "ui/panes/viewport.h"
#include "ui/run/network_client.h"
#include "ui/shell/feature_context.h"

namespace threefold::ui {
namespace {

class About : public QObject {
    Q_DECLARE_TR_FUNCTIONS(About)

  public:
    About(const FeatureContext& context, Viewport& viewport, NetworkClient& client)
        : QObject(&context.window), context_(context) {
        connect(context.actions.about, &QAction::triggered, this, &About::show);
        connect(&client, &NetworkClient::networkReady, this,
                [this](const NetworkDescription& info) { network_ = info; });
        connect(&viewport, &Viewport::deviceReady, this,
                [this](const QString& device, bool software) {
                    renderer_ = QStringLiteral("Vulkan · ") + device +
                                (software ? tr(" (in software)") : QString());
                });
    }

  private:
    static QString citation() {
        return QStringLiteral(
                   "@software{threefold,\n"
                   "  title = {Threefold},\n"
                   "  author = {{The Threefold authors}},\n"
                   "  version = {%1},\n"
                   "  year = {2026}\n"
                   "}\n"
                   "@inproceedings{wen2019pixel2mesh++,\n"
                   "  title = {Pixel2Mesh++: Multi-View {3D} Mesh Generation via Deformation},\n"
                   "  author = {Wen, Chao and Zhang, Yinda and Li, Zhuwen and Fu, Yanwei},\n"
                   "  booktitle = {IEEE/CVF International Conference on Computer Vision (ICCV)},\n"
                   "  year = {2019}\n"
                   "}\n")
            .arg(QApplication::applicationVersion());
    }

    QString versions() const {
        QStringList lines{
            tr("Threefold %1 · Qt %2")
                .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()))};
        if (!renderer_.isEmpty()) lines << renderer_;
        if (!network_.description.isEmpty())
            lines << network_.description
                  << tr("Model %1, SHA-256 %2").arg(network_.modelName, network_.modelHash)
                  << network_.provenance.trimmed();
        return lines.join('\n');
    }

    void show() {
        auto* box = new QMessageBox(&context_.window);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->setWindowTitle(tr("About Threefold"));
        box->setIconPixmap(context_.window.windowIcon().pixmap(64, 64));
        box->setText(QStringLiteral("<b>Threefold %1</b>").arg(QApplication::applicationVersion()));
        box->setInformativeText(tr("Reconstructs a triangle mesh from three calibrated photographs "
                                   "by Pixel2Mesh++ (Wen et "
                                   "al., ICCV 2019).\n\nThe Threefold authors · MIT licence\n\n%1")
                                    .arg(versions()));
        box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        const auto addCopy = [&](const QString& text, const QString& copied) {
            // The button is disconnected from the box, or else a click would close the box.
            QPushButton* button = box->addButton(text, QMessageBox::ActionRole);
            button->disconnect();
            connect(button, &QPushButton::clicked, this, [this, copied, text] {
                QApplication::clipboard()->setText(copied);
                context_.status.showMessage(tr("Copied"));
            });
        };
        addCopy(tr("Copy &BibTeX"), citation());
        addCopy(tr("Copy &versions"), versions());
        box->addButton(QMessageBox::Close);
        box->open();
    }

    FeatureContext context_;
    NetworkDescription network_;
    QString renderer_;
};

}  // namespace

void addAbout(const FeatureContext& context, Viewport& viewport, NetworkClient& client) {
    new About(context, viewport, client);
}

}  // namespace threefold::ui
