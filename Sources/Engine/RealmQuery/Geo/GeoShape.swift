// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A point on the Earth in degrees. Queries ignore the altitude.
package struct GeoPosition: Sendable, Hashable {
    package var longitude: Double
    package var latitude: Double
    package var altitude: Double

    package init(longitude: Double, latitude: Double, altitude: Double = 0) {
        self.longitude = longitude
        self.latitude = latitude
        self.altitude = altitude
    }

    package var isValid: Bool {
        -90...90 ~= latitude && -180...180 ~= longitude && altitude >= 0 && altitude.isFinite
    }
}

package enum GeoShape: Sendable, Hashable {
    /// The region between four corners, with parts of great circles as edges. A box at least 180 degrees wide is the
    /// region between two parallels and two meridians.
    case box(bottomLeft: GeoPosition, topRight: GeoPosition)
    /// The radius is in radians, and inclusive.
    case circle(center: GeoPosition, radius: Double)
    /// The region inside the first ring and outside the other rings, its holes. Each ring ends with its first corner.
    /// Edges are parts of great circles.
    case polygon([[GeoPosition]])
}

extension GeoShape: CustomStringConvertible {
    /// The shape in the syntax of predicates, with all digits.
    package var description: String { text(\.description) }

    /// The shape for messages, with six digits.
    package var shown: String { text(GeoPosition.sixDigits) }

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
    var shown: String { text(withAltitude: true, GeoPosition.sixDigits) }

    static func shown(_ coordinate: Double) -> String { text(coordinate, sixDigits) }

    fileprivate static func sixDigits(_ number: Double) -> String { number.rounded(toDigits: 6).description }

    fileprivate func text(withAltitude: Bool, _ number: (Double) -> String) -> String {
        let numbers = [longitude, latitude] + (withAltitude ? [altitude] : [])
        return "[" + numbers.map { GeoPosition.text($0, number) }.joined(separator: ", ") + "]"
    }

    fileprivate static func text(_ value: Double, _ number: (Double) -> String) -> String {
        let text = number(value)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension Double {
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
