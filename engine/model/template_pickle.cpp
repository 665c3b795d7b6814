#include "engine/model/template_pickle.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "engine/error.h"
#include "engine/formats/files/file_bytes.h"
#include "engine/formats/pickle/pickle.h"
#include "engine/model/architecture.h"

namespace threefold {
namespace {

/// Entry of a matrix in coordinate format (COO).
struct CooEntry {
    std::uint32_t row, column;
    float value;
};

/// Calls use(row, values) for each row of a matrix with `width` columns. Converts a few rows at a
/// time, as all rows together could take eight times the size of the file.
template <typename Value, typename Use>
void forEachRow(const Array& source, std::size_t width, Use use) {
    constexpr std::size_t kChunkValues = 4096;
    const std::size_t rowBytes = width * dtypeSize(source.dtype);
    if (rowBytes == 0) return;
    const std::size_t rows = source.data.size() / rowBytes;
    const std::size_t step = std::max<std::size_t>(1, kChunkValues / width);
    Array part{source.dtype, {}, {}};
    for (std::size_t first = 0; first < rows; first += step) {
        const std::size_t count = std::min(step, rows - first);
        const auto begin = source.data.begin() + static_cast<std::ptrdiff_t>(first * rowBytes);
        part.shape = {count, width};
        part.data.assign(begin, begin + static_cast<std::ptrdiff_t>(count * rowBytes));
        std::vector<Value> values;
        if constexpr (std::is_same_v<Value, float>) values = part.toFloat();
        if constexpr (std::is_same_v<Value, double>) values = part.toDouble();
        if constexpr (std::is_same_v<Value, std::int64_t>) values = part.toInt64();
        for (std::size_t row = 0; row < count; ++row)
            use(first + row, std::span<const Value>(values).subspan(row * width, width));
    }
}

/// Reads values of the template's dict by key. All errors name the file; errors about a value also
/// name the key.
class TemplateReader {
  public:
    TemplateReader(PickleRef root, const std::filesystem::path& subject, std::size_t fileSize)
        : subject_(subject.string()),
          root_(std::move(root)),
          budget_(kBudgetPerByte * fileSize + kBudgetBase) {
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

    /// Element `index` of the sequence under `key`.
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
        Points points = reservedVector<glm::vec3>(source.shape[0], key);
        forEachRow<float>(source, 3, [&](std::size_t, std::span<const float> values) {
            points.emplace_back(values[0], values[1], values[2]);
        });
        return points;
    }

    /// The last N columns of an integer matrix with N or N + 1 columns. An additional first column
    /// must hold N, as in VTK's cell lists.
    template <int N>
    std::vector<glm::vec<N, std::uint32_t>> tuples(const PickleRef& value,
                                                   const std::string& key) const {
        const Array& source = array(value, key);
        const bool counted = source.shape.size() == 2 && source.shape[1] == N + 1;
        const std::size_t width = counted ? N + 1 : N;
        requireColumns(source, width, key);
        auto tuples = reservedVector<glm::vec<N, std::uint32_t>>(source.shape[0], key);
        forEachRow<std::int64_t>(
            source, width, [&](std::size_t row, std::span<const std::int64_t> cell) {
                if (counted && cell[0] != N)
                    fail(key, fmt::format("row {} does not begin with {}", row, N));
                const auto corners = cell.last(N);
                glm::vec<N, std::uint32_t>& tuple = tuples.emplace_back();
                for (int i = 0; i < N; ++i) {
                    const std::int64_t corner = corners[static_cast<std::size_t>(i)];
                    if (corner < 0 || corner > std::numeric_limits<std::int32_t>::max())
                        fail(key, fmt::format("row {} holds the index {}", row, corner));
                    tuple[i] = static_cast<std::uint32_t>(corner);
                }
            });
        return tuples;
    }

    /// Reads a square matrix: a sequence (indices, values, shape), a scipy sparse matrix, or a
    /// dense array.
    SparseMatrix matrix(const PickleRef& value, const std::string& key) const {
        if (const auto* sparse = std::get_if<PickleSparse>(&value->value))
            return fromSparse(*sparse, key);
        if (const auto* dense = std::get_if<Array>(&value->value)) return fromDense(*dense, key);
        const auto* triple = std::get_if<PickleSequence>(&value->value);
        if (!triple || triple->items.size() != 3)
            fail(key, "is neither (indices, values, shape) nor a matrix");
        const Array& indices = array(triple->items[0], key);
        const Array& values = array(triple->items[1], key);
        requireColumns(indices, 2, key);
        const auto [rowCount, columnCount] = shapeOf(triple->items[2], key);
        CooMatrixBuilder builder(*this, rowCount, columnCount, indices.shape[0],
                                 elementCount(values), key);
        forEachRow<std::int64_t>(indices, 2,
                                 [&](std::size_t, std::span<const std::int64_t> position) {
                                     builder.add(position[0], position[1]);
                                 });
        forEachRow<double>(values, 1, [&](std::size_t i, std::span<const double> entry) {
            builder.set(i, entry[0]);
        });
        return builder.finish();
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

    void requireAllocatableSize(std::size_t rows, std::size_t columns, std::size_t values,
                                const std::string& key) const {
        if (rows != columns)
            fail(key, fmt::format("is a matrix of {} by {}, expected a square one", rows, columns));
        // Every row of a Laplacian has a diagonal entry. More rows than entries are refused here,
        // before memory for the rows is allocated.
        if (rows > values) fail(key, fmt::format("has {} rows but only {} values", rows, values));
        // If there are more values than the matrix has entries, some entries are duplicates.
        // CooMatrixBuilder::finish() finds duplicates of small matrices; large matrices are refused
        // here, before memory for the values is allocated.
        constexpr std::size_t kMaxChecked = std::size_t{1} << 16;
        const bool hasDuplicates = values > kMaxChecked && (rows == 0 || values / rows > columns);
        if (rows > std::numeric_limits<std::uint32_t>::max() || hasDuplicates)
            fail(key, fmt::format("has {} values for {} by {} entries", values, rows, columns));
        chargeBudget(values, sizeof(std::uint32_t) + sizeof(float), key);
        chargeBudget(rows, sizeof(std::uint32_t), key);
    }

    static SparseMatrix emptyMatrix(std::size_t rows, std::size_t values) {
        SparseMatrix matrix;
        matrix.rowOffsets.assign(rows + 1, 0);
        matrix.columns.reserve(values);
        matrix.values.reserve(values);
        return matrix;
    }

    /// Collects the entries of a square matrix, in any order, and checks each.
    class CooMatrixBuilder {
      public:
        CooMatrixBuilder(const TemplateReader& reader, std::size_t rows, std::size_t columns,
                         std::size_t indices, std::size_t values, const std::string& key)
            : reader_(reader), key_(key), size_(rows) {
            if (indices != values)
                reader.fail(key, fmt::format("has {} indices for {} values", indices, values));
            reader.requireAllocatableSize(rows, columns, values, key);
            entries_.reserve(values);
        }

        void add(std::int64_t row, std::int64_t column, double value = 0) {
            // Negative indices become huge in the conversion.
            if (static_cast<std::uint64_t>(row) >= size_ ||
                static_cast<std::uint64_t>(column) >= size_)
                reader_.fail(key_, fmt::format("names the entry ({}, {}) of a matrix of {} by {}",
                                               row, column, size_, size_));
            entries_.push_back({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column),
                                static_cast<float>(value)});
        }
        void set(std::size_t index, double value) {
            entries_[index].value = static_cast<float>(value);
        }

        SparseMatrix finish() {
            const auto position = [](const CooEntry& entry) {
                return std::pair(entry.row, entry.column);
            };
            std::ranges::sort(entries_, {}, position);
            SparseMatrix matrix = emptyMatrix(size_, entries_.size());
            for (std::size_t i = 0; i < entries_.size(); ++i) {
                const CooEntry& entry = entries_[i];
                if (i > 0 && position(entries_[i - 1]) == position(entry))
                    reader_.fail(key_, fmt::format("names the entry ({}, {}) twice", entry.row,
                                                   entry.column));
                matrix.columns.push_back(entry.column);
                matrix.values.push_back(entry.value);
                ++matrix.rowOffsets[entry.row + 1];
            }
            for (std::size_t row = 0; row < size_; ++row)
                matrix.rowOffsets[row + 1] += matrix.rowOffsets[row];
            return matrix;
        }

      private:
        const TemplateReader& reader_;
        const std::string& key_;
        std::size_t size_;
        std::vector<CooEntry> entries_;
    };

    SparseMatrix fromDense(const Array& dense, const std::string& key) const {
        if (dense.shape.size() != 2) fail(key, "is not a matrix");
        const std::size_t width = dense.shape[1];
        // Keeps NaN, which is refused later.
        const auto isNonZero = [](double value) { return !(value == 0.0); };
        std::size_t count = 0;
        forEachRow<double>(dense, width, [&](std::size_t, std::span<const double> values) {
            count += static_cast<std::size_t>(std::ranges::count_if(values, isNonZero));
        });
        requireAllocatableSize(dense.shape[0], width, count, key);
        SparseMatrix matrix = emptyMatrix(dense.shape[0], count);
        forEachRow<double>(dense, width, [&](std::size_t row, std::span<const double> values) {
            for (std::size_t column = 0; column < width; ++column) {
                if (!isNonZero(values[column])) continue;
                matrix.columns.push_back(static_cast<std::uint32_t>(column));
                matrix.values.push_back(static_cast<float>(values[column]));
            }
            matrix.rowOffsets[row + 1] = static_cast<std::uint32_t>(matrix.columns.size());
        });
        return matrix;
    }

    SparseMatrix fromSparse(const PickleSparse& sparse, const std::string& key) const {
        CooMatrixBuilder builder(*this, sparse.rowCount, sparse.columnCount, sparse.rows.size(),
                                 sparse.values.size(), key);
        for (std::size_t i = 0; i < sparse.rows.size(); ++i)
            builder.add(sparse.rows[i], sparse.columns[i], sparse.values[i]);
        return builder.finish();
    }

    template <typename Value>
    std::vector<Value> reservedVector(std::size_t count, const std::string& key) const {
        chargeBudget(count, sizeof(Value), key);
        std::vector<Value> values;
        values.reserve(count);
        return values;
    }

    /// Charges memory to the budget, as a pickle may refer to one array many times, and each
    /// reference is unpacked again.
    void chargeBudget(std::size_t count, std::size_t bytes, const std::string& key) const {
        if (count > budget_ / bytes)
            fail(key,
                 "takes more memory, together with the values before it, than is allowed for a "
                 "file of this size");
        budget_ -= count * bytes;
    }

    /// Memory budget of the template, so that the whole read stays within 16 × file size + 64
    /// MB.
    static constexpr std::size_t kBudgetPerByte = 8;
    static constexpr std::size_t kBudgetBase = std::size_t{32} << 20;

    std::string subject_;
    PickleRef root_;
    mutable std::size_t budget_;
};

TemplateLevel readLevel(const TemplateReader& reader, std::size_t index, bool last) {
    const std::string stage = fmt::format("stage{}", index + 1);
    TemplateLevel level;
    // The supports of the level: element 0 is the identity, element 1 the scaled Laplacian.
    level.laplacian = reader.matrix(reader.item(stage, 1), stage);
    level.vertexCount = level.laplacian.rows();
    const char* faces = reader.find("faces_triangle") ? "faces_triangle" : "faces";
    level.faces = reader.tuples<3>(reader.item(faces, index), faces);
    if (!last) level.unpoolEdges = reader.tuples<2>(reader.item("pool_idx", index), "pool_idx");
    return level;
}

/// Maximum number of hypotheses for addCentreHypothesis(), whose work is quadratic in their number.
/// Real templates have far fewer.
constexpr std::size_t kMaxHypotheses = 1000;

using Dense = std::vector<std::vector<double>>;

/// Largest eigenvalue of a symmetric positive semidefinite matrix, by power iteration.
double largestEigenvalue(const Dense& matrix) {
    const std::size_t n = matrix.size();
    std::vector<double> vector(n), next(n);
    // The start vector has uneven values so that it is not orthogonal to the eigenvector.
    for (std::size_t i = 0; i < n; ++i) vector[i] = 1.0 + std::sin(static_cast<double>(i) * 1.7);
    double eigenvalue = 0;
    constexpr int kMaxSteps = 20'000;
    for (int step = 0; step < kMaxSteps; ++step) {
        double square = 0;
        for (std::size_t row = 0; row < n; ++row) {
            next[row] = 0;
            for (std::size_t column = 0; column < n; ++column)
                next[row] += matrix[row][column] * vector[column];
            square += next[row] * next[row];
        }
        const double previous = eigenvalue;
        eigenvalue = std::sqrt(square);
        for (std::size_t i = 0; i < n; ++i) vector[i] = next[i] / eigenvalue;
        if (std::abs(eigenvalue - previous) < 1e-15 * eigenvalue) break;
    }
    return eigenvalue;
}

/// Inserts the centre (0, 0, 0) at the front of `mesh.hypothesisOffsets`, joins the centre to all
/// other hypotheses, and sets `mesh.hypothesisLaplacian` to the graph's scaled Laplacian 2/λmax ·
/// (I − D^-½ A D^-½) − I (METHOD.md §6, §7). `graph`: matrix of the existing hypotheses, non-zero
/// for neighbours. Throws ModelError if there are no existing hypotheses or more than
/// kMaxHypotheses, if the matrix has another size, or if the matrix's non-zeros are not symmetric.
void addCentreHypothesis(TemplateMesh& mesh, const SparseMatrix& graph,
                         const std::string& subject) {
    const auto fail = [&](const std::string& problem) {
        throw ModelError({subject, "'sample_cheb'", problem,
                          "Give a template with the centre hypothesis (METHOD.md §7)."});
    };
    const std::size_t others = mesh.hypothesisOffsets.size();
    if (others == 0 || others > kMaxHypotheses || graph.rows() != others)
        fail(fmt::format("is a graph of {} points, but there are {} hypotheses to complete",
                         graph.rows(), others));
    const std::size_t n = others + 1;
    Dense adjacency(n, std::vector<double>(n, 0));
    for (std::size_t i = 1; i < n; ++i) adjacency[0][i] = adjacency[i][0] = 1;
    for (std::size_t row = 0; row < others; ++row)
        for (std::uint32_t i = graph.rowOffsets[row]; i < graph.rowOffsets[row + 1]; ++i)
            if (graph.columns[i] != row && graph.values[i] != 0.0f)
                adjacency[row + 1][graph.columns[i] + 1] = 1;
    std::vector<double> degree(n, 0);
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column) {
            if (adjacency[row][column] != adjacency[column][row])
                fail(fmt::format("joins {} to {} in one direction only", row, column));
            degree[row] += adjacency[row][column];
        }

    Dense laplacian(n, std::vector<double>(n, 0));
    for (std::size_t row = 0; row < n; ++row)
        for (std::size_t column = 0; column < n; ++column)
            laplacian[row][column] =
                (row == column ? 1.0 : 0.0) -
                adjacency[row][column] / std::sqrt(degree[row] * degree[column]);
    const double scale = 2 / largestEigenvalue(laplacian);
    SparseMatrix& scaled = mesh.hypothesisLaplacian;
    scaled = {};
    scaled.rowOffsets.push_back(0);
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t column = 0; column < n; ++column) {
            const double value = scale * laplacian[row][column] - (row == column ? 1.0 : 0.0);
            if (row != column && adjacency[row][column] == 0) continue;
            scaled.columns.push_back(static_cast<std::uint32_t>(column));
            scaled.values.push_back(static_cast<float>(value));
        }
        scaled.rowOffsets.push_back(static_cast<std::uint32_t>(scaled.columns.size()));
    }
    mesh.hypothesisOffsets.insert(mesh.hypothesisOffsets.begin(), glm::vec3(0.0f));
}

/// Reads the hypotheses and their Laplacian; returns whether the centre was added.
bool readHypotheses(const TemplateReader& reader, TemplateMesh& mesh, MissingCentre centre) {
    const std::string key = "sample_coord";
    mesh.hypothesisOffsets = reader.points(key);
    const char* graph = reader.find("sample_cheb_dense") ? "sample_cheb_dense" : "sample_cheb";
    const auto laplacian = [&] { return reader.matrix(reader.item(graph, 1), graph); };
    if (!mesh.hypothesisOffsets.empty() && mesh.hypothesisOffsets.front() == glm::vec3(0.0f)) {
        mesh.hypothesisLaplacian = laplacian();
        return false;
    }
    if (centre == MissingCentre::refuse)
        throw ModelError(
            {reader.subject(), fmt::format("'{}'", key),
             fmt::format("holds {} hypotheses and the first is not the centre (0, 0, 0); the "
                         "weights were trained with the centre first and joined to all others",
                         mesh.hypothesisOffsets.size()),
             "Give a template with the centre: 'sample_coord' of 43 points and "
             "'sample_cheb_dense' of 43 by 43. Or have it completed "
             "(`complete_template`)."});
    addCentreHypothesis(mesh, laplacian(), reader.subject());
    return true;
}

}  // namespace

LoadedTemplate loadTemplate(const std::filesystem::path& pickle, MissingCentre centre) {
    return decodeTemplate(readFile(pickle), pickle, centre);
}

LoadedTemplate decodeTemplate(std::span<const std::byte> pickle,
                              const std::filesystem::path& subject, MissingCentre centre) {
    const TemplateReader reader(decodePickle(pickle, subject), subject, pickle.size());
    LoadedTemplate loaded;
    TemplateMesh& mesh = loaded.mesh;
    mesh.vertices = reader.points("coord");
    const std::size_t levels = kGraphBlockLayerCounts.size();
    for (std::size_t i = 0; i < levels; ++i)
        mesh.levels.push_back(readLevel(reader, i, i + 1 == levels));
    loaded.centreAdded = readHypotheses(reader, mesh, centre);
    requireValidTemplate(mesh, reader.subject());
    return loaded;
}

}  // namespace threefold
