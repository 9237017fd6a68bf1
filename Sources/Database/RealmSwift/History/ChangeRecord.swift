// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

extension Realm {
    /// One changed object with all of its changes, as a value that pins no version of the file and can be stored, sent
    /// and decoded. An addition to Realm's API.
    public struct ChangeRecord: Sendable, Hashable, Codable {
        /// The version before the change.
        public var oldVersion: UInt64
        /// The version after the change.
        public var newVersion: UInt64
        /// The kind of the change.
        public var kind: ChangedObject.Kind
        /// The changed object.
        public var object: ObjectReference
        /// The old values of the properties that differ, by name: all properties of a deleted object; empty for an
        /// inserted one.
        public var old: [String: ChangeValue]
        /// The new values of these properties, by name; empty for a deleted object.
        public var new: [String: ChangeValue]
    }
}

extension Realm.Changes {
    /// Returns all changes as values that pin no version: by class, deleted objects first, then inserted ones, then
    /// modified ones.
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

    /// Returns the records in JSON, one on each line, terminated by a line feed. `ChangeRecord` is `Codable`, so any
    /// line can be decoded.
    ///
    /// - Throws: `Realm.Error` if the file is damaged.
    public func jsonLines() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try records().map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }
}

extension Realm.Changes: CustomStringConvertible {
    /// The changes as text, such as `Dog: 2 inserted, 1 modified`.
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
