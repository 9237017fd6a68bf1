// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A projection class with any root.
protocol ProjectionClass: AnyObject {
    static var rootClass: ObjectBase.Type { get }

    /// A projection of an object, which must be of the root class.
    static func projection(of object: ObjectBase) -> Self

    /// The properties of the root class that a projection of this class shows.
    static var origins: [String] { get }
}
