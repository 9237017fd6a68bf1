// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import Testing

@testable import RealmSwift

final class LiveDog: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var nicknames: List<String>
    @Persisted var friends: List<LiveDog>
    @Persisted var tricks: MutableSet<String>
    @Persisted var notes: Map<String, Int>
    @Persisted var toys: Map<String, LiveToy?>
    @Persisted var remark: AnyRealmValue
    @Persisted var toy: LiveToy?
    @Persisted var home: LiveHome?
    @Persisted(originProperty: "friends") var befriendedBy: LinkingObjects<LiveDog>
}

final class LiveToy: TestObject {
    @Persisted var name: String
    @Persisted(originProperty: "toy") var owners: LinkingObjects<LiveDog>
}

final class LiveHome: TestEmbedded {
    @Persisted var city: String
}

let liveTypes: [ObjectBase.Type] = [LiveDog.self, LiveToy.self, LiveHome.self]

final class LiveFile: Sendable {
    private let folder: TemporaryFolder
    let configuration: Realm.Configuration

    init() throws {
        folder = try TemporaryFolder()
        configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: folder.path + "/live.realm"), objectTypes: liveTypes)
    }

    func realm() throws -> Realm { try Realm(configuration: configuration, queue: nil) }

    func elsewhere<Result: Sendable>(_ body: @escaping @Sendable (Realm) throws -> Result) throws -> Result {
        try onThread { try body(try self.realm()) }
    }

    func set(name: String) throws {
        try elsewhere { realm in
            try realm.write { _ = realm.create(LiveDog.self, value: ["id": 1, "name": name], update: .modified) }
        }
    }

    func audit() throws {
        let url = try #require(configuration.fileURL)
        try FileAudit.requireClean(path: url.path, strict: false)
    }
}

func makeDog(_ realm: Realm) throws -> LiveDog {
    try realm.write {
        let dog = realm.create(LiveDog.self, value: ["id": 1, "name": "Rex", "age": 3])
        let other = realm.create(LiveDog.self, value: ["id": 2, "name": "Max", "age": 5])
        dog.nicknames.append(objectsIn: ["R", "Rexy"])
        dog.friends.append(other)
        dog.friends.append(dog)
        dog.tricks.insert("roll")
        dog.notes["a"] = 1
        dog.toy = LiveToy(value: ["name": "ball"])
        dog.toys["best"] = dog.toy
        dog.toys["none"] = .some(nil)
        dog.home = LiveHome(value: ["city": "Oslo"])
        dog.remark = .fromArray([.int(1), .fromDictionary(["x": .object(other)])])
        return dog
    }
}

func account(_ dog: LiveDog) -> String {
    var parts = ["\(dog.id) \(dog.name) \(dog.age)", Array(dog.nicknames).joined(separator: ",")]
    parts.append(dog.friends.map(\.name).joined(separator: ","))
    parts.append((0..<dog.friends.count).map { dog.friends[$0].name }.joined(separator: ","))
    parts.append(Array(dog.tricks).joined(separator: ","))
    parts.append(dog.notes.map { "\($0.key)=\($0.value)" }.joined(separator: ","))
    parts.append(dog.toys.keys.sorted().map { "\($0)=\(dog.toys[$0]??.name ?? "nil")" }.joined(separator: ","))
    parts.append(dog.toy?.name ?? "-")
    parts.append(dog.home?.city ?? "-")
    parts.append(dog.befriendedBy.map(\.name).joined(separator: ","))
    let remark = dog.remark.listValue
    parts.append("\(remark?.first?.intValue ?? -1)")
    parts.append(remark?.last?.dictionaryValue?["x"]?.object(LiveDog.self)?.name ?? "-")
    return parts.joined(separator: "|")
}

func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    let thread = Thread {
        outcome.set(Swift.Result { try body() })
    }
    thread.stackSize = 4 << 20
    thread.start()
    return try outcome.get()
}

/// `onThread` for callers that suspend meanwhile.
func later(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}

/// The result of a thread, for another thread that waits for it. Guarded by `condition`.
private final class Outcome<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    func set(_ result: Result<Value, any Error>) {
        condition.lock()
        self.result = result
        condition.signal()
        condition.unlock()
    }

    func get() throws -> Value {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result { return try result.get() }
            condition.wait()
        }
    }
}

/// A value that tests access from several threads. Guarded by the tests, or deliberately not.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Waits until `condition` is true, and lets other work of the actor run. Returns false after ten minutes.
func eventually(_isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool) async -> Bool {
    for _ in 0..<120_000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return false
}
