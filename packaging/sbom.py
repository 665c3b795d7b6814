"""Writes the components of a package of Threefold as an SPDX 2.3 document, and their licences. Versions,
sources and licences come from the libraries' Debian packages.
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import time

# Header-only libraries, and Dear ImGui, a static one: the loader's list does not show them.
COMPILED_IN = ["libcli11-dev", "libeigen3-dev", "libglm-dev", "liblemon-dev", "libtomlplusplus-dev",
               "libimgui-dev", "nlohmann-json3-dev"]
# Debian's licence names that differ from SPDX's; licence_id() converts GNU's names by a rule.
SPDX_NAMES = {"expat": "MIT", "mit/x11": "MIT", "bsd-3": "BSD-3-Clause", "boost": "BSL-1.0",
              "boost-1.0": "BSL-1.0", "bsl": "BSL-1.0", "cc0": "CC0-1.0", "mit-1": "MIT", "mpl-2": "MPL-2.0",
              "bitstream-vera": "Bitstream-Vera"}
SPDX = ["AFL-2.1", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "FTL", "IJG", "ISC",
        "Libpng", "MIT", "MPL-1.1", "MPL-2.0", "OpenSSL", "X11", "Zlib"]
# Main licences of sources whose copyright files are not machine-readable. The package holds the whole text.
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
READ = {"gcc-12": GCC, "gcc-14": GCC, "glibc": "LGPL-2.1-or-later", "libbsd": "BSD-3-Clause",
        "libglvnd": "MIT", "fontconfig": "HPND-sell-variant", "libgcrypt20": "LGPL-2.1-or-later",
        "libjpeg-turbo": "IJG AND BSD-3-Clause AND Zlib", "libmd": "BSD-3-Clause",
        "libdrm": "MIT", "libedit": "BSD-3-Clause", "libice": "MIT-open-group",
        "libsm": "MIT-open-group", "libxshmfence": "MIT", "libwebp": "BSD-3-Clause",
        "llvm-toolchain-15": "Apache-2.0 WITH LLVM-exception",
        "llvm-toolchain-19": "Apache-2.0 WITH LLVM-exception", "libx11": "MIT AND X11", "libxau": "MIT-open-group", "libxcb": "MIT",
        "libxdmcp": "MIT-open-group", "libxkbcommon": "MIT", "libzip": "BSD-3-Clause",
        "pcre2": "BSD-3-Clause"}


def licence_id(name):
    """The SPDX expression of a licence; LicenseRef-… for licences without an SPDX name."""
    def one(word):
        word = re.sub(r"\s+with\s.*|\s+exception.*", "", word.strip(" ,()"))
        gnu = re.fullmatch(r"(A?L?GPL|GFDL)-?v?([0-9.]+)(\+|-or-later)?", word, re.IGNORECASE)
        if gnu:
            number = gnu[2] if "." in gnu[2] else gnu[2] + ".0"
            return f"{gnu[1].upper()}-{number}-{'or-later' if gnu[3] else 'only'}"
        known = SPDX_NAMES | {name.lower(): name for name in SPDX}
        return known.get(word.lower(), "LicenseRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", word))
    def choice(text):
        any_of = [one(word) for word in re.split(r"(?i)\s+or\s+", text)]
        return " OR ".join(any_of) if len(any_of) == 1 else f"({' OR '.join(any_of)})"
    return " AND ".join(map(choice, re.split(r"(?i),?\s+and\s+", name.strip())))


def debian(package):
    """Version, source and licence of a Debian package; the licence is that of most files."""
    version, source = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version} ${source:Package}\n", package], check=True,
        capture_output=True, text=True).stdout.split("\n")[0].split()
    text = copyright_file(package).read_text(errors="replace")
    first = re.search(r"^Files: *\*.*?^License: *(\S[^\n]*)", text, re.MULTILINE | re.DOTALL)
    read = READ.get(source) or (licence_id(first[1]) if first else "NOASSERTION")
    return version, source, read


def copyright_file(package):
    return pathlib.Path("/usr/share/doc") / package / "copyright"


def packages_of(libraries):
    """Returns the names of the Debian packages that own the files, sorted."""
    names = set()
    for library in {os.path.realpath(file) for file in libraries}:
        for path in library, library.removeprefix("/usr"):  # dpkg may list the file under /lib, now a link to /usr/lib
            found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
            if found.returncode == 0:
                names.add(found.stdout.split(":")[0])
                break
    return sorted(names)


def write(folder, name, version, libraries, inside, others=()):
    """Writes FOLDER/threefold.spdx.json, and FOLDER/licences for the components that the package
    contains: header-only and static libraries, and the shared ones if `inside`. `others`: further
    components (name, version, licence)."""
    about = {package: (*debian(package), "STATIC_LINK") for package in COMPILED_IN}
    about |= {package: (*debian(package), "CONTAINS" if inside else "DYNAMIC_LINK")
              for package in packages_of(libraries)}
    about |= {other: (number, other, licence, "CONTAINS") for other, number, licence in others}
    (folder / "licences").mkdir(parents=True)
    shutil.copy("LICENSE", folder / "licences/threefold")
    shutil.copy("resources/samples/SOURCES.txt", folder / "licences/samples")
    shutil.copy("resources/models/SOURCES.txt", folder / "licences/model")
    packages = [{"SPDXID": "SPDXRef-threefold", "name": name, "versionInfo": version,
                 "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                 "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "NOASSERTION"}]
    links = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-threefold")]
    extracted = {}
    for package, (number, source, licence, link) in sorted(about.items()):
        identity = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", package)
        if link != "DYNAMIC_LINK" and copyright_file(package).exists():
            shutil.copy(copyright_file(package), folder / "licences" / package)
        for reference in re.findall(r"LicenseRef-\S+", licence):
            extracted.setdefault(reference, f"The text is Debian's copyright file of {package}.")
        packages.append({"SPDXID": identity, "name": package, "versionInfo": number,
                         "sourceInfo": f"Debian source package {source}", "filesAnalyzed": False,
                         "downloadLocation": "NOASSERTION", "copyrightText": "NOASSERTION",
                         "licenseConcluded": "NOASSERTION", "licenseDeclared": licence})
        links.append(("SPDXRef-threefold", link, identity))
    document = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}", "packages": packages,
        "creationInfo": {"creators": ["Tool: packaging/package"], "created": time.strftime(
            "%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))},
        "hasExtractedLicensingInfos": [{"licenseId": key, "extractedText": text}
                                       for key, text in sorted(extracted.items())],
        "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), link))
                          for link in links]}
    document["documentNamespace"] = "https://spdx.org/spdxdocs/" + f"{name}-" + hashlib.sha256(
        json.dumps(document).encode()).hexdigest()[:32]
    (folder / "threefold.spdx.json").write_text(json.dumps(document, indent=1) + "\n")
