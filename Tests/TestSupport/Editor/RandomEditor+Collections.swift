// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Lists, sets, dictionaries, and the collections nested in Mixed.
extension RandomEditor {
    private static let keys = [
        "", "a", "b", "key", "kéy", "k\0y", "another key", "long " + String(repeating: "k", count: 80),
    ]

    mutating func changeCollection(
        _ column: Column, of object: ObjectKey, in table: Table, _ transaction: WriteTransaction
    ) throws {
        var path = CollectionPath(column.key, of: object, in: table.key)
        if column.type == .mixed { try descend(&path, transaction) }
        switch try transaction.collectionIfPresent(path) {
        case .list(let list): try changeList(path, list, column, of: table, transaction)
        case .dictionary(let tree): try changeDictionary(path, tree, column, of: table, transaction)
        case .set(let set): try changeSet(set, column, of: object, in: table, transaction)
        case nil: throw Failure("the collection at \(path) is gone")
        }
    }

    mutating func changeMixed(
        _ column: Column, of object: ObjectKey, in table: Table, _ transaction: WriteTransaction
    ) throws {
        let path = CollectionPath(column.key, of: object, in: table.key)
        if try transaction.collectionIfPresent(path) != nil, generator.chance(85) {
            return try changeCollection(column, of: object, in: table, transaction)
        }
        let kind = nestedKind()
        try give("set collection", transaction) { try transaction.setCollection(kind, at: path) }
    }

    private mutating func nestedKind() -> NestedKind { generator.chance(50) ? .list : .dictionary }

    private mutating func descend(_ path: inout CollectionPath, _ transaction: WriteTransaction) throws {
        while generator.chance(60), let collection = try transaction.collectionIfPresent(path) {
            var steps: [CollectionPath.Step] = []
            switch collection {
            case .list(let list):
                for (index, value) in try list.values().enumerated() where Self.isCollection(value) {
                    steps.append(.index(index))
                }
            case .dictionary(let tree):
                for (index, value) in try tree.values().enumerated() where Self.isCollection(value) {
                    steps.append(.key(try tree.key(at: index)))
                }
            case .set: break
            }
            guard !steps.isEmpty else { return }
            path = path.appending(generator.pick(steps))
        }
    }

    private static func isCollection(_ value: StoredValue) -> Bool {
        switch value {
        case .list, .dictionary: true
        default: false
        }
    }

    // MARK: Lists

    private mutating func changeList(
        _ path: CollectionPath, _ list: BPlusTree, _ column: Column, of table: Table, _ transaction: WriteTransaction
    ) throws {
        let count = list.count
        let place = count == 0 ? 0 : generator.below(count)
        let other = count == 0 ? 0 : generator.below(count)
        switch generator.below(100) {
        case 0..<45 where count < size * 4:
            try insert(at: generator.below(count + 1), path, column, of: table, transaction)
        case 45..<60 where count > 0:
            if column.type == .mixed, generator.chance(20) {
                let kind = nestedKind()
                try give("set collection", transaction, mayBeRefused: path.level >= 100) {
                    try transaction.setCollection(kind, at: path.appending(.index(place)))
                }
                return
            }
            guard try !isEmbedding(column, of: table, transaction),
                let value = try value(for: column, of: table, transaction)
            else { return }
            // Words that are too long for an index are rejected.
            try give("list set", transaction, mayBeRefused: table.hasIndex(column.key)) {
                try transaction.list(at: path).set(value, at: place)
            }
        case 60..<68 where count > 0:
            try give("list move", transaction) { try transaction.list(at: path).move(from: place, to: other) }
        case 68..<73 where count > 0:
            try give("list swap", transaction) { try transaction.list(at: path).swap(place, other) }
        case 73..<76:
            try give("list clear", transaction) { try transaction.list(at: path).clear() }
        default:
            guard count > 0 else { return }
            try give("list erase", transaction) { try transaction.list(at: path).erase(at: place) }
        }
    }

    private mutating func insert(
        at index: Int, _ path: CollectionPath, _ column: Column, of table: Table, _ transaction: WriteTransaction
    ) throws {
        if try isEmbedding(column, of: table, transaction) {
            try give("list insert embedded", transaction) {
                try transaction.list(column.key, of: path.object, in: table.key).createEmbedded(at: index)
            }
        } else if column.type == .mixed, generator.chance(20) {
            let kind = nestedKind()
            try give("list insert collection", transaction, mayBeRefused: path.level >= 100) {
                try transaction.list(at: path).insertCollection(kind, at: index)
            }
        } else if let value = try value(for: column, of: table, transaction) {
            try give("list insert", transaction, mayBeRefused: table.hasIndex(column.key)) {
                try transaction.list(at: path).insert(value, at: index)
            }
        }
    }

    // MARK: Sets

    private mutating func changeSet(
        _ set: SetTree, _ column: Column, of object: ObjectKey, in table: Table, _ transaction: WriteTransaction
    ) throws {
        let key = table.key
        switch generator.below(100) {
        case 0..<60 where set.count < size * 4:
            guard let value = try value(for: column, of: table, transaction) else { return }
            try give("set insert", transaction) {
                try transaction.set(column.key, of: object, in: key).insert(value)
            }
        case 97...:
            try give("set clear", transaction) { try transaction.set(column.key, of: object, in: key).clear() }
        default:
            guard set.count > 0, case let value = try set.value(at: generator.below(set.count)) else { return }
            let index = try give("set erase", transaction) {
                try transaction.set(column.key, of: object, in: key).erase(value)
            }
            try require((index ?? nil) != nil, "\(value) is not found in its set")
        }
    }

    // MARK: Dictionaries

    private mutating func changeDictionary(
        _ path: CollectionPath, _ tree: DictionaryTree, _ column: Column, of table: Table,
        _ transaction: WriteTransaction
    ) throws {
        var key = generator.chance(70) ? generator.pick(Self.keys) : "key \(generator.below(2000))"
        if tree.count > 0, generator.chance(40) { key = try tree.key(at: generator.below(tree.count)) }
        let name = key
        switch generator.below(100) {
        case 0..<65:
            if try isEmbedding(column, of: table, transaction) {
                if try table.isEmbedded && tree.index(of: name) != nil { return }
                try give("dictionary create embedded", transaction) {
                    try transaction.dictionary(column.key, of: path.object, in: table.key).createEmbedded(forKey: name)
                }
            } else if column.type == .mixed, generator.chance(20) {
                let kind = nestedKind()
                try give("set collection", transaction, mayBeRefused: path.level >= 100) {
                    try transaction.setCollection(kind, at: path.appending(.key(name)))
                }
            } else if let value = try value(for: column, of: table, transaction) {
                try give("dictionary set", transaction) {
                    try transaction.dictionary(at: path).set(value, forKey: name)
                }
            }
        case 65..<68:
            try give("dictionary clear", transaction) { try transaction.dictionary(at: path).clear() }
        default:
            try give("dictionary erase", transaction) { try transaction.dictionary(at: path).erase(name) }
        }
    }
}
