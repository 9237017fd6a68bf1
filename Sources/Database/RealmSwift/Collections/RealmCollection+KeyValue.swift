// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// Key-value coding: access to the elements' properties by keys that are strings. An enum is represented by its raw
/// value.
extension RealmCollection {
    /// Returns the value of a property for each element, as an array with nil for null; for `"self"`, the elements
    /// themselves. `"invalidated"` returns whether the collection is invalidated.
    public func value(forKey key: String) -> Any? {
        if key == "invalidated" { return isInvalidated }
        if key.hasPrefix("@") { return value(forKeyPath: key) }
        return map { RealmSwift.value(ofElement: $0._rlmDynamicValue, forKey: key) } as [Any?]
    }

    /// Returns the value of a property for each element, like `value(forKey:)`, but also for properties of linked
    /// objects, such as `"toy.name"`. A path may also be an operator on the elements: `"@count"`, or `@min`, `@max`,
    /// `@sum`, `@avg`, `@unionOfObjects`, `@distinctUnionOfObjects`, `@unionOfArrays` or `@distinctUnionOfArrays`
    /// followed by the name of a property.
    public func value(forKeyPath keyPath: String) -> Any? {
        if let operation = KeyValueOperation(keyPath) {
            return operation.value(of: map(\._rlmDynamicValue), in: words, aggregated: aggregated)
        }
        guard keyPath.contains(".") else { return value(forKey: keyPath) }
        return map { RealmSwift.value(ofValue: flattened($0._rlmDynamicValue), forKeyPath: keyPath) } as [Any?]
    }

    /// Sets a property of each element to a value. A managed collection requires a write transaction.
    public func setValue(_ value: Any?, forKey key: String) {
        verifyChange()
        for element in self {
            let element = element._rlmDynamicValue
            guard let object = element as? ObjectBase else { throwUnknownKey(key, of: element ?? "null") }
            object.setValue(value, forKey: key)
        }
    }

    private func aggregated(_ operation: AggregateOperation, _ key: String) -> Any? {
        let shape = Element._elementShape
        if shape.objectType != nil, let core = _origin?.core {
            return core.aggregate(operation, key).dynamicValue
        }
        let elements: [Any?] = map(\._rlmDynamicValue)
        return memoryAggregate(operation, of: elements, key, shape).dynamicValue
    }

    private func verifyChange() {
        guard let core = _origin?.core else { return }
        if core.steps.isEmpty, let collection = core.baseCollection { return collection.verifyChange() }
        core.realm.verifyInWrite("Cannot modify Results outside of a write transaction.")
    }
}

/// Returns an aggregate of values, or of a property of unmanaged objects. `shape` is that of the elements.
func memoryAggregate(
    _ operation: AggregateOperation, of elements: [Any?], _ key: String, _ shape: _PropertyShape
) -> StoredValue {
    let objects = elements.compactMap { $0 as? ObjectBase }
    if let info = objects.first?.classInfo ?? shape.objectType.map(ClassRegistry.shared.info) {
        guard let property = info.property(named: key) else {
            throwRealmException(
                "Property '\(key)' not found in object of type '\(info.name)'", name: "Invalid property name")
        }
        guard property.shape.collection == .none, operation.accepts(property.shape.type.columnType) else {
            throwRealmException(
                """
                Operation '\(operation.rawValue)' not supported for \(property.shape.type.name) property \
                '\(info.name).\(key)'
                """)
        }
        let values = objects.map {
            unsafe property.field.wrapper.content(of: $0, at: property.field.address(in: $0)).storedValue
        }
        return Aggregate.value(operation, of: property.shape.type.columnType, over: values)
    }
    guard operation.accepts(shape.type.columnType) else { return .null }
    let values = elements.map { element in
        (value(ofElement: element, forKey: key) as? any _ObjcBridgeable)?._rlmContent.storedValue ?? .null
    }
    return Aggregate.value(operation, of: shape.type.columnType, over: values)
}

extension List {
    /// Sets a property of each element to a value; for `"self"`, replaces each element with the value.
    public func setValue(_ value: Any?, forKey key: String) {
        guard key == "self" else { return AnyRealmCollection(self).setValue(value, forKey: key) }
        managed?.verifyChange()
        let element = converted(value)
        for index in 0..<count { self[index] = element }
    }

    private func converted(_ value: Any?) -> Element {
        if let element = Element._convert(flattened(value)) { return element }
        throwRealmException(
            value == nil
                ? "Invalid nil value for array of '\(Element._elementShape.elementName)'."
                : """
                Invalid value '\(printed(value))' of type '\(typeName(value))' for expected type \
                '\(Element._elementShape.elementName)'.
                """)
    }

    /// Returns the value of a property for each element, with `NSNull` for nil.
    public func value(forKey key: String) -> [AnyObject] { boxed(AnyRealmCollection(self).value(forKey: key)) }

    /// Returns the value of a property for each element, like `value(forKey:)`, but also for properties of linked
    /// objects.
    public func value(forKeyPath keyPath: String) -> [AnyObject] {
        boxed(AnyRealmCollection(self).value(forKeyPath: keyPath))
    }
}

extension MutableSet {
    /// Sets a property of each element to a value; for `"self"`, makes the value the only element.
    public func setValue(_ value: Any?, forKey key: String) {
        guard key == "self" else { return AnyRealmCollection(self).setValue(value, forKey: key) }
        guard let element = Element._convert(flattened(value)) else {
            throwRealmException("Invalid nil value for set of '\(Element._elementShape.elementName)'.")
        }
        removeAll()
        insert(element)
    }

    /// Returns the distinct values that the elements have for a property, with `NSNull` for nil.
    ///
    /// If both result types match, as in `as Any`, the compiler selects the overload of `RealmCollection`.
    @_disfavoredOverload public func value(forKey key: String) -> [AnyObject] {
        let values = AnyRealmCollection(self).value(forKey: key)
        guard let elements = values.flatMap(sequenceElements) else { return boxed(values) }
        return boxed(distinctValues(elements.map { $0 ?? NSNull() }))
    }
}
