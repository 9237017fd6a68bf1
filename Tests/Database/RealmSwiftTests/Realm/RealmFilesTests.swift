// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmSwift

/// The files next to a Realm's file (realm 6), and seeds that are copied while others open the file.
@Suite struct RealmFilesTests {
    @Test func everythingButTheLockFileIsDeleted() throws {
        let folder = try RuleFolder()
        try folder.open { realm in try realm.write { realm.add(RuleBall()) } }
        let path = folder.url().path
        let beside = ["note", "log_a", "tmp_compaction_space", "copy-1f", "management/deep/er"].map { path + "." + $0 }
        let backups = ["v9", "v23"].map { folder.folder.path + "/rules.\($0).backup.realm" }
        for file in beside + backups {
            let url = URL(fileURLWithPath: file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: url)
        }
        let others = ["rules.realm2", "rules.v9.backup.realm2", "rules", "other.realm"]
        for name in others { try Data("x".utf8).write(to: folder.url(name)) }
        try FileManager.default.createSymbolicLink(
            atPath: path + ".management/link", withDestinationPath: folder.folder.path)
        #expect(try Realm.deleteFiles(for: folder.configuration()))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path)
        #expect(Set(left) == Set(others + ["rules.realm.lock"]))
        try Data("x".utf8).write(to: URL(fileURLWithPath: path + ".note"))
        #expect(try Realm.deleteFiles(for: folder.configuration()))
        #expect(try !Realm.deleteFiles(for: folder.configuration()))
        #expect(try !Realm.deleteFiles(for: folder.configuration("none/a.realm")))
        #expect(try !Realm.deleteFiles(for: Realm.Configuration(inMemoryIdentifier: "no files")))
    }

    @Test func filesThatAreOpenElsewhereStay() async throws {
        let folder = try RuleFolder()
        // Not opened as a Realm, so only the lock shows that it is open.
        let database = try Database.open(folder.url().path)
        #expect(throws: Realm.Error(.alreadyOpen)) { try Realm.deleteFiles(for: folder.configuration()) }
        await #expect(processExitsWith: .success) { [path = folder.url().path as String] in
            let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
            do {
                _ = try Realm.deleteFiles(for: configuration)
                exit(1)
            } catch Realm.Error.alreadyOpen {}
        }
        #expect(Realm.fileExists(for: folder.configuration()))
        withExtendedLifetime(database) {}
    }

    @Test func anOpenRealmInMemoryHasNoFilesToDelete() throws {
        let memory = Realm.Configuration(inMemoryIdentifier: "kept-\(UUID().uuidString)", objectTypes: ruleTypes)
        let realm = try Realm(configuration: memory)
        #expect(throws: Realm.Error(.alreadyOpen)) { try Realm.deleteFiles(for: memory) }
        withExtendedLifetime(realm) {}
    }

    /// Several threads copy the seed, each assuming that there is no file.
    @Test func aSeedReplacesNothing() throws {
        let folder = try TemporaryFolder()
        let source = folder.path + "/seed"
        try Images.write([UInt8](repeating: 7, count: 3_000_000), to: source)
        let copies = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            if (try? FileCopy.makeNew(of: source, at: folder.path + "/copy")) == true { copies.withLock { $0 += 1 } }
        }
        #expect(copies.withLock { $0 } == 1)
        #expect(try Images.read(folder.path + "/copy") == Images.read(source))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["copy", "seed"])
        try Images.write([1], to: folder.path + "/own")
        #expect(try !FileCopy.makeNew(of: source, at: folder.path + "/own"))
        #expect(try Images.read(folder.path + "/own") == [1])
        #expect(throws: SystemError.self) { try FileCopy.makeNew(of: folder.path + "/none", at: folder.path + "/new") }
        #expect(!Folder.holds(folder.path + "/new"))
    }
}
