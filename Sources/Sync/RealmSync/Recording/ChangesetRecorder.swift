// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Creates the changeset of a transaction from its instructions, as the original's client does (§3.5).
///
/// Tables that aren't classes are excluded. New classes and properties are recorded before the next change of an
/// object, because their primary keys aren't known earlier.
package final class ChangesetRecorder {
    private var encoder = ChangesetEncoder()
    private var unrecordedAdditions: [Addition] = []
    private let guesses = ListGuesses()

    private enum Addition: Equatable {
        case table(TableKey)
        case column(ColumnKey, of: TableKey)

        var table: TableKey {
            switch self {
            case .table(let table), .column(_, let table): table
            }
        }
    }

    package init() {}

    package func changeset(of transaction: WriteTransaction) throws -> [UInt8] {
        try recordAdditions(transaction)
        return encoder.bytes
    }

    package func record(_ instruction: WrittenInstruction, in transaction: WriteTransaction) throws {
        switch instruction {
        case .createTable(let table):
            if table.className != nil { unrecordedAdditions.append(.table(table.key)) }
        case .addColumn(let column, let table):
            if table.className != nil { unrecordedAdditions.append(.column(column, of: table.key)) }
        case .setPrimaryKey(_, let table) where unrecordedAdditions.contains(.table(table.key)): break
        case .setPrimaryKey(_, let table): try refuse("given another primary key", table)
        case .convert(let what, let table): try refuse(what, table)
        case .removeTable(let table): try remove(table, transaction)
        case .removeColumn(let column, let table): try remove(column, table, transaction)
        default:
            try recordAdditions(transaction)
            try recordObject(instruction, in: transaction)
        }
    }

    // MARK: Schema

    private func refuse(_ what: String, _ table: Table) throws {
        guard let name = table.className else { return }
        throw StorageError(
            .invalidArgument,
            "the class '\(name)' of a synchronised Realm cannot be \(what): changesets cannot express it")
    }

    private func recordAdditions(_ transaction: WriteTransaction) throws {
        guard !unrecordedAdditions.isEmpty else { return }
        let additions = unrecordedAdditions
        unrecordedAdditions = []
        for addition in additions {
            guard let table = try transaction.table(addition.table) else { continue }
            switch addition {
            case .table: emit(.addTable(try table.definition()))
            case .column(let column, _):
                guard let info = table.column(column), column != table.primaryKey else { continue }
                emit(.addColumn(try transaction.definition(of: info, in: table)))
            }
        }
    }

    private func remove(_ table: Table, _ transaction: WriteTransaction) throws {
        guard let name = table.className else { return }
        if unrecordedAdditions.contains(.table(table.key)), table.primaryKey == nil, !table.isEmbedded {
            // The class was removed before it could be recorded.
            unrecordedAdditions.removeAll { $0.table == table.key }
            return
        }
        try recordAdditions(transaction)
        emit(.eraseTable(Text(name)))
    }

    private func remove(_ column: Column, _ table: Table, _ transaction: WriteTransaction) throws {
        guard let name = table.className else { return }
        if column.key == table.primaryKey { try refuse("left without its primary key", table) }
        try recordAdditions(transaction)
        emit(.eraseColumn(ColumnReference(Text(name), Text(column.name))))
    }

    // MARK: Objects

    private func recordObject(_ instruction: WrittenInstruction, in transaction: WriteTransaction) throws {
        switch instruction {
        case .createObject(let object, let values, let table): try create(object, values, table, transaction)
        case .removeObject(let object, let table):
            // An embedded object is removed with its owner's value.
            guard !table.isEmbedded, let reference = try transaction.reference(to: object, in: table) else { return }
            emit(.eraseObject(reference))
        case .set(let value, let column, let object, let table):
            try set(value, column, object, table, transaction)
        case .addInteger(let amount, let column, let object, let table):
            try emit(.addInteger(amount), at: transaction.place(of: column, object, in: table, guesses))
        case .createEmbedded(let column, let object, let table):
            try emit(.update(.object, isDefault: false), at: transaction.place(of: column, object, in: table, guesses))
        case .setCollection(let kind, let column, let object, let table):
            let value = kind == .list ? SyncValue.list : .dictionary
            try emit(
                .update(value, isDefault: transaction.givesDefaults),
                at: transaction.place(of: column, object, in: table, guesses))
        case .collection(let change, let collection): try record(change, collection, transaction)
        default: break
        }
    }

    private func create(
        _ object: ObjectKey, _ values: RowValues, _ table: Table, _ transaction: WriteTransaction
    ) throws {
        guard let reference = try transaction.reference(to: object, in: table) else { return }
        emit(.createObject(reference))
        for column in table.publicColumns where column.key != table.primaryKey {
            guard let value = values[column.key], let content = SyncNames.value(value) else { continue }
            let change = Change.update(content, isDefault: transaction.givesDefaults)
            emit(change, at: Place(reference, Text(column.name)))
        }
    }

    private func set(
        _ value: StoredValue, _ column: Column, _ object: ObjectKey, _ table: Table, _ transaction: WriteTransaction
    ) throws {
        guard let place = try transaction.place(of: column, object, in: table, guesses) else { return }
        let isDefault = transaction.givesDefaults
        // Links are initially null.
        if isDefault, value.isNull, column.type == .link { return }
        let content = try self.value(value, of: column, in: table, transaction)
        emit(.update(content, isDefault: isDefault), at: place)
    }

    private func value(
        _ value: StoredValue, of column: Column, in table: Table, _ transaction: WriteTransaction
    ) throws -> SyncValue {
        let link: ObjectLink
        switch value {
        case .link(let object): link = ObjectLink(table: table.oppositeTables[column.leafIndex], object: object)
        case .typedLink(let typed): link = typed
        default: return SyncNames.value(value) ?? .null
        }
        guard !link.object.isNull, let target = try transaction.table(link.table),
            let reference = try transaction.reference(to: link.object, in: target)
        else { return .null }
        return .link(reference)
    }

    private func record(
        _ change: CollectionInstruction, _ collection: ResolvedCollection, _ transaction: WriteTransaction
    ) throws {
        guard let place = try transaction.place(of: collection, guesses) else { return }
        let size = collection.count
        func content(_ content: ElementContent) throws -> SyncValue {
            switch content {
            case .value(let value):
                try self.value(value, of: collection.column, in: collection.table, transaction)
            case .embeddedObject: .object
            case .collection(.list): .list
            case .collection(.dictionary): .dictionary
            }
        }
        switch change {
        case .insert(let value, let index):
            emit(.insert(try content(value), priorSize: size), at: place.inside(.index(index)))
        case .setElement(let value, let index):
            emit(.updateElement(try content(value), priorSize: size), at: place.inside(.index(index)))
        case .move(let source, let target):
            emit(.move(to: target, priorSize: size), at: place.inside(.index(source)))
        case .erase(let index, let size): emit(.erase(priorSize: size), at: place.inside(.index(index)))
        case .clear: emit(.clear(collection.isList ? .list : collection.isDictionary ? .dictionary : .set), at: place)
        case .setEntry(let value, let key):
            emit(.update(try content(value), isDefault: false), at: place.inside(.key(Text(key))))
        case .eraseEntry(let key): emit(.update(.erased, isDefault: false), at: place.inside(.key(Text(key))))
        case .insertMember(let value): emit(.setInsert(try content(.value(value))), at: place)
        case .eraseMember(let value): emit(.setErase(try content(.value(value))), at: place)
        }
    }

    private func emit(_ change: Change, at place: Place?) {
        if let place { emit(.change(place, change)) }
    }

    private func emit(_ instruction: Instruction) { encoder.append(instruction) }
}

extension Place {
    func inside(_ element: PathElement) -> Place {
        Place(object, column, Path(path.elements + [element]))
    }
}
