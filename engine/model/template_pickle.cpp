#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/file_bytes.h"
#include "engine/formats/pickle.h"
#include "engine/model/architecture.h"
#include "engine/model/complete_template.h"
#include "engine/model/convert.h"

namespace threefold {
namespace {

struct Entry {
    std::size_t row, column;
    float value;
};

/// Reads parts of the template's dict by key; every failure names the file and the key.
class TemplateReader {
  public:
    TemplateReader(PickleRef root, const std::filesystem::path& subject)
        : subject_(subject.string()), root_(std::move(root)) {
        if (!std::holds_alternative<PickleDict>(root_->value))
            throw ModelError({subject_, "", "is a pickle, but not of a dict",
                              "Give the published template, a dict with 'coord', 'stage1' and "
                              "others (METHOD.md §10)."});
    }

    const std::string& subject() const { return subject_; }

    PickleRef find(const std::string& key) const {
        return std::get<PickleDict>(root_->value).find(key);
    }

    PickleRef get(const std::string& key) const {
        PickleRef value = find(key);
        if (!value) fail(key, "is missing");
        return value;
    }

    /// Item `index` of the sequence under `key`.
    PickleRef item(const std::string& key, std::size_t index) const {
        const PickleRef value = get(key);
        const auto* sequence = std::get_if<PickleSequence>(&value->value);
        if (!sequence || index >= sequence->items.size())
            fail(key, fmt::format("is not a list with at least {} items", index + 1));
        return sequence->items[index];
    }

    const Array& array(const PickleRef& value, const std::string& key) const {
        const auto* array = std::get_if<Array>(&value->value);
        if (!array) fail(key, "holds something other than a numpy array");
        return *array;
    }

    Points points(const std::string& key) const {
        const PickleRef value = get(key);
        const Array& source = array(value, key);
        requireColumns(source, 3, key);
        const std::vector<float> values = source.toFloat();
        Points points(source.shape[0]);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
        return points;
    }

    /// The last N columns of an integer matrix. A column before them must hold N itself, as VTK's
    /// cell lists do.
    template <int N>
    std::vector<glm::vec<N, std::uint32_t>> tuples(const PickleRef& value,
                                                   const std::string& key) const {
        const Array& source = array(value, key);
        const bool counted = source.shape.size() == 2 && source.shape[1] == N + 1;
        const std::size_t width = counted ? N + 1 : N;
        requireColumns(source, width, key);
        const std::vector<std::int64_t> values = source.toInt64();
        std::vector<glm::vec<N, std::uint32_t>> tuples(source.shape[0]);
        for (std::size_t row = 0; row < tuples.size(); ++row) {
            const std::int64_t* cell = values.data() + row * width;
            if (counted && *cell++ != N)
                fail(key, fmt::format("row {} does not begin with {}", row, N));
            for (int i = 0; i < N; ++i) {
                if (cell[i] < 0 || cell[i] > std::numeric_limits<std::int32_t>::max())
                    fail(key, fmt::format("row {} holds the index {}", row, cell[i]));
                tuples[row][i] = static_cast<std::uint32_t>(cell[i]);
            }
        }
        return tuples;
    }

    /// A matrix as (indices, values, shape), scipy sparse, or dense.
    SparseMatrix matrix(const PickleRef& value, const std::string& key) const {
        if (const auto* sparse = std::get_if<PickleSparse>(&value->value))
            return fromCoordinates(sparse->rows, sparse->columns, sparse->values, sparse->rowCount,
                                   sparse->columnCount, key);
        if (const auto* dense = std::get_if<Array>(&value->value)) return fromDense(*dense, key);
        const auto* triple = std::get_if<PickleSequence>(&value->value);
        if (!triple || triple->items.size() != 3)
            fail(key, "is neither (indices, values, shape) nor a matrix");
        const Array& indices = array(triple->items[0], key);
        requireColumns(indices, 2, key);
        const auto [rowCount, columnCount] = shapeOf(triple->items[2], key);
        const std::vector<std::int64_t> pairs = indices.toInt64();
        std::vector<std::int64_t> rows, columns;
        for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
            rows.push_back(pairs[i]);
            columns.push_back(pairs[i + 1]);
        }
        return fromCoordinates(rows, columns, array(triple->items[1], key).toDouble(), rowCount,
                               columnCount, key);
    }

    [[noreturn]] void fail(const std::string& key, const std::string& problem) const {
        throw ModelError({subject_, fmt::format("'{}'", key), problem,
                          "Give a template in the published layout (METHOD.md §10)."});
    }

  private:
    void requireColumns(const Array& source, std::size_t columns, const std::string& key) const {
        if (source.shape.size() != 2 || source.shape[1] != columns)
            fail(key,
                 fmt::format("has shape {}, expected [n, {}]", shapeText(source.shape), columns));
    }

    std::pair<std::size_t, std::size_t> shapeOf(const PickleRef& value,
                                                const std::string& key) const {
        std::vector<std::int64_t> shape;
        if (const auto* sequence = std::get_if<PickleSequence>(&value->value)) {
            for (const PickleRef& size : sequence->items)
                if (const auto* number = std::get_if<std::int64_t>(&size->value))
                    shape.push_back(*number);
        } else if (const auto* sizes = std::get_if<Array>(&value->value)) {
            shape = sizes->toInt64();
        }
        if (shape.size() != 2 || shape[0] < 0 || shape[1] < 0)
            fail(key, "does not end with the two sizes of a matrix");
        return {static_cast<std::size_t>(shape[0]), static_cast<std::size_t>(shape[1])};
    }

    SparseMatrix fromDense(const Array& dense, const std::string& key) const {
        if (dense.shape.size() != 2) fail(key, "is not a matrix");
        const std::vector<double> values = dense.toDouble();
        std::vector<std::int64_t> rows, columns;
        std::vector<double> kept;
        for (std::size_t i = 0; i < values.size(); ++i) {
            // Not `== 0`, so that a NaN is kept and then refused.
            if (values[i] == 0.0) continue;
            rows.push_back(static_cast<std::int64_t>(i / dense.shape[1]));
            columns.push_back(static_cast<std::int64_t>(i % dense.shape[1]));
            kept.push_back(values[i]);
        }
        return fromCoordinates(rows, columns, kept, dense.shape[0], dense.shape[1], key);
    }

    SparseMatrix fromCoordinates(const std::vector<std::int64_t>& rows,
                                 const std::vector<std::int64_t>& columns,
                                 const std::vector<double>& values, std::size_t rowCount,
                                 std::size_t columnCount, const std::string& key) const {
        if (rowCount != columnCount)
            fail(key, fmt::format("is a matrix of {} by {}, expected a square one", rowCount,
                                  columnCount));
        if (rows.size() != values.size() || columns.size() != values.size())
            fail(key, fmt::format("has {} indices for {} values", rows.size(), values.size()));
        // Every row of a Laplacian has its diagonal: a size beyond the entries is a lie, and would
        // be allocated below.
        if (rowCount > values.size())
            fail(key, fmt::format("has {} rows but only {} values", rowCount, values.size()));
        std::vector<Entry> entries;
        entries.reserve(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto row = static_cast<std::size_t>(rows[i]);
            const auto column = static_cast<std::size_t>(columns[i]);
            // Negative indices became huge ones.
            if (row >= rowCount || column >= columnCount)
                fail(key, fmt::format("names the entry ({}, {}) of a matrix of {} by {}", rows[i],
                                      columns[i], rowCount, columnCount));
            entries.push_back({row, column, static_cast<float>(values[i])});
        }
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
            return std::pair(a.row, a.column) < std::pair(b.row, b.column);
        });

        SparseMatrix matrix;
        matrix.rowStart.assign(rowCount + 1, 0);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const Entry& entry = entries[i];
            if (i > 0 && entries[i - 1].row == entry.row && entries[i - 1].column == entry.column)
                fail(key, fmt::format("names the entry ({}, {}) twice", entry.row, entry.column));
            matrix.column.push_back(static_cast<std::uint32_t>(entry.column));
            matrix.value.push_back(entry.value);
            ++matrix.rowStart[entry.row + 1];
        }
        for (std::size_t row = 0; row < rowCount; ++row)
            matrix.rowStart[row + 1] += matrix.rowStart[row];
        return matrix;
    }

    std::string subject_;
    PickleRef root_;
};

TemplateLevel readLevel(const TemplateReader& reader, std::size_t index, bool last) {
    const std::string stage = fmt::format("stage{}", index + 1);
    TemplateLevel level;
    // Item 0 is the identity.
    level.laplacian = reader.matrix(reader.item(stage, 1), stage);
    level.vertexCount = level.laplacian.rows();
    const char* faces = reader.find("faces_triangle") ? "faces_triangle" : "faces";
    level.faces = reader.tuples<3>(reader.item(faces, index), faces);
    if (!last) level.unpoolEdges = reader.tuples<2>(reader.item("pool_idx", index), "pool_idx");
    return level;
}

/// True where the template's hypotheses had to be completed.
bool readHypotheses(const TemplateReader& reader, TemplateMesh& mesh, MissingCentre centre) {
    const std::string key = "sample_coord";
    mesh.hypotheses = reader.points(key);
    const char* graph = reader.find("sample_cheb_dense") ? "sample_cheb_dense" : "sample_cheb";
    const auto laplacian = [&] { return reader.matrix(reader.item(graph, 1), graph); };
    if (!mesh.hypotheses.empty() && mesh.hypotheses.front() == glm::vec3(0.0f)) {
        mesh.hypothesisLaplacian = laplacian();
        return false;
    }
    if (centre == MissingCentre::refuse)
        throw ModelError(
            {reader.subject(), fmt::format("'{}'", key),
             fmt::format("holds {} hypotheses and the first is not the centre (0, 0, 0); the "
                         "weights were trained with the centre first and joined to all others",
                         mesh.hypotheses.size()),
             "Give a template with the centre: 'sample_coord' of 43 points and "
             "'sample_cheb_dense' of 43 by 43. Or have it completed: `threefold convert "
             "--complete-template`."});
    addCentreHypothesis(mesh, laplacian(), reader.subject());
    return true;
}

}  // namespace

LoadedTemplate loadTemplate(const std::filesystem::path& pickle, MissingCentre centre) {
    return decodeTemplate(readFile(pickle), pickle, centre);
}

LoadedTemplate decodeTemplate(std::span<const std::byte> pickle,
                              const std::filesystem::path& subject, MissingCentre centre) {
    const TemplateReader reader(decodePickle(pickle, subject), subject);
    LoadedTemplate loaded;
    TemplateMesh& mesh = loaded.mesh;
    mesh.coordinates = reader.points("coord");
    const std::size_t levels = kGraphBlockLengths.size();
    for (std::size_t i = 0; i < levels; ++i)
        mesh.levels.push_back(readLevel(reader, i, i + 1 == levels));
    loaded.completed = readHypotheses(reader, mesh, centre);
    checkTemplate(mesh, reader.subject());
    return loaded;
}

TemplateMesh readTemplate(const std::filesystem::path& pickle) {
    return loadTemplate(pickle, MissingCentre::refuse).mesh;
}

}  // namespace threefold
