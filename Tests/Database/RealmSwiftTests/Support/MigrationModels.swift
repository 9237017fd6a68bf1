// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

// Several versions of one class, all stored in the table of "Citizen".

class CitizenBase: TestObject {
    override class func _realmObjectName() -> String? { "Citizen" }
}

final class Citizen0: CitizenBase {
    @Persisted var id: Int
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var nick: String?
    @Persisted var weight: Int
}

final class CitizenNamed: CitizenBase {
    @Persisted var id: Int
    @Persisted var fullName: String
    @Persisted var nick: String?
    @Persisted var weight: Int
}

final class CitizenRenamed: CitizenBase {
    @Persisted var id: Int
    @Persisted(indexed: true) var given: String
    @Persisted var last: String
    @Persisted var nick: String?
    @Persisted var weight: Int
}

final class CitizenIndexed: CitizenBase {
    @Persisted var id: Int
    @Persisted(indexed: true) var first: String
    @Persisted var last: String
    @Persisted var nick: String?
    @Persisted var weight: Int
}

final class CitizenMapped: CitizenBase {
    @Persisted var id: Int
    @Persisted var firstName: String
    @Persisted var last: String
    @Persisted var nick: String?
    @Persisted var weight: Int

    override class func propertiesMapping() -> [String: String] { ["firstName": "first"] }
}

final class CitizenKeyed: CitizenBase {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var nick: String?
    @Persisted var weight: Int
}

final class CitizenGrown: CitizenBase {
    @Persisted var id: Int
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var nick: String?
    @Persisted var weight: Int
    @Persisted var town: String? = "Berlin"
    @Persisted var points = 7
}

final class CitizenSwapped: CitizenBase {
    @Persisted var id: Int
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var nick: String
    @Persisted var weight: Int?
}

final class CitizenRetyped: CitizenBase {
    @Persisted var id: Int
    @Persisted var first: String
    @Persisted var last: String
    @Persisted var nick: String?
    @Persisted var weight: String
}

final class Home0: TestObject {
    @Persisted var street: String
    override class func _realmObjectName() -> String? { "Home" }
}

final class Dweller0: TestObject {
    @Persisted var name: String
    @Persisted var home: Home0?
    override class func _realmObjectName() -> String? { "Dweller" }
}

final class HomeEmbedded: TestEmbedded {
    @Persisted var street: String
    override class func _realmObjectName() -> String? { "Home" }
}

final class DwellerEmbedding: TestObject {
    @Persisted var name: String
    @Persisted var home: HomeEmbedded?
    override class func _realmObjectName() -> String? { "Dweller" }
}

/// A file that several schema versions use. Audited whenever it is closed.
struct MigratingFile {
    private let folder: TemporaryFolder
    let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = URL(fileURLWithPath: folder.path + "/migrating.realm")
    }

    func configuration(
        _ types: [ObjectBase.Type], version: UInt64 = 0, _ block: MigrationBlock? = nil
    ) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, schemaVersion: version, migrationBlock: block, objectTypes: types)
    }

    @inline(never)
    func open(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void = { _ in }) throws {
        try opened(configuration, body)
        try FileAudit.requireClean(path: url.path, strict: false)
    }

    @inline(never)
    private func opened(_ configuration: Realm.Configuration, _ body: (Realm) throws -> Void) throws {
        try body(try Realm(configuration: configuration))
    }

    /// Makes the file, with `count` citizens of version 0: names `f0 l0`, every other one with a nick name.
    static func withCitizens(_ count: Int) throws -> MigratingFile {
        let file = try MigratingFile()
        try file.open(file.configuration([Citizen0.self])) { realm in
            try realm.write {
                for index in 0..<count {
                    let nick: Any = index.isMultiple(of: 2) ? NSNull() : "n\(index)"
                    realm.create(Citizen0.self, value: [index, "f\(index)", "l\(index)", nick, index * 10])
                }
            }
        }
        return file
    }

    func error(_ configuration: Realm.Configuration) -> String {
        do {
            try open(configuration)
            return "no error"
        } catch {
            return "\(error)"
        }
    }
}

/// Values recorded by migration blocks on several threads. Guarded by `lock`.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    private var recorded: [Value] = []
    private let lock = NSLock()

    func add(_ value: Value) { lock.withLock { recorded.append(value) } }
    var values: [Value] { lock.withLock { recorded } }
}

/// For exit tests: a migration whose block ends the process.
func migrateCitizens(_ types: [ObjectBase.Type] = [Citizen0.self], _ block: @escaping MigrationBlock) {
    do {
        let file = try MigratingFile.withCitizens(3)
        try file.open(file.configuration(types, version: 1, block))
    } catch { print("unexpected: \(error)") }
}
