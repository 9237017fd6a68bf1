// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Geospatial values and queries (behaviours B-128 to B-136).
@Suite struct GeoTests: TrapSuite {
    @Test(.behaviour("B-128")) func invalidCoordinatesAreRejected() {
        #expect(GeoPoint(latitude: 91, longitude: 0) == nil && GeoPoint(latitude: -90.1, longitude: 0) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 181) == nil && GeoPoint(latitude: 0, longitude: -180.1) == nil)
        #expect(GeoPoint(latitude: .nan, longitude: 0) == nil && GeoPoint(latitude: 0, longitude: .nan) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
        #expect(GeoPoint(latitude: 0, longitude: 0, altitude: .nan) == nil)
        let point = GeoPoint(latitude: -90, longitude: 180, altitude: 5)
        #expect(point?.latitude == -90 && point?.longitude == 180 && point?.altitude == 5)
        #expect(
            point == GeoPoint(latitude: -90, longitude: 180, altitude: 5)
                && point != GeoPoint(latitude: 0, longitude: 0))
        #expect(GeoBox(bottomLeft: (0, 0), topRight: (91, 0)) == nil)
    }

    @Test(.behaviour("B-129")) func invalidRingsAreRejected() {
        let ring = [(0.0, 0.0), (0, 1), (1, 1), (0, 0)]
        #expect(GeoPolygon(outerRing: ring) != nil)
        #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (0, 0)]) == nil)
        #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (1, 0)]) == nil)
        #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (91, 1), (0, 0)]) == nil)
        #expect(GeoPolygon(outerRing: ring, holes: [(0, 0), (0, 1), (0, 0)]) == nil)
        #expect(GeoPolygon(outerRing: ring, holes: [[(0, 0), (0, 1), (1, 1), (1, 0)]]) == nil)
        let holes = GeoPolygon(outerRing: ring, holes: ring, ring)
        #expect(holes?.holes?.count == 2 && holes?.outerRing.count == 4)
        #expect(holes == GeoPolygon(outerRing: ring, holes: [ring, ring]) && holes != GeoPolygon(outerRing: ring))
    }

    @Test(.behaviour("B-130")) func negativeDistances() throws {
        #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
        #expect(GeoCircle(center: (0, 0), radiusInRadians: .nan) == nil)
        #expect(Distance.kilometers(-1) == nil && Distance.miles(-1) == nil && Distance.degrees(-1) == nil)
        #expect(Distance.radians(-0.1) == nil && Distance.radians(.nan) == nil)
        let radius = try #require(Distance.radians(0.5))
        #expect(GeoCircle(center: (1, 2), radius: radius) == GeoCircle(center: (1, 2), radiusInRadians: 0.5))
    }

    @Test(.behaviour("B-131")) func unitsOfDistance() throws {
        #expect(abs(try #require(Distance.kilometers(6378.1)).radians - 1) < 1e-9)
        #expect(abs(try #require(Distance.degrees(180)).radians - .pi) < 1e-12)
        #expect(abs(try #require(Distance.miles(1)).asMiles() - 1) < 1e-12)
        #expect(abs(try #require(Distance.miles(1)).asKilometers() - 1.609344) < 1e-9)
        #expect(abs(try #require(Distance.radians(1)).asDegrees() - 57.29577951308232) < 1e-9)
    }

    // MARK: Queries

    private func fill(_ realm: Realm) throws {
        try realm.write {
            for (name, latitude, longitude) in [
                ("corner", 40.0, 10.0), ("middle", 45, 15), ("top", 50, 20), ("out", 50.001, 20), ("far", -45, 165),
            ] {
                let shop = realm.create(GeoShop.self, value: ["name": name])
                shop.location = GeoSpot(value: ["coordinates": [longitude, latitude]])
            }
            realm.create(GeoShop.self, value: ["name": "nowhere"])
        }
    }

    private func names(_ shops: Results<GeoShop>) -> String { shops.map(\.name).joined(separator: " ") }

    @Test(.behaviour("B-132")) func placesInABox() throws {
        try withRealm(geoTypes) { realm in
            try fill(realm)
            let shops = realm.objects(GeoShop.self)
            let box = try #require(GeoBox(bottomLeft: (40, 10), topRight: (50, 20)))
            #expect(names(shops.where { $0.location.geoWithin(box) }) == "corner middle top")
            #expect(names(shops.filter("location IN %@", box)) == "corner middle top")
            #expect(names(shops.filter("NOT location IN %@", box)) == "out far nowhere")
            #expect(
                names(shops.filter("location GEOWITHIN geoBox([10, 40], [20, 50]) AND name != 'top'"))
                    == "corner middle")
            let text = Query<GeoShop>._constructForTesting().location.geoWithin(box)._constructPredicate()
            #expect(text.0 == "(location IN %@)" && text.1.first as? GeoBox == box)
        }
    }

    @Test func placesInCirclesAndPolygons() throws {
        try withRealm(geoTypes) { realm in
            try fill(realm)
            let shops = realm.objects(GeoShop.self)
            let radius = try #require(Distance.kilometers(10))
            let circle = try #require(GeoCircle(center: (45, 15), radius: radius))
            #expect(names(shops.where { $0.location.geoWithin(circle) }) == "middle")
            let half = try #require(GeoCircle(center: (45, 15), radiusInRadians: .pi / 2))
            #expect(names(shops.where { $0.location.geoWithin(half) }) == "corner middle top out")
            let square = [(40.0, 10.0), (40, 20), (50, 20), (50, 10), (40, 10)]
            let polygon = try #require(GeoPolygon(outerRing: square))
            #expect(names(shops.where { $0.location.geoWithin(polygon) }) == "corner middle top")
            let hole = [(44.0, 14.0), (44, 16), (46, 16), (46, 14), (44, 14)]
            let ring = try #require(GeoPolygon(outerRing: square, holes: hole))
            #expect(names(shops.where { $0.location.geoWithin(ring) && $0.name != "x" }) == "corner top")
            #expect(names(shops.where { !$0.location.geoWithin(ring) }) == "middle out far nowhere")
        }
    }

    @Test(.behaviour("B-133", "B-134", "T16", "T14"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("A GEOWITHIN query can only operate on a link to an embedded class but 'GeoTop' is at the top level") {
            inRealm(geoTypes) { realm in
                _ = realm.objects(GeoShop.self).filter("top IN %@", GeoBox(bottomLeft: (0, 0), topRight: (1, 1))!)
            }
        },
        Trap("Query 'other GEOWITHIN GeoBox([0, 0], [1, 1])' links to data in the wrong format for a geoWithin query") {
            inRealm(geoTypes) { realm in
                _ = realm.objects(GeoShop.self).filter("other IN %@", GeoBox(bottomLeft: (0, 0), topRight: (1, 1))!)
            }
        },
        Trap("Secondary ring 1 not contained by first exterior ring") {
            let polygon = GeoPolygon(
                outerRing: [(0, 0), (0, 3), (3, 3), (3, 0), (0, 0)], holes: [[(0, 1), (0, 2), (1, 1.5), (0, 1)]])
            inRealm([GeoShop.self, GeoSpot.self, GeoTop.self, GeoOther.self]) { realm in
                _ = realm.objects(GeoShop.self).filter("location IN %@", polygon!).count
            }
        },
    ]

    @Test(.behaviour("B-135")) func holesLieInside() async {
        let result = await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(geoTypes) { realm in
                let polygon = GeoPolygon(
                    outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)], holes: [(5, 5), (5, 6), (6, 6), (5, 5)])!
                _ = realm.objects(GeoShop.self).where { $0.location.geoWithin(polygon) }.count
            }
        }
        result.expectText("Invalid region in GEOWITHIN query for parameter 'GeoPolygon({[0, 0, 0], [1, 0, 0],")
        result.expectText(
            "'Secondary ring 1 not contained by first exterior ring - secondary rings must be holes in the first ring'")
    }

    @Test(.behaviour("B-136")) func malformedPointsAreSkipped() throws {
        try withRealm(geoTypes) { realm in
            try fill(realm)
            let shops = realm.objects(GeoShop.self)
            try realm.write {
                shops[0].location?.type = "Polygon"
                shops[1].location?.type = "pOINT"
                shops[2].location?.coordinates.removeLast()
            }
            let box = try #require(GeoBox(bottomLeft: (-90, -180), topRight: (90, 180)))
            #expect(names(shops.where { $0.location.geoWithin(box) }) == "middle out far")
            try realm.write { shops[3].location?.coordinates[1] = 91 }
            #expect(names(shops.where { $0.location.geoWithin(box) }) == "middle far")
        }
    }

    @Test(.behaviour("T09")) func shapesAreArguments() throws {
        let corner = try #require(GeoPoint(latitude: 1, longitude: 1))
        let shapes: [Any] = [
            GeoBox(bottomLeft: (0, 0), topRight: (1, 1)) as Any,
            GeoCircle(center: corner, radius: try #require(Distance.kilometers(1))),
            try #require(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)])),
        ]
        for shape in shapes { #expect((shape as? any CVarArg)?._cVarArgEncoding.count == 1) }
    }

    @Test(.behaviour("T16")) func coordinatesHaveSixDigits() throws {
        let circle = try #require(GeoCircle(center: (59.21345678, 18.2), radiusInRadians: 0.01234567))
        #expect(circle.description == "GeoCircle([18.2, 59.2135, 0], 0.0123457)")
    }
}

private let geoTypes: [ObjectBase.Type] = [GeoShop.self, GeoSpot.self, GeoTop.self, GeoOther.self]

final class GeoShop: TestObject {
    @Persisted var name: String
    @Persisted var location: GeoSpot?
    @Persisted var top: GeoTop?
    @Persisted var other: GeoOther?
}

final class GeoSpot: TestEmbedded {
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>
}

final class GeoTop: TestObject {
    @Persisted var type = "Point"
    @Persisted var coordinates: List<Double>
}

final class GeoOther: TestEmbedded {
    @Persisted var coordinates: List<Int>
}
