// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmSystem

/// Reads of single values. Each has a fast body that is a few loads, inlined into the user's module, and one slow path
/// for everything rare: the row moved or is gone, the version changed, the leaf has another form.
extension ObjectBase {
    /// The node of the property's column leaf, if what is known about the row still holds.
    @inlinable @inline(__always) final func _column(_ key: PropertyKey) -> Node? {
        guard let state = _rlmRow.state, state.pointee.generation == _rlmRow.generation,
            state.pointee.admitsThread || _isInPlace(key), let leaf = _rlmRow.leaf
        else { return nil }
        return state.child(Int(key) &+ 1, of: leaf, _rlmRow.leafHeader)
    }

    /// Whether the caller is where the Realm may be used, when its thread alone does not tell or reads are tracked.
    @inline(never) @usableFromInline final func _isInPlace(_ key: PropertyKey) -> Bool {
        guard let state = _rlmRow.state, state.pointee.isAtHome || _rlmRow.realm?.confinement.isCurrent == true else {
            return false
        }
        trackRead(key)
        return true
    }

    @inlinable final func _int(_ key: PropertyKey) -> Int64 {
        if let node = _column(key), node.header.schemeCode == 0, _rlmRow.row < node.count {
            return Node.load(node.payload, _rlmRow.row, node.header.widthCode)
        }
        return _slowInt(key)
    }

    @inlinable final func _optionalInt(_ key: PropertyKey) -> Int64? {
        if let node = _column(key), node.header.schemeCode == 0, _rlmRow.row &+ 1 < node.count {
            let value = node[_rlmRow.row &+ 1]
            return value == node[0] ? nil : value
        }
        return _slowOptionalInt(key)
    }

    @inlinable final func _bool(_ key: PropertyKey) -> Bool {
        if let node = _column(key), node.header.schemeCode == 0, _rlmRow.row < node.count {
            return node[_rlmRow.row] != 0
        }
        return _slowOptionalBool(key) ?? false
    }

    @inlinable final func _double(_ key: PropertyKey) -> Double {
        if let node = _column(key), node.header.schemeCode == 1, node.width == 8, _rlmRow.row < node.count {
            return Double(
                bitPattern: node.payload.loadUnaligned(fromByteOffset: _rlmRow.row &* 8, as: UInt64.self))
        }
        return _slowOptionalDouble(key) ?? 0
    }

    @inlinable final func _string(_ key: PropertyKey) -> String { _optionalString(key) ?? "" }

    @inlinable final func _optionalString(_ key: PropertyKey) -> String? {
        if let node = _column(key), node.header.schemeCode == 1, _rlmRow.row < node.count, node.width > 0,
            let state = _rlmRow.state
        {
            return node.shortText(_rlmRow.row, isKnown: state.pointee.knowsSmallStrings)
        }
        return _slowOptionalString(key)
    }

    @inline(never) @usableFromInline final func _slowInt(_ key: PropertyKey) -> Int64 {
        if case .int(let value) = storedValue(key) { value } else { 0 }
    }

    @inline(never) @usableFromInline final func _slowOptionalInt(_ key: PropertyKey) -> Int64? {
        if case .int(let value) = storedValue(key) { value } else { nil }
    }

    @inline(never) @usableFromInline final func _slowOptionalBool(_ key: PropertyKey) -> Bool? {
        if case .bool(let value) = storedValue(key) { value } else { nil }
    }

    @inline(never) @usableFromInline final func _slowOptionalDouble(_ key: PropertyKey) -> Double? {
        if case .double(let value) = storedValue(key) { value } else { nil }
    }

    @inline(never) @usableFromInline final func _slowOptionalString(_ key: PropertyKey) -> String? {
        if case .string(let value) = storedValue(key) { value } else { nil }
    }

    @usableFromInline final func _optionalBool(_ key: PropertyKey) -> Bool? { _slowOptionalBool(key) }
    @usableFromInline final func _optionalDouble(_ key: PropertyKey) -> Double? { _slowOptionalDouble(key) }

    /// The date of a property; nil for null.
    final func _date(_ key: PropertyKey) -> Date? {
        // Seconds that may be null, their marker in front, and nanoseconds beside them (content 6.8).
        guard let node = _column(key), node.count == 2, node.header.schemeCode == 0, node.header.hasRefs,
            !node.header.isInner, let state = _rlmRow.state,
            let seconds = state.child(0, of: node.payload, node.header), seconds.isPlain,
            let fractions = state.child(1, of: node.payload, node.header), fractions.isPlain,
            _rlmRow.row &+ 1 < seconds.count, _rlmRow.row < fractions.count,
            let fraction = Int32(exactly: fractions[_rlmRow.row])
        else { return _read(key) }
        let second = seconds[_rlmRow.row &+ 1]
        return second == seconds[0] ? nil : Date(Timestamp(seconds: second, nanoseconds: fraction))
    }

    /// The value of a type that has no fast path of its own.
    final func _read<Value: _ObjcBridgeable>(_ key: PropertyKey) -> Value? {
        guard let realm = _rlmRow.realm else {
            probe?.record(self, key)
            return nil
        }
        return Value._make(_StoredElement(value: storedValue(key), realm: realm))
    }

    /// The stored value of a single-value property, whatever its type; null if the row is gone.
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

    /// The target of a link, as an accessor of class `target`.
    final func _link<Target: ObjectBase>(_ key: PropertyKey, to target: Target.Type) -> Target? {
        if target != DynamicObject.self, let node = _column(key), node.isPlain, _rlmRow.row < node.count {
            guard let key = node.target(at: _rlmRow.row) else { return nil }
            let row = _rlmRow.row
            // The object is of exactly this class, by which the keeper has found it.
            if let keeper = _rlmRow.rowKeeper,
                let object = keeper._withUnsafeGuaranteedRef({ $0.target(target, key, of: node, at: row) })
            {
                return unsafeDowncast(object, to: target)
            }
            if let realm = _rlmRow.realm, realm.remembersClasses {
                let known = realm.known(target)
                let place = known.locator.place(of: key, realm.state, in: realm)
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

extension Node {
    /// The bytes in a row of a leaf of the short form: elements of `width` bytes, the last of which counts the padding
    /// (content 6.6.1). nil for null, and for a node of another form. `row` is below the count.
    @inlinable @inline(__always) func shortBytes(_ row: Int) -> UnsafeRawBufferPointer? {
        guard header.schemeCode == 1, width > 0 else { return nil }
        let start = payload + row &* width
        let padding = Int(start.load(fromByteOffset: width &- 1, as: UInt8.self))
        return padding < width ? UnsafeRawBufferPointer(start: start, count: width &- 1 &- padding) : nil
    }

    /// The same as a text; `isKnown` is that of `SmallString`.
    @inlinable @inline(__always) func shortText(_ row: Int, isKnown: Bool) -> String? {
        guard let bytes = shortBytes(row), let start = bytes.baseAddress else { return nil }
        return SmallString.make(start, count: bytes.count, width: width, isKnown: isKnown)
    }
}
