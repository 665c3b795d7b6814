#include "ui/document/fit_summary.h"

#include <QCoreApplication>
#include <QStringList>

#include "ui/style/number_format.h"
#include "ui/style/window_words.h"

namespace threefold::ui {
namespace {

struct FitTexts {
    Q_DECLARE_TR_FUNCTIONS(FitTexts)
};

// Of at least one photograph.
QString meanOverlap(const FitResult& fit, SilhouetteScore FitAgreement::*mesh) {
    double sum = 0;
    for (const FitAgreement& each : fit.agreement) sum += (each.*mesh).overlap;
    return fixed(sum / static_cast<double>(fit.agreement.size()), 3);
}

}  // namespace

QString fitSummary(const FitOutcome& outcome) {
    const FitResult& fit = outcome.fit;
    QStringList texts;
    if (outcome.problem) {
        texts << FitTexts::tr("Not fitted, the refined mesh stays: %1")
                     .arg(QString::fromStdString(outcome.problem->problem));
    } else if (fit.agreement.empty()) {
        texts << FitTexts::tr("Not fitted, the refined mesh stays");
    } else {
        const auto count = static_cast<int>(fit.agreement.size());
        const QString what = count == 1 ? FitTexts::tr("Fitted to one photograph")
                                        : FitTexts::tr("Fitted to %1 photographs").arg(count);
        texts << FitTexts::tr("%1 in %2 ms, overlap %3 → %4")
                     .arg(what, milliseconds(fit.milliseconds),
                          meanOverlap(fit, &FitAgreement::before),
                          meanOverlap(fit, &FitAgreement::after));
    }
    for (const std::string& note : fit.notes) texts << windowWords(note);
    return texts.join(QStringLiteral(" · "));
}

}  // namespace threefold::ui
