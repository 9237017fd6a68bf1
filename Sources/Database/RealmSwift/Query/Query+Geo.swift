// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Returns a condition that is true if the point lies in a shape or on its boundary.
    ///
    /// The embedded class must have the properties `type`, which is "Point" for points, and `coordinates`, an array of
    /// longitude and latitude in degrees. Objects that aren't points never match.
    public func geoWithin<U: RLMGeospatial>(_ value: U) -> Query<Bool> { compare(.in, value) }
}
