// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The objects of a version of `documents.realm`. The file is opened when an object is needed.
///
/// Used by one thread at a time.
final class StoredRows {
    private let open: () throws -> Snapshot
    private var reader: RowReader?

    /// - Parameter open: Opens the version, or a later one.
    init(_ open: @escaping () throws -> Snapshot) { self.open = open }

    /// The objects of the documents in a folder.
    ///
    /// - Parameter version: The version that they must contain.
    convenience init(_ folder: String, containing version: SaltedVersion, in documents: OpenDocuments) {
        self.init { try documents.snapshot(folder, containing: version).snapshot }
    }

    /// Closes the file.
    func release() { reader = nil }

    private func opened() throws -> RowReader {
        if let reader { return reader }
        let opened = RowReader(try open())
        reader = opened
        return opened
    }

    func contains(_ object: ObjectReference) throws -> Bool {
        let reader = try opened()
        return try reader.find(object.table).flatMap { try reader.position(of: object.key, in: $0) } != nil
    }

    /// Returns `nil` if the object doesn't exist.
    func row(of object: ObjectReference, _ slots: RowReader.Slots) throws -> ObjectRow? {
        let reader = try opened()
        return try reader.find(object.table).flatMap { try reader.row(of: object.key, in: $0, slots) }
    }

    /// Returns the keys of all objects of a class.
    func keys(of name: Text) throws -> [PrimaryKey] {
        let reader = try opened()
        return try reader.find(name).map { try reader.keys(of: $0) } ?? []
    }

    func classes() throws -> [RowReader.Class] { try opened().allClasses() }
}
