// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The elements of an unmanaged set, with the equality of a managed one.
struct UniqueElements<Element: RealmCollectionValue> {
    private(set) var elements: [Element] = []
    private var places: [StoredIdentity: Int] = [:]

    func contains(_ element: Element) -> Bool { places[StoredIdentity(element)] != nil }

    mutating func insert(_ element: Element) {
        let identity = StoredIdentity(element)
        guard places[identity] == nil else { return }
        places[identity] = elements.count
        elements.append(element)
    }

    /// The last element takes the position of the removed one.
    mutating func remove(_ element: Element) {
        guard let place = places.removeValue(forKey: StoredIdentity(element)) else { return }
        let last = elements.removeLast()
        guard place < elements.count else { return }
        elements[place] = last
        places[StoredIdentity(last)] = place
    }
}

/// The identity of an element in a set: an object by itself, a value by its comparison in the file (content 8.3), where
/// strings are compared by their bytes and mixed numbers of different types are equal if their values are.
private struct StoredIdentity: Hashable {
    private let object: ObjectBase?
    private let value: StoredValue

    init<Element: RealmCollectionValue>(_ element: Element) {
        switch element._rlmContent.kind {
        case .value(let value): (object, self.value) = (nil, value)
        case .object(let object): (self.object, value) = (object, .null)
        case .elements, .entries: throwRealmException("A set cannot hold a list or a dictionary.")
        }
    }

    static func == (lhs: StoredIdentity, rhs: StoredIdentity) -> Bool {
        if let left = lhs.object, let right = rhs.object { return left == right || left.denotesSameRow(as: right) }
        return lhs.object == nil && rhs.object == nil && StoredValue.compare(lhs.value, rhs.value) == 0
    }

    func hash(into hasher: inout Hasher) {
        if let object {
            // Two accessors of one row must have equal hashes.
            if object.isManaged { hasher.combine(object._rlmRow.key.rawValue) } else { hasher.combine(object) }
        } else if let number = value.number {
            hasher.combine(number.isNaN ? 0 : number.rounded())
        } else {
            hasher.combine(value)
        }
    }
}

extension StoredValue {
    /// An approximation of the number.
    fileprivate var number: Double? {
        switch self {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.doubleValue
        default: nil
        }
    }
}
