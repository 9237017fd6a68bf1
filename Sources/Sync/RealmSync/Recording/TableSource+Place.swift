// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Locations of objects and values in a file, as changesets describe them. Embedded objects have no name and are
/// located through their owner (§3.5).
extension TableSource {
    /// Returns nil for tables that aren't classes.
    func place(of column: Column, _ object: ObjectKey, in table: Table, _ guesses: ListGuesses) throws -> Place? {
        try place(Step(table, column, object), path: [], guesses)
    }

    /// Returns nil for tables that aren't classes.
    func place(of collection: ResolvedCollection, _ guesses: ListGuesses) throws -> Place? {
        let step = Step(collection.table, collection.column, collection.object)
        return try place(step, path: try path(collection.positions, of: step), guesses)
    }

    private func place(_ step: Step, path: [PathElement], _ guesses: ListGuesses) throws -> Place? {
        var (step, path) = (step, path)
        // In a damaged file, an object may own itself; it has no location.
        for _ in 0..<SyncNames.maxOwners {
            guard step.table.isEmbedded else {
                guard let object = try reference(to: step.object, in: step.table) else { return nil }
                return Place(object, Text(step.column.name), Path(path))
            }
            guard step.table.className != nil, let owner = try owner(of: step.object, in: step.table) else {
                return nil
            }
            path = try position(of: step.object, in: owner, guesses) + [.key(Text(step.column.name))] + path
            step = owner
        }
        throw StorageError(.invalidDatabase, "an embedded object of '\(step.table.name)' is inside itself")
    }

    private func owner(of object: ObjectKey, in table: Table) throws -> Step? {
        let position = try table.find(object)
        guard let position else { return nil }
        for back in table.backlinkColumns {
            guard let owner = try table.backlinks(back, at: position).first,
                let origin = try self.table(table.oppositeTables[back.leafIndex]),
                let column = origin.column(table.oppositeColumns[back.leafIndex])
            else { continue }
            return Step(origin, column, owner)
        }
        return nil
    }

    private func position(of object: ObjectKey, in owner: Step, _ guesses: ListGuesses) throws -> [PathElement] {
        guard owner.column.key.isCollection, let position = try owner.table.find(owner.object) else { return [] }
        switch try owner.table.collection(owner.column, at: position) {
        case .list(let list):
            if let index = try guesses.index(of: object, in: list, owner.column.key) { return [.index(index)] }
        case .dictionary(let entries):
            for index in 0..<entries.count {
                guard case .typedLink(let link) = try entries.value(at: index), link.object == object else { continue }
                return [.key(Text(try entries.key(at: index)))]
            }
        default: break
        }
        throw StorageError(.invalidDatabase, "an embedded object of '\(owner.table.name)' is not where its owner is")
    }

    private func path(_ positions: [Int], of step: Step) throws -> [PathElement] {
        guard !positions.isEmpty, let position = try step.table.find(step.object) else { return [] }
        var collection = try step.table.collection(step.column, at: position)
        var path: [PathElement] = []
        for index in positions {
            let value: StoredValue
            switch collection {
            case .list(let list):
                path.append(.index(index))
                value = try list.value(at: index)
            case .dictionary(let entries):
                path.append(.key(Text(try entries.key(at: index))))
                value = try entries.value(at: index)
            default: throw StorageError.absent("the collection doesn't exist (any more)")
            }
            collection = try StoredCollection(value: value, in: step.table.space)
        }
        return path
    }
}

/// Guesses the index of an embedded object in its list: the index found last for the property, the next one, or the
/// last of the list. An object is in only one list, and only once, so a guess is right if the object is there.
final class ListGuesses {
    private var last: [ColumnKey: Int] = [:]

    func index(of object: ObjectKey, in list: BPlusTree, _ column: ColumnKey) throws -> Int? {
        let guess = last[column, default: 0]
        for index in [guess, guess + 1, list.count - 1] where 0..<list.count ~= index {
            guard case .link(let key) = try list.value(at: index), key == object else { continue }
            last[column] = index
            return index
        }
        let index = try list.keys().firstIndex(of: object)
        last[column] = index
        return index
    }
}

private struct Step {
    let table: Table
    let column: Column
    let object: ObjectKey

    init(_ table: Table, _ column: Column, _ object: ObjectKey) {
        self.table = table
        self.column = column
        self.object = object
    }
}

extension SyncNames {
    /// Exceeds the nesting depth of embedded classes in any file.
    static let maxOwners = 10_000
}
