// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files outside the repository that we can't publish. The tests that need them are skipped without them.
///
/// `Fixtures` has our own files, which are in the repository.
public enum SharedFiles {
    /// A folder of the shared folder. Tests read no other file outside the repository.
    public enum Part: String, CaseIterable, Sendable {
        /// Test files of realm-core, of formats 10 to 23.
        case upstream = "fixtures/upstream"
        /// Test files of Realm's SDKs, of formats 2 to 9.
        case olderReal = "fixtures/older/real"
        /// Files of apps.
        case apps = "cases/files"
        /// An independent checker.
        case checker = "tools"
    }

    /// `REGNUM_SHARED`, or the folder `../shared` of the package.
    private static let root =
        ProcessInfo.processInfo.environment["REGNUM_SHARED"] ?? packageRoot + "/../shared"

    /// The folder of Package.swift.
    public static let packageRoot: String = {
        var parts = #filePath.split(separator: "/")
        parts.removeLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    /// The absolute path of a part, or nil if it is absent, which is reported.
    public static func folder(_ part: Part) -> String? {
        let path = root + "/" + part.rawValue
        if FileManager.default.fileExists(atPath: path) { return path }
        Skip.report("\(part.rawValue) of the shared folder is absent (REGNUM_SHARED names another folder)")
        return nil
    }

    /// The absolute path of a file, or nil if its part is absent.
    public static func path(_ part: Part, _ name: String) -> String? { folder(part).map { $0 + "/" + name } }

    /// The names, without extension, of the `.realm` files of a part, sorted.
    public static func names(in part: Part) -> [String] { folder(part).map { Fixtures.realms(in: $0) } ?? [] }
}
