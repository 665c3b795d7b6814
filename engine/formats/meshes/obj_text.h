#pragma once

#include <array>
#include <cstddef>
#include <streambuf>
#include <string>
#include <string_view>

#include <glm/vec3.hpp>

#include "engine/formats/meshes/mesh_readers.h"
#include "engine/formats/meshes/obj_statements.h"
#include "engine/formats/text/text_scanner.h"

namespace threefold {

/// Stream of an OBJ file's text, in a form that tinyobjloader reads correctly. Passes
/// statements unchanged that tinyobjloader reads correctly. Checks every other statement, then
/// drops it if the mesh does not need it, or rewrites it. The check runs after tinyobjloader has
/// called back for all earlier statements, so that the first of several errors is thrown. For one
/// thread.
class ObjText : public std::streambuf {
  public:
    /// Counts dropped statements in `mesh.unreadContent`.
    ObjText(const MeshInput& input, LoadedMesh& mesh);

    // Defects found so far. They only make the reader drop values; defects of the shape throw.

    bool coordinatesBroken() const { return coordinatesBroken_; }
    bool coloursBroken() const { return coloursBroken_; }
    /// Whether all normals so far are finite and have the indices of their vertices. If not,
    /// indices of normals in faces are neither checked nor passed on.
    bool normalsFit() const { return normalsFit_; }
    void dropNormals() { normalsFit_ = false; }
    /// Throws FormatError at the first statement that is unknown in OBJ, if there is one.
    void checkKnown() const;

    // For tinyobjloader's callbacks: properties of the statement that a callback is about.

    /// Index of the colour's first number in the statement if this texture-coordinate callback is a
    /// vertex's colour, for which tinyobjloader has no callback; 0 for a real texture coordinate.
    /// Call once in each callback. A vertex of seven numbers causes two callbacks, one for each
    /// possible colour: its fourth number may be a weight or the first number of the colour.
    std::size_t takeColour();
    /// Floats nearest to three numbers of the statement, from number `from` on, which tinyobjloader
    /// read as x, y and z.
    glm::vec3 nearest(double x, double y, double z, std::size_t from = 0) const;
    /// Position of a vertex: its numbers less the origin, rounded to the nearest floats.
    glm::vec3 vertex(double x, double y, double z) const;
    /// Offset in the text of a character on the statement's last line.
    std::size_t offset() const {
        return isRewritten_ ? statementEnd_ : static_cast<std::size_t>(gptr() - 1 - text_.data());
    }

    /// Throws FormatError at the line of this offset.
    [[noreturn]] void failAt(std::size_t offset, const std::string& problem) const;

  protected:
    int_type underflow() override;

  private:
    /// Numbers of a statement; 0 beyond the last.
    struct Numbers {
        std::array<float, 7> values{};
        glm::dvec3 position{0.0};  // the first three, in double precision
        std::size_t count = 0;

        void add(float value) { values[count++] = value; }
    };

    void passOn(const char* first, const char* last);
    bool passPlainLines();
    bool passes(ObjStatement kind) const;
    bool rewriteStatement();
    void writeColouredVertex();
    void writeColours(std::string_view numbers, std::size_t count);

    void checkStatement(TextScanner& scanner);
    void checkName(std::string_view word, std::string_view name);
    bool hasWindowsNan() const;
    void checkVertex(TextScanner& scanner);
    void checkNormal(TextScanner& scanner);
    void checkCoordinate(TextScanner& scanner);
    void checkFace(TextScanner& scanner);
    void checkCorner(const TextScanner& scanner, std::string_view word);
    template <class Check>
    bool checkAppearance(Check check);

    void put(std::string_view word) { rewritten_.append(" ").append(word); }
    void putNumber(TextScanner& scanner, std::string_view expected);
    void putVertexNumber(TextScanner& scanner);
    void ignore(const char* content) { ++mesh_.unreadContent[content]; }
    bool readsCoordinates() const {
        return input_.source.appearance != nullptr && !coordinatesBroken_;
    }
    std::size_t linesBetween(std::size_t first, std::size_t last) const;
    TextScanner scannerAt(std::size_t offset, std::size_t line) const;
    Numbers readNumbers() const;

    const MeshInput& input_;
    LoadedMesh& mesh_;
    std::string_view text_;
    std::size_t linesEnd_;  // end of the last line that ends with '\n'
    ReadProgress progress_;
    std::size_t consumed_ = 0;       // end of the text that was passed or dropped
    std::size_t checkedOffset_ = 0;  // offset of the last checked statement
    std::size_t line_ = 1;           // of checkedOffset_
    // Output of the stream:
    PlainStatement next_;              // first statement that could not be passed on unchanged
    bool isRewritten_ = false;         // whether the stream passes rewritten_, not the text
    std::string rewritten_;            // a rewritten statement
    std::size_t statementBegin_ = 0;   // offset of that statement in the text
    std::size_t statementEnd_ = 0;     // offset of a character on its last line
    Numbers numbers_;                  // numbers of that statement, if parsed here
    std::size_t colourIndex_ = 0;      // first number of a colour not taken yet; 0: none
    std::size_t lastColourIndex_ = 0;  // first number of the last colour
    // Defects:
    bool normalsFit_ = true;
    bool coloursBroken_ = false;
    bool coordinatesBroken_ = false;
    std::string firstUnknown_;
    std::size_t firstUnknownAt_ = 0;
};

}  // namespace threefold
