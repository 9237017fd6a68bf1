// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A vector that can be interpolated by an animation.
public protocol VectorArithmetic: AdditiveArithmetic {
    /// Multiplies the vector by a number.
    mutating func scale(by rhs: Double)
    /// The square of the vector's length.
    var magnitudeSquared: Double { get }
}

extension Double: VectorArithmetic {
    /// Multiplies the number by another.
    public mutating func scale(by rhs: Double) { self *= rhs }
    /// The square of the number.
    public var magnitudeSquared: Double { self * self }
}

extension CGFloat: VectorArithmetic {
    /// Multiplies the number by another.
    public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }
    /// The square of the number.
    public var magnitudeSquared: Double { Double(self * self) }
}

/// A vector without components, for types without animatable data.
public struct EmptyAnimatableData: VectorArithmetic, Sendable {
    /// Creates the empty vector.
    public init() {}
    /// The empty vector.
    public static let zero = EmptyAnimatableData()
    /// Returns the empty vector.
    public static func + (a: EmptyAnimatableData, b: EmptyAnimatableData) -> EmptyAnimatableData { a }
    /// Returns the empty vector.
    public static func - (a: EmptyAnimatableData, b: EmptyAnimatableData) -> EmptyAnimatableData { a }
    /// Has no effect, because the vector has no components.
    public mutating func scale(by rhs: Double) {}
    /// The square of the vector's length, which is always 0.
    public var magnitudeSquared: Double { 0 }
}

/// A type whose values can be animated. In the browser host, the final value is shown at once.
public protocol Animatable {
    /// The type of the animated data.
    associatedtype AnimatableData: VectorArithmetic = EmptyAnimatableData
    /// The animated data.
    var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
    /// The empty vector.
    public var animatableData: EmptyAnimatableData {
        get { EmptyAnimatableData() }
        set {}
    }
}

/// A modifier that can be animated. In the browser host, the final value is shown at once.
public protocol AnimatableModifier: Animatable, ViewModifier {}
