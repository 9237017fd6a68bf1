// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery

/// A point on the Earth's surface, for geospatial queries. It can't be stored. Store a point as an embedded object with
/// the properties `type`, which is "Point", and `coordinates`: longitude, latitude and optionally altitude.
public typealias GeoPoint = RLMGeospatialPoint

/// A point on the Earth's surface; use it as `GeoPoint`.
public final class RLMGeospatialPoint: Hashable, Sendable, CustomStringConvertible {
    /// The latitude in degrees, from -90 (south) to 90 (north).
    public let latitude: Double
    /// The longitude in degrees, from -180 (west) to 180 (east).
    public let longitude: Double
    /// The altitude, 0 or greater, in a unit of your choice. Queries ignore it.
    public let altitude: Double

    /// Creates a point, or returns nil if the coordinates are out of range.
    public convenience init?(latitude: Double, longitude: Double) {
        self.init(latitude: latitude, longitude: longitude, altitude: 0)
    }

    /// Creates a point, or returns nil if the coordinates are out of range or the altitude is negative.
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
