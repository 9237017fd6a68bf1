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

    @Test func theEnvironmentIsAskedForOneVariable() {
        #expect(CurrentProcess.hasVariable("PATH"))
        #expect(!CurrentProcess.hasVariable("REGNUM_NO_SUCH_VARIABLE"))
    }
}
