#include "ui/style/window_words.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>

namespace threefold::ui {
namespace {

struct Replacement {
    const char* pattern;  // a regular expression
    const char* words;
};

// Applied in this order: what names more comes first.
constexpr Replacement kReplacements[] = {
    {"Go on with it with --resume, begin anew with --overwrite, or choose another folder with -o",
     QT_TRANSLATE_NOOP("WindowWords", "Choose another output folder, or start over")},
    {"Repeat what that run was started with, choose another folder with -o, or begin anew with "
     "--overwrite",
     QT_TRANSLATE_NOOP("WindowWords", "Choose another output folder, or start over")},
    {"begin anew with --overwrite", QT_TRANSLATE_NOOP("WindowWords", "start over")},
    {"[Gg]o on with --resume", QT_TRANSLATE_NOOP("WindowWords", "continue the run")},
    {"folder( on another file system)? with -o",
     QT_TRANSLATE_NOOP("WindowWords", "output folder\\1")},
    {"Use --precision [^.]*",
     QT_TRANSLATE_NOOP("WindowWords", "Choose another one in Reconstruct > Device")},
    {"use --precision \\w+",
     QT_TRANSLATE_NOOP("WindowWords", "choose another precision in Reconstruct > Device")},
    {"([Uu])se --backend cpu",
     QT_TRANSLATE_NOOP("WindowWords", "\\1se the processor (Reconstruct > Device)")},
    {", or run `render` with --allow-outside", ""},
    {R"( \(\w+, --[a-z-]+\))", QT_TRANSLATE_NOOP("WindowWords", " in the camera file")},
    {" or --object-centre", ""},
    {", or a smaller --batch", ""},
};

bool namesOption(const QString& sentence) {
    static const QRegularExpression option(QStringLiteral("(^|[^\\w-])(--[a-z]|-o\\b)"));
    return sentence.contains(option);
}

}  // namespace

QString windowWords(std::string_view text) {
    QString words = QString::fromUtf8(text);
    if (!namesOption(words)) return words;
    for (const Replacement& each : kReplacements)
        words.replace(QRegularExpression(QString::fromUtf8(each.pattern)),
                      QCoreApplication::translate("WindowWords", each.words));
    static const QRegularExpression end(QStringLiteral("(?<=\\.) "));
    QStringList sentences = words.split(end, Qt::SkipEmptyParts);
    sentences.removeIf(namesOption);
    for (QString& sentence : sentences) sentence[0] = sentence[0].toUpper();
    return sentences.join(' ');
}

}  // namespace threefold::ui
