// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The entries of an unmanaged map. Keys are compared by their bytes, as in a managed map.
struct UniqueEntries<Key: _MapKey, Value> {
    private(set) var entries: [(key: Key, value: Value)] = []
    private var places: [StoredValue: Int] = [:]

    subscript(key: Key) -> Value? {
        get { places[.string(key._mapKey)].map { entries[$0].value } }
        set {
            let identity = StoredValue.string(key._mapKey)
            switch (places[identity], newValue) {
            case (let place?, let value?): entries[place].value = value
            case (nil, let value?):
                places[identity] = entries.count
                entries.append((key, value))
            case (let place?, nil): remove(identity, at: place)
            case (nil, nil): break
            }
        }
    }

    /// The last entry takes the position of the removed one.
    private mutating func remove(_ identity: StoredValue, at place: Int) {
        places[identity] = nil
        let last = entries.removeLast()
        guard place < entries.count else { return }
        entries[place] = last
        places[.string(last.key._mapKey)] = place
    }
}
