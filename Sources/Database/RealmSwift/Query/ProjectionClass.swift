// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A projection class with any root class.
protocol ProjectionClass: AnyObject {
    static var rootClass: ObjectBase.Type { get }

    /// `object` must be an instance of the root class.
    static func projection(of object: ObjectBase) -> Self

    /// The properties of the root class that are projected.
    static var origins: [String] { get }
}
