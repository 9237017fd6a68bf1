// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct GeoRegion: Sendable {
    private let kind: Kind

    private enum Kind: Sendable {
        case box(GeoPosition, GeoPosition)
        case circle(SpherePoint, Double)
        case polygon(SphereRing, holes: [SphereRing])
    }

    init(_ shape: GeoShape) throws(PredicateError) {
        switch shape {
        case .box(let bottomLeft, let topRight):
            guard bottomLeft.isValid, topRight.isValid else { throw GeoRegion.invalid(shape, "Invalid coordinates") }
            kind = GeoRegion.ring(bottomLeft, topRight).map { .polygon($0, holes: []) } ?? .box(bottomLeft, topRight)
        case .circle(let center, let radius):
            guard center.isValid else { throw GeoRegion.invalid(shape, "Invalid coordinates") }
            guard radius >= 0 else {
                throw GeoRegion.invalid(shape, "The radius of a circle must be a non-negative number")
            }
            kind = .circle(SpherePoint(center), radius)
        case .polygon(let rings):
            var check = PolygonCheck(rings)
            if let reason = check.reason { throw GeoRegion.invalid(shape, reason) }
            guard let outer = check.rings.first else { throw GeoRegion.invalid(shape, "Polygon has no rings") }
            kind = .polygon(outer, holes: Array(check.rings.dropFirst()))
        }
    }

    /// Returns the great circles between the corners of a box. Returns nil if it has no area, or is so wide that its
    /// corners don't determine its direction.
    private static func ring(_ low: GeoPosition, _ high: GeoPosition) -> SphereRing? {
        let width = high.longitude - low.longitude + (low.longitude <= high.longitude ? 0 : 360)
        guard 0 < width, width < 180, low.latitude < high.latitude else { return nil }
        let corners = [
            low, GeoPosition(longitude: high.longitude, latitude: low.latitude), high,
            GeoPosition(longitude: low.longitude, latitude: high.latitude),
        ]
        // All meridians meet at a pole.
        var points: [SpherePoint] = []
        for point in corners.map({ SpherePoint($0) })
        where !points.contains(where: { $0.angle(to: point) <= SphereArc.tolerance }) { points.append(point) }
        return SphereRing(points)
    }

    private static func invalid(_ shape: GeoShape, _ reason: String) -> PredicateError {
        PredicateError(
            .invalidPredicate, "Invalid region in GEOWITHIN query for parameter '\(shape.shown)': '\(reason)'")
    }

    func contains(_ position: GeoPosition) -> Bool {
        switch kind {
        case .box(let low, let high):
            guard low.latitude <= position.latitude, position.latitude <= high.latitude else { return false }
            // A box whose left is east of its right crosses the meridian of 180 degrees.
            return low.longitude <= high.longitude
                ? low.longitude <= position.longitude && position.longitude <= high.longitude
                : position.longitude >= low.longitude || position.longitude <= high.longitude
        case .circle(let center, let radius):
            return center.angle(to: SpherePoint(position)) <= radius + 1e-15
        case .polygon(let ring, let holes):
            let point = SpherePoint(position)
            if ring.isOnEdge(point) || holes.contains(where: { $0.isOnEdge(point) }) { return true }
            return ring.contains(point) && !holes.contains { $0.contains(point) }
        }
    }
}

/// Validates the rings of a polygon. Consecutive equal corners count once.
struct PolygonCheck {
    private let positions: [[GeoPosition]]
    /// Without the corner that closes each ring.
    private(set) var rings: [SphereRing] = []
    private var open: [[SpherePoint]] = []

    init(_ positions: [[GeoPosition]]) { self.positions = positions }

    /// The first fault; nil for a valid polygon.
    var reason: String? {
        mutating get {
            for (index, ring) in positions.enumerated() {
                if let reason = PolygonCheck.openRingReason(ring) { return reason }
                let corners = Array(PolygonCheck.distinctNeighbours(ring).dropLast())
                guard corners.count >= 3 else {
                    return "Ring \(index) must have at least 3 different vertices, \(corners.count) unique vertices "
                        + "were provided"
                }
                if let reason = ringReason(corners + [corners[0]]) {
                    return "Ring \(index) is not valid: '\(reason)'"
                }
                open.append(corners.map { SpherePoint($0) })
                rings.append(SphereRing(open[index]))
            }
            return sharedEdge ?? misplacedRing
        }
    }

    private static func openRingReason(_ ring: [GeoPosition]) -> String? {
        guard let first = ring.first, let last = ring.last else { return "Ring has no vertices" }
        if let outside = ring.first(where: { !$0.isValid }) {
            return "Longitude/latitude is out of bounds, lng: \(GeoPosition.shown(outside.longitude)) "
                + "lat: \(GeoPosition.shown(outside.latitude))"
        }
        if first == last { return nil }
        return "Ring is not closed, first vertex '\(first.shown)' does not equal last vertex '\(last.shown)'"
    }

    private static func distinctNeighbours(_ ring: [GeoPosition]) -> [GeoPosition] {
        ring.indices.filter { $0 == 0 || ring[$0] != ring[$0 - 1] }.map { ring[$0] }
    }

    private func ringReason(_ ring: [GeoPosition]) -> String? {
        let corners = ring.dropLast().map { SpherePoint($0) }
        for (index, corner) in corners.enumerated() {
            if let other = corners[..<index].firstIndex(where: { $0.angle(to: corner) <= SphereArc.tolerance }) {
                return "Duplicate vertices: \(other) and \(index)"
            }
        }
        let edges = corners.indices.map { SphereArc(start: corners[$0], end: corners[($0 + 1) % corners.count]) }
        for index in edges.indices where edges[index].start.dot(edges[index].end) < -1 + 1e-12 {
            return "Vertices \(index) and \((index + 1) % corners.count) are antipodal"
        }
        for first in edges.indices {
            // Adjacent edges share a corner and can only overlap.
            for second in edges.indices.dropFirst(first + 1) {
                let areNeighbours = second == first + 1 || first == 0 && second == edges.count - 1
                if PolygonCheck.meet(edges[first], edges[second], areNeighbours: areNeighbours) {
                    return "Edges \(first) and \(second) cross. Edge locations in degrees: "
                        + "\(edgeText(ring, first)) and \(edgeText(ring, second))"
                }
            }
        }
        return nil
    }

    private static func meet(_ a: SphereArc, _ b: SphereArc, areNeighbours: Bool) -> Bool {
        if a.crosses(b) ?? false { return true }
        if !areNeighbours {
            return a.contains(b.start) || a.contains(b.end) || b.contains(a.start) || b.contains(a.end)
        }
        let (tip, other) = a.end.angle(to: b.start) <= SphereArc.tolerance ? (a.start, b.end) : (a.end, b.start)
        return b.contains(tip) || a.contains(other)
    }

    /// `[latitude, longitude]-[latitude, longitude]`.
    private func edgeText(_ ring: [GeoPosition], _ index: Int) -> String {
        [ring[index], ring[index + 1]].map {
            "[\(PolygonCheck.fixed($0.latitude)), \(PolygonCheck.fixed($0.longitude))]"
        }.joined(separator: "-")
    }

    private static func fixed(_ number: Double) -> String {
        let scaled = Int64((number.magnitude * 1e7).rounded())
        let fraction = String(scaled % 10_000_000)
        let zeros = String(repeating: "0", count: 7 - fraction.count)
        return (number < 0 && scaled > 0 ? "-" : "") + "\(scaled / 10_000_000).\(zeros)\(fraction)"
    }

    private var sharedEdge: String? {
        for later in open.indices {
            for (laterIndex, corner) in open[later].enumerated() {
                let next = open[later][(laterIndex + 1) % open[later].count]
                for earlier in 0..<later {
                    for (index, other) in open[earlier].enumerated() {
                        let end = open[earlier][(index + 1) % open[earlier].count]
                        let isSame =
                            corner.angle(to: other) <= SphereArc.tolerance && next.angle(to: end) <= SphereArc.tolerance
                            || corner.angle(to: end) <= SphereArc.tolerance
                                && next.angle(to: other) <= SphereArc.tolerance
                        if isSame {
                            return "Polygon isn't valid: 'Duplicate edge: ring \(later), edge \(laterIndex) and ring "
                                + "\(earlier), edge \(index)'"
                        }
                    }
                }
            }
        }
        return nil
    }

    private var misplacedRing: String? {
        guard let outer = rings.first else { return nil }
        for (index, hole) in rings.enumerated().dropFirst() {
            guard PolygonCheck.isInside(hole, outer) else {
                return "Secondary ring \(index) not contained by first exterior ring - "
                    + "secondary rings must be holes in the first ring"
            }
            for (other, earlier) in rings[..<index].enumerated().dropFirst() {
                if PolygonCheck.cross(hole, earlier) {
                    return "Polygon isn't valid: 'Ring \(index) crosses ring \(other)'"
                }
                if PolygonCheck.isInside(hole, earlier) { return "Polygon interior rings cannot be nested: \(index)" }
                if PolygonCheck.isInside(earlier, hole) { return "Polygon interior rings cannot be nested: \(other)" }
            }
        }
        return nil
    }

    private static func isInside(_ inner: SphereRing, _ outer: SphereRing) -> Bool {
        !cross(inner, outer) && !shareStretch(inner, outer)
            && inner.corners.allSatisfy { outer.isOnEdge($0) || outer.contains($0) }
            && inner.corners.contains { !outer.isOnEdge($0) }
    }

    private static func shareStretch(_ a: SphereRing, _ b: SphereRing) -> Bool {
        a.edges.contains { edge in b.edges.contains { edge.overlaps($0) } }
    }

    private static func cross(_ a: SphereRing, _ b: SphereRing) -> Bool {
        a.edges.contains { edge in b.edges.contains { edge.crosses($0) ?? false } }
    }
}
