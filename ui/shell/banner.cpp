#include "ui/shell/banner.h"

#include <QHBoxLayout>

#include "ui/style/theme.h"
#include "ui/style/widgets.h"
#include "ui/style/window_words.h"

namespace threefold::ui {
namespace {

QLabel* line(QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

Banner::Banner(QWidget* parent) : QFrame(parent), message_(line(this)), remedy_(line(this)) {
    setObjectName(QStringLiteral("banner"));
    setAccessibleName(tr("Error"));
    auto* close = flatButton(QStringLiteral("✕"), tr("Close the message (Esc)"), this,
                             tr("Close the message"));
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    setRank(*remedy_, "muted");

    QBoxLayout* texts = columnOf({message_, remedy_}, 2);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->addLayout(texts, 1);
    layout->addWidget(close, 0, Qt::AlignTop);
    hide();
}

void Banner::show(const ErrorReport& report) {
    ErrorReport withoutRemedy = report;
    withoutRemedy.remedy.clear();
    message_->setText(QString::fromStdString(Error(withoutRemedy).what()));
    remedy_->setText(windowWords(report.remedy));
    remedy_->setVisible(!remedy_->text().isEmpty());
    setAccessibleDescription(message_->text() + ' ' + remedy_->text());
    QFrame::show();
}

}  // namespace threefold::ui
