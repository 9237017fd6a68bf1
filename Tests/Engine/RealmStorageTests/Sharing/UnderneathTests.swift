// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Changes of an open file by other programs. No lost write is acknowledged.
@Suite struct UnderneathTests {
    enum Deed: String, CaseIterable {
        case deleted, movedAway, replacedByCopy, folderMoved, folderRemoved, lockRemoved, lockReplaced
        case managementRemoved, managementReplaced, rightRemoved
        case cutToNothing, cutToHalf, cutAndLengthened

        var isCut: Bool { self == .cutToNothing || self == .cutToHalf || self == .cutAndLengthened }

        func happen(to path: String) throws {
            let files = FileManager.default
            let folder = (path as NSString).deletingLastPathComponent
            switch self {
            case .deleted: try files.removeItem(atPath: path)
            case .movedAway: try files.moveItem(atPath: path, toPath: path + ".moved")
            case .replacedByCopy:
                try files.copyItem(atPath: path, toPath: path + ".copy")
                try DiskFile.rename(path + ".copy", to: path)
            case .folderMoved: try files.moveItem(atPath: folder, toPath: folder + ".moved")
            case .folderRemoved: try files.removeItem(atPath: folder)
            case .lockRemoved: try files.removeItem(atPath: path + ".lock")
            case .lockReplaced:
                try files.copyItem(atPath: path + ".lock", toPath: path + ".copy")
                try DiskFile.rename(path + ".copy", to: path + ".lock")
            case .managementRemoved: try files.removeItem(atPath: path + ".management")
            case .managementReplaced:
                try files.moveItem(atPath: path + ".management", toPath: path + ".copy")
                try files.copyItem(atPath: path + ".copy", toPath: path + ".management")
            case .rightRemoved: try files.removeItem(atPath: path + ".management/regnum.write")
            case .cutToNothing: #expect(truncate(path, 0) == 0)
            case .cutToHalf: #expect(truncate(path, 8192) == 0)
            case .cutAndLengthened:
                #expect(truncate(path, 0) == 0)
                #expect(truncate(path, 1 << 20) == 0)
            }
        }
    }

    private struct Opened {
        let temporary: TemporaryFolder
        let path: String
        let database: Database

        init(isEncrypted: Bool) throws {
            temporary = try TemporaryFolder()
            let folder = temporary.path + "/folder"
            try Folder.create(folder)
            path = folder + "/a.realm"
            database = try Database.open(path, cipher: isEncrypted ? QuickCipher() : nil)
            try database.write { transaction in
                try ExpectedCommits.add(1, 1, transaction)
                let table = try transaction.schema.addTable("class_Bulk")
                let data = try transaction.schema.addColumn("data", .binary, to: table)
                for _ in 0..<20 {
                    _ = try transaction.createObject(in: table, [data: .binary([UInt8](repeating: 7, count: 2000))])
                }
            }
        }

        func refuses(_ deed: Deed, _ body: () throws -> Void) throws {
            let error = #expect(throws: StorageError.self) { try body() }
            #expect(error?.path.hasPrefix(path) == true, "\(String(describing: error))")
            if !deed.isCut { #expect(error?.message.contains("nothing was written") == true) }
        }
    }

    @Test(arguments: Deed.allCases, [false, true]) func noWriteBegins(_ deed: Deed, isEncrypted: Bool) throws {
        let opened = try Opened(isEncrypted: isEncrypted)
        let held = try opened.database.snapshot()
        try deed.happen(to: opened.path)
        if deed == .cutAndLengthened {
            // The length is unchanged, so only the header shows the change. An encrypted file caches it.
            if !isEncrypted { #expect(throws: StorageError.self) { _ = try opened.database.beginWrite() } }
            return
        }
        try opened.refuses(deed) { _ = try opened.database.beginWrite() }
        if deed.isCut { #expect(throws: StorageError.self) { _ = try opened.database.snapshot() } }
        if !deed.isCut, !isEncrypted || deed != .cutToHalf { #expect(try ExpectedCommits.counts(held) == [1: 1]) }
    }

    @Test(arguments: Deed.allCases.filter { $0 != .cutAndLengthened }, [false, true])
    func noCommitIsAcknowledged(_ deed: Deed, isEncrypted: Bool) throws {
        let opened = try Opened(isEncrypted: isEncrypted)
        let transaction = try opened.database.beginWrite()
        try ExpectedCommits.add(1, 2, transaction)
        try deed.happen(to: opened.path)
        try opened.refuses(deed) { try transaction.commit() }
    }

    /// The second check, between the preparation of a commit and its flip.
    @Test(arguments: Deed.allCases.filter { !$0.isCut }, [false, true])
    func noPreparedCommitIsFinished(_ deed: Deed, isEncrypted: Bool) throws {
        let opened = try Opened(isEncrypted: isEncrypted)
        let transaction = try opened.database.beginWrite()
        try ExpectedCommits.add(1, 2, transaction)
        let commit = try transaction.prepareCommit()
        try deed.happen(to: opened.path)
        try opened.refuses(deed) { try commit.finish() }
    }

    /// Nothing was written while the file was missing, so it can be used as before.
    @Test func aRestoredFile() throws {
        let opened = try Opened(isEncrypted: false)
        let transaction = try opened.database.beginWrite()
        try ExpectedCommits.add(1, 2, transaction)
        #expect(rename(opened.path, opened.path + ".moved") == 0)
        #expect(throws: StorageError.self) { try transaction.commit() }
        #expect(rename(opened.path + ".moved", opened.path) == 0)
        try opened.database.write { try ExpectedCommits.add(1, 2, $0) }
        #expect(try ExpectedCommits.counts(opened.database.snapshot()) == [1: 2])
        try FileAudit.requireClean(path: opened.path)
    }

    /// A process that opens the file after the lock file or the folder was removed wouldn't join the processes that
    /// have it open.
    @Test(arguments: [Deed.lockRemoved, .lockReplaced, .managementRemoved, .managementReplaced])
    func noOtherProcessCanOpenTheFile(_ deed: Deed) throws {
        let opened = try Opened(isEncrypted: false)
        try deed.happen(to: opened.path)
        let error = #expect(throws: StorageError.self) { try Database.open(opened.path) }
        #expect(error?.code == .alreadyOpen, "\(String(describing: error))")
    }

    @Test func pinsThatNoProcessSees() throws {
        let opened = try Opened(isEncrypted: false)
        let folder = opened.path + ".management"
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".pins") {
            try Folder.removeFile(folder + "/" + name)
        }
        try opened.refuses(.rightRemoved) { _ = try opened.database.beginWrite() }
    }

    @Test func aRelativePath() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            try Folder.create(folder.path + "/elsewhere")
            #expect(chdir(folder.path) == 0)
            let database = try Database.open("a.realm")
            #expect(chdir(folder.path + "/elsewhere") == 0)
            try database.write { try ExpectedCommits.add(1, 1, $0) }
            #expect(try database.compact())
            #expect(Folder.holds(folder.path + "/a.realm"))
        }
    }
}
