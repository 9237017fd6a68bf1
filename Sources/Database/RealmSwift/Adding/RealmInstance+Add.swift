// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// Adding unmanaged objects to a Realm (realm 4).
extension RealmInstance {
    /// Adds an object with everything it links to and returns its key. An object that this Realm manages already is
    /// unchanged.
    ///
    /// `update` determines the behavior if an object's primary key exists already, for the object and for everything it
    /// links to. In a write that has failed, or if this call makes it fail, the object stays unmanaged and has no key.
    func add(_ object: ObjectBase, update: Realm.UpdatePolicy) -> ObjectKey {
        if reader.writeFailure != nil { return .null }
        if object.isManaged { return managedKey(of: object) }
        if let view = object as? DynamicObject, let subject = view.detached.subject {
            return add(view, of: subject, update: update)
        }
        let managed = requireManaged(of: object)
        guard managed.isStored else { return .null }
        // Read before the object becomes managed, because that clears the values held by the property wrappers.
        return add(object, contents(of: object, managed), managed, update: update)
    }

    /// Not inlined, so that the caller's objects aren't retained and released here.
    @inline(never)
    private func add(
        _ object: ObjectBase, _ contents: Contents, _ managed: ManagedClass, update: Realm.UpdatePolicy
    ) -> ObjectKey {
        let existing = existingObject(contents.values, managed, update)
        if case .found(let key) = existing {
            object.manage(self, managed, key)
            replace(contents, of: key, managed, update: update)
            own.spareValues = contents.giveUpValues()
            return key
        }
        if coordinator.needsSubscriptions { requireSubscription(managed.info) }
        let isDistinct = existing == .none
        let created = change {
            try $0.createObject(in: managed.tableKey, contents.values, isDistinct: isDistinct)
        }
        guard let key = created else {
            own.spareValues = contents.giveUpValues()
            return .null
        }
        object.manage(self, managed, key)
        own.spareValues = contents.giveUpValues()
        write(contents.others, to: key, managed, update: update, isNew: true)
        return key
    }

    private struct Contents {
        /// The single values other than links.
        let values: RowValues
        /// Links, collections, and the contents of mixed properties other than single values.
        private(set) var others: [(column: ColumnKey, content: _StoredContent)] = []

        /// The single values are collected in the storage passed in.
        init(_ room: RowValues) { values = room }

        /// Removes the single values, which are stored by now, and returns their storage.
        func giveUpValues() -> RowValues {
            values.clear()
            return values
        }

        mutating func take(_ content: _StoredContent, _ column: ColumnKey) {
            if case .value(let value) = content.kind, column.type != .link {
                values.give(value, column)
            } else {
                others.append((column, content))
            }
        }
    }

    /// The result of the search for an object with the same primary key.
    private enum ExistingObject: Equatable {
        case found(ObjectKey)
        case none
        /// The object has no primary key to search for.
        case unknown
    }

    private func managedKey(of object: ObjectBase) -> ObjectKey {
        guard object._rlmRow.realm === self else {
            throwRealmException(
                "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
        }
        guard object.hasRow else {
            refuseInvalidated()
            return .null
        }
        return object._rlmRow.key
    }

    private func contents(of object: ObjectBase, _ managed: ManagedClass) -> Contents {
        let room = own.spareValues.take() ?? RowValues(columnCount: managed.leafIndexCount)
        room.begin(columns: managed.scalarColumns, columnCount: managed.leafIndexCount)
        var contents = Contents(room)
        guard !managed.info.isDynamic else {
            for (property, column) in zip(managed.info.properties, managed.columns) {
                let address = unsafe property.field.address(in: object)
                unsafe contents.take(property.field.wrapper.content(of: object, at: address), column)
            }
            return contents
        }
        let start = unsafe Unmanaged.passUnretained(object).toOpaque()
        for unsafe content in unsafe managed.own.contents {
            unsafe contents.take(
                content.field.wrapper.content(of: object, at: start + content.field.offset), content.column)
        }
        return contents
    }

    func key(ofPrimaryKey value: StoredValue, in managed: ManagedClass) -> ObjectKey? {
        position(ofPrimaryKey: value, in: managed).map { $0.leaf.key(at: $0.row) }
    }

    func position(ofPrimaryKey value: StoredValue, in managed: ManagedClass) -> ClusterTree.Position? {
        // During a migration a table may lack its primary key.
        guard let table = table(managed.tableKey), table.primaryKey != nil else { return nil }
        return reading(nil) {
            try table.find(primaryKey: value) { try find($0, in: table) }
        }
    }

    private func existingObject(
        _ values: RowValues, _ managed: ManagedClass, _ update: Realm.UpdatePolicy
    ) -> ExistingObject {
        guard let primaryKey = managed.primaryKey, let value = values[primaryKey] else { return .unknown }
        guard let existing = key(ofPrimaryKey: value, in: managed) else { return .none }
        if update == .error {
            throwRealmException(
                """
                Attempting to create an object of type '\(managed.info.name)' with an existing primary key value \
                '\(value.printed)'
                """)
        }
        return .found(existing)
    }

    private func replace(
        _ contents: Contents, of key: ObjectKey, _ managed: ManagedClass, update: Realm.UpdatePolicy
    ) {
        contents.values.forEach { column, value in
            guard column != managed.primaryKey else { return }
            setValue(value, column, of: key, managed, onlyIfDifferent: update == .modified)
        }
        write(contents.others, to: key, managed, update: update, isNew: false)
    }

    /// Writes the contents that the creation of the row doesn't include: at once, or after those of the
    /// surrounding objects.
    private func write(
        _ contents: [(column: ColumnKey, content: _StoredContent)], to key: ObjectKey, _ managed: ManagedClass,
        update: Realm.UpdatePolicy, isNew: Bool
    ) {
        guard !contents.isEmpty else { return }
        own.additions.add(Additions.Row(key: key, managed: managed, contents: contents, update: update, isNew: isNew)) {
            for (column, content) in $0.contents {
                // New rows already contain their values; only links remain.
                if case .value = content.kind, $0.isNew { continue }
                write(content, to: column, of: $0.key, in: $0.managed, update: $0.update, isNew: $0.isNew)
            }
        }
    }

    /// Writes one property of a row. The collection of a new row is empty and need not be cleared.
    func write(
        _ content: _StoredContent, to column: ColumnKey, of key: ObjectKey, in managed: ManagedClass,
        update: Realm.UpdatePolicy, isNew: Bool = false
    ) {
        let path = CollectionPath(column, of: key, in: managed.tableKey)
        switch content.kind {
        case .value where column.type == .link: setLink(nil, column, of: key, in: managed, update: update)
        case .value(let value): setValue(value, column, of: key, managed, onlyIfDifferent: update == .modified)
        case .entries(let entries) where column.isCollection && update == .modified && !isNew:
            replaceEntries(of: path, by: entries) { verifyClass(of: $0, column, in: managed) }
        case .elements(let elements) where column.isCollection:
            if column.isList, update == .modified, !isNew, let old = listValues(path) {
                return replace(old, of: path, by: elements) { verifyClass(of: $0, column, in: managed) }
            }
            if !isNew { clear(path) }
            for (index, element) in elements.enumerated() {
                verifyClass(of: element, column, in: managed)
                put(element, at: column.isSet ? .setElement(path) : .newListElement(path, index), update: update)
            }
        case .entries(let entries) where column.isCollection:
            if !isNew { clear(path) }
            for entry in entries {
                verifyClass(of: entry.value, column, in: managed)
                put(entry.value, at: .entry(path, entry.key), update: update)
            }
        case .object(let target) where column.type == .link:
            setLink(target, column, of: key, in: managed, update: update)
        case .object, .elements, .entries: put(content, at: .property(path), update: update)
        }
    }

    private func clear(_ path: CollectionPath) {
        change {
            if path.column.isList { return try $0.list(at: path).clear() }
            if path.column.isSet { return try $0.set(at: path).clear() }
            return try $0.dictionary(at: path).clear()
        }
    }

    private func verifyClass(of element: _StoredContent, _ column: ColumnKey, in managed: ManagedClass) {
        guard column.type == .link, case .object(let target) = element.kind,
            let index = managed.columns.firstIndex(of: column)
        else { return }
        let wanted = managed.info.properties[index].objectClassName ?? ""
        let name = target.classInfo.name
        guard name != wanted else { return }
        if column.isDictionary {
            throwRealmException("Value of type '\(name)' does not match RLMDictionary value type '\(wanted)'.")
        }
        throwRealmException(
            "Object of type '\(name)' does not match \(column.isSet ? "RLMSet" : "RLMArray") type '\(wanted)'.")
    }

    private func setValue(
        _ value: StoredValue, _ column: ColumnKey, of key: ObjectKey, _ managed: ManagedClass, onlyIfDifferent: Bool
    ) {
        if onlyIfDifferent, let table = table(managed.tableKey),
            reading(nil, { try table.value(column, of: key) }) == value
        {
            return
        }
        change { try $0.set(value, column, of: key, in: managed.tableKey) }
    }

    /// Sets a link. An unmanaged target is added; an embedded one is created in the parent and replaces the previous
    /// one.
    func setLink(
        _ target: ObjectBase?, _ column: ColumnKey, of key: ObjectKey, in managed: ManagedClass,
        update: Realm.UpdatePolicy
    ) {
        guard let target else {
            change { try $0.set(.null, column, of: key, in: managed.tableKey) }
            return
        }
        if isEmbedded(target) {
            if target.isManaged {
                // An embedded object may be assigned to the property that already holds it, and to no other.
                let isThere =
                    target._rlmRow.realm === self && target._rlmRow.key == embeddedObject(column, of: key, in: managed)
                    && target._rlmRow.managed?.info.name == managed.propertyTarget(column)
                if isThere { return }
                throwRealmException("Can't set link to existing managed embedded object")
            }
            if update == .modified, let child = embeddedObject(column, of: key, in: managed) {
                return adopt(target, changing: child, update: update)
            }
            return embed(target, update: update) {
                try $0.links.createEmbedded(column, of: key, in: managed.tableKey, $1)
            }
        }
        verifyLinkTarget(target, column, in: managed)
        let link = add(target, update: inherited(update, target))
        change { try $0.set(.link(link), column, of: key, in: managed.tableKey) }
    }

    /// Whether an object is part of its parent. During a migration that makes its class embedded, objects
    /// are top-level ones until their table is marked as embedded.
    func isEmbedded(_ object: ObjectBase) -> Bool {
        guard object.livesInParent else { return false }
        return !isMigrating || table(requireManaged(of: object).tableKey)?.isEmbedded != false
    }

    /// Makes an unmanaged embedded object the accessor of the row that `create` creates in its parent.
    func embed(
        _ object: ObjectBase, update: Realm.UpdatePolicy,
        _ create: (WriteTransaction, RowValues) throws -> ObjectKey
    ) {
        let managed = requireManaged(of: object)
        let contents = contents(of: object, managed)
        let created = change { try create($0, contents.values) }
        if let created { object.manage(self, managed, created) }
        own.spareValues = contents.giveUpValues()
        guard let created else { return }
        write(contents.others, to: created, managed, update: update, isNew: true)
    }

    /// Writes the values of an unmanaged embedded object that differ into an existing row and makes the object its
    /// accessor.
    func adopt(_ object: ObjectBase, changing key: ObjectKey, update: Realm.UpdatePolicy) {
        let managed = requireManaged(of: object)
        let contents = contents(of: object, managed)
        object.manage(self, managed, key)
        replace(contents, of: key, managed, update: update)
        own.spareValues = contents.giveUpValues()
    }

    private func embeddedObject(_ column: ColumnKey, of key: ObjectKey, in managed: ManagedClass) -> ObjectKey? {
        guard let table = table(managed.tableKey),
            case .link(let child) = reading(.null, { try table.value(column, of: key) })
        else { return nil }
        return child
    }

    private func verifyLinkTarget(_ target: ObjectBase, _ column: ColumnKey, in managed: ManagedClass) {
        guard let wanted = managed.propertyTarget(column) else { return }
        let name = target.classInfo.name
        if name != wanted || (target.isManaged && target._rlmRow.realm !== self) {
            throwRealmException("Can't set object of type '\(name)' to property of type '\(wanted)'")
        }
    }
}

extension StoredValue {
    /// The value as error texts print a primary key.
    var printed: String {
        switch self {
        case .null: "<null>"
        case .int(let value): "\(value)"
        case .string(let value): value
        case .objectId(let value): ObjectId(bits: value).stringValue
        case .uuid(let value): UUID(value).uuidString
        default: "\(self)"
        }
    }
}
