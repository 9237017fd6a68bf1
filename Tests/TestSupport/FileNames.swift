// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import RealmSystem

/// The names that one file has in a folder.
package enum FileNames {
    /// The file's own, links to it, a link to a link, one that leads through a link to the folder, and a hard link in
    /// another folder.
    package static let all = [first, "link.realm", "chain.realm", "folder/a.realm", "real/../real/a.realm", hard]
    package static let first = "real/a.realm"
    package static let hard = "other/b.realm"
    /// The names that aren't a second name of the file itself.
    package static var links: [String] { all.filter { $0 != hard } }

    /// Makes the folders and the links; the file need not be there yet, which the hard link is left out for.
    package static func make(in folder: String) throws {
        let files = FileManager.default
        for name in ["real", "other"] {
            try files.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(atPath: folder + "/link.realm", withDestinationPath: "real/a.realm")
        try files.createSymbolicLink(atPath: folder + "/chain.realm", withDestinationPath: folder + "/link.realm")
        try files.createSymbolicLink(atPath: folder + "/folder", withDestinationPath: "real")
    }

    /// Creates the second name of the existing file.
    package static func makeHardLink(in folder: String) throws {
        guard link(folder + "/" + first, folder + "/" + hard) == 0 else {
            throw SystemError.last("link", path: folder)
        }
    }
}
