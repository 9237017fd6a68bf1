// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// The changes of an object since its observer was last notified.
@frozen public enum ObjectChange<T> {
    /// An I/O error or damage in the file prevents the changes from being computed. No further notifications follow.
    case error(_ error: NSError)

    /// The changes of the object's properties, with the changed object.
    case change(_: T, _: [PropertyChange])

    /// The object was deleted. No further notifications follow.
    case deleted
}

/// The change of one property.
@frozen public struct PropertyChange {
    /// The name of the property.
    public let name: String

    /// The value before the change. Nil if the observing Realm made the change, and for collections. A
    /// linked object is in its current state.
    public let oldValue: Any?

    /// The value after the change; nil for collections.
    public let newValue: Any?

    package init(name: String, oldValue: Any?, newValue: Any?) {
        self.name = name
        self.oldValue = oldValue
        self.newValue = newValue
    }
}

/// The change of one member of a projection. `name` is the name of the member.
public typealias ProjectedPropertyChange = PropertyChange
