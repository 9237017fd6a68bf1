// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery

/// A shape that contains points: a box, a circle or a polygon.
public protocol RLMGeospatial {}

// `NSPredicate(format:)` takes its arguments as `CVarArg`.
extension RLMGeospatialBox: CVarArg {
    public var _cVarArgEncoding: [Int] { referenceEncoding(self) }
}

extension RLMGeospatialCircle: CVarArg {
    public var _cVarArgEncoding: [Int] { referenceEncoding(self) }
}

extension RLMGeospatialPolygon: CVarArg {
    public var _cVarArgEncoding: [Int] { referenceEncoding(self) }
}

/// Returns a reference encoded for `%@`. The caller retains the object for as long as the arguments are used.
private func referenceEncoding(_ object: AnyObject) -> [Int] {
    unsafe [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())]
}

protocol EngineShape {
    var engineShape: GeoShape { get }
}

/// The part of the Earth's surface between two parallels and two meridians; use it as `GeoBox`.
public final class RLMGeospatialBox: RLMGeospatial, EngineShape, Hashable, Sendable, CustomStringConvertible {
    /// The south-western corner.
    public let bottomLeft: GeoPoint
    /// The north-eastern corner.
    public let topRight: GeoPoint

    /// Creates a box between two corners.
    public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
        self.bottomLeft = bottomLeft
        self.topRight = topRight
    }

    var engineShape: GeoShape { .box(bottomLeft: bottomLeft.position, topRight: topRight.position) }

    public static func == (a: RLMGeospatialBox, b: RLMGeospatialBox) -> Bool { a.engineShape == b.engineShape }
    public func hash(into hasher: inout Hasher) { hasher.combine(engineShape) }
    public var description: String { engineShape.shown }
}

/// The part of the Earth's surface between two parallels and two meridians. A box whose left is east of its right
/// crosses the meridian of 180 degrees.
public typealias GeoBox = RLMGeospatialBox

extension GeoBox {
    /// Creates a box from corners given as (latitude, longitude), or returns nil if a corner is out of range.
    public convenience init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
        guard let bottomLeft = GeoPoint(bottomLeft), let topRight = GeoPoint(topRight) else { return nil }
        self.init(bottomLeft: bottomLeft, topRight: topRight)
    }
}

/// The points within a radius of a centre; use it as `GeoCircle`.
public final class RLMGeospatialCircle: RLMGeospatial, EngineShape, Hashable, Sendable, CustomStringConvertible {
    /// The centre of the circle.
    public let center: GeoPoint
    /// The radius as an angle at the Earth's centre, in radians.
    public let radians: Double

    /// Creates a circle, or returns nil if the radius is negative or not a number.
    public init?(center: GeoPoint, radiusInRadians: Double) {
        guard radiusInRadians >= 0 else { return nil }
        self.center = center
        radians = radiusInRadians
    }

    /// Creates a circle around a point.
    public init(center: GeoPoint, radius: Distance) {
        self.center = center
        radians = radius.radians
    }

    var engineShape: GeoShape { .circle(center: center.position, radius: radians) }

    public static func == (a: RLMGeospatialCircle, b: RLMGeospatialCircle) -> Bool { a.engineShape == b.engineShape }
    public func hash(into hasher: inout Hasher) { hasher.combine(engineShape) }
    public var description: String { engineShape.shown }
}

/// The points within a radius of a centre, measured along great circles.
public typealias GeoCircle = RLMGeospatialCircle

extension GeoCircle {
    /// Creates a circle around a centre given as (latitude, longitude), or returns nil if the centre or the radius is
    /// invalid.
    public convenience init?(center: (Double, Double), radiusInRadians: Double) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radiusInRadians: radiusInRadians)
    }

    /// Creates a circle around a centre given as (latitude, longitude), or returns nil if the centre is out of range.
    public convenience init?(center: (Double, Double), radius: Distance) {
        guard let center = GeoPoint(center) else { return nil }
        self.init(center: center, radius: radius)
    }
}

/// The area enclosed by a ring of great circles, without its holes; use it as `GeoPolygon`.
public final class RLMGeospatialPolygon: RLMGeospatial, EngineShape, Hashable, Sendable, CustomStringConvertible {
    /// The corners; the last one equals the first.
    public let outerRing: [GeoPoint]
    /// The rings that bound excluded areas; nil for a polygon without holes.
    public let holes: [[GeoPoint]]?

    /// Creates a polygon, or returns nil unless the ring has at least four corners and ends where it begins.
    public convenience init?(outerRing: [GeoPoint]) { self.init(outerRing: outerRing, holes: nil) }

    /// Creates a polygon, or returns nil unless each ring has at least four corners and ends where it begins. Whether
    /// the rings cross and the holes lie inside is checked when the polygon is used.
    public init?(outerRing: [GeoPoint], holes: [[GeoPoint]]?) {
        for ring in [outerRing] + (holes ?? []) where ring.count < 4 || ring.first != ring.last { return nil }
        self.outerRing = outerRing
        self.holes = holes
    }

    var engineShape: GeoShape { .polygon(([outerRing] + (holes ?? [])).map { $0.map(\.position) }) }

    public static func == (a: RLMGeospatialPolygon, b: RLMGeospatialPolygon) -> Bool { a.engineShape == b.engineShape }
    public func hash(into hasher: inout Hasher) { hasher.combine(engineShape) }
    public var description: String { engineShape.shown }
}

/// The area enclosed by a ring of great circles, without its holes: the smaller of the two parts of the Earth's
/// surface.
public typealias GeoPolygon = RLMGeospatialPolygon

extension GeoPolygon {
    /// Creates a polygon from corners given as (latitude, longitude). Returns nil if a corner is out of range, or if a
    /// ring has fewer than four corners or doesn't end where it begins.
    public convenience init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
        guard let ring = GeoPolygon.points(outerRing) else { return nil }
        let rings = holes.compactMap(GeoPolygon.points)
        guard rings.count == holes.count else { return nil }
        self.init(outerRing: ring, holes: rings.isEmpty ? nil : rings)
    }

    /// Creates a polygon from corners given as (latitude, longitude). Returns nil if a corner is out of range, or if a
    /// ring has fewer than four corners or doesn't end where it begins.
    public convenience init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
        self.init(outerRing: outerRing, holes: holes)
    }

    private static func points(_ places: [(Double, Double)]) -> [GeoPoint]? {
        let points = places.compactMap { GeoPoint($0) }
        return points.count == places.count ? points : nil
    }
}
