// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchDraft: Object, Codable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var score: Double
    @Persisted var active: Bool
}

struct DraftRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "draft"
    var id: Int
    var name: String
    var age: Int
    var score: Double
    var active: Bool
}

/// Empty files, and up to 100,000 people as JSON, a thousand in each text.
final class DraftBed: Topic {
    let rows: ArraySlice<People.Row>
    let texts: [Data]
    private let fresh: FreshFiles

    init(_ bed: TestFixture, _ folder: URL) throws {
        rows = bed.people.rows.prefix(100_000)
        texts = try stride(from: 0, to: rows.count, by: 1000).map { [rows] start in
            try JSONEncoder().encode(
                rows[start..<min(start + 1000, rows.count)].map {
                    DraftRecord(id: $0.id, name: $0.name, age: $0.age, score: $0.score, active: $0.active)
                })
        }
        fresh = FreshFiles(
            folder, [BenchDraft.self],
            sql: """
                CREATE TABLE draft (
                    id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, score DOUBLE NOT NULL,
                    active BOOLEAN NOT NULL);
                CREATE INDEX draft_name ON draft (name);
                """)
    }

    func realm() throws -> Realm { try fresh.files().realm }

    func queue() throws -> DatabaseQueue { try fresh.files().queue }

    func empty() throws { try fresh.renew() }
}

/// Creates objects from external data, in one commit, per object: from dictionaries by property name, and from JSON by
/// `Codable`, including decoding.
enum CreateWorkloads {
    static let all = [fromDictionaries, fromJSON]
}
