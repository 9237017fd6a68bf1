// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmQuery

/// Regions on the sphere compared with other computations.
@Suite struct GeoRegionTests {
    private func position(_ longitude: Double, _ latitude: Double) -> GeoPosition {
        GeoPosition(longitude: longitude, latitude: latitude)
    }

    private func ring(_ corners: [(Double, Double)]) -> [GeoPosition] {
        (corners + [corners[0]]).map { position($0.0, $0.1) }
    }

    private func random(_ random: inout SeededGenerator) -> GeoPosition {
        position(.random(in: -180...180, using: &random), asin(.random(in: -1...1, using: &random)) * 180 / .pi)
    }

    // MARK: Circles and boxes

    @Test func circlesMatchTheHaversineFormula() throws {
        var random = SeededGenerator(for: "circles")
        for _ in 0..<20_000 {
            let (a, b) = (self.random(&random), self.random(&random))
            let (x, y) = (a.latitude * .pi / 180, b.latitude * .pi / 180)
            let half = { (degrees: Double) in pow(sin(degrees * .pi / 360), 2) }
            let root = half(a.latitude - b.latitude) + cos(x) * cos(y) * half(a.longitude - b.longitude)
            let angle = 2 * asin(min(1, root.squareRoot()))
            for (radius, expected) in [(angle * (1 + 1e-6), true), (angle * (1 - 1e-6), false)] where angle < 3.14 {
                #expect(try GeoRegion(.circle(center: a, radius: radius)).contains(b) == expected, "\(a) \(b)")
            }
        }
    }

    @Test(.behaviour("Q01")) func boxesHaveTheirBoundary() throws {
        let box = try GeoRegion(.box(bottomLeft: position(10, 20), topRight: position(30, 40)))
        for (longitude, latitude, isInside) in [
            (10.0, 20.0, true), (30, 40, true), (20, 30, true), (9.999, 30, false), (30.001, 30, false),
            // The edges are great circles, which bend towards the pole.
            (20, 20.2, false), (20, 20.3, true), (20, 40.4, true), (20, 40.5, false),
        ] {
            #expect(box.contains(position(longitude, latitude)) == isInside, "\(longitude), \(latitude)")
        }
        let pacific = try GeoRegion(.box(bottomLeft: position(170, -10), topRight: position(-170, 10)))
        #expect(pacific.contains(position(180, 0)) && pacific.contains(position(-175, 0)))
        #expect(!pacific.contains(position(0, 0)))
        // At this width, parallels bound a box.
        let wide = try GeoRegion(.box(bottomLeft: position(-180, -10), topRight: position(180, 10)))
        #expect(wide.contains(position(0, 9.99)) && !wide.contains(position(0, 10.01)))
        let cap = try GeoRegion(.box(bottomLeft: position(0, 60), topRight: position(90, 90)))
        #expect(cap.contains(position(45, 80)) && !cap.contains(position(135, 80)))
    }

    // MARK: Polygons

    /// A convex polygon consists of the points on the left of all its edges.
    @Test func convexPolygonsMatchHalfSpheres() throws {
        var random = SeededGenerator(for: "convex")
        for _ in 0..<300 {
            let center = self.random(&random)
            let size = [1e-6, 1e-3, 0.1, 1, 40, 80].randomElement(using: &random)!
            let count = 3 + random.below(6)
            // Corners on a small circle around the centre, at growing angles.
            let angles = (0..<count).map {
                (Double($0) + .random(in: 0...0.8, using: &random)) / Double(count) * 2 * .pi
            }
            let corners = angles.map { place(around: center, $0, size) }
            guard
                corners.indices.allSatisfy({ index in
                    let gap = angles[(index + 1) % count] - angles[index] + (index == count - 1 ? 2 * .pi : 0)
                    return gap < 3
                })
            else { continue }
            var rings = corners + [corners[0]]
            if random.chance(50) { rings.reverse() }
            let region = try GeoRegion(.polygon([rings]))
            let vectors = corners.map { SpherePoint($0) }
            for _ in 0..<100 {
                let point = place(
                    around: center, .random(in: 0...6.28, using: &random), size * .random(in: 0...1.5, using: &random))
                let sides = vectors.indices.map { index in
                    vectors[index].axis(to: vectors[(index + 1) % count]).dot(SpherePoint(point))
                }
                // Near an edge, the two computations need not agree.
                guard !sides.contains(where: { abs($0) < 1e-11 }) else { continue }
                let isInside = sides.allSatisfy { $0 > 0 } || sides.allSatisfy { $0 < 0 } && size > 80
                #expect(region.contains(point) == isInside, "seed \(random.seed): \(rings) \(point)")
            }
        }
    }

    private func place(around center: GeoPosition, _ bearing: Double, _ distance: Double) -> GeoPosition {
        let c = SpherePoint(center)
        let east = SpherePoint(x: -c.y, y: c.x, z: 0).normalized
        let north = c.cross(east)
        let angle = distance * .pi / 180
        let p = c * cos(angle) + (east * cos(bearing) + north * sin(bearing)) * sin(angle)
        return position(atan2(p.y, p.x) * 180 / .pi, asin(max(-1, min(1, p.z))) * 180 / .pi)
    }

    /// A star is the union of the triangles of its centre and two adjacent corners.
    @Test func starsMatchTriangles() throws {
        var random = SeededGenerator(for: "stars")
        for _ in 0..<200 {
            let center = self.random(&random)
            let count = 5 + random.below(20)
            let corners = (0..<count).map { index in
                place(
                    around: center, Double(index) / Double(count) * 2 * .pi, .random(in: 5...40, using: &random))
            }
            let region = try GeoRegion(.polygon([corners + [corners[0]]]))
            for _ in 0..<60 {
                let point = place(
                    around: center, .random(in: 0...6.28, using: &random), .random(in: 0...60, using: &random))
                let inside = corners.indices.contains { index in
                    triangle([center, corners[index], corners[(index + 1) % count]], contains: point)
                }
                #expect(region.contains(point) == inside, "seed \(random.seed)")
            }
        }
    }

    private func triangle(_ corners: [GeoPosition], contains point: GeoPosition) -> Bool {
        let (a, b, c, p) = (
            SpherePoint(corners[0]), SpherePoint(corners[1]), SpherePoint(corners[2]), SpherePoint(point)
        )
        return a.axis(to: b).dot(p) >= 0 && b.axis(to: c).dot(p) >= 0 && c.axis(to: a).dot(p) >= 0
    }

    @Test func edgesAreGreatCircles() throws {
        // Along the parallel, 60° W to 60° E is longer than the great circle, which passes farther north.
        let square = try GeoRegion(.polygon([ring([(-60, 0), (60, 0), (60, 50), (-60, 50)])]))
        #expect(square.contains(position(0, 60)))
        #expect(!square.contains(position(0, 68)))
        #expect(!square.contains(position(0, -1)))
        #expect(square.contains(position(0, 0)))
        #expect(square.contains(position(60, 50)))
        #expect(square.contains(position(-60, 25)))
    }

    @Test func polesAndTheDateLine() throws {
        let north = try GeoRegion(.polygon([ring([(0, 70), (120, 70), (-120, 70)])]))
        #expect(north.contains(position(0, 90)))
        #expect(north.contains(position(17, 89)))
        #expect(!north.contains(position(0, 0)))
        #expect(!north.contains(position(0, -90)))
        let fiji = try GeoRegion(.polygon([ring([(170, -20), (-170, -20), (-170, -10), (170, -10)])]))
        #expect(fiji.contains(position(180, -15)))
        #expect(fiji.contains(position(-179, -15)))
        #expect(!fiji.contains(position(0, -15)))
    }

    @Test func holesAreNotInside() throws {
        let region = try GeoRegion(
            .polygon([ring([(0, 0), (10, 0), (10, 10), (0, 10)]), ring([(4, 4), (6, 4), (6, 6), (4, 6)])]))
        #expect(region.contains(position(2, 2)))
        #expect(!region.contains(position(5, 5)))
        #expect(region.contains(position(4, 4)))
        #expect(!region.contains(position(12, 5)))
    }

    // MARK: Faults

    @Test(.behaviour("S22")) func faultsOfPolygons() throws {
        let square = ring([(0, 0), (10, 0), (10, 10), (0, 10)])
        let faults: [([[GeoPosition]], String)] = [
            (
                [ring([(0, 0), (10, 10), (10, 0), (0, 10)])],
                "Ring 0 is not valid: 'Edges 0 and 2 cross. Edge locations in degrees: "
                    + "[0.0000000, 0.0000000]-[10.0000000, 10.0000000] and [0.0000000, 10.0000000]-[10.0000000, 0.0000000]'"
            ),
            (
                [square, ring([(20, 20), (21, 20), (21, 21)])],
                "Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the first ring"
            ),
            (
                [square, ring([(5, 5), (21, 6), (5, 7)])],
                "Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the first ring"
            ),
            (
                [square, ring([(5, 5), (10, 0), (10, 10)])],
                "Polygon isn't valid: 'Duplicate edge: ring 1, edge 1 and ring 0, edge 1'"
            ),
            (
                [square, ring([(1, 1), (8, 1), (8, 8), (1, 8)]), ring([(3, 3), (4, 3), (4, 4)])],
                "Polygon interior rings cannot be nested: 2"
            ),
            ([ring([(0, 0), (10, 0), (0, 0), (5, 5)])], "Ring 0 is not valid: 'Duplicate vertices: 0 and 2'"),
            (
                [Array(square.dropLast())],
                "Ring is not closed, first vertex '[0, 0, 0]' does not equal last vertex '[0, 10, 0]'"
            ),
            (
                [square, [position(0, 0), position(1, 0), position(1, 0), position(0, 0)]],
                "Ring 1 must have at least 3 different vertices, 2 unique vertices were provided"
            ),
            ([ring([(0, 0), (10, 95), (5, 5)])], "Longitude/latitude is out of bounds, lng: 10 lat: 95"),
            ([ring([(0, 0), (10, 0), (5, 0), (5, 5)])], "Ring 0 is not valid: 'Edges 0 and 1 cross."),
        ]
        for (rings, reason) in faults {
            let error = #expect(throws: PredicateError.self) { try GeoRegion(.polygon(rings)) }
            let start = "Invalid region in GEOWITHIN query for parameter 'GeoPolygon({["
            #expect(error?.message.hasPrefix(start) ?? false, "\(error?.message ?? "")")
            #expect(error?.message.contains("': '" + reason) ?? false, "\(error?.message ?? "")")
        }
    }

    @Test(.behaviour("T16")) func aRepeatedCornerCountsOnce() throws {
        let corners = ring([(0, 0), (10, 0), (10, 10), (0, 10)])
        let region = try GeoRegion(.polygon([corners.flatMap { [$0, $0] }]))
        #expect(region.contains(position(5, 5)) && !region.contains(position(11, 5)))
    }
}
