// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Copies and compaction (realm 2, 6).
@Suite struct RealmCopyTests: TrapSuite {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = URL(fileURLWithPath: folder.path + "/test.realm")
    }

    private func file(_ name: String) -> URL { URL(fileURLWithPath: folder.path + "/" + name) }

    private func configuration(_ url: URL? = nil) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: url ?? self.url, objectTypes: [Person.self, Dog.self, DogToy.self, Address.self, AllTypes.self])
    }

    @inline(never)
    private func open(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void) throws {
        try body(try Realm(configuration: configuration))
    }

    private func names(_ configuration: Realm.Configuration) throws -> [String] {
        names(try Realm(configuration: configuration))
    }

    private func names(_ realm: Realm) -> [String] {
        var names: [String] = []
        for dog in realm.objects(Dog.self) { names.append(dog.name) }
        return names
    }

    private func byteCount(_ url: URL) throws -> Int { try Data(contentsOf: url).count }

    private func audit(_ url: URL) throws { try FileAudit.requireClean(path: url.path) }

    private func fill(_ realm: Realm) throws {
        try realm.write {
            for number in 0..<500 {
                let dog = Dog()
                dog.name = String(repeating: "x", count: 1000) + "\(number)"
                realm.add(dog)
            }
        }
        try realm.write { realm.delete(realm.objects(Dog.self).where { $0.name.starts(with: "xx") }) }
    }

    @Test(.behaviour("B-218")) func copies() throws {
        try open(configuration()) { realm in
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
            try realm.writeCopy(toFile: file("a.realm"))
            try realm.write {
                realm.add(Dog(value: ["name": "Fido"]))
                try realm.writeCopy(configuration: configuration(file("b.realm")))
                realm.add(Dog(value: ["name": "Bello"]))
            }
            try realm.writeCopy(toFile: file("c.realm"))
        }
        for (name, expected) in [
            ("a", ["Rex"]), ("b", ["Rex", "Fido"]), ("c", ["Rex", "Fido", "Bello"]),
            ("test", ["Rex", "Fido", "Bello"]),
        ] {
            #expect(try names(configuration(file(name + ".realm"))) == expected)
            try audit(file(name + ".realm"))
        }
    }

    @Test(.behaviour("B-216")) func copiesReplaceNothing() throws {
        try open(configuration()) { realm in
            #expect(throws: Realm.Error(.fileExists)) { try realm.writeCopy(toFile: url) }
            #expect(throws: Realm.Error(.fileNotFound)) { try realm.writeCopy(toFile: file("none/a.realm")) }
            try Data([1, 2]).write(to: file("a.realm"))
            #expect(throws: Realm.Error(.fileExists)) { try realm.writeCopy(toFile: file("a.realm")) }
            #expect(try Data(contentsOf: file("a.realm")) == Data([1, 2]))
        }
    }

    @Test(.behaviour("B-212", "B-213")) func compactingOnLaunch() throws {
        var configuration = configuration()
        try open(configuration) { realm in
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
            try fill(realm)
        }
        let large = try byteCount(url)
        let asked = Locked<[[Int]]>([])
        configuration.shouldCompactOnLaunch = { total, used in
            asked.withLock { $0.append([total, used]) }
            return false
        }
        try open(configuration) { _ in _ = try Realm(configuration: configuration) }
        let sizes = asked.withLock { $0 }
        #expect(sizes.count == 1 && sizes[0][0] == large)
        #expect(sizes[0][1] < large / 2)
        #expect(try byteCount(url) >= large / 2)
        configuration.shouldCompactOnLaunch = { total, used in used * 2 < total }
        try open(configuration) { realm in
            #expect(try byteCount(url) < large / 2)
            #expect(names(realm) == ["Rex"])
            try realm.write { realm.add(Dog(value: ["name": "Fido"])) }
        }
        #expect(try names(self.configuration()) == ["Rex", "Fido"])
        try audit(url)
    }

    @Test func compactingInUse() throws {
        try open(configuration()) { realm in
            let rex = Dog(value: ["name": "Rex"])
            try realm.write { realm.add(rex) }
            let dogs = realm.objects(Dog.self)
            try fill(realm)
            let large = try byteCount(url)
            #expect(try realm.compact())
            #expect(try byteCount(url) < large / 2)
            #expect(rex.name == "Rex")
            #expect(dogs.first?.name == "Rex" && dogs.count == 1)
            try realm.write { rex.name = "Max" }
            #expect(try realm.compact())
            #expect(dogs.first?.name == "Max")
            let held = try realm.instance.coordinator.database.snapshot()
            #expect(try !realm.compact())
            #expect(rex.name == "Max")
            withExtendedLifetime(held) {}
        }
        try open(
            Realm.Configuration(
                inMemoryIdentifier: "compact",
                objectTypes: [Person.self, Dog.self, DogToy.self, Address.self, AllTypes.self])
        ) { realm in
            let wasCompacted = try realm.compact()
            #expect(!wasCompacted)
        }
        #expect(try names(configuration()) == ["Max"])
        try audit(url)
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Can't compact a Realm within a write transaction.") { inWrite { realm in _ = try realm.compact() } },
        Trap("A copy can only be written to a file") {
            inRealm { try $0.writeCopy(configuration: Realm.Configuration(inMemoryIdentifier: "copy")) }
        },
        Trap("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.") {
            let configuration = Realm.Configuration(readOnly: true, shouldCompactOnLaunch: { _, _ in true })
            _ = try? Realm(configuration: configuration)
        },
    ]
}
