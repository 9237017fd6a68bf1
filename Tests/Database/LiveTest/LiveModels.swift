// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

final class LiveDog: Object {
    @Persisted(primaryKey: true) var number: Int
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var friends: List<LiveDog>
    @Persisted var marks: Map<String, Int>
    @Persisted var best: LiveDog?
    @Persisted(originProperty: "friends") var fans: LinkingObjects<LiveDog>
}

struct Broken: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

enum Live {
    static func configuration(_ path: String) -> Realm.Configuration {
        Realm.Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: [LiveDog.self])
    }

    static func withFile<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("live-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder.path + "/live.realm")
    }
}
