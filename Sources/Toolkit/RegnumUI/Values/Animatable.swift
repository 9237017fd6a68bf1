// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A vector that an animation can interpolate.
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

/// A vector without components: the animatable data of types that don't animate.
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

/// A type whose values an animation can interpolate. In the browser host, a change shows its final value at once.
public protocol Animatable {
    /// The type of the interpolated data.
    associatedtype AnimatableData: VectorArithmetic = EmptyAnimatableData
    /// The interpolated data.
    var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
    /// The data of a type that doesn't animate.
    public var animatableData: EmptyAnimatableData {
        get { EmptyAnimatableData() }
        set {}
    }
}

/// A modifier that an animation can interpolate. In the browser host, a change shows its final value at once.
public protocol AnimatableModifier: Animatable, ViewModifier {}
