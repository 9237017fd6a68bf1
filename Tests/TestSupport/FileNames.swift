// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import RealmSystem

/// The names of one file in a folder.
package enum FileNames {
    /// The file's own name, links to it, a link to a link, a path through a link to the folder, and a hard link in
    /// another folder.
    package static let all = [first, "link.realm", "chain.realm", "folder/a.realm", "real/../real/a.realm", hard]
    package static let first = "real/a.realm"
    package static let hard = "other/b.realm"
    package static var links: [String] { all.filter { $0 != hard } }

    /// Creates the folders and the links. The file may be missing, so the hard link is omitted.
    package static func make(in folder: String) throws {
        let files = FileManager.default
        for name in ["real", "other"] {
            try files.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: folder + "/link.realm", withDestinationPath: "real/a.realm")
        try files.createSymbolicLink(atPath: folder + "/chain.realm", withDestinationPath: folder + "/link.realm")
        try files.createSymbolicLink(atPath: folder + "/folder", withDestinationPath: "real")
    }

    package static func makeHardLink(in folder: String) throws {
        guard link(folder + "/" + first, folder + "/" + hard) == 0 else {
            throw SystemError.last("link", path: folder)
        }
    }
}
