#include "ui/input/data_set_model.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

namespace threefold::ui {
namespace {

DataSetSample dataSetSample(const std::string& category, const std::string& name,
                            bool hasTruth = true) {
    return {category, name, "/data/" + category + "/" + name, hasTruth};
}

class DataSetRows : public testing::Test {
  protected:
    DataSetRows() {
        model.clear("own");
        model.append({dataSetSample("02691156", "a1"), dataSetSample("02691156", "b2", false),
                      dataSetSample("02828884", "a1")});
        model.append({dataSetSample("02828884", "c3"), dataSetSample("", "vase")});
    }
    QStringList rows() const {
        QStringList rows;
        for (int row = 0; row < model.rowCount(); ++row) {
            const QModelIndex category = model.index(row, 0);
            QStringList names;
            for (int i = 0; i < model.rowCount(category); ++i) {
                names << model.index(i, 0, category).data().toString();
            }
            rows << category.data().toString() + ": " + names.join(' ');
        }
        return rows;
    }

    DataSetModel model;
    // Qt's tester aborts the test if the model breaks a rule of QAbstractItemModel.
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
};

TEST_F(DataSetRows, areAddedUnderTheirCategories) {
    EXPECT_EQ(rows(), (QStringList{"airplane: a1 b2", "bench: a1 c3", "own: vase"}));
    EXPECT_EQ(model.sampleCount(), 5U);
    EXPECT_EQ(model.index(0, 0).data(DataSetModel::kIdRole).toString(), "02691156");
    EXPECT_EQ(model.index(0, 0).data(DataSetModel::kCountRole).toInt(), 2);
    const QModelIndex b2 = model.index(1, 0, model.index(0, 0));
    EXPECT_FALSE(b2.data(DataSetModel::kHasTruthRole).toBool());
    EXPECT_EQ(model.folderOf(b2), "/data/02691156/b2");
}

TEST_F(DataSetRows, areFiltered_whenSearched) {
    model.setFilter("AIRPLANE");
    EXPECT_EQ(rows(), (QStringList{"airplane: a1 b2"}));
    model.setFilter("a1");
    EXPECT_EQ(rows(), (QStringList{"airplane: a1", "bench: a1"}));
    model.setFilter("0282 3");
    EXPECT_EQ(rows(), (QStringList{"bench: c3"}));
    EXPECT_EQ(model.matchCount(), 1U);
    model.append({dataSetSample("02828884", "d3"), dataSetSample("02828884", "d"),
                  dataSetSample("02958343", "0282c")});
    EXPECT_EQ(rows(), (QStringList{"bench: c3 d3", "car: 0282c"}));
    model.setFilter("nothing");
    EXPECT_TRUE(rows().isEmpty());
    model.setFilter("");
    EXPECT_EQ(rows().size(), 4);
}

TEST_F(DataSetRows, areFilteredRegardlessOfCase_whenNotOfAscii) {
    model.append({dataSetSample("02828884", "Äpfel")});
    for (const char* words : {"Äpfel", "äpfel", "ÄPFEL"}) {
        model.setFilter(QString::fromUtf8(words));
        EXPECT_EQ(rows(), QStringList{QString::fromUtf8("bench: Äpfel")}) << words;
    }
}

TEST_F(DataSetRows, markTheOpenSample) {
    model.setOpen("/data/02828884/c3");
    const QModelIndex open = model.openIndex();
    EXPECT_EQ(open.data().toString(), "c3");
    EXPECT_TRUE(open.data(DataSetModel::kIsOpenRole).toBool());
    EXPECT_TRUE(open.parent().data(DataSetModel::kIsOpenRole).toBool());
    EXPECT_FALSE(model.index(0, 0).data(DataSetModel::kIsOpenRole).toBool());
    model.setFilter("a1");
    EXPECT_FALSE(model.openIndex().isValid());
}

TEST_F(DataSetRows, areSteppedThrough_acrossCategories) {
    QStringList forth;
    QModelIndex last;
    for (QModelIndex at = model.neighbour({}, 1); at.isValid(); at = model.neighbour(at, 1)) {
        forth << at.data().toString();
        last = at;
    }
    EXPECT_EQ(forth, (QStringList{"a1", "b2", "a1", "c3", "vase"}));
    QStringList back;
    for (QModelIndex at = last; at.isValid(); at = model.neighbour(at, -1)) {
        back.prepend(at.data().toString());
    }
    EXPECT_EQ(back, forth);
    EXPECT_EQ(model.neighbour(model.index(1, 0), 1).data().toString(), "a1");
    EXPECT_EQ(model.neighbour(model.index(1, 0), -1).data().toString(), "b2");
}

}  // namespace
}  // namespace threefold::ui
