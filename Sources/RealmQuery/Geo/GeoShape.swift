// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A place on the Earth in degrees. The altitude has no part in queries.
package struct GeoPosition: Sendable, Hashable {
    package var longitude: Double
    package var latitude: Double
    package var altitude: Double

    package init(longitude: Double, latitude: Double, altitude: Double = 0) {
        self.longitude = longitude
        self.latitude = latitude
        self.altitude = altitude
    }

    /// Whether there is such a place.
    package var isValid: Bool {
        -90...90 ~= latitude && -180...180 ~= longitude && altitude >= 0 && altitude.isFinite
    }
}

/// A part of the Earth's surface that GEOWITHIN asks for.
package enum GeoShape: Sendable, Hashable {
    /// Between four corners, the edges being parts of great circles; a box that is 180 degrees wide or more is what
    /// lies between two parallels and two meridians.
    case box(bottomLeft: GeoPosition, topRight: GeoPosition)
    /// Not farther from the centre than the radius, in radians.
    case circle(center: GeoPosition, radius: Double)
    /// Inside the first ring and outside the others, which are its holes. Each ring ends where it begins; its edges are
    /// parts of great circles.
    case polygon([[GeoPosition]])
}

extension GeoShape: CustomStringConvertible {
    package var description: String {
        switch self {
        case .box(let bottomLeft, let topRight):
            "GeoBox(\(bottomLeft.text(withAltitude: false)), \(topRight.text(withAltitude: false)))"
        case .circle(let center, let radius):
            "GeoCircle(\(center.text(withAltitude: true)), \(GeoPosition.text(radius)))"
        case .polygon(let rings):
            "GeoPolygon("
                + rings.map { "{" + $0.map { $0.text(withAltitude: true) }.joined(separator: ", ") + "}" }
                .joined(separator: ", ") + ")"
        }
    }
}

extension GeoPosition {
    fileprivate func text(withAltitude: Bool) -> String {
        let numbers = [longitude, latitude] + (withAltitude ? [altitude] : [])
        return "[" + numbers.map(GeoPosition.text).joined(separator: ", ") + "]"
    }

    /// Whole numbers without a fraction.
    fileprivate static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
