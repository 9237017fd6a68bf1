// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Encrypted Realms (api/realm.md; B-199, B-200).
@Suite(.serialized) struct EncryptionTests: TrapSuite {
    private static let key = Data(0..<64)
    private static let otherKey = Data((0..<64).reversed())

    private static func configuration(
        _ folder: TemporaryFolder, _ key: Data?, readOnly: Bool = false
    ) -> Realm.Configuration {
        Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.path + "/a.realm"), encryptionKey: key, readOnly: readOnly,
            objectTypes: [Dog.self, DogToy.self, Person.self, Address.self])
    }

    @inline(never)
    private static func open(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void = { _ in }) throws {
        try body(try Realm(configuration: configuration))
    }

    private static func error(_ body: () throws -> Void) -> Realm.Error? {
        do {
            try body()
            return nil
        } catch {
            return error as? Realm.Error
        }
    }

    @Test(.behaviour("B-199")) func dataIsReadableWithTheKeyOnly() throws {
        let folder = try TemporaryFolder()
        let configuration = Self.configuration(folder, Self.key)
        try Self.open(configuration) { realm in
            try realm.write { for number in 0..<300 { realm.create(Dog.self, value: ["name": "dog \(number)"]) } }
            #expect(realm.configuration.encryptionKey == Self.key)
        }
        for readOnly in [false, true] {
            try Self.open(Self.configuration(folder, Self.key, readOnly: readOnly)) { realm in
                #expect(realm.objects(Dog.self).count == 300)
                #expect(realm.objects(Dog.self).filter("name == 'dog 77'").count == 1)
            }
            for key in [nil, Self.otherKey] {
                let refusal = Self.error { try Self.open(Self.configuration(folder, key, readOnly: readOnly)) }
                #expect(refusal?.code == .invalidDatabase)
                #expect(refusal?.fileURL == configuration.fileURL)
                #expect(refusal?.message.contains("encrypt") == true)
            }
        }
        let url = try #require(configuration.fileURL)
        try Realm.check(fileAt: url, encryptionKey: Self.key).requireClean()
        #expect(Self.error { try Realm.check(fileAt: url).requireClean() }?.code == .invalidDatabase)
        #expect(
            Self.error { try Realm.check(fileAt: url, encryptionKey: Self.otherKey).requireClean() }?.code
                == .invalidDatabase)
        #expect(try Data(contentsOf: url).range(of: Data("class_Dog".utf8)) == nil)
    }

    @Test(.behaviour("B-199")) func aPlainRealmWithAKeyIsRefused() throws {
        let folder = try TemporaryFolder()
        try Self.open(Self.configuration(folder, nil))
        let refusal = Self.error { try Self.open(Self.configuration(folder, Self.key)) }
        #expect(refusal?.code == .invalidDatabase)
        #expect(refusal?.message.contains("not encrypted; open it without a key") == true)
        try Self.open(Self.configuration(folder, nil))
    }

    @Test func configurationsWithOtherKeysDiffer() throws {
        let folder = try TemporaryFolder()
        let one = Self.configuration(folder, Self.key)
        #expect(one == Self.configuration(folder, Self.key))
        #expect(one != Self.configuration(folder, nil))
        #expect(one != Self.configuration(folder, Self.otherKey))
        #expect(one.description.contains("encryptionKey = "))
        #expect(!one.description.contains("00010203"))
    }

    @Test(.behaviour("B-200"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Encryption key must be exactly 64 bytes long") {
            _ = Realm.Configuration(encryptionKey: Data(count: 63))
        },
        Trap("already opened with different encryption key") {
            let folder = try TemporaryFolder()
            let url = URL(fileURLWithPath: folder.path + "/a.realm")
            let realm = try Realm(
                configuration: Realm.Configuration(
                    fileURL: url, encryptionKey: Data(0..<64), objectTypes: [DogToy.self]))
            _ = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [DogToy.self]))
            withExtendedLifetime(realm) {}
        },
    ]

    @Test func threadsShareAnEncryptedRealm() throws {
        let folder = try TemporaryFolder()
        let configuration = Self.configuration(folder, Self.key)
        let realm = try Realm(configuration: configuration)
        try realm.write { for number in 0..<200 { realm.create(Dog.self, value: ["name": "\(number)"]) } }
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            do {
                try Self.open(configuration) { realm in
                    for _ in 0..<5 {
                        #expect(realm.objects(Dog.self).count >= 200)
                        if index % 4 == 0 { try realm.write { realm.create(Dog.self, value: ["name": "new"]) } }
                    }
                }
            } catch {
                Issue.record(error)
            }
        }
        realm.refresh()
        #expect(realm.objects(Dog.self).count == 210)
    }
}

#if os(Linux)
    /// Encryption of Realms in memory, whose pages may be written to the disk.
    @Suite struct InMemoryKeyTests {
        private static func realm(_ name: String, key: Data?) throws -> Realm {
            try Realm(
                configuration: .init(
                    inMemoryIdentifier: name, encryptionKey: key,
                    objectTypes: [Dog.self, DogToy.self, Person.self, Address.self]))
        }

        private static func filesThatContain(_ text: String) throws -> Int {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
                let link = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
                guard let link, link.contains("/regnum-"), link.hasSuffix("(deleted)") else { return false }
                return (try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))?.range(of: Data(text.utf8))
                    != nil
            }
        }

        @Test func aKeyEncryptsTheFilesOfARealmInMemory() throws {
            let (plain, keyed) = ("plain-\(UUID().uuidString)", "keyed-\(UUID().uuidString)")
            let open = try Self.realm("open", key: nil)
            let sealed = try Self.realm("sealed", key: Data(repeating: 7, count: 64))
            try open.write { open.create(Dog.self, value: ["name": plain]) }
            try sealed.write { sealed.create(Dog.self, value: ["name": keyed]) }
            #expect(open.objects(Dog.self).count == 1 && sealed.objects(Dog.self).first?.name == keyed)
            #expect(try Self.filesThatContain(plain) == 1)
            #expect(try Self.filesThatContain(keyed) == 0)
        }
    }
#endif
