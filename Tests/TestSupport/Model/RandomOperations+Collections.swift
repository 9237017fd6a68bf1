// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Random changes of lists, sets, dictionaries, and of collections in Mixed to any depth.
extension RandomOperations {
    mutating func changeCollection(
        _ column: ModelColumn, of object: ObjectKey, in table: TableKey, _ transaction: WriteTransaction
    ) throws {
        guard let value = model[table].objects[object]?.values[column.key] else { return }
        let path = CollectionPath(column.key, of: object, in: table)
        guard column.isCollection else { return try changeNested(value, column, path, transaction) }
        if column.type == .mixed, !column.key.isSet, !value.nestedSteps.isEmpty, generator.chance(60) {
            return try changeNested(value, column, path, transaction)
        }
        switch value {
        case .list(let elements): try changeList(elements.count, column, path, transaction)
        case .set(let elements): try changeSet(elements, column, path, transaction)
        case .dictionary(let entries): try changeDictionary(entries, column, path, transaction)
        case .value: break
        }
    }

    private mutating func changeModel(
        _ column: ModelColumn, _ path: CollectionPath, _ body: (inout ModelValue) -> Void
    ) {
        model.change(column, of: path.object, in: path.table) { $0.change(at: path.steps[...], body) }
    }

    // MARK: Lists

    private mutating func changeList(
        _ count: Int, _ column: ModelColumn, _ path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        let (object, table, key) = (path.object, path.table, column.key)
        let index = count == 0 ? 0 : generator.below(count)
        switch generator.below(count > 40 ? 150 : 100) {
        case 0..<60: try insert(at: generator.below(count + 1), column, path, transaction)
        case 60..<75 where count > 0:
            guard !model.isEmbedded(column), let value = value(for: column) else { return }
            try transaction.list(key, of: object, in: table).set(value, at: index)
            changeModel(column, path) { $0.changeList { $0[index] = .value(value) } }
        case 75..<81 where count > 0:
            let target = generator.below(count)
            try transaction.list(key, of: object, in: table).move(from: index, to: target)
            changeModel(column, path) { $0.changeList { $0.insert($0.remove(at: index), at: target) } }
        case 81..<86 where count > 0:
            let other = generator.below(count)
            try transaction.list(key, of: object, in: table).swap(index, other)
            changeModel(column, path) { $0.changeList { $0.swapAt(index, other) } }
        case 86..<92 where column.type == .mixed:
            try insertCollection(at: index, column, path, transaction)
        case 98:
            try transaction.list(key, of: object, in: table).clear()
            changeModel(column, path) { $0 = .list([]) }
        default:
            guard count > 0 else { return }
            try transaction.list(key, of: object, in: table).erase(at: index)
            changeModel(column, path) { $0.changeList { $0.remove(at: index) } }
        }
    }

    private mutating func insert(
        at index: Int, _ column: ModelColumn, _ path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        if model.isEmbedded(column), let target = column.target {
            guard model[target].objects.count < size else { return }
            let values = initialValues(in: target)
            let child = try transaction.list(at: path).createEmbedded(at: index, RowValues(values))
            model.create(child, in: target, values)
            return changeModel(column, path) { $0.changeList { $0.insert(.value(.link(child)), at: index) } }
        }
        guard let value = value(for: column) else { return }
        try transaction.list(at: path).insert(value, at: index)
        changeModel(column, path) { $0.changeList { $0.insert(.value(value), at: index) } }
    }

    // MARK: Sets

    private mutating func changeSet(
        _ elements: [StoredValue], _ column: ModelColumn, _ path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        let (object, table, key) = (path.object, path.table, column.key)
        let random = value(for: column)
        let present = elements.isEmpty ? nil : generator.pick(elements)
        switch generator.below(elements.count > 40 ? 150 : 100) {
        case 0..<70:
            guard let value = generator.chance(10) ? present ?? random : random else { return }
            let expected = ModelValue.set(elements).place(of: value, in: column.type)
            let found = try transaction.set(key, of: object, in: table).insert(value)
            try requireEqual(found.index, expected.index, "the place of \(value)")
            try requireEqual(found.inserted, !expected.isFound, "whether \(value) was inserted")
            if !expected.isFound {
                changeModel(column, path) { $0.changeSet { $0.insert(value, at: expected.index) } }
            }
        case 98:
            try transaction.set(key, of: object, in: table).clear()
            changeModel(column, path) { $0 = .set([]) }
        default:
            guard let value = generator.chance(80) ? present ?? random : random else { return }
            let expected = ModelValue.set(elements).place(of: value, in: column.type)
            let index = try transaction.set(key, of: object, in: table).erase(value)
            try requireEqual(index, expected.isFound ? expected.index : nil, "the place that \(value) had")
            if expected.isFound { changeModel(column, path) { $0.changeSet { $0.remove(at: expected.index) } } }
        }
    }

    // MARK: Dictionaries

    private mutating func changeDictionary(
        _ entries: [ModelValue.Entry], _ column: ModelColumn, _ path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        let (object, table) = (path.object, path.table)
        let key = dictionaryKey(entries)
        switch generator.below(entries.count > 40 ? 150 : 100) {
        case 0..<70:
            if model.isEmbedded(column), let target = column.target, generator.chance(70) {
                guard model[target].objects.count < size else { return }
                let values = initialValues(in: target)
                let child = try transaction.dictionary(at: path).createEmbedded(forKey: key, RowValues(values))
                changeModel(column, path) { $0.setEntry(key, .null) }
                model.create(child, in: target, values)
                let link = StoredValue.typedLink(ObjectLink(table: target, object: child))
                return changeModel(column, path) { $0.setEntry(key, .value(link)) }
            }
            guard let value = model.isEmbedded(column) ? .null : value(for: column) else { return }
            let index = try transaction.dictionary(column.key, of: object, in: table).set(value, forKey: key)
            let stored = stored(value, column)
            changeModel(column, path) { $0.setEntry(key, .value(stored)) }
            if case .dictionary(let entries) = model[table].objects[object]?.values[column.key] {
                try require(entries[index].key.utf8.elementsEqual(key.utf8), "the place of \(key)")
            }
        case 70..<75 where column.type == .mixed:
            try setCollection(.key(key), column, path, transaction)
        case 98:
            try transaction.dictionary(column.key, of: object, in: table).clear()
            changeModel(column, path) { $0 = .dictionary([]) }
        default:
            let isThere = entries.contains { $0.key.utf8.elementsEqual(key.utf8) }
            let erased = try transaction.dictionary(column.key, of: object, in: table).erase(key)
            try requireEqual(erased, isThere, "whether \(key) was there")
            changeModel(column, path) { $0.eraseEntry(key) }
        }
    }

    private func stored(_ value: StoredValue, _ column: ModelColumn) -> StoredValue {
        guard case .link(let object) = value, let target = column.target else { return value }
        return .typedLink(ObjectLink(table: target, object: object))
    }

    private mutating func dictionaryKey(_ entries: [ModelValue.Entry]) -> String {
        if !entries.isEmpty, generator.chance(60) { return generator.pick(entries).key }
        switch generator.below(8) {
        case 0: return generator.pick(["", "\0", "a\0b", "é", "e\u{301}", "🐕‍🦺", "a$"])
        case 1: return String(repeating: "key ", count: generator.pick([1, 3, 4, 15, 16, 17, 40])) + "\(serial)"
        default: return "key \(generator.below(200))"
        }
    }

    // MARK: Collections in Mixed

    /// Descends a few levels from the outermost collection, which may not exist yet, and changes the value there.
    private mutating func changeNested(
        _ value: ModelValue, _ column: ModelColumn, _ path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        guard value.isCollection, !generator.chance(2) else {
            let kind = generator.pick([NestedKind.list, .dictionary])
            guard !column.isCollection else { return }
            try transaction.setCollection(kind, at: path)
            if !value.isKind(kind) { changeModel(column, path) { $0 = .empty(kind) } }
            return
        }
        var (value, path) = (value, path)
        while !value.nestedSteps.isEmpty, generator.chance(75) {
            let step = generator.pick(value.nestedSteps)
            guard let inner = value.element(step) else { break }
            path.steps.append(step)
            value = inner
        }
        let address = generator.chance(50) ? path : try transaction.stable(path)
        switch value {
        case .list(let elements): try changeNestedList(elements, column, path, address, transaction)
        case .dictionary(let entries): try changeNestedDictionary(entries, column, path, address, transaction)
        default: break
        }
    }

    /// A value of any type, often a link.
    private mutating func element(_ column: ModelColumn) -> StoredValue { value(for: column) ?? .null }

    private mutating func changeNestedList(
        _ elements: [ModelValue], _ column: ModelColumn, _ path: CollectionPath, _ address: CollectionPath,
        _ transaction: WriteTransaction
    ) throws {
        let count = elements.count
        let index = count == 0 ? 0 : generator.below(count)
        let other = count == 0 ? 0 : generator.below(count)
        let value = element(column)
        switch generator.below(count > 12 ? 150 : 100) {
        case 0..<30:
            try transaction.list(at: address).insert(value, at: index)
            changeModel(column, path) { $0.changeList { $0.insert(.value(value), at: index) } }
        case 30..<40 where count > 0:
            try transaction.list(at: address).set(value, at: index)
            changeModel(column, path) { $0.changeList { $0[index] = .value(value) } }
        case 40..<50 where count > 0:
            try transaction.list(at: address).move(from: index, to: other)
            changeModel(column, path) { $0.changeList { $0.insert($0.remove(at: index), at: other) } }
        case 50..<60 where count > 0:
            try transaction.list(at: address).swap(index, other)
            changeModel(column, path) { $0.changeList { $0.swapAt(index, other) } }
        case 60..<75: try insertCollection(at: index, column, path, transaction)
        case 75..<82 where count > 0: try setCollection(.index(index), column, path, transaction)
        case 98:
            try transaction.list(at: address).clear()
            changeModel(column, path) { $0 = .list([]) }
        default:
            guard count > 0 else { return }
            try transaction.list(at: address).erase(at: index)
            changeModel(column, path) { $0.changeList { $0.remove(at: index) } }
        }
    }

    private mutating func changeNestedDictionary(
        _ entries: [ModelValue.Entry], _ column: ModelColumn, _ path: CollectionPath, _ address: CollectionPath,
        _ transaction: WriteTransaction
    ) throws {
        let key = dictionaryKey(entries)
        switch generator.below(entries.count > 12 ? 150 : 100) {
        case 0..<50:
            let value = element(column)
            try transaction.dictionary(at: address).set(value, forKey: key)
            changeModel(column, path) { $0.setEntry(key, .value(value)) }
        case 50..<75: try setCollection(.key(key), column, path, transaction)
        case 98:
            try transaction.dictionary(at: address).clear()
            changeModel(column, path) { $0 = .dictionary([]) }
        default:
            try transaction.dictionary(at: address).erase(key)
            changeModel(column, path) { $0.eraseEntry(key) }
        }
    }

    private mutating func insertCollection(
        at index: Int, _ column: ModelColumn, _ path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        let kind = generator.pick([NestedKind.list, .dictionary])
        guard path.level < FileFormat.maximumNestingLevel else { return }
        try transaction.list(at: path).insertCollection(kind, at: index)
        changeModel(column, path) { $0.changeList { $0.insert(.empty(kind), at: index) } }
    }

    private mutating func setCollection(
        _ step: CollectionPath.Step, _ column: ModelColumn, _ path: CollectionPath, _ transaction: WriteTransaction
    ) throws {
        let kind = generator.pick([NestedKind.list, .dictionary])
        guard path.level < FileFormat.maximumNestingLevel else { return }
        try transaction.setCollection(kind, at: path.appending(step))
        changeModel(column, path) { collection in
            if let old = collection.element(step), old.isKind(kind) { return }
            switch step {
            case .index(let index): collection.changeList { $0[index] = .empty(kind) }
            case .key(let key): collection.setEntry(key, .empty(kind))
            case .nested: break
            }
        }
    }
}

extension StoredValue {
    var isNaN: Bool {
        switch self {
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        default: false
        }
    }
}
