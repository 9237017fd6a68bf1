// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// An iterator over the elements that a collection had when the iteration began.
public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
    @usableFromInline var elements: [Element]
    @usableFromInline var position = 0
    @usableFromInline var cursor: ElementCursor?
    @usableFromInline let isOverObjects: Bool

    init(_ elements: [Element]) {
        self.elements = elements
        isOverObjects = false
    }

    @inlinable init(_ cursor: ElementCursor?) {
        elements = []
        isOverObjects = cursor?.holdsObjects ?? false
        self.cursor = cursor
    }

    @inlinable public mutating func next() -> Element? {
        if let object = cursor?.nextStep() { return Element._element(object) }
        if isOverObjects {
            guard let object = cursor?.nextObject() else { return nil }
            return Element._element(object)
        }
        guard position < elements.count else { return nextValue() }
        position &+= 1
        return elements[position &- 1]
    }

    @usableFromInline @inline(never) mutating func nextValue() -> Element? {
        elements = cursor?.nextValues(Element.self) ?? []
        position = elements.isEmpty ? 0 : 1
        return elements.first
    }
}

extension RealmCollectionValue {
    /// Returns the object as an instance of `Self`, without a check. Collections create their accessors as `Self`, and
    /// checking the generic type would double the cost.
    @inlinable public static func _element(_ object: ObjectBase) -> Self { unsafe unsafeBitCast(object, to: Self.self) }

    public static var _isProjection: Bool { false }

    /// Converts a stored value to an element. If the file is damaged, which the next commit reports, the result is the
    /// type's empty value, or an invalidated object.
    static func _element(_ stored: _StoredElement) -> Self {
        if let target = stored.target {
            var key = ObjectKey.null
            if case .link(let stored) = stored.value { key = stored }
            return Self._element(stored.realm.object(of: target.info.objectClass, target, key, at: stored.place))
        }
        if let element = Self._make(stored) { return element }
        (Self.self as? any _CustomPersistable.Type)?.verifyAccepted(stored)
        if let empty = (Self.self as? any _Persistable.Type)?._makeDefault() as? Self { return empty }
        throwRealmException("Could not convert value '\(stored.value.printed)' to type '\(Self.self)'.")
    }
}
