// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Whether the place lies in a shape or on its boundary. The embedded class must have a `type`, which is "Point" for
    /// places, and `coordinates` that are longitude and latitude; what is no place lies nowhere.
    public func geoWithin<U: RLMGeospatial>(_ value: U) -> Query<Bool> { compare(.in, value) }
}
