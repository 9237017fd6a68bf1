// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSystem

@Suite struct FolderTests {
    @Test(arguments: [
        ("/a/b.realm", "/a", "b.realm"), ("/b.realm", "", "b.realm"), ("b.realm", "", "b.realm"), ("/a/", "/a", ""),
        ("/ä/é.realm", "/ä", "é.realm"), ("", "", ""),
    ])
    func pathsHaveFoldersAndLastNames(_ path: String, _ folder: String, _ name: String) {
        #expect(Folder.containing(path) == folder)
        #expect(Folder.lastName(of: path) == name)
    }

    @Test func linksAreFollowedAlsoWhereTheEndIsMissing() throws {
        let folder = try TemporaryFolder()
        let base = Folder.resolved(folder.path)
        try Folder.create(base + "/real")
        try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: base + "/real")
        #expect(Folder.resolved(base + "/link") == base + "/real")
        #expect(Folder.resolved(base + "/link/later/still") == base + "/real/later/still")
        try Folder.create(base + "/real/later")
        #expect(Folder.resolved(base + "/link/later/still") == base + "/real/later/still")
        #expect(Folder.resolved("/") == "")
        #expect(Folder.resolved("/no such folder \(UInt64.random(in: .min ... .max))").hasPrefix("/no such folder "))
    }

    /// A cached result is valid only while the link is unchanged.
    @Test func aChangedLinkIsResolvedAgain() throws {
        let folder = try TemporaryFolder()
        let base = Folder.resolved(folder.path)
        for name in ["a", "b"] { try Folder.create(base + "/" + name) }
        for target in ["a", "b", "a"] {
            _ = try Folder.remove(base + "/link")
            try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: base + "/" + target)
            for _ in 0..<2 { #expect(Folder.resolved(base + "/link") == base + "/" + target) }
        }
        // The folder is renamed, and the link is changed accordingly.
        try FileManager.default.moveItem(atPath: base + "/a", toPath: base + "/c")
        _ = try Folder.remove(base + "/link")
        try FileManager.default.createSymbolicLink(atPath: base + "/link", withDestinationPath: base + "/c")
        #expect(Folder.resolved(base + "/link") == base + "/c")
        #expect(Folder.wasFound(base + "/link"))
        _ = try Folder.remove(base + "/c")
        #expect(Folder.resolved(base + "/link") == base + "/link")
        #expect(!Folder.wasFound(base + "/link"))
    }

    @Test func anOpenFolderIsTheSameUnderAnotherName() throws {
        let temporary = try TemporaryFolder()
        #expect(throws: SystemError.self) { try OpenFolder(temporary.path + "/a") }
        let folder = try OpenFolder.make(temporary.path + "/a", for: .ownerOnly)
        #expect(try folder.names(prefix: "x").isEmpty)
        _ = try DiskFile.create("x1", in: folder)
        try FileManager.default.moveItem(atPath: temporary.path + "/a", toPath: temporary.path + "/b")
        #expect(throws: SystemError.self) { try DiskFile.create("x1", in: folder) }
        _ = try DiskFile.open("x2", in: folder, creation: .createIfMissing)
        _ = try DiskFile.open("x2", in: folder, readOnly: true)
        #expect(throws: SystemError.self) { try DiskFile.open("x3", in: folder) }
        #expect(try folder.names(prefix: "x").sorted() == ["x1", "x2"])
        try folder.removeFile("x1")
        try folder.removeFile("x1")
        #expect(try folder.names(prefix: "x") == ["x2"])
        #expect(Folder.holds(temporary.path + "/b/x2"))
    }

    @Test func theEnvironmentIsSearchedForOneVariable() {
        #expect(CurrentProcess.hasVariable("PATH"))
        #expect(!CurrentProcess.hasVariable("REGNUM_NO_SUCH_VARIABLE"))
    }

    /// Only the last component of a path is resolved, to a file that may be missing.
    @Test func aChainOfLinks() throws {
        let temporary = try TemporaryFolder()
        let base = temporary.path
        let files = FileManager.default
        try Folder.create(base + "/real")
        try files.createSymbolicLink(atPath: base + "/one", withDestinationPath: "real/file")
        try files.createSymbolicLink(atPath: base + "/real/two", withDestinationPath: "../one")
        try files.createSymbolicLink(atPath: base + "/three", withDestinationPath: base + "/real/two")
        try files.createSymbolicLink(atPath: base + "/loop", withDestinationPath: "loop")
        #expect(Folder.followed(base + "/one") == base + "/real/file")
        #expect(Folder.followed(base + "/three") == base + "/real/../real/file")
        for path in [base + "/real/file", base + "/real", base + "/loop", base + "/none", "none", "/", ""] {
            #expect(Folder.followed(path) == path)
        }
        try Images.write([1], to: base + "/real/file")
        #expect(Folder.followed(base + "/one") == base + "/real/file")
        #expect(Folder.absolute("a") == files.currentDirectoryPath + "/a")
        #expect(Folder.absolute("/a") == "/a" && Folder.absolute("") == "")
    }
}
