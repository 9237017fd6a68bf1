// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Opening Realms (behaviours B-193 to B-228). Encryption, older formats, copies and compaction have separate
/// suites.
@Suite struct OpeningTests: TrapSuite {
    #if !canImport(Darwin)
        @Test(.behaviour("B-193")) func theDefaultRealm() async throws {
            let folder = try TemporaryFolder()
            let result = await #expect(processExitsWith: .success, observing: .errorText) {
                [path = folder.path as String] in
                setenv("XDG_DATA_HOME", path + "/data", 1)
                Realm.Configuration.defaultConfiguration.objectTypes = ruleTypes
                let realm = try Realm()
                precondition(realm.isEmpty)
                precondition(realm.configuration.fileURL == Realm.Configuration.defaultFileURL)
                precondition(Realm.fileExists(for: Realm.Configuration()))
            }
            #expect(result != nil)
            let made = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(made.contains { $0.hasPrefix("data/") && $0.hasSuffix("/default.realm") })
        }
    #endif

    @Test(.behaviour("B-194")) func oneInstancePerThread() throws {
        let folder = try RuleFolder()
        try folder.open { realm in
            let same = try Realm(configuration: folder.configuration())
            #expect(same == realm)
            try realm.write { realm.add(RuleBall(value: ["name": "red"])) }
            nonisolated(unsafe) let instance = realm.instance
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do {
                    let other = try Realm(configuration: folder.configuration())
                    #expect(other.instance !== instance && other.objects(RuleBall.self).first?.name == "red")
                } catch {
                    Issue.record(error)
                }
                done.signal()
            }
            done.wait()
        }
    }

    @Test(.behaviour("B-195", "B-226")) func filesThatCannotBe() throws {
        let folder = try RuleFolder()
        let missing = openingError(folder.configuration("missing/a.realm"))
        #expect(missing?.code == .fileNotFound && missing?.fileURL == folder.url("missing/a.realm"))
        #expect(!FileManager.default.fileExists(atPath: folder.url("missing").path))

        try FileManager.default.createDirectory(at: folder.url("folder.realm"), withIntermediateDirectories: true)
        for readOnly in [false, true] {
            let directory = openingError(folder.configuration("folder.realm", readOnly: readOnly))
            #expect(directory?.code == .fileOperationFailed && directory?.fileURL == folder.url("folder.realm"))
        }

        try Data("text".utf8).write(to: folder.url("text"))
        let throughAFile = openingError(folder.configuration("text/a.realm"))
        #expect(throughAFile?.code == .fileOperationFailed && throughAFile?.fileURL == folder.url("text/a.realm"))

        try FileManager.default.createDirectory(at: folder.url("b.realm.lock"), withIntermediateDirectories: true)
        let lock = openingError(folder.configuration("b.realm"))
        #expect(lock?.code == .fileOperationFailed && lock?.fileURL == folder.url("b.realm"))
        #expect(lock?.message.contains("b.realm.lock") == true)

        let long = openingError(folder.configuration(String(repeating: "x", count: 300) + ".realm"))
        #expect(long?.code == .fileOperationFailed)
    }

    /// As root, the process switches to a user without the permission.
    @Test(.behaviour("B-197"), arguments: [false, true]) func anUnreadableFile(_ readOnly: Bool) async throws {
        let folder = try RuleFolder()
        try folder.open()
        let path = folder.url().path
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [path = path as String, readOnly = readOnly as Bool] in
            if geteuid() == 0 { precondition(setuid(65_534) == 0) }
            do {
                _ = try Realm(
                    configuration: Realm.Configuration(
                        fileURL: URL(fileURLWithPath: path), readOnly: readOnly, objectTypes: ruleTypes))
            } catch Realm.Error.filePermissionDenied {
                throwRealmException("refused")
            } catch {
                print("unexpected: \(error)")
            }
        }.expectText("refused")
    }

    @Test(.behaviour("B-197", "B-226")) func theTextOfARefusal() {
        let error = Realm.Error(SystemError("open", path: "/data/a.realm", number: EACCES), opening: "/data/a.realm")
        #expect(error.code == .filePermissionDenied && error.fileURL?.path == "/data/a.realm")
        #expect(
            error.message == "Failed to open Realm file at path '/data/a.realm': Permission denied. Please use a path "
                + "where your app has read-write permissions.")
        // A directory without write permission prevents the creation of the lock file.
        #expect(
            Realm.Error(SystemError("open", path: "/data/a.realm.lock", number: EACCES), opening: "/data/a.realm")
                .message == error.message)
    }

    // MARK: Open files

    @Test(.behaviour("B-203", "B-207", "B-208", "B-209", "B-211", "B-227"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("rules.realm' already opened with different read permissions'") {
            let folder = try RuleFolder()
            try folder.open { _ in _ = try Realm(configuration: folder.configuration(readOnly: true)) }
        },
        Trap("rules.realm' already opened with different read permissions.'") {
            let folder = try RuleFolder()
            try folder.open { _ in
                Thread.detachNewThread { _ = try? Realm(configuration: folder.configuration(readOnly: true)) }
                sleep(1200)
            }
        },
        Trap("rules.realm' already opened with different schema version.'") {
            let folder = try RuleFolder()
            try folder.open { _ in
                Thread.detachNewThread {
                    var configuration = folder.configuration()
                    configuration.schemaVersion = 3
                    _ = try? Realm(configuration: configuration)
                }
                sleep(1200)
            }
        },
        Trap("already opened with different inMemory settings") {
            let realm = try Realm(
                configuration: Realm.Configuration(inMemoryIdentifier: "place", objectTypes: ruleTypes))
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("place")
            _ = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: ruleTypes))
            withExtendedLifetime(realm) {}
        },
        Trap("In-memory identifier must not be empty") { _ = Realm.Configuration(inMemoryIdentifier: "") },
        Trap("A Realm Configuration must specify a path or an in-memory identifier.") {
            _ = try Realm(configuration: Realm.Configuration(fileURL: nil))
        },
        Trap(
            "- 'RuleBall.toy' links to class 'RuleToy', which is missing from the list of classes managed by the Realm"
        ) {
            _ = try Realm(
                configuration: Realm.Configuration(inMemoryIdentifier: "subset", objectTypes: [RuleBall.self]))
        },
        Trap(
            """
            Object type 'RuleKey' is not managed by the Realm. If using a custom `objectClasses` / `objectTypes` array \
            in your configuration, add `RuleKey` to the list of `objectClasses` / `objectTypes`.
            """
        ) {
            inRealm([RuleToy.self]) { _ = $0.objects(RuleKey.self) }
        },
        Trap("Can't add non-Object type 'NoObject' to a schema.") {
            _ = Realm.Configuration(objectTypes: [NoObject.self])
        },
        Trap("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.") {
            let configuration = Realm.Configuration(
                inMemoryIdentifier: "both", readOnly: true, deleteRealmIfMigrationNeeded: true)
            _ = try Realm(configuration: configuration)
        },
        Trap("Realm path must not be empty") {
            var configuration = Realm.Configuration()
            configuration.fileURL = URL(string: "file:")
        },
    ]

    // MARK: Realms in memory

    @Test(.behaviour("B-205", "B-206")) func eitherAFileOrAnIdentifier() throws {
        var configuration = Realm.Configuration(inMemoryIdentifier: "either")
        #expect(configuration.fileURL == nil && configuration.inMemoryIdentifier == "either")
        #expect(!Realm.fileExists(for: configuration))
        configuration.fileURL = URL(fileURLWithPath: "/data/a.realm")
        #expect(configuration.inMemoryIdentifier == nil && configuration.fileURL?.path == "/data/a.realm")
        configuration.inMemoryIdentifier = "or"
        #expect(configuration.fileURL == nil && configuration.inMemoryIdentifier == "or")
        configuration.seedFilePath = URL(fileURLWithPath: "/data/seed.realm")
        #expect(configuration.inMemoryIdentifier == nil)
        let memory = Realm.Configuration(inMemoryIdentifier: "open-\(UUID().uuidString)", objectTypes: ruleTypes)
        #expect(try Realm(configuration: memory).configuration.inMemoryIdentifier == memory.inMemoryIdentifier)
        #expect(try Realm(configuration: memory).configuration.fileURL == nil)
    }

    @Test(.behaviour("B-204")) func threadsShareARealmInMemory() throws {
        let memory = Realm.Configuration(inMemoryIdentifier: "shared-\(UUID().uuidString)", objectTypes: ruleTypes)
        let realm = try Realm(configuration: memory)
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            if let other = try? Realm(configuration: memory) { try? other.write { other.add(RuleBall()) } }
            done.signal()
        }
        done.wait()
        #expect(realm.refresh() && realm.objects(RuleBall.self).count == 1)
    }

    // MARK: Classes

    final class NoObject: ObjectBase {}

    // MARK: Seeds

    @Test(.behaviour("B-214")) func aSeedIsCopiedOnce() throws {
        let folder = try RuleFolder()
        try folder.open(folder.configuration("seed.realm")) { realm in
            try realm.write { realm.add(RuleBall(value: ["name": "seed"])) }
        }
        let seed = try Data(contentsOf: folder.url("seed.realm"))
        var configuration = folder.configuration()
        configuration.seedFilePath = folder.url("seed.realm")
        for expected in [["seed"], ["seed", "new"]] {
            try folder.open(configuration) { realm in
                #expect(realm.objects(RuleBall.self).map(\.name) == expected)
                try realm.write { realm.add(RuleBall(value: ["name": "new"])) }
            }
        }
        #expect(try Data(contentsOf: folder.url("seed.realm")) == seed)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path)
        #expect(!names.contains { $0.contains(".copy-") })
    }

    @Test(.behaviour("B-215")) func aMissingSeed() throws {
        let folder = try RuleFolder()
        var configuration = folder.configuration()
        configuration.seedFilePath = folder.url("seed.realm")
        let error = openingError(configuration)
        #expect(error?.code == .fileNotFound && error?.fileURL == folder.url("seed.realm"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path).isEmpty)
        try folder.open()
        #expect(openingError(configuration) == nil)
    }

    // MARK: Files

    @Test(.behaviour("B-217")) func aCopyWithAKey() throws {
        let folder = try RuleFolder()
        let key = Data(100..<164)
        try folder.open { realm in
            try realm.write { realm.add(RuleBall(value: ["name": "red"])) }
            try realm.writeCopy(toFile: folder.url("copy.realm"), encryptionKey: key)
        }
        var configuration = folder.configuration("copy.realm")
        #expect(openingError(configuration)?.code == .invalidDatabase)
        configuration.encryptionKey = Data(0..<64)
        #expect(openingError(configuration)?.code == .invalidDatabase)
        configuration.encryptionKey = key
        try folder.open(configuration) { #expect($0.objects(RuleBall.self).map(\.name) == ["red"]) }
    }

    @Test(.behaviour("B-219", "B-220")) func deletingFiles() throws {
        let folder = try RuleFolder()
        let configuration = folder.configuration()
        #expect(!Realm.fileExists(for: configuration))
        #expect(try !Realm.deleteFiles(for: configuration))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path).isEmpty)
        try folder.open { realm in
            #expect(Realm.fileExists(for: configuration))
            let error = #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
            #expect(error?.code == .alreadyOpen && error?.fileURL == folder.url())
            #expect(
                error?.message
                    == "Cannot delete files of an open Realm: '\(folder.url().path)' is still in use.")
            try realm.write { realm.add(RuleBall()) }
        }
        #expect(try Realm.deleteFiles(for: configuration))
        #expect(!Realm.fileExists(for: configuration))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.folder.path) == ["rules.realm.lock"])
        #expect(try !Realm.deleteFiles(for: configuration))
        try folder.open { #expect($0.isEmpty) }
    }

    @Test(.behaviour("B-221")) func theSchemaVersionOfAFile() throws {
        let folder = try RuleFolder()
        #expect(throws: Realm.Error(.invalidDatabase)) { try schemaVersionAtURL(folder.url()) }
        try Data().write(to: folder.url("empty.realm"))
        let error = #expect(throws: Realm.Error.self) { try schemaVersionAtURL(folder.url("empty.realm")) }
        #expect(error?.code == .fail)
        #expect(
            error?.message == "Realm at path '\(folder.url("empty.realm").path)' has not been initialized.")
        var configuration = folder.configuration()
        configuration.schemaVersion = 7
        try folder.open(configuration) { _ in
            let whileOpen = try schemaVersionAtURL(folder.url())
            #expect(whileOpen == 7)
        }
        #expect(try schemaVersionAtURL(folder.url()) == 7)
        #expect(throws: Realm.Error(.invalidDatabase)) {
            try schemaVersionAtURL(folder.url(), encryptionKey: Data(0..<64))
        }
    }

    // MARK: Configurations

    @Test(.behaviour("B-223")) func theDefaultConfiguration() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            let first = URL(fileURLWithPath: path + "/first.realm")
            Realm.Configuration.defaultConfiguration = Realm.Configuration(fileURL: first, objectTypes: ruleTypes)
            let realm = try Realm()
            try realm.write { realm.add(RuleBall()) }
            let second = URL(fileURLWithPath: path + "/second.realm")
            Realm.Configuration.defaultConfiguration.fileURL = second
            let other = try Realm()
            precondition(other.configuration.fileURL == second && other.isEmpty && other != realm)
            precondition(realm.configuration.fileURL == first && !realm.isEmpty)
            let same = try Realm(fileURL: first)
            precondition(same == realm)
        }
    }

    @Test(.behaviour("B-224")) func description() {
        let url = URL(fileURLWithPath: "/data/a.realm")
        let text = Realm.Configuration(fileURL: url, readOnly: true, schemaVersion: 4).description
        #expect(
            text.hasPrefix("Realm.Configuration {\n\tfileURL = file:///data/a.realm;\n\tinMemoryIdentifier = (null);"))
        #expect(text.contains("\n\tencryptionKey = (null);\n\treadOnly = YES;\n\tschemaVersion = 4;\n"))
        #expect(text.hasSuffix("\n\tdynamic = NO;\n\tcustomSchema = (null);\n}"))
    }

    @Test(.behaviour("B-225", "B-226")) func errors() {
        let url = URL(fileURLWithPath: "/data/a.realm")
        let error: any Error = Realm.Error(.fileNotFound, "gone", fileURL: url)
        do {
            throw error
        } catch Realm.Error.filePermissionDenied {
            Issue.record("another code matched")
        } catch Realm.Error.fileNotFound {
        } catch {
            Issue.record(error)
        }
        #expect((error as? Realm.Error)?.fileURL == url && Realm.Error.callFailed.fileURL == nil)
        #expect(Realm.Error.callFailed.code == .fail && Realm.Error.callFailed.localizedDescription == "Call failed")
        #expect(error.localizedDescription == "gone" && Realm.Error.errorDomain == "io.realm")
        let custom = Realm.Error(.fail, userInfo: ["mine": 5])
        #expect(custom.userInfo["mine"] as? Int == 5 && custom.errorCode == 1 && custom.errorUserInfo.count == 1)
        #expect((error as? Realm.Error)?.userInfo[RLMErrorCodeNameKey] as? String == "FileNotFound")
        #expect((error as? Realm.Error)?.userInfo[NSFilePathErrorKey] as? String == "/data/a.realm")
        let same: any Error = Realm.Error(.fileNotFound)
        let other: any Error = Realm.Error(.fileExists)
        #expect(error == same && !(error == other) && !(error == CocoaError(.fileNoSuchFile)))
        #expect(CocoaError(.fileNoSuchFile) as any Error == CocoaError(.fileNoSuchFile) as any Error)
        #expect(
            Realm.Error.Code.allCases.map(\.rawValue) == [
                1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 1001, 1002,
            ])
    }

    @Test(.behaviour("B-227")) func aRelativePath() throws {
        let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: "relative.realm"))
        #expect(configuration.fileURL?.path == FileManager.default.currentDirectoryPath + "/relative.realm")
    }

    @Test(.behaviour("B-228")) func commitsOfAnotherProcess() async throws {
        let folder = try RuleFolder()
        try folder.open { realm in try realm.write { realm.add(RuleDog(value: ["id": 1, "name": "Rex"])) } }
        // Stays open at its version while the other process commits.
        let database = try Database.open(folder.url().path)
        let before = database.version
        await #expect(processExitsWith: .success) { [path = folder.url().path as String] in
            let configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: ruleTypes)
            let realm = try Realm(configuration: configuration)
            let dog = try #require(realm.object(ofType: RuleDog.self, forPrimaryKey: 1))
            try realm.write { dog.name = "Max" }
        }
        #expect(database.version > before)
        try folder.open { #expect($0.object(ofType: RuleDog.self, forPrimaryKey: 1)?.name == "Max") }
    }

    @Test(.behaviour("T16")) func aFileThatIsMissingOrEmptyWasNotInitialized() throws {
        let folder = try RuleFolder()
        try Data().write(to: folder.url("empty.realm"))
        for name in ["missing.realm", "empty.realm"] {
            let error = #expect(throws: Realm.Error.self) { try schemaVersionAtURL(folder.url(name)) }
            #expect(error?.message == "Realm at path '\(folder.url(name).path)' has not been initialized.")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.folder.path)
        #expect(names == ["empty.realm"])
    }

    @Test(.behaviour("T16")) func errorsOfFilesBeginWithTheReasonOfTheSystem() throws {
        let folder = try RuleFolder()
        try FileManager.default.createDirectory(
            atPath: folder.url("folder.realm").path, withIntermediateDirectories: false)
        func verify(
            _ path: String, _ code: Realm.Error.Code, _ reason: String, readOnly: Bool = false,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let configuration = Realm.Configuration(
                fileURL: URL(fileURLWithPath: path), readOnly: readOnly, objectTypes: ruleTypes)
            let error = openingError(configuration)
            #expect(
                error?.code == code && error?.fileURL?.path == path, "\(String(describing: error))",
                sourceLocation: sourceLocation)
            let start = "Failed to open Realm file at path '\(path)': \(reason)"
            #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "")", sourceLocation: sourceLocation)
        }
        verify(folder.url("folder.realm").path, .fileOperationFailed, "Is a directory")
        verify(folder.url("folder.realm").path, .fileOperationFailed, "Is a directory", readOnly: true)
        verify(folder.url("none/a.realm").path, .fileNotFound, "No such file or directory")
        verify(folder.url("a.realm").path, .fileNotFound, "No such file or directory", readOnly: true)
        try Data("text".utf8).write(to: folder.url("text"))
        verify(folder.url("text").path + "/a.realm", .fileOperationFailed, "Not a directory")
        verify(folder.url(String(repeating: "a", count: 300)).path, .fileOperationFailed, "File name too long")
    }

    @Test(.behaviour("T16")) func aWrongKeyIsADecryptionThatFailed() throws {
        let folder = try RuleFolder()
        var configuration = folder.configuration()
        configuration.encryptionKey = Data(0..<64)
        try folder.open(configuration)
        try folder.open(folder.configuration("plain.realm")) { realm in try realm.write { realm.add(RuleBall()) } }
        for name in ["rules.realm", "plain.realm"] {
            configuration = folder.configuration(name)
            configuration.encryptionKey = Data(1..<65)
            let error = openingError(configuration)
            let start = "Failed to open Realm file at path '\(folder.url(name).path)': Realm file decryption failed ("
            #expect(
                error?.code == .invalidDatabase && error?.message.hasPrefix(start) == true, "\(error?.message ?? "")")
        }
    }
}
