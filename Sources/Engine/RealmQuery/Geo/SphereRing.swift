// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A closed line of arcs that doesn't intersect itself. Its inside is the smaller part of the sphere.
struct SphereRing: Sendable {
    /// Counterclockwise, so the inside is on the left. The first corner isn't repeated at the end.
    let corners: [SpherePoint]

    init(_ corners: [SpherePoint]) {
        let area = corners.indices.dropFirst().dropLast().reduce(0.0) { area, index in
            area + SpherePoint.area(corners[0], corners[index], corners[index + 1])
        }
        // Overlapping triangles count more than once, but the whole area of the sphere counts as zero.
        var left = area.remainder(dividingBy: 4 * .pi)
        if left < 0 { left += 4 * .pi }
        self.corners = left > 2 * .pi ? corners.reversed() : corners
    }

    var edges: [SphereArc] {
        corners.indices.map { SphereArc(start: corners[$0], end: corners[($0 + 1) % corners.count]) }
    }

    func isOnEdge(_ point: SpherePoint) -> Bool { edges.contains { $0.contains(point) } }

    /// Whether a point is inside. For a point on an edge, the result is unspecified.
    ///
    /// An arc to the point from one just inside crosses an even number of edges if the point is inside. If the arc
    /// meets a corner, another arc is tried.
    func contains(_ point: SpherePoint) -> Bool {
        let edges = edges
        for step in 0..<8 {
            for index in edges.indices {
                guard let crossings = crossings(SphereArc(start: insidePoint(at: index, step), end: point), edges)
                else { continue }
                return crossings.isMultiple(of: 2)
            }
        }
        return false
    }

    private func insidePoint(at index: Int, _ step: Int) -> SpherePoint {
        let (start, end) = (corners[index], corners[(index + 1) % corners.count])
        let fraction = 0.5 + 0.037 * Double(step)
        let middle = (start * (1 - fraction) + end * fraction).normalized
        return (middle + start.axis(to: end) * 1e-10).normalized
    }

    private func crossings(_ arc: SphereArc, _ edges: [SphereArc]) -> Int? {
        guard arc.start.dot(arc.end) > -1 + 1e-9 else { return nil }
        var count = 0
        for edge in edges {
            guard let crosses = arc.crosses(edge) else { return nil }
            if crosses { count += 1 }
        }
        return count
    }
}
