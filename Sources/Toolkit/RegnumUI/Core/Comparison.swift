// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A class whose instances views compare by content, and pickers compare by identity as tags.
///
/// Database objects conform. Two instances of one row are the same choice of a picker, and two snapshots of an
/// unchanged row are equal for a view.
package protocol EntityObject: AnyObject {
    /// Whether a view would look the same with either object.
    func showsSame(as other: AnyObject) -> Bool
    func isSameEntity(as other: AnyObject) -> Bool
}

protocol ComparableField {
    @MainActor func isSame(as other: Self) -> Bool
}

/// Compares two values field by field, to decide whether a view needs evaluation. Values that can't be compared count
/// as different: a redundant evaluation is only slow, but a missing one is wrong.
@MainActor enum Comparison {
    private typealias Compare = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

    /// The first word of a type's metadata.
    private enum Kind: UInt {
        case structure = 0x200
        case enumeration = 0x201
        case tuple = 0x301
    }

    private static var known: [ObjectIdentifier: Compare] = [:]

    static func areSame<T>(_ a: T, _ b: T) -> Bool {
        let compare = Self.compare(T.self)
        return withUnsafePointer(to: a) { a in withUnsafePointer(to: b) { b in compare(a, b) } }
    }

    private static func compare(_ type: Any.Type) -> Compare {
        if let compare = known[ObjectIdentifier(type)] { return compare }
        let compare = make(type)
        known[ObjectIdentifier(type)] = compare
        return compare
    }

    private static func make(_ type: Any.Type) -> Compare {
        if let type = type as? any ComparableField.Type { return custom(type) }
        if let type = type as? AnyClass { return object(type) }
        if let type = type as? any OptionalValue.Type { return optional(type) }
        // The `==` of an app's view counts only inside `EquatableView`.
        let isProgramsView = type is any View.Type && !(type is any Primitive.Type)
        if !isProgramsView, let type = type as? any Equatable.Type { return equatable(type) }
        switch Kind(rawValue: unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee) {
        case .structure, .tuple: return fields(type)
        case .enumeration:
            func open<T>(_ type: T.Type) -> Compare { enumeration(type) }
            return _openExistential(type, do: open)
        case nil: return { _, _ in false }
        }
    }

    private static func fields(_ type: Any.Type) -> Compare {
        let fields = Fields.of(type).map { ($0.offset, compare($0.type)) }
        return { a, b in fields.allSatisfy { $1(a + $0, b + $0) } }
    }

    private static func custom<T: ComparableField>(_ type: T.Type) -> Compare {
        { a, b in a.assumingMemoryBound(to: T.self).pointee.isSame(as: b.assumingMemoryBound(to: T.self).pointee) }
    }

    private static func equatable<T: Equatable>(_ type: T.Type) -> Compare {
        { a, b in
            let (a, b) = (a.assumingMemoryBound(to: T.self).pointee, b.assumingMemoryBound(to: T.self).pointee)
            // NaN isn't equal to itself, but a view shows it the same.
            return a == b || a is any FloatingPoint && a != a && b != b
        }
    }

    /// Compares words before reading any object, because reflection reports a weak reference with the same type.
    private static func object(_ type: AnyClass) -> Compare {
        let isEntity = type is any EntityObject.Type
        return { a, b in
            if a.load(as: UInt.self) == b.load(as: UInt.self) { return true }
            guard isEntity, let entity = a.load(as: AnyObject.self) as? any EntityObject else { return false }
            return entity.showsSame(as: b.load(as: AnyObject.self))
        }
    }

    private static func optional<T: OptionalValue>(_ type: T.Type) -> Compare {
        if let type = T.Wrapped.self as? AnyClass {
            let compare = object(type)
            return { a, b in
                let (first, second) = (a.load(as: UInt.self), b.load(as: UInt.self))
                return first == second || first != 0 && second != 0 && compare(a, b)
            }
        }
        return { a, b in
            switch (
                a.assumingMemoryBound(to: T.self).pointee.wrapped, b.assumingMemoryBound(to: T.self).pointee.wrapped
            ) {
            case (let a?, let b?): areSame(a, b)
            case (nil, nil): true
            default: false
            }
        }
    }

    /// Compares cases without a payload by their bytes.
    private static func enumeration<T>(_ type: T.Type) -> Compare {
        { a, b in
            let first = Mirror(reflecting: a.assumingMemoryBound(to: T.self).pointee).children.first
            let second = Mirror(reflecting: b.assumingMemoryBound(to: T.self).pointee).children.first
            guard let first, let second else {
                return first == nil && second == nil
                    && (0..<MemoryLayout<T>.size).allSatisfy {
                        (a + $0).load(as: UInt8.self) == (b + $0).load(as: UInt8.self)
                    }
            }
            return first.label == second.label && arePayloadsSame(first.value, second.value)
        }
    }

    private static func arePayloadsSame(_ a: Any, _ b: Any) -> Bool {
        func same<T>(_ a: T) -> Bool { type(of: b) == T.self && (b as? T).map { areSame(a, $0) } == true }
        return _openExistential(a, do: same)
    }
}

protocol OptionalValue<Wrapped> {
    associatedtype Wrapped
    var wrapped: Wrapped? { get }
}

extension Optional: OptionalValue {
    var wrapped: Wrapped? { self }
}

extension AnyHashable {
    /// Database objects identify the same choice if they represent the same row.
    @MainActor func isSameTag(as other: AnyHashable) -> Bool {
        if let a = base as? any EntityObject, let b = other.base as? any EntityObject { return a.isSameEntity(as: b) }
        return self == other
    }
}
