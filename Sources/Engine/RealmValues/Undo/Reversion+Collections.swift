// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Restores collections with minimal changes. Unchanged elements aren't written, so observers are notified only of
/// restored and removed elements.
extension Reversion {
    // MARK: Lists

    func restoreList(_ column: Column, _ place: CollectionPath, _ wanted: BPlusTree, _ table: Table) throws {
        let now = try current(place.table).list(place.column, of: place.object)
        let diff = try CollectionDiff(from: now, to: wanted, positions: .stored) ?? CollectionDiff()
        let embedded = try embeddedTarget(column, table)
        for index in diff.deletions.reversed() { try transaction.list(at: place).erase(at: index) }
        let changed = Set(diff.newModifications)
        // Embedded objects that are replaced by others are erased first, because they can't be replaced in place.
        let replaced = embedded == nil ? [] : diff.newModifications
        for index in merged(diff.insertions, replaced) {
            if embedded != nil, changed.contains(index) { try transaction.list(at: place).erase(at: index) }
            try insert(try wanted.value(at: index), at: index, column, place, table, embedded)
        }
        if let embedded {
            let made = Set(diff.insertions).union(changed)
            for (index, value) in try wanted.values().enumerated() where !made.contains(index) {
                if case .link(let object) = value { try restoreKept(object, in: embedded) }
            }
        } else {
            for index in diff.newModifications { try set(try wanted.value(at: index), at: index, column, place, table) }
        }
    }

    private func merged(_ a: [Int], _ b: [Int]) -> [Int] { b.isEmpty ? a : (a + b).sorted() }

    private func insert(
        _ value: StoredValue, at index: Int, _ column: Column, _ place: CollectionPath, _ table: Table,
        _ embedded: Table?
    ) throws {
        if let embedded, case .link(let source) = value {
            let child = try transaction.list(at: place).createEmbedded(at: index)
            return try fill(child, from: source, in: embedded)
        }
        try verifyTarget(of: value, column, table)
        guard let kind = NestedKind(value) else {
            try transaction.list(at: place).insert(value, at: index)
            return
        }
        try transaction.list(at: place).insertCollection(kind, at: index)
        try fill(place.appending(.index(index)), with: value)
    }

    private func set(
        _ value: StoredValue, at index: Int, _ column: Column, _ place: CollectionPath, _ table: Table
    ) throws {
        guard NestedKind(value) != nil else {
            try verifyTarget(of: value, column, table)
            return try transaction.list(at: place).set(value, at: index)
        }
        try transaction.list(at: place).erase(at: index)
        try insert(value, at: index, column, place, table, nil)
    }

    // MARK: Sets

    func restoreSet(_ column: Column, _ place: CollectionPath, _ wanted: SetTree, _ table: Table) throws {
        let now = try current(place.table).set(place.column, of: place.object)
        guard let diff = try CollectionDiff(from: now, to: wanted, positions: .stored) else { return }
        for value in try diff.deletions.map(now.value) {
            try transaction.set(at: place).erase(value)
        }
        for value in try diff.insertions.map(wanted.value) {
            try verifyTarget(of: value, column, table)
            try transaction.set(at: place).insert(value)
        }
    }

    // MARK: Dictionaries

    func restoreDictionary(
        _ column: Column, _ place: CollectionPath, _ wanted: DictionaryTree, _ table: Table
    ) throws {
        let now = try current(place.table).dictionary(place.column, of: place.object)
        let diff = try DictionaryDiff(from: now, to: wanted) ?? DictionaryDiff()
        let embedded = try embeddedTarget(column, table)
        for key in diff.deletions { try transaction.dictionary(at: place).erase(key) }
        let changed = Set(diff.insertions + diff.modifications)
        for key in changed.sorted() {
            try setEntry(key, try wanted.find(key) ?? .null, place, embedded, isLink: column.type == .link)
        }
        guard let embedded else { return }
        for index in 0..<wanted.count where !changed.contains(try wanted.key(at: index)) {
            if case .typedLink(let link) = try wanted.value(at: index) { try restoreKept(link.object, in: embedded) }
        }
    }

    private func setEntry(
        _ key: String, _ value: StoredValue, _ place: CollectionPath, _ embedded: Table?, isLink: Bool
    ) throws {
        if let embedded, case .typedLink(let link) = value {
            let child = try transaction.dictionary(at: place).createEmbedded(forKey: key)
            return try fill(child, from: link.object, in: embedded)
        }
        try verifyTarget(of: value)
        if isLink, case .typedLink(let link) = value {
            try transaction.dictionary(at: place).set(.link(link.object), forKey: key)
        } else if let kind = NestedKind(value) {
            // An existing collection of this kind would keep its elements.
            try transaction.dictionary(at: place).set(.null, forKey: key)
            try transaction.setCollection(kind, at: place.appending(.key(key)))
            try fill(place.appending(.key(key)), with: value)
        } else {
            try transaction.dictionary(at: place).set(value, forKey: key)
        }
    }

    // MARK: Collections in mixed values

    func fill(_ place: CollectionPath, with value: StoredValue) throws {
        switch try StoredCollection(value: value, in: old.space) {
        case .list(let list):
            for (index, element) in try list.values().enumerated() {
                try verifyTarget(of: element)
                guard let kind = NestedKind(element) else {
                    try transaction.list(at: place).insert(element, at: index)
                    continue
                }
                try transaction.list(at: place).insertCollection(kind, at: index)
                try fill(place.appending(.index(index)), with: element)
            }
        case .dictionary(let dictionary):
            for index in 0..<dictionary.count {
                let key = try dictionary.key(at: index)
                try setEntry(key, try dictionary.value(at: index), place, nil, isLink: false)
            }
        case .set, nil: break
        }
    }
}
