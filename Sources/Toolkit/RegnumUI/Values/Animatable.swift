// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Numbers that an animation passes through.
public protocol VectorArithmetic: AdditiveArithmetic {
    /// Multiplies by a number.
    mutating func scale(by rhs: Double)
    /// The square of the length.
    var magnitudeSquared: Double { get }
}

extension Double: VectorArithmetic {
    /// Multiplies by a number.
    public mutating func scale(by rhs: Double) { self *= rhs }
    /// The square.
    public var magnitudeSquared: Double { self * self }
}

extension CGFloat: VectorArithmetic {
    /// Multiplies by a number.
    public mutating func scale(by rhs: Double) { self *= CGFloat(rhs) }
    /// The square.
    public var magnitudeSquared: Double { Double(self * self) }
}

/// Nothing to animate.
public struct EmptyAnimatableData: VectorArithmetic, Sendable {
    /// Makes the value.
    public init() {}
    /// The value.
    public static let zero = EmptyAnimatableData()
    /// The value.
    public static func + (a: EmptyAnimatableData, b: EmptyAnimatableData) -> EmptyAnimatableData { a }
    /// The value.
    public static func - (a: EmptyAnimatableData, b: EmptyAnimatableData) -> EmptyAnimatableData { a }
    /// Does nothing.
    public mutating func scale(by rhs: Double) {}
    /// Zero.
    public var magnitudeSquared: Double { 0 }
}

/// Something that an animation changes step by step; here it has its last value at once.
public protocol Animatable {
    /// The type of what changes.
    associatedtype AnimatableData: VectorArithmetic = EmptyAnimatableData
    /// What changes.
    var animatableData: AnimatableData { get set }
}

extension Animatable where AnimatableData == EmptyAnimatableData {
    /// Nothing changes.
    public var animatableData: EmptyAnimatableData {
        get { EmptyAnimatableData() }
        set {}
    }
}

/// A modifier that an animation changes step by step; here it has its last value at once.
public protocol AnimatableModifier: Animatable, ViewModifier {}
