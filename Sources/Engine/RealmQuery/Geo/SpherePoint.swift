// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A point on the sphere, as a vector of length 1.
struct SpherePoint: Equatable, Sendable {
    var x: Double
    var y: Double
    var z: Double

    init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }

    init(_ position: GeoPosition) {
        let (longitude, latitude) = (position.longitude * .pi / 180, position.latitude * .pi / 180)
        self.init(x: cos(latitude) * cos(longitude), y: cos(latitude) * sin(longitude), z: sin(latitude))
    }

    func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

    func cross(_ other: SpherePoint) -> SpherePoint {
        SpherePoint(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }

    var length: Double { dot(self).squareRoot() }
    var normalized: SpherePoint { length > 0 ? self * (1 / length) : self }

    /// Accurate for small and for large angles.
    func angle(to other: SpherePoint) -> Double { atan2(cross(other).length, dot(other)) }

    static func + (a: SpherePoint, b: SpherePoint) -> SpherePoint {
        SpherePoint(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z)
    }

    static func * (a: SpherePoint, factor: Double) -> SpherePoint {
        SpherePoint(x: a.x * factor, y: a.y * factor, z: a.z * factor)
    }

    /// Returns the axis of the rotation to another point. It's accurate for close points, whose difference is exact.
    func axis(to other: SpherePoint) -> SpherePoint {
        (self + other).cross(other + self * -1).normalized
    }

    /// Positive if the corners are counterclockwise.
    static func area(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint) -> Double {
        2 * atan2(a.cross(b).dot(c), 1 + a.dot(b) + b.dot(c) + c.dot(a))
    }
}

struct SphereArc {
    let start: SpherePoint
    let end: SpherePoint

    /// Smaller lengths count as zero. It's about six micrometres on the Earth's surface.
    static let tolerance = 1e-12

    func contains(_ point: SpherePoint) -> Bool {
        let axis = start.axis(to: end)
        if start.angle(to: point) <= SphereArc.tolerance || end.angle(to: point) <= SphereArc.tolerance { return true }
        guard abs(axis.dot(point)) <= SphereArc.tolerance else { return false }
        return axis.dot(start.cross(point)) >= 0 && axis.dot(point.cross(end)) >= 0
    }

    /// Whether the arcs have more than one point in common, which requires that they are on the same circle.
    func overlaps(_ other: SphereArc) -> Bool {
        let common = [start, end].filter(other.contains) + [other.start, other.end].filter(contains)
        return common.dropFirst().contains { $0.angle(to: common[0]) > SphereArc.tolerance }
    }

    /// Whether the arcs have an inner point in common. Nil if this is undetermined, because an end of one arc is on the
    /// other arc or its circle.
    func crosses(_ other: SphereArc) -> Bool? {
        let (axis, otherAxis) = (start.axis(to: end), other.start.axis(to: other.end))
        // Positive on the left of the arc.
        let sides = (
            axis.dot(other.start), axis.dot(other.end), otherAxis.dot(start), otherAxis.dot(end)
        )
        if min(abs(sides.0), abs(sides.1), abs(sides.2), abs(sides.3)) < 1e-15 { return nil }
        guard (sides.0 > 0) != (sides.1 > 0), (sides.2 > 0) != (sides.3 > 0) else { return false }
        // The circles meet in two opposite points, and both arcs must contain the same one.
        return (sides.0 > 0) != (sides.2 > 0)
    }
}
