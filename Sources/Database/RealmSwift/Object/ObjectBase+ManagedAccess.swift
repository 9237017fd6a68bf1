// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSystem

/// Reads of single values. Each has a fast body that is a few loads without calls, so that it saves no registers
/// either; it is inlined into the user's module. One slow path handles all rare cases: the column's leaf wasn't read
/// recently, the row moved or was deleted, the version changed, the leaf has another form.
extension ObjectBase {
    /// Returns the node of the property's column leaf, if the cached position of the row is valid and the leaf was read
    /// recently.
    @inlinable @inline(__always) final func _knownColumn(_ key: PropertyKey) -> Node? {
        guard let state = _rlmRow.state, unsafe state.pointee.clock.clusterLeaf == _rlmRow.stamp,
            unsafe state.pointee.allowsCurrentThread
        else { return nil }
        let node = unsafe state.knownChild(Int(key) &+ 1, of: _rlmRow.knownLeaf)
        #if DEBUG
            _verifyPlace(key, node)
        #endif
        return node
    }

    /// Returns the node of the property's column leaf, after a search if necessary; also for tracked reads.
    @inline(__always) final func column(_ key: PropertyKey) -> Node? {
        guard let state = _rlmRow.state, unsafe state.pointee.clock.clusterLeaf == _rlmRow.stamp,
            unsafe state.pointee.allowsCurrentThread || isInPlace(key)
        else { return nil }
        return unsafe state.child(Int(key) &+ 1, of: _rlmRow.knownLeaf, _rlmRow.leafHeader)
    }

    /// Whether the caller is in the Realm's confinement, if the thread alone doesn't determine that or reads are
    /// tracked.
    @inline(never) private final func isInPlace(_ key: PropertyKey) -> Bool {
        guard let state = _rlmRow.state,
            unsafe state.pointee.isOnOwnerThread || _rlmRow.realm?.confinement.isCurrent == true
        else {
            return false
        }
        trackRead(key)
        return true
    }

    @inlinable final func _int(_ key: PropertyKey) -> Int64 {
        if let node = _knownColumn(key), let value = node.int(_rlmRow.row) { return value }
        return _slowInt(key)
    }

    @inlinable final func _optionalInt(_ key: PropertyKey) -> Int64? {
        if let node = _knownColumn(key), let value = node.optionalInt(_rlmRow.row) { return value }
        return _slowOptionalInt(key)
    }

    @inlinable final func _bool(_ key: PropertyKey) -> Bool {
        if let node = _knownColumn(key), let value = node.int(_rlmRow.row) { return value != 0 }
        return _slowBool(key)
    }

    @inlinable final func _double(_ key: PropertyKey) -> Double {
        if let node = _knownColumn(key), let value = node.double(_rlmRow.row) { return value }
        return _slowDouble(key)
    }

    @inlinable final func _string(_ key: PropertyKey) -> String { _optionalString(key) ?? "" }

    @inlinable final func _optionalString(_ key: PropertyKey) -> String? {
        if let node = _knownColumn(key), let state = _rlmRow.state,
            let value = unsafe node.text(_rlmRow.row, isKnown: state.pointee.readsSmallStrings)
        {
            return value
        }
        return _slowOptionalString(key)
    }

    @inline(never) @usableFromInline final func _slowInt(_ key: PropertyKey) -> Int64 {
        if let value = column(key)?.int(_rlmRow.row) { return value }
        return if case .int(let value) = storedValue(key) { value } else { 0 }
    }

    @inline(never) @usableFromInline final func _slowOptionalInt(_ key: PropertyKey) -> Int64? {
        if let value = column(key)?.optionalInt(_rlmRow.row) { return value }
        return if case .int(let value) = storedValue(key) { value } else { nil }
    }

    @inline(never) @usableFromInline final func _slowBool(_ key: PropertyKey) -> Bool {
        if let value = column(key)?.int(_rlmRow.row) { return value != 0 }
        return _optionalBool(key) ?? false
    }

    @inline(never) @usableFromInline final func _slowDouble(_ key: PropertyKey) -> Double {
        if let value = column(key)?.double(_rlmRow.row) { return value }
        return _optionalDouble(key) ?? 0
    }

    @inline(never) @usableFromInline final func _slowOptionalString(_ key: PropertyKey) -> String? {
        if let value = column(key)?.text(_rlmRow.row, isKnown: SmallString.isKnown) { return value }
        return if case .string(let value) = storedValue(key) { value } else { nil }
    }

    @usableFromInline final func _optionalBool(_ key: PropertyKey) -> Bool? {
        if case .bool(let value) = storedValue(key) { value } else { nil }
    }

    @usableFromInline final func _optionalDouble(_ key: PropertyKey) -> Double? {
        if case .double(let value) = storedValue(key) { value } else { nil }
    }

    @usableFromInline final func _date(_ key: PropertyKey) -> Date? {
        if let node = _knownColumn(key), let state = _rlmRow.state,
            let seconds = unsafe state.knownChild(0, of: node.payload),
            let fractions = unsafe state.knownChild(1, of: node.payload),
            let value = seconds.date(_rlmRow.row, fractions)
        {
            return value
        }
        return slowDate(key)
    }

    @inline(never) private final func slowDate(_ key: PropertyKey) -> Date? {
        guard let node = column(key), node.isTimestampLeaf, let state = _rlmRow.state,
            let seconds = unsafe state.child(0, of: node.payload, node.header), seconds.isPlain,
            let fractions = unsafe state.child(1, of: node.payload, node.header), fractions.isPlain,
            let value = seconds.date(_rlmRow.row, fractions)
        else { return _read(key) }
        return value
    }

    /// Returns the value of a type without a fast path of its own.
    final func _read<Value: _ObjcBridgeable>(_ key: PropertyKey) -> Value? {
        guard let realm = _rlmRow.realm else {
            probe?.record(self, key)
            return nil
        }
        return Value._make(_StoredElement(value: storedValue(key), realm: realm))
    }

    /// Returns the stored value of a single-value property of any type; null if the row was deleted.
    final func storedValue(_ key: PropertyKey) -> StoredValue {
        trackRead(key)
        guard let position = locate() else {
            readWithoutRow(key)
            return .null
        }
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed, let table = realm.table(managed.tableKey) else {
            return .null
        }
        return realm.reading(.null) {
            try table.value(try table.require(managed.columnKey(key)), at: position)
        }
    }

    final func _link<Target: ObjectBase>(_ key: PropertyKey, to target: Target.Type) -> Target? {
        if target != DynamicObject.self, let node = column(key), node.isPlain, _rlmRow.row < node.count {
            guard let key = node.target(at: _rlmRow.row) else { return nil }
            // The context has created the object for exactly this class.
            if let owner = unsafe _rlmRow.rowKeeper,
                let object = unsafe owner._withUnsafeGuaranteedRef({ $0.target(target, key) })
            {
                return unsafe unsafeDowncast(object, to: target)
            }
            if let realm = _rlmRow.realm, realm.remembersClasses {
                let known = realm.known(target)
                let place = unsafe known.locator.place(of: key, realm.state, in: realm)
                return realm.object(of: target, known.locator.managed, key, at: place)
            }
        }
        if let probe { return probe.record(self, key, to: target) }
        guard target == DynamicObject.self, let realm = _rlmRow.realm, let managed = _rlmRow.managed else {
            return _read(key)
        }
        let element = _StoredElement(
            value: storedValue(key), realm: realm, target: realm.dynamicTarget(of: managed.columnKey(key), in: managed))
        return element.target.flatMap { _ in Target._make(element) }
    }
}

/// Values of column leaves in the types of the API; nil for leaves of another form. Rows aren't negative.
extension Node {
    /// Returns the date in a row of a leaf of seconds; `fractions` is the leaf of the nanoseconds.
    @inline(__always) func date(_ row: Int, _ fractions: Node) -> Date?? {
        guard let value = timestamp(row, fractions) else { return nil }
        return .some(value.map { Date($0) })
    }

    /// Returns the string in a row of a leaf of short strings; `isKnown` is that of `SmallString`.
    @inlinable @inline(__always) func text(_ row: Int, isKnown: Bool) -> String?? {
        guard isShortLeaf, row < count else { return nil }
        return .some(shortText(row, isKnown: isKnown))
    }

    /// Returns the short string in a row, which must be below the count; nil for null, and for a node of another form.
    @inlinable @inline(__always) func shortText(_ row: Int, isKnown: Bool) -> String? {
        guard let bytes = unsafe shortBytes(row), let start = bytes.baseAddress else { return nil }
        return unsafe SmallString.make(start, count: bytes.count, width: width, isKnown: isKnown)
    }
}
