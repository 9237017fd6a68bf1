// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Predicts object keys from primary keys. Their difference is constant if primary keys number the objects in the order
/// of creation. If the predicted object has the primary key, it's the right one, because primary keys are unique. Then
/// no search in the index is needed.
struct SequentialKeyPredictor {
    /// The difference for the object that the index found last.
    private var last: Int64?
    /// Whether the last two differences were equal. Otherwise a guess isn't worthwhile.
    private var isSteady = false

    /// Returns the object with this primary key. Calls `guessed` with the predicted key; it must return nil unless that
    /// object has the primary key. Otherwise calls `indexed`.
    @inline(__always)
    mutating func find<Place>(
        _ primaryKey: Int64, guessed: (ObjectKey) throws -> Place?, indexed: () throws -> Place?,
        key: (Place) -> ObjectKey
    ) rethrows -> Place? {
        if let guess = guess(primaryKey) {
            if let place = try guessed(guess) { return place }
            isSteady = false
        }
        let found = try indexed()
        if let found { note(key(found), primaryKey) }
        return found
    }

    private func guess(_ primaryKey: Int64) -> ObjectKey? {
        guard isSteady, let last else { return nil }
        let key = ObjectKey(primaryKey &+ last)
        return key.rawValue < 0 ? nil : key
    }

    private mutating func note(_ key: ObjectKey, _ primaryKey: Int64) {
        let distance = key.rawValue &- primaryKey
        isSteady = distance == last
        last = distance
    }
}
