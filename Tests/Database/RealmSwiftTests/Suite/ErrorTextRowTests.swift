// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private enum TextMood: Int, PersistableEnum {
    case good = 1
    case bad
}

private final class TextItem: TestObject {
    @Persisted(primaryKey: true) var id: String
    @Persisted var mood: TextMood
    @Persisted var any: AnyRealmValue
    @Persisted var number: Decimal128
    @Persisted var items: List<TextItem>
}

private enum First {
    final class Twin: TestObject { @Persisted var a = 1 }
}

private enum Second {
    final class Twin: TestObject { @Persisted var b = 1 }
}

/// The names in error messages (row S24 and the rough edges of the compatibility review).
@Suite struct ErrorTextRowTests {
    @Test(.behaviour("S24")) func twoClassesOfOneName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(
                configuration: .init(inMemoryIdentifier: "twins", objectTypes: [First.Twin.self, Second.Twin.self]))
        }
        expect("different names in the file: override `_realmObjectName()` in one of them.", in: result)
    }

    @Test(.behaviour("S24")) func aWrongValueNamesClassAndProperty() async {
        let enumeration = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TextItem(value: ["mood": 9])
        }
        expect("Invalid value '9' of type 'Int' for 'int' property 'TextItem.mood'.", in: enumeration)
        let mixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TextItem(value: ["any": First.Twin.self])
        }
        expect("Invalid data type for RLMPropertyTypeAny property. 'TextItem.any' cannot hold 'Twin'", in: mixed)
    }

    @Test(.behaviour("S24")) func anExistingKeyIsQuoted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite([TextItem.self]) { realm in
                for _ in 0..<2 { realm.create(TextItem.self, value: ["id": "twice"]) }
            }
        }
        expect("an object of type 'TextItem' with an existing primary key value 'twice'", in: result)
    }

    @Test(.behaviour("S24")) func aPathThroughACollectionIsQuoted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm([TextItem.self]) { _ = $0.objects(TextItem.self).filter("items.id == 'x'") }
        }
        expect("must use aggregate operations: 'items.id == ", in: result)
    }

    @Test(.behaviour("T16")) func decimalsAreWrittenAsTheOriginalDoes() throws {
        for text in ["1.23456789E132", "1.2300", "1E3", "5E-3", "1.0E-1"] {
            #expect(try Decimal128(string: text).stringValue == text)
        }
        #expect(try Decimal128(string: "1.234567890E132").stringValue == "1.23456789E132")
    }
}

#if os(Linux)
    /// Encryption of Realms in memory, whose pages may be written to the disk.
    @Suite struct InMemoryKeyTests {
        private static func realm(_ name: String, key: Data?) throws -> Realm {
            try Realm(configuration: .init(inMemoryIdentifier: name, encryptionKey: key, objectTypes: [TextItem.self]))
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
            try open.write { open.create(TextItem.self, value: ["id": plain]) }
            try sealed.write { sealed.create(TextItem.self, value: ["id": keyed]) }
            #expect(open.objects(TextItem.self).count == 1 && sealed.objects(TextItem.self).first?.id == keyed)
            #expect(try Self.filesThatContain(plain) == 1)
            #expect(try Self.filesThatContain(keyed) == 0)
        }
    }
#endif
