// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery

/// A place on the Earth's surface, for geospatial queries. It cannot be stored; places are stored as embedded objects
/// with the properties `type`, which is "Point", and `coordinates`: longitude, latitude and perhaps altitude.
public typealias GeoPoint = RLMGeospatialPoint

/// A place on the Earth's surface; use it as `GeoPoint`.
public final class RLMGeospatialPoint: Hashable, Sendable, CustomStringConvertible {
    /// In degrees, from -90 in the south to 90.
    public let latitude: Double
    /// In degrees, from -180 in the west to 180.
    public let longitude: Double
    /// Not below 0. Queries do not regard it.
    public let altitude: Double

    /// nil unless there is such a place.
    public convenience init?(latitude: Double, longitude: Double) {
        self.init(latitude: latitude, longitude: longitude, altitude: 0)
    }

    /// nil unless there is such a place, not below the surface.
    public init?(latitude: Double, longitude: Double, altitude: Double) {
        let position = GeoPosition(longitude: longitude, latitude: latitude, altitude: altitude)
        guard position.isValid else { return nil }
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    convenience init?(_ place: (Double, Double)) { self.init(latitude: place.0, longitude: place.1) }

    var position: GeoPosition { GeoPosition(longitude: longitude, latitude: latitude, altitude: altitude) }

    public static func == (a: RLMGeospatialPoint, b: RLMGeospatialPoint) -> Bool { a.position == b.position }

    public func hash(into hasher: inout Hasher) { hasher.combine(position) }

    public var description: String { "GeoPoint([\(longitude), \(latitude), \(altitude)])" }
}
