// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Predicts object keys from primary keys. The distance between both is constant if primary keys number the objects in
/// the order of creation. A predicted object that has the primary key is the right one, without a search in the index:
/// no other has it.
struct SequentialKeyPredictor {
    /// The distance of the object that the index found last.
    private var last: Int64?
    /// Whether the one before was as far away: only then is it worth a guess.
    private var isSteady = false

    /// The object with this primary key: the result of `guessed` for the predicted key, which is nil if that object has
    /// another primary key, or else the result of `indexed`.
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

    /// The key that the object probably has, if it is likely enough and one that objects have.
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
