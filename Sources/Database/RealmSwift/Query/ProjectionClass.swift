// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

protocol ProjectionClass: AnyObject {
    static var rootClass: ObjectBase.Type { get }

    /// `object` must be an instance of the root class.
    static func projection(of object: ObjectBase) -> Self

    static var origins: [String] { get }
}
