// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A distance on the Earth's surface, which is modeled as a sphere with a radius of 6,378.1 kilometres.
public typealias Distance = RLMDistance

/// A distance on the Earth's surface; use it as `Distance`.
public final class RLMDistance: Hashable, Sendable {
    /// The distance as an angle at the Earth's centre, in radians.
    public let radians: Double

    private init?(_ radians: Double) {
        guard radians >= 0 else { return nil }
        self.radians = radians
    }

    private static let metersPerRadian = 6_378_100.0
    private static let metersPerMile = 1_609.344

    /// Returns a distance in kilometres, or nil if it is negative or not a number.
    public static func kilometers(_ kilometers: Double) -> Distance? { Distance(kilometers * 1000 / metersPerRadian) }

    /// Returns a distance in miles, or nil if it is negative or not a number.
    public static func miles(_ miles: Double) -> Distance? { Distance(miles * metersPerMile / metersPerRadian) }

    /// Returns a distance given as the angle at the centre of the Earth in degrees, or nil if it is negative or not a
    /// number.
    public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

    /// Returns a distance given as the angle at the centre of the Earth in radians, or nil if it is negative or not a
    /// number.
    public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

    /// Returns the distance in kilometres.
    public func asKilometers() -> Double { radians * RLMDistance.metersPerRadian / 1000 }

    /// Returns the distance in miles.
    public func asMiles() -> Double { radians * RLMDistance.metersPerRadian / RLMDistance.metersPerMile }

    /// Returns the distance as the angle at the centre of the Earth, in degrees.
    public func asDegrees() -> Double { radians * 180 / .pi }

    public static func == (a: RLMDistance, b: RLMDistance) -> Bool { a.radians == b.radians }

    public func hash(into hasher: inout Hasher) { hasher.combine(radians) }
}
