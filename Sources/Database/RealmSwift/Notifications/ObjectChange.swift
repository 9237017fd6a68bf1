// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// What has happened to an object since its observer was last notified of it.
@frozen public enum ObjectChange<T> {
    /// A world error, damage in the file mostly, keeps the changes from being found. Nothing more will be notified.
    case error(_ error: NSError)

    /// Properties have changed.
    case change(_: T, _: [PropertyChange])

    /// The object was deleted. Nothing more will be notified.
    case deleted
}

/// The change of one property.
@frozen public struct PropertyChange {
    /// The name of the property.
    public let name: String

    /// The value before; nil if the change was made where it is observed, and for collections. An object is as it is
    /// now.
    public let oldValue: Any?

    /// The value now; nil for collections.
    public let newValue: Any?

    package init(name: String, oldValue: Any?, newValue: Any?) {
        self.name = name
        self.oldValue = oldValue
        self.newValue = newValue
    }
}

/// The change of one member of a projection, named by the member.
public typealias ProjectedPropertyChange = PropertyChange
