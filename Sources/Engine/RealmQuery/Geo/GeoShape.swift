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
    /// The shape as predicates are written, with all digits.
    package var description: String { text(\.description) }

    /// The shape as it is shown, with six digits.
    package var shown: String { text { $0.rounded(toDigits: 6).description } }

    private func text(_ number: (Double) -> String) -> String {
        switch self {
        case .box(let bottomLeft, let topRight):
            "GeoBox(\(bottomLeft.text(withAltitude: false, number)), \(topRight.text(withAltitude: false, number)))"
        case .circle(let center, let radius):
            "GeoCircle(\(center.text(withAltitude: true, number)), \(GeoPosition.text(radius, number)))"
        case .polygon(let rings):
            "GeoPolygon("
                + rings.map { "{" + $0.map { $0.text(withAltitude: true, number) }.joined(separator: ", ") + "}" }
                .joined(separator: ", ") + ")"
        }
    }
}

extension GeoPosition {
    fileprivate func text(withAltitude: Bool, _ number: (Double) -> String) -> String {
        let numbers = [longitude, latitude] + (withAltitude ? [altitude] : [])
        return "[" + numbers.map { GeoPosition.text($0, number) }.joined(separator: ", ") + "]"
    }

    /// Whole numbers without a fraction.
    fileprivate static func text(_ value: Double, _ number: (Double) -> String) -> String {
        let text = number(value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension Double {
    /// The number with so many digits, leading zeros not counted.
    fileprivate func rounded(toDigits count: Int) -> Double {
        guard isFinite, self != 0 else { return self }
        var digits = count
        var size = magnitude
        while size >= 1, digits > 0 { (size, digits) = (size / 10, digits - 1) }
        while size < 0.1, digits < 20 { (size, digits) = (size * 10, digits + 1) }
        var unit = 1.0
        for _ in 0..<digits { unit *= 10 }
        return (self * unit).rounded() / unit
    }
}
