// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The specification, fixtures and checkers that live beside the repository and are not part of it.
///
/// Tests that need them ask here and are skipped, with one line that says so, where they are absent.
public enum SharedFiles {
    /// `REGNUM_SHARED`, or `../shared` beside the package; nil where neither is a folder.
    public static let root: String? = {
        let named = ProcessInfo.processInfo.environment["REGNUM_SHARED"]
        let beside = packageRoot + "/../shared"
        let found = [named, beside].compactMap(\.self).first {
            FileManager.default.fileExists(atPath: $0 + "/fixtures")
        }
        if found == nil { print("skipped: the shared fixtures are absent (set REGNUM_SHARED to their folder)") }
        return found
    }()

    /// The folder that holds Package.swift.
    public static let packageRoot: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    /// The absolute path of a shared file, or nil where the shared files are absent.
    public static func path(_ relative: String) -> String? {
        root.map { $0 + "/" + relative }
    }

    /// The names, without extension, of the `.realm` files of a fixture folder, sorted.
    public static func fixtures(in folder: String) -> [String] {
        guard let directory = path("fixtures/" + folder),
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
        else { return [] }
        return names.filter { $0.hasSuffix(".realm") }.map { String($0.dropLast(6)) }.sorted()
    }
}
