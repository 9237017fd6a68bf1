// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSystem
import RealmTestSupport
import Testing

@testable import RealmStorage

/// Kinds of files, auxiliary files, and their permissions.
@Suite struct FileKindTests {
    private let temporary: TemporaryFolder
    private let path: String

    init() throws {
        temporary = try TemporaryFolder()
        path = temporary.path + "/a.realm"
    }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: temporary.path).sorted() }
    }

    // MARK: Kinds

    enum Kind: String, CaseIterable {
        case fifo, socket, folder, device

        func make(_ path: String) throws {
            switch self {
            case .fifo: #expect(mkfifo(path, 0o600) == 0)
            case .folder: try Folder.create(path)
            case .device: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
            case .socket:
                let descriptor = Foundation.socket(AF_UNIX, streamSocketType, 0)
                defer { close(descriptor) }
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
                let result = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                #expect(result == 0)
            }
        }
    }

    /// Any other kind is rejected at once and named in the error, and no file is created.
    @Test(arguments: Kind.allCases, [false, true]) func otherFileKindsAreRejected(_ kind: Kind, readOnly: Bool) throws {
        try kind.make(path)
        let error = #expect(throws: StorageError.self) { try Database.open(path, readOnly: readOnly) }
        #expect(error?.code == .notAFile)
        #expect(error?.message.contains(kind == .folder ? "directory" : kind.rawValue) == true, "\(error as Any)")
        #expect(try names == ["a.realm"])
    }

    /// Other files with the names of auxiliary files are not followed, waited for, or overwritten.
    @Test(arguments: ["regnum.write", "regnum.queue", ""]) func aLinkInThePlaceOfASideFile(_ name: String) throws {
        let victim = temporary.path + "/victim"
        do { _ = try Database.open(path) }
        let place = path + ".management" + (name.isEmpty ? "" : "/" + name)
        _ = try Folder.remove(place)
        if name.isEmpty { try Folder.create(victim) } else { try Images.write([1, 2, 3], to: victim) }
        // Only a process that waits for another one uses the turnstile.
        let holder = name == "regnum.queue" ? try Database.open(path).beginWrite() : nil
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: victim)
        #expect(throws: StorageError.self) { try Database.open(path).write { _ in } }
        holder?.rollback()
        if name.isEmpty {
            #expect(try FileManager.default.contentsOfDirectory(atPath: victim).isEmpty)
        } else {
            #expect(try Images.read(victim) == [1, 2, 3])
        }
    }

    @Test func aLinkInThePlaceOfACompactedFile() throws {
        let victim = temporary.path + "/victim"
        try Images.write([1, 2, 3], to: victim)
        let database = try Database.open(path)
        try FileManager.default.createSymbolicLink(
            atPath: path + Database.compactionSuffix, withDestinationPath: victim)
        #expect(try database.compact())
        #expect(try Images.read(victim) == [1, 2, 3])
    }

    @Test func aFileThatIsNotALockFileIsUnchanged() throws {
        try Images.write(Array("precious".utf8), to: path + ".lock")
        let error = #expect(throws: StorageError.self) { try Database.open(path) }
        #expect(error?.path == path + ".lock" && error?.code == .alreadyExists)
        #expect(try Images.read(path + ".lock") == Array("precious".utf8))
        #expect(try names == ["a.realm.lock"])
    }

    // MARK: Permissions

    @Test func aNewFileIsItsOwners() throws {
        let database = try Database.open(path)
        try database.write { _ in }
        #expect(try mode(path) == 0o600 && mode(path + ".lock") == 0o600)
        #expect(try mode(path + ".management") == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: path + ".management") {
            #expect(try mode(path + ".management/" + name) == 0o600)
        }
        try NewFile.write(path + ".copy") { try database.snapshot().writeCopy(to: $0) }
        #expect(try mode(path + ".copy") == 0o600)
        #expect(try database.compact())
        #expect(try mode(path) == 0o600)
    }

    /// A user with access to the file may use its auxiliary files, regardless of the process's `umask`.
    @Test(arguments: [0o600, 0o640, 0o644, 0o660, 0o664, 0o666])
    func auxiliaryFilesFollowThePermissionsOfTheFile(_ wanted: Int) throws {
        do { try Database.open(path).write { _ in } }
        try FileManager.default.setAttributes([.posixPermissions: wanted], ofItemAtPath: path)
        for name in [path + ".lock", path + ".management"] { _ = try Folder.remove(name) }
        let database = try Database.open(path)
        try database.write { _ in }
        #expect(try mode(path + ".lock") == wanted)
        #expect(try mode(path + ".management") & 0o666 == wanted)
        #expect(try mode(path + ".management") & 0o111 == (wanted >> 2 | wanted >> 1) & 0o111)
        let files = try FileManager.default.contentsOfDirectory(atPath: path + ".management")
        #expect(files.count == 3)
        for name in files { #expect(try mode(path + ".management/" + name) == wanted, "\(name)") }
        #expect(try database.compact())
        #expect(try mode(path) == wanted)
        try NewFile.write(path + ".copy", FilePermissions(ofFileAt: path, else: .ownerOnly)) {
            try database.snapshot().writeCopy(to: $0)
        }
        #expect(try mode(path + ".copy") == wanted)
    }

    @Test func anotherModeForANewFile() throws {
        var options = OpenOptions()
        options.newFileMode = 0o640
        _ = try Database.open(path, options: options)
        #expect(try mode(path) == 0o640 && mode(path + ".lock") == 0o640 && mode(path + ".management") == 0o750)
    }

    /// Run as root, on another user's file.
    @Test func theFileStaysItsOwners() throws {
        guard geteuid() == 0 else { return print("owners: not tested, this needs the superuser") }
        do { try Database.open(path).write { _ in } }
        for name in [path + ".lock", path + ".management"] { _ = try Folder.remove(name) }
        #expect(chown(path, 65_534, 65_533) == 0)
        let database = try Database.open(path)
        try database.write { _ in }
        #expect(try database.compact())
        for name in ["", ".lock", ".management", ".management/regnum.write"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
            #expect(attributes[.ownerAccountID] as? Int == 65_534, "\(name)")
            #expect(attributes[.groupOwnerAccountID] as? Int == 65_533, "\(name)")
        }
    }

    /// A process that can write another user's file, but can't create one for that user, doesn't compact it.
    @Test func aFileOfAnotherUserIsNotCompacted() async {
        guard geteuid() == 0 else { return print("owners: not tested, this needs the superuser") }
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/a.realm"
            #expect(chmod(folder.path, 0o777) == 0)
            var options = OpenOptions()
            options.newFileMode = 0o666
            umask(0)
            do { try Database.open(path, options: options).write { _ in } }
            #expect(setegid(65_534) == 0 && seteuid(65_534) == 0)
            let database = try Database.open(path)
            try database.write { _ in }
            let before = FileIdentity(path)
            let error = #expect(throws: StorageError.self) { try database.compact() }
            #expect(error?.code == .permissionDenied)
            #expect(FileIdentity(path) == before && !Folder.holds(path + Database.compactionSuffix))
            #expect(seteuid(0) == 0)
        }
    }

    // MARK: Names and sizes

    /// Every file that can be opened can be compacted: no auxiliary name is longer than that of its folder.
    @Test(arguments: [240, 244]) func aLongName(_ count: Int) throws {
        let path = temporary.path + "/" + String(repeating: "n", count: count)
        let database = try Database.open(path)
        try database.write { try ExpectedCommits.add(1, 1, $0) }
        #expect(try database.compact())
        try database.write { try ExpectedCommits.add(1, 2, $0) }
        #expect(try ExpectedCommits.counts(database.snapshot()) == [1: 2])
        try FileAudit.requireClean(path: path)
        let seeded = temporary.path + "/" + String(repeating: "m", count: count)
        #expect(try FileCopy.makeNew(of: path, at: seeded))
    }

    /// A write beyond the process's file size limit fails, and the process continues.
    @Test(arguments: [false, true]) func aLimitOfTheSize(isEncrypted: Bool) async {
        await #expect(processExitsWith: .success) { [isEncrypted = isEncrypted as Bool] in
            let folder = try TemporaryFolder()
            let path = folder.path + "/a.realm"
            let cipher = isEncrypted ? QuickCipher() : nil
            do {
                let database = try Database.open(path, cipher: cipher)
                try database.write { try ExpectedCommits.add(1, 1, $0) }
                var limit = rlimit(rlim_cur: 1 << 16, rlim_max: rlim_t.max)
                #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
                let error = #expect(throws: StorageError.self) {
                    try database.write { transaction in
                        let table = try transaction.schema.addTable("class_Bulk")
                        let data = try transaction.schema.addColumn("data", .binary, to: table)
                        let bytes = [UInt8](repeating: 7, count: 200_000)
                        _ = try transaction.createObject(in: table, [data: .binary(bytes)])
                    }
                }
                #expect(error?.code == .outOfSpace)
            }
            let database = try Database.open(path, cipher: cipher)
            try database.write { try ExpectedCommits.add(1, 2, $0) }
            #expect(try ExpectedCommits.counts(database.snapshot()) == [1: 2])
            // Even the lock file can't be created.
            var limit = rlimit(rlim_cur: 0, rlim_max: rlim_t.max)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            #expect(throws: StorageError.self) { try Database.open(folder.path + "/b.realm") }
        }
    }
}
