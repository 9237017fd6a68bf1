// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

extension Realm {
    /// One changed object with everything that has changed in it, as a value that keeps no version of the file and can
    /// be stored, sent and read again. An addition to Realm's API.
    public struct ChangeRecord: Sendable, Hashable, Codable {
        /// The version that the change begins with.
        public var oldVersion: UInt64
        /// The version that it leads to.
        public var newVersion: UInt64
        /// What has happened to the object.
        public var kind: ChangedObject.Kind
        /// Which object it is.
        public var object: ObjectReference
        /// What the properties that differ were, by name: all of a deleted object, none of an inserted one.
        public var old: [String: ChangeValue]
        /// What they are: none of a deleted object.
        public var new: [String: ChangeValue]
    }
}

extension Realm.Changes {
    /// All changes as values that keep nothing: by class, deleted objects first, then inserted ones, then modified
    /// ones.
    ///
    /// - Throws: `Realm.Error` if the file is damaged.
    public func records() throws -> [Realm.ChangeRecord] {
        do {
            return try classes.flatMap(\.all).map { object in
                let (old, new) = try object.values()
                return Realm.ChangeRecord(
                    oldVersion: oldVersion, newVersion: newVersion, kind: object.kind, object: object.object, old: old,
                    new: new)
            }
        } catch {
            throw Realm.Error(error)
        }
    }

    /// The records in JSON, one in each line, which end with a line feed. `ChangeRecord` is `Codable`, so that any line
    /// can be read again.
    ///
    /// - Throws: `Realm.Error` if the file is damaged.
    public func jsonLines() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try records().map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }
}

extension Realm.Changes: CustomStringConvertible {
    /// Such as `Dog: 2 inserted, 1 modified`.
    public var description: String {
        if isEmpty { return "no changes" }
        return classes.map { changes in
            let counts = [
                (changes.deleted.count, "deleted"), (changes.inserted.count, "inserted"),
                (changes.modified.count, "modified"),
            ]
            let texts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            return "\(changes.className): \(texts.joined(separator: ", "))"
        }.joined(separator: "; ")
    }
}
