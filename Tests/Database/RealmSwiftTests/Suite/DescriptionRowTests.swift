// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// The texts of values, errors of files, and log lines (row T16 of the compatibility review).
@Suite struct DescriptionRowTests {
    private func arya() -> Villager {
        let arya = Villager(1, "Arya", "Stark", age: 11, city: "Winterfell")
        arya.friends.append(objectsIn: [Villager(2, "Jon"), Villager(3, "Tyrion")])
        return arya
    }

    @Test(.behaviour("T16")) func projectionsArePrintedWithTheTextsOfSwift() throws {
        try withRealm(Villager.types) { realm in
            let managed = arya()
            try realm.write { realm.add(managed) }
            for villager in [managed, arya()] {
                let view = VillagerView(projecting: villager)
                let lines = view.description.split(separator: "\n", omittingEmptySubsequences: false)
                #expect(lines[0].hasPrefix("VillagerView<Villager> <0x") && lines[0].hasSuffix("> {"))
                #expect(
                    lines[1...3] == [
                        "\t\tfirstName(\\.firstName) = Arya;", "\t\tshouted(\\.lastName) = STARK;",
                        "\t\tyears(\\.age) = 11;",
                    ])
                #expect(lines[4] == "\t\thomeCity(\\.home.city) = Optional(\"Winterfell\");")
                #expect(view.description.contains("= ProjectedCollection<String> {\n\t[0] Jon\n\t[1] Tyrion\n};\n"))
                #expect(view.friendsNames.description == "ProjectedCollection<String> {\n\t[0] Jon\n\t[1] Tyrion\n}")
                #expect(view.rivalsAges.description == "ProjectedCollection<Int> {\n\n}")
            }
            #expect(
                VillagerView(projecting: Villager()).description.contains("\t\thomeland(\\.home.country.name) = nil;"))
        }
    }

    @Test(.behaviour("T16")) func aLongProjectedCollectionIsPrintedInPart() {
        let villager = Villager()
        villager.friends.append(objectsIn: (0..<102).map { Villager($0, "V\($0)") })
        let text = VillagerView(projecting: villager).friendsNames.description
        #expect(text.hasSuffix("\n\t[99] V99\n\t... 2 objects skipped.\n}"))
    }

    @Test(.behaviour("T16")) func anAnyRealmCollectionIsPrintedWithItsOwnName() throws {
        try withRealm(Villager.types) { realm in
            try realm.write { realm.add(Stone(value: [1.5])) }
            let stones = AnyRealmCollection(realm.objects(Stone.self)).description
            #expect(stones.hasPrefix("AnyRealmCollection<Stone> <0x") && stones.contains("> (\n\t[0] Stone {"))
            let numbers = List<Int>()
            numbers.append(7)
            let list = AnyRealmCollection(numbers).description
            #expect(list.hasPrefix("AnyRealmCollection<int> <0x") && list.hasSuffix("> (\n\t[0] 7\n)"))
        }
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

    @Test(.behaviour("T16")) func theLinesOfAnOpeningNameTheDatabase() async {
        await #expect(processExitsWith: .success) {
            let log = Locked<[String]>([])
            Logger.shared = Logger(level: .all) { level, message in log.withLock { $0.append("\(level) \(message)") } }
            let folder = try RuleFolder()
            try folder.open { realm in try realm.write {} }
            let found = log.withLock { $0 }
            let path = folder.url().path
            let lines = found.compactMap { $0.firstMatch(of: /^detail (DB: \d+) Open file: (.+)$/) }
            let opening = try #require(lines.first)
            precondition(opening.2 == path, "\(found)")
            for line in [
                "trace \(opening.1) Start read: version", "debug \(opening.1) Committed", "detail \(opening.1) Close",
            ] {
                precondition(found.contains { $0.hasPrefix(line) }, "\(found)")
            }
        }
    }
}
