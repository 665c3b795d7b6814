#include "ui/results/sample_title.h"

#include "engine/sample/data_set.h"

namespace threefold::ui {

QString categoryTitle(const std::string& category) {
    const std::string name = categoryName(category);
    return QString::fromStdString(name.empty() ? category : name);
}

QString sampleTitle(const std::string& category, const std::string& name) {
    const QString title = QString::fromStdString(name);
    return category.empty() ? title : QStringLiteral("%1 · %2").arg(categoryTitle(category), title);
}

QString sampleTitle(const Sample& sample) {
    return sampleTitle(sample.category, sample.id);
}

}  // namespace threefold::ui
