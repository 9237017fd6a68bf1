// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchNote: Object {
    @Persisted(fullText: true) var text: String

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The class in an earlier version of the app.
final class BenchNoteWithoutIndex: Object {
    @Persisted var text: String

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func _realmObjectName() -> String? { "BenchNote" }
}

/// A tenth as many texts as there are people, of twelve words out of 10,000 each. In SQLite: a table of texts with
/// FTS5.
final class NoteBed: Topic {
    static let table = "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL)"
    static let index = "CREATE VIRTUAL TABLE words USING fts5(text, content = 'note', content_rowid = 'id')"

    let texts: [String]
    private let folder: URL
    private let fresh: FreshFiles
    private var filled: TopicFiles?
    private var hasPlain = false
    private var copy: URL?

    init(_ bed: TestFixture, _ folder: URL) throws {
        self.folder = folder
        var random = XorShift(state: 0xF117)
        texts = (0..<max(10, bed.people.rows.count / 10)).map { _ in
            (0..<12).map { _ in "word\(random.next() % 10_000)" }.joined(separator: " ")
        }
        fresh = FreshFiles(folder, [BenchNote.self], sql: NoteBed.table + ";" + NoteBed.index)
    }

    // MARK: Indexed files

    func renew() throws { try fresh.renew() }

    func insert() throws -> Int {
        let realm = try fresh.files().realm
        try realm.write {
            for text in texts {
                let note = BenchNote()
                note.text = text
                realm.add(note)
            }
        }
        return realm.objects(BenchNote.self).count
    }

    func insertRows() throws -> Int {
        try fresh.files().queue.write { database in
            try NoteBed.insert(texts, in: database, isIndexed: true)
            return try database.count("note")
        }
    }

    func indexed() throws -> TopicFiles {
        if let filled { return filled }
        try renew()
        _ = try insert()
        _ = try insertRows()
        let files = try fresh.files()
        filled = files
        return files
    }

    // MARK: Files without an index

    private var plain: URL { folder.appendingPathComponent("plain") }

    private func makePlain() throws {
        try FileManager.default.createDirectory(at: plain, withIntermediateDirectories: true)
        let files = try TopicFiles(plain, [BenchNoteWithoutIndex.self], sql: NoteBed.table)
        try files.realm.write {
            for text in texts {
                let note = BenchNoteWithoutIndex()
                note.text = text
                files.realm.add(note)
            }
        }
        try files.queue.write { try NoteBed.insert(texts, in: $0, isIndexed: false) }
    }

    /// Replaces the last copy with a copy of the files without index.
    func copyPlain() throws {
        if !hasPlain {
            try makePlain()
            hasPlain = true
        }
        if let copy { try FileManager.default.removeItem(at: copy) }
        let place = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.copyItem(at: plain, to: place)
        copy = place
    }

    /// Opens the copy under the class with an index, which builds it.
    func build() throws -> Int {
        guard let copy else { return 0 }
        let realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: copy.appendingPathComponent("topic.realm"), objectTypes: [BenchNote.self]))
        return realm.objects(BenchNote.self).count
    }

    func buildTable() throws -> Int {
        guard let copy else { return 0 }
        return try TestFixture.openWAL(copy.appendingPathComponent("topic.sqlite")).write { database in
            try database.execute(sql: NoteBed.index + "; INSERT INTO words(words) VALUES ('rebuild')")
            return try database.count("note")
        }
    }

    private static func insert(_ texts: [String], in database: Database, isIndexed: Bool) throws {
        let note = try database.makeStatement(sql: "INSERT INTO note VALUES (?, ?)")
        let words = isIndexed ? try database.makeStatement(sql: "INSERT INTO words (rowid, text) VALUES (?, ?)") : nil
        for (id, text) in texts.enumerated() {
            try note.execute(arguments: [id, text])
            try words?.execute(arguments: [id, text])
        }
    }
}

/// Full-text indexes, per text or per query.
enum FullTextWorkloads {
    static let all = [build, insert, query, prefix]

    static func search(_ name: String, _ queries: [String]) -> Workload {
        .on(
            NoteBed.self, name, prepare: { _ = try $0.indexed() },
            realm: { bed in
                let notes = try bed.indexed().realm.objects(BenchNote.self)
                return (queries.count, queries.reduce(0) { $0 + notes.filter("text TEXT %@", $1).count })
            },
            grdb: { bed in
                try bed.indexed().queue.read { database in
                    let statement = try database.makeStatement(sql: "SELECT COUNT(*) FROM words WHERE words MATCH ?")
                    let count = try queries.reduce(0) { try $0 + (Int.fetchOne(statement, arguments: [$1]) ?? 0) }
                    return (queries.count, count)
                }
            }, growth: .linear("every text that has a word is found"))
    }
}
